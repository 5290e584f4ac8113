import type { BookingRequest, BookOutcome } from '../port.ts';
import type { Clinic } from './clinic.ts';
import { referenceOf } from './event-view.ts';
import { release } from './release.ts';
import { takeEvent } from './take-event.ts';

/**
 * Makes the offered event the appointment itself. So it is one write, which happens as a whole or not at all, and there
 * is never more than one appointment of a booking.
 */
export async function book(clinic: Clinic, booking: BookingRequest): Promise<BookOutcome> {
  const { bookingId, slot: ref } = booking;
  const taken = await takeEvent(clinic, { bookingId, ref, booking });
  if (taken.outcome === 'settled' && taken.verdict !== null)
    return { outcome: 'booked', reference: referenceOf(taken.verdict) };
  // Whatever an earlier attempt left there is not to stay.
  await release(clinic, { bookingId, slot: ref, cancelledBy: 'service' });
  return taken.outcome === 'refused' ? taken : { outcome: 'gone' };
}
