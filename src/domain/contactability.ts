import { type CaseState, type Channel, CHANNELS } from './case-state.ts';

type ContactState = Pick<CaseState, 'reach' | 'failed' | 'disowned'>;

/** Where messages may go: the case has an address, and whoever is there has not said that it is somebody else's. */
export const openChannels = ({ reach, disowned = [] }: ContactState): readonly Channel[] =>
  CHANNELS.filter((channel) => reach[channel] && !disowned.includes(channel));

/** Where messages may go, and the last one did not fail for good. */
export const workingChannels = (state: ContactState): readonly Channel[] =>
  openChannels(state).filter((channel) => state.failed?.[channel] === undefined);

/** Every address of the case was disowned: nobody is told anything. */
export const isDisowned = (state: ContactState): boolean =>
  openChannels(state).length === 0 && (state.disowned ?? []).length > 0;

/** Whether a message that was ordered for the addresses of `version` tells of the address that the channel has now. */
export const isAboutAddress = ({ reach }: ContactState, channel: Channel, version: number): boolean =>
  version >= addressVersion(reach, channel);

/** Whether an address that somebody gives corrects the one that the case has: one that was disowned is confirmed by it. */
export const isCorrection = (
  { disowned = [] }: ContactState,
  channel: Channel,
  given: string | undefined,
  before: string | null,
): boolean => given !== undefined && (given !== before || disowned.includes(channel));

/** The addresses after a correction of `corrected`. */
export function correctContactability(
  before: CaseState['reach'],
  has: Readonly<Record<Channel, boolean>>,
  corrected: readonly Channel[],
): CaseState['reach'] {
  const version = before.version + 1;
  const since = (channel: Channel) =>
    corrected.includes(channel) ? version : addressVersion(before, channel);
  return { email: has.email, sms: has.sms, version, since: { email: since('email'), sms: since('sms') } };
}

/** Who corrected an address, or asks for another message there, has not to hear of what failed before. */
export const clearFailures = (
  { failed = {} }: ContactState,
  channels: readonly Channel[] = CHANNELS,
): Pick<CaseState, 'failed'> => ({
  failed: Object.fromEntries(
    Object.entries(failed).filter(([channel]) => !channels.includes(channel as Channel)),
  ),
});

/** Before there were versions of single addresses, a correction of one was taken for one of both. */
const addressVersion = (reach: CaseState['reach'], channel: Channel): number =>
  reach.since?.[channel] ?? reach.version;
