import pLimit from 'p-limit';
import { createExchange } from '../../http-client/exchange.ts';
import { type AdapterOptions, translateFailures } from '../adapter.ts';
import type { BookingRequest, BookingSystem, BookOutcome } from '../port.ts';
import { capabilities } from './capabilities.ts';
import { referenceOf } from './events.ts';
import { lookUp, marks } from './look-up.ts';
import { createReader } from './reader.ts';
import { release } from './release.ts';
import { searchEvents } from './search-events.ts';
import { type Clinic, MAX_BYTES, within } from './server.ts';
import { hold, takeEvent } from './take-event.ts';

/**
 * A clinic whose booking system is a CalDAV server: a calendar for each practitioner, with the free times as events. The
 * base URL is that of the collection that holds the calendars (its "calendar home"), or of one calendar.
 */
export function createCalDavBookingSystem(options: AdapterOptions): BookingSystem {
  const { providerId, name, baseUrl, now, onSkipped } = options;
  const clinic: Clinic = {
    providerId,
    name,
    server: {
      baseUrl: new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`),
      send: createExchange({ ...options, name: 'CalDAV', maxBytes: MAX_BYTES }),
      read: createReader(),
    },
    inTurn: pLimit(1),
    now,
    onSkipped,
  };
  return translateFailures({
    search: (query) => searchEvents(within(clinic, query.signal), query),
    hold: (slot, bookingId, signal) => hold(within(clinic, signal), { ref: slot, bookingId, booking: null }),
    book: (booking) => book(clinic, booking),
    release: (request) => release(clinic, request),
    lookUp: (bookings, signal) => lookUp(within(clinic, signal), bookings),
    marks: (range) => marks(clinic, range),
    capabilities: () => capabilities(clinic),
  });
}

/**
 * Makes the offered event the appointment itself. So it is one write, which happens as a whole or not at all, and there
 * is never more than one appointment of a booking.
 */
async function book(clinic: Clinic, booking: BookingRequest): Promise<BookOutcome> {
  const { bookingId, slot: ref } = booking;
  const taken = await takeEvent(clinic, { bookingId, ref, booking });
  if (taken.outcome === 'settled' && taken.verdict !== null)
    return { outcome: 'booked', reference: referenceOf(taken.verdict) };
  // Whatever an earlier attempt left there is not to stay.
  await release(clinic, { bookingId, slot: ref, cancelledBy: 'service' });
  return taken.outcome === 'refused' ? taken : { outcome: 'gone' };
}
