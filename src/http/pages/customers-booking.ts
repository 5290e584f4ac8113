import type { CustomerBooking } from '../../web/booking-facts.ts';
import { bookingJson } from '../case-json.ts';

/** The customer's appointment as the pages show it. Right after a retry the clinic's words may be missing for a moment. */
export function customersBooking(view: Parameters<typeof bookingJson>[0]): CustomerBooking | null {
  const booking = bookingJson(view);
  return (
    booking && {
      ...booking,
      providerName: booking.providerName ?? booking.providerId,
      practitioner: booking.practitioner ?? '–',
      location: booking.location ?? '–',
      mode: booking.mode ?? 'in_person',
    }
  );
}
