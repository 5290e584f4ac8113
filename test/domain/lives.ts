import type { Actor, CaseState, Channel, Deadline, Reminder } from '../../src/domain/case-state.ts';
import type { CaseInput } from '../../src/domain/command.ts';
import { decide, type Decision, openCase } from '../../src/domain/decide.ts';
import type { BookingId, ProviderId } from '../../src/domain/ids.ts';
import { type CalendarDate, daysAfter, instant, type Instant } from '../../src/domain/instant.ts';
import type { SlotRef } from '../../src/domain/slot.ts';

/** Moments of a case's life, in this order. */
export const OPENED = instant('2027-03-01T12:00:00Z');
export const DEADLINE: Deadline = deadlineOf('2027-03-15' as CalendarDate);
/** The appointment is after the last day to book, as most are. */
export const START = instant('2027-03-20T10:00:00Z');
export const END = instant('2027-03-20T10:45:00Z');

export function hoursAfter(time: Instant, hours: number): Instant {
  return instant(Date.parse(time) + hours * 3_600_000);
}

export const slotAt = (start: Instant, slot = `slot at ${start}`): SlotRef => ({
  providerId: 'clinic' as ProviderId,
  slot,
  practitionerId: 'practitioner',
  start,
  end: hoursAfter(start, 0.75),
});

export const id = (name: string) => name as BookingId;

/** The deadline three days from `at`, as the edge computes it (in winter, that is). */
export function graceAt(at: Instant): Deadline {
  return deadlineOf(hoursAfter(at, 1 + 3 * 24).slice(0, 10) as CalendarDate);
}

/** As the edge computes it in winter. */
function deadlineOf(date: CalendarDate): Deadline {
  const passesAt = instant(`${date}T23:00:00Z`);
  const reminders = [3, 1].map((days) => {
    const midnight = daysAfter(passesAt, -1 - days);
    return { at: hoursAfter(midnight, 9), until: hoursAfter(midnight, 20) };
  });
  return { date, passesAt, reminders };
}

export const confirm = (bookingId = 'first', slot = slotAt(START)): CaseInput => ({
  type: 'confirm',
  slot,
  bookingId: id(bookingId),
});
/** On the day before, as the edge computes it in winter. */
export function reminderOf(start: Instant): Reminder {
  const midnight = hoursAfter(instant(start.slice(0, 10)), -25);
  return { at: hoursAfter(midnight, 9), until: hoursAfter(midnight, 20) };
}
/** Now by day, else the next morning: as the edge computes it in winter. */
export function daytimeAt(at: Instant): Reminder {
  const local = hoursAfter(at, 1);
  const midnight = hoursAfter(instant(local.slice(0, 10)), -1);
  const [from, until] = [hoursAfter(midnight, 9), hoursAfter(midnight, 20)];
  if (at > until) return { at: hoursAfter(from, 24), until: hoursAfter(until, 24) };
  return { at: at > from ? at : from, until };
}
export const transferred = (bookingId = 'first', start = START): CaseInput => ({
  type: 'transferred',
  bookingId: id(bookingId),
  reference: `Appointment/${bookingId}`,
  reminder: reminderOf(start),
});
export const transferRefused = (bookingId = 'first', gone = false, at = OPENED): CaseInput => ({
  type: 'transferRefused',
  bookingId: id(bookingId),
  gone,
  grace: graceAt(at),
});
export const disown: CaseInput = { type: 'contactDisowned' };
export const invite: CaseInput = { type: 'invite' };
export const remind: CaseInput = { type: 'remind' };
/** An invitation that was sent on both channels fails on some. */
export const failsOn = (...channels: Channel[]): CaseInput => ({
  type: 'messageFailed',
  kind: 'invitation',
  sequence: 1,
  bookingId: null,
  contactVersion: 1,
  channels,
  tried: ['email', 'sms'],
});
/** No message arrives: the invitation fails on both. */
export const undeliverable = failsOn('email', 'sms');
/** The second message of the case, sent by SMS alone. */
export const smsFails = {
  type: 'messageFailed',
  kind: 'invitation',
  sequence: 2,
  bookingId: null,
  contactVersion: 1,
  channels: ['sms'],
  tried: ['sms'],
} as const satisfies CaseInput;
export const correct = (...corrected: Channel[]): CaseInput => ({
  type: 'changeContact',
  hasAddress: { email: true, sms: true },
  corrected,
  correctionId: null,
});
export const correctName: CaseInput = {
  type: 'correctName',
  fields: ['patientLastName'],
  correctionId: 'a row',
};
export const cancel: CaseInput = { type: 'cancel' };
export const ask: CaseInput = { type: 'requestAssistance' };
export const resolve: CaseInput = { type: 'resolveAssistance' };
export const recall: CaseInput = { type: 'recall', textId: null };
export const expire: CaseInput = { type: 'expire' };
export const archive: CaseInput = { type: 'archive' };
export const failed = (bookingId = 'first'): CaseInput => ({
  type: 'transferFailed',
  bookingId: id(bookingId),
});
export const policyVerified: CaseInput = {
  type: 'verificationNoted',
  kind: 'policy',
  outcome: 'verified',
  at: OPENED,
};
export const moveDeadline = (deadline: Deadline): CaseInput => ({ type: 'moveDeadline', deadline });
export const retry = (at: Instant): CaseInput => ({
  type: 'retry',
  bookingId: id('again'),
  grace: graceAt(at),
});

export const opened = (at = OPENED): CaseState =>
  openCase({ deadline: DEADLINE, archiveAfterDays: 30, hasAddress: { email: true, sms: true } }, at).state;

export const when = (
  state: CaseState,
  command: CaseInput,
  at: Instant,
  actor: Actor = 'customer',
): Decision => decide(state, command, { at, actor });

/** The state after a command that must not be refused. */
export function after(state: CaseState, command: CaseInput, at: Instant): CaseState {
  const decision = when(state, command, at);
  if (decision.outcome === 'refused') throw new Error(`${command.type} was refused in ${state.status}`);
  return decision.outcome === 'changed' ? decision.state : state;
}

/** A case that has lived through these, an hour apart, or at the times that are named. */
export function lived(...steps: readonly (CaseInput | Instant)[]): CaseState {
  let [state, at] = [opened(), OPENED];
  for (const step of steps) {
    if (typeof step === 'string') at = step;
    else [state, at] = [after(state, step, at), hoursAfter(at, 1)];
  }
  return state;
}
