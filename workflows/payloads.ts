import type { SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { ApplicationFailure } from '@temporalio/workflow';
import { NOTICED_KINDS } from '../src/domain/attention.ts';
import type { CaseState } from '../src/domain/case-state.ts';
import type * as contract from './contract.ts';

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string' && value !== '';
const instant: Check = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
const uuid: Check = (value) =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
const count: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const bool: Check = (value) => typeof value === 'boolean';
const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);
const nullable =
  (test: Check): Check =>
  (value) =>
    value === null || test(value);
const optional =
  (test: Check): Check =>
  (value) =>
    value === undefined || test(value);
const listOf =
  (test: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(test);
const shape =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(fields).every(([name, test]) => test((value as Readonly<Record<string, unknown>>)[name]));

const actor = oneOf('customer', 'partner', 'operator', 'provider', 'service');
const channel = oneOf('email', 'sms');
const reminder = shape({ at: instant, until: instant });
const deadline = shape({ date: text, passesAt: instant, reminders: listOf(reminder) });
const slot = shape({ providerId: text, slot: text, practitionerId: text, start: instant, end: instant });
const expected = optional(shape({ status: optional(text), revision: optional(count) }));
const updateRequest = (fields: Readonly<Record<string, Check>> = {}) =>
  shape({
    actor,
    apiKeyId: optional(uuid),
    notAfter: instant,
    expected,
    isShownLater: optional(bool),
    ...fields,
  });

/** Every update and signal of contract.ts. */
type PayloadName = {
  [K in keyof typeof contract]: (typeof contract)[K] extends
    UpdateDefinition<CaseState, [infer _]> | SignalDefinition<[infer _]>
    ? K
    : never;
}[keyof typeof contract];

/** What each update and signal has to hold. */
const PAYLOADS: Readonly<Record<PayloadName, Check>> = {
  confirmBooking: updateRequest({ slot }),
  cancelBooking: updateRequest(),
  resolveAssistance: updateRequest(),
  recall: updateRequest({ textId: nullable(text) }),
  archive: updateRequest(),
  moveDeadline: updateRequest({ deadline }),
  changeContact: updateRequest({
    hasAddress: shape({ email: bool, sms: bool }),
    corrected: listOf(channel),
    correctionId: nullable(text),
  }),
  correctName: updateRequest({
    fields: listOf(oneOf('patientFirstName', 'patientLastName')),
    correctionId: uuid,
  }),
  resendLink: updateRequest({ channel: nullable(channel) }),
  retry: updateRequest({ grace: deadline }),
  requestAssistance: shape({ actor }),
  disownContact: shape({ actor }),
  messageFailed: shape({
    kind: text,
    sequence: count,
    bookingId: nullable(text),
    contactVersion: count,
    channel,
    tried: listOf(channel),
  }),
  clinicCancelled: shape({ bookingId: text, grace: deadline }),
  clinicMoved: shape({ bookingId: text, slot, reminder: nullable(reminder) }),
  clinicDoubleBooked: shape({ bookingId: text, doubleBooked: bool }),
  slotFreed: shape({ bookingId: text }),
  setWaitlist: shape({ wanted: bool }),
  earlierTimeFreed: shape({ slot, tell: reminder }),
  verificationNoted: shape({ kind: text, outcome: text, at: instant }),
  attentionNoticed: shape({ kind: oneOf(...NOTICED_KINDS), isOpen: bool }),
  reproject: shape({ atLeast: count }),
  advanceClock: shape({ ahead: count }),
};

/**
 * Whether an update or a signal is valid. Anybody at Temporal's UI can send one by hand, and what a handler stumbles over,
 * or what PostgreSQL can't take, would keep the case standing still for good.
 */
export const isValidPayload = (name: string, payload: unknown): boolean =>
  (PAYLOADS as Readonly<Partial<Record<string, Check>>>)[name]?.(payload) ?? false;

const booked = shape({ outcome: oneOf('booked'), reference: text, reminder: nullable(reminder) });
const notBooked = shape({ outcome: oneOf('gone', 'refused'), grace: deadline });

/** Likewise a transfer's result, which can be filled in by hand, too. */
export const isTransferOutcome: Check = (value) => booked(value) || notBooked(value);

/** @throws what refuses an update, for whoever sent it by hand */
export function assertValidPayload(name: string, payload: unknown): void {
  if (!isValidPayload(name, payload))
    throw ApplicationFailure.nonRetryable(`invalid payload for ${name}`, 'Malformed');
}
