import { bookingOf, type Booking, type CaseState, type Reminder } from './case-state.ts';
import { daysAfter, type Instant } from './instant.ts';
import { hasOpenAssistance, hasOverlap, isOver } from './permit.ts';
import { isDisowned } from './reach.ts';
import { situationOf, TRANSITIONS } from './transitions.ts';

/** Does the deadline end this case when it passes? */
export const isOpen = (state: CaseState): boolean => TRANSITIONS[situationOf(state)].expire !== null;

/** What an operator filters for (the search attribute `NeedsAttention`); the most pressing one. */
export type Attention =
  | 'none'
  | 'assistance'
  | 'undeliverable'
  | 'disowned'
  | 'transfer_refused'
  | 'release_unverified'
  | 'overlap';

export function attentionOf(state: CaseState): Attention {
  if (state.problem?.code === 'TRANSFER_REFUSED') return 'transfer_refused';
  if (hasOverlap(state)) return 'overlap';
  if (state.bookings.some((booking) => booking.unverified)) return 'release_unverified';
  if (isDisowned(state) && !isOver(state)) return 'disowned';
  if (state.problem?.code === 'UNDELIVERABLE' || state.undeliverable) return 'undeliverable';
  return hasOpenAssistance(state) ? 'assistance' : 'none';
}

/** The booking that still has to be put into the provider's calendar. */
export function nextTransfer(state: CaseState): Booking | null {
  const wanted = bookingOf(state);
  return wanted?.transferredAt === null && state.status === 'booked' ? wanted : null;
}

/** The bookings that still have to be taken out of their calendars, as far as that can be done without a person. */
export const toRelease = (state: CaseState): readonly Booking[] =>
  state.bookings.filter((booking) => booking.abandonedBy !== null && !booking.unverified);

/** What happens to the case by itself, and when. */
export interface Alarm {
  readonly at: Instant;
  readonly wish: 'remind' | 'expire' | 'archive';
}

/** What is left to remind of while the customer is waited for, who may be waiting for help; it may be due already. */
export function comingReminders({ status, deadline, remindAfter }: CaseState): readonly Reminder[] {
  if (status !== 'pending_patient_action' && status !== 'assistance_requested') return [];
  return (deadline.reminders ?? []).filter(({ at }) => remindAfter === undefined || at > remindAfter);
}

/** A reminder or the deadline of an open case; the archive of one that has ended; null where nothing is due (an error waits for people). */
export function nextAlarm(state: CaseState): Alarm | null {
  const [reminder] = comingReminders(state);
  if (reminder && reminder.at < state.deadline.passesAt) return { at: reminder.at, wish: 'remind' };
  if (isOpen(state)) return { at: state.deadline.passesAt, wish: 'expire' };
  const over = state.status === 'booked' ? bookingOf(state)?.end : state.endedAt;
  const ends =
    state.status === 'booked' || state.status === 'recalled' || state.status === 'deadline_expired';
  return ends && over ? { at: daysAfter(over, state.archiveAfterDays), wish: 'archive' } : null;
}
