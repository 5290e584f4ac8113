import { ApplicationFailure } from '@temporalio/workflow';

type Test = (value: unknown) => boolean;

const text: Test = (value) => typeof value === 'string' && value !== '';
const instant: Test = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
const count: Test = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const yesOrNo: Test = (value) => typeof value === 'boolean';
const oneOf =
  (...words: readonly string[]): Test =>
  (value) =>
    typeof value === 'string' && words.includes(value);
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
const ifThere =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);
const shape =
  (fields: Readonly<Record<string, Test>>): Test =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(fields).every(([name, test]) => test((value as Readonly<Record<string, unknown>>)[name]));

const actor = oneOf('customer', 'partner', 'operator', 'provider', 'service');
const channel = oneOf('email', 'sms');
const deadline = shape({
  date: text,
  passesAt: instant,
  reminders: ifThere(listOf(shape({ at: instant, until: instant }))),
});
const slot = shape({ providerId: text, slot: text, practitionerId: text, start: instant, end: instant });
const asking = (fields: Readonly<Record<string, Test>> = {}) =>
  shape({ actor, notAfter: instant, ...fields });

/** What each update and signal of contract.ts has to hold. */
const MESSAGES: Readonly<Record<string, Test>> = {
  confirmBooking: asking({ slot }),
  cancelBooking: asking(),
  resolveAssistance: asking(),
  recall: asking({ textId: orNull(text) }),
  archive: asking(),
  moveDeadline: asking({ deadline }),
  changeContact: asking({
    reach: shape({ email: yesOrNo, sms: yesOrNo }),
    corrected: listOf(channel),
    correctionId: orNull(text),
  }),
  resendLink: asking({ channel: orNull(channel) }),
  retry: asking({ grace: deadline }),
  requestAssistance: shape({ actor }),
  disownContact: shape({ actor }),
  messageFailed: shape({
    kind: text,
    occurrence: count,
    bookingId: orNull(text),
    reachVersion: count,
    channel,
    tried: listOf(channel),
  }),
  clinicCancelled: shape({ bookingId: text, grace: deadline }),
  clinicMoved: shape({ bookingId: text, start: instant, end: instant, slot: ifThere(slot) }),
  slotFreed: shape({ bookingId: text }),
  verificationNoted: shape({ kind: text, outcome: text, at: instant }),
  showAgain: shape({ atLeast: count }),
};

/**
 * Whether an update or a signal holds what it has to. Anybody at Temporal's UI can send one by hand, and what a handler
 * stumbles over, or what PostgreSQL can't take, would keep the case standing still for good.
 */
export const isWellFormed = (name: string, news: unknown): boolean => MESSAGES[name]?.(news) ?? false;

const booked = shape({ outcome: oneOf('booked'), reference: text });
const notBooked = shape({ outcome: oneOf('gone', 'refused'), grace: deadline });

/** Likewise what a transfer came to, which can be filled in by hand, too. */
export const isTransferOutcome: Test = (value) => booked(value) || notBooked(value);

/** @throws what refuses an update, for whoever sent it by hand */
export function requireWellFormed(name: string, ask: unknown): void {
  if (!isWellFormed(name, ask))
    throw ApplicationFailure.nonRetryable(`${name} does not hold what it has to`, 'Malformed');
}
