import { bookingOf, type CaseState, type Reminder } from './case-state.ts';
import { type Change, orderMessage } from './change.ts';
import type { DecisionContext } from './command.ts';
import { daysAfter, type Instant } from './instant.ts';
import type { SlotRef } from './slot.ts';

/** A time is worth a message when it is at least so much earlier than the appointment (days). */
const EARLIER_BY_DAYS = 7;
/** At most one message in so long (days). */
const PAUSE_DAYS = 1;

/** Whether a time can still come free that is enough earlier than the customer's appointment. */
export function canBeEarlier(state: CaseState, at: Instant): boolean {
  const booking = bookingOf(state);
  return state.status === 'booked' && booking !== null && daysAfter(at, EARLIER_BY_DAYS) < booking.start;
}

export const isOnWaitlist = (state: CaseState): boolean =>
  state.status === 'booked' && state.waitlist !== null && state.waitlist.since !== null;

/** The customer asks to be told of earlier times, or to be told no more. Who has no appointment chooses among all times anyway. */
export function setWaitlist(change: Change, wanted: boolean, { at }: DecisionContext): Change {
  const { state } = change;
  if (state.status !== 'booked' || wanted === isOnWaitlist(state)) return change;
  if (wanted && !canBeEarlier(state, at)) return change;
  const toldAt = state.waitlist?.toldAt ?? null;
  return { ...change, state: { ...state, waitlist: { since: wanted ? at : null, toldAt, next: null } } };
}

/**
 * A time has come free. Whoever waits for one is told: now, or when the night is over (`tell`); once a day at most, since
 * the page shows all there are.
 */
export function earlierTimeFreed(
  change: Change,
  { slot, tell }: { readonly slot: SlotRef; readonly tell: Reminder },
  context: DecisionContext,
): Change {
  const { state } = change;
  const booking = bookingOf(state);
  if (state.status !== 'booked' || !state.waitlist?.since || booking === null) return change;
  const { toldAt, next } = state.waitlist;
  const isEarlier = daysAfter(slot.start, EARLIER_BY_DAYS) <= booking.start && tell.at < slot.start;
  const isPaused = toldAt !== null && tell.at < daysAfter(toldAt, PAUSE_DAYS);
  if (!isEarlier || isPaused || next !== null) return change;
  const noted: Change = { ...change, state: { ...state, waitlist: { ...state.waitlist, next: tell } } };
  return tell.at <= context.at ? tellOfEarlier(noted, context) : noted;
}

/** What came free in the night is told in the morning. */
export function tellOfEarlier(change: Change, context: DecisionContext): Change {
  const { state } = change;
  const { at } = context;
  if (state.status !== 'booked' || !state.waitlist?.next || at < state.waitlist.next.at) return change;
  const { until } = state.waitlist.next;
  const isTold = at <= until;
  const waitlist = { ...state.waitlist, next: null, toldAt: isTold ? at : state.waitlist.toldAt };
  const noted: Change = { ...change, state: { ...state, waitlist } };
  return isTold ? orderMessage(noted, 'earlier_time', context, state.bookingId, { until }) : noted;
}
