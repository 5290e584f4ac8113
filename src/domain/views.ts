import { bookingOf, type Booking, type CaseState } from './case-state.ts';
import { daysAfter, type Instant } from './instant.ts';
import { hasOpenAssistance } from './permit.ts';
import { situationOf, TRANSITIONS } from './transitions.ts';

/** Does the deadline end this case when it passes? */
export const isOpen = (state: CaseState): boolean => TRANSITIONS[situationOf(state)].expire !== null;

/** What an operator filters for (the search attribute `NeedsAttention`); the most pressing one. */
export type Attention = 'none' | 'assistance' | 'undeliverable' | 'transfer_refused' | 'release_unverified';

export function attentionOf(state: CaseState): Attention {
  if (state.problem?.code === 'TRANSFER_REFUSED') return 'transfer_refused';
  if (state.bookings.some((booking) => booking.unverified)) return 'release_unverified';
  if (state.problem?.code === 'UNDELIVERABLE' || state.undeliverable) return 'undeliverable';
  return hasOpenAssistance(state) ? 'assistance' : 'none';
}

/** What the loop has to do next to make the provider's side equal what is wanted. */
export interface ProviderStep {
  readonly do: 'transfer' | 'release';
  readonly booking: Booking;
}

/** @returns null when the provider's side is as it should be, or only a person can make it so. */
export function nextProviderStep(state: CaseState): ProviderStep | null {
  const wanted = bookingOf(state);
  if (wanted?.transferredAt === null && state.status === 'booked') return { do: 'transfer', booking: wanted };
  const surplus = state.bookings.find((booking) => booking.abandonedBy !== null && !booking.unverified);
  return surplus ? { do: 'release', booking: surplus } : null;
}

/** When the case archives itself; null while it has not ended. */
export function archiveAt(state: CaseState): Instant | null {
  const booking = bookingOf(state);
  if (state.status === 'booked' && booking) return daysAfter(booking.end, state.archiveAfterDays);
  if (state.status === 'recalled' || state.status === 'deadline_expired') {
    return state.endedAt && daysAfter(state.endedAt, state.archiveAfterDays);
  }
  return null;
}
