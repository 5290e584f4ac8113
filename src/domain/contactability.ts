import {
  type CaseState,
  type Channel,
  CHANNELS,
  type ChannelState,
  type Contactability,
} from './case-state.ts';

type ContactState = Pick<CaseState, 'contactability'>;

/** The contactability with `patch` for each of `channels`. */
export const patchChannels = (
  before: Contactability,
  channels: readonly Channel[],
  patch: Partial<ChannelState>,
): Contactability => ({
  ...before,
  channels: {
    email: { ...before.channels.email, ...(channels.includes('email') ? patch : {}) },
    sms: { ...before.channels.sms, ...(channels.includes('sms') ? patch : {}) },
  },
});

/** Of a case that begins: nothing has failed. */
export function openContactability(hasAddress: Readonly<Record<Channel, boolean>>): Contactability {
  const of = (channel: Channel): ChannelState => ({
    hasAddress: hasAddress[channel],
    since: 1,
    failed: null,
    disowned: false,
  });
  return { version: 1, channels: { email: of('email'), sms: of('sms') }, undeliverable: false };
}

/** Where messages may go: the case has an address, and whoever is there has not said that it is somebody else's. */
export const openChannels = ({ contactability: { channels } }: ContactState): readonly Channel[] =>
  CHANNELS.filter((channel) => channels[channel].hasAddress && !channels[channel].disowned);

/** Where messages may go, and the last one did not fail for good. */
export const workingChannels = (state: ContactState): readonly Channel[] =>
  openChannels(state).filter((channel) => state.contactability.channels[channel].failed === null);

export const disownedChannels = ({ contactability: { channels } }: ContactState): readonly Channel[] =>
  CHANNELS.filter((channel) => channels[channel].disowned);

/** Every address of the case was disowned: nothing is sent to anybody. */
export const isDisowned = (state: ContactState): boolean =>
  openChannels(state).length === 0 && disownedChannels(state).length > 0;

/** Whether a message that was ordered for the addresses of `version` says something about the channel's present one. */
export const isAboutAddress = (
  { contactability }: ContactState,
  channel: Channel,
  version: number,
): boolean => version >= contactability.channels[channel].since;

/** Whose address was corrected after a message was ordered for the addresses of `version`. */
export const correctedChannels = (state: ContactState, version: number): readonly Channel[] =>
  CHANNELS.filter((channel) => !isAboutAddress(state, channel, version));

/** Whether an address that somebody gives corrects the one that the case has: one that was disowned is confirmed by it. */
export const isCorrection = (
  { contactability }: ContactState,
  channel: Channel,
  given: string | undefined,
  before: string | null,
): boolean => given !== undefined && (given !== before || contactability.channels[channel].disowned);

/** The addresses after a correction of `corrected`. */
export function correctContactability(
  before: Contactability,
  hasAddress: Readonly<Record<Channel, boolean>>,
  corrected: readonly Channel[],
): Contactability {
  const version = before.version + 1;
  const { channels } = patchChannels(before, corrected, { since: version, failed: null, disowned: false });
  return {
    version,
    channels: {
      email: { ...channels.email, hasAddress: hasAddress.email },
      sms: { ...channels.sms, hasAddress: hasAddress.sms },
    },
    undeliverable: false,
  };
}

/** Whoever asks for another message on these channels is not shown what failed before. */
export const clearFailures = (
  before: Contactability,
  channels: readonly Channel[] = CHANNELS,
): Contactability => ({ ...patchChannels(before, channels, { failed: null }), undeliverable: false });
