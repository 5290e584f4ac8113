import type { ProviderId } from '../../domain/ids.ts';
import type { BookingRequest, BookingSystem, BookOutcome } from '../port.ts';
import { capabilities } from './capabilities.ts';
import { referenceOf } from './events.ts';
import { lookUp, marks } from './look-up.ts';
import { release } from './release.ts';
import { searchEvents } from './search-events.ts';
import type { CalDavServer, Clinic } from './server.ts';
import { hold, takeEvent } from './take-event.ts';

export interface CalDavBookingSystemOptions {
  readonly providerId: ProviderId;
  /** Where to go, when an event names no place. */
  readonly name: string;
  /** Of the collection that holds the clinic's calendars (its "calendar home"), or of one calendar. */
  readonly baseUrl: string;
  readonly headers?: CalDavServer['headers'];
  readonly onUnauthorized?: CalDavServer['onUnauthorized'];
  /** For one request, in milliseconds. */
  readonly timeoutMs?: number;
  readonly now?: () => number;
  /** Told how many events could not be read, and so are not shown. */
  readonly onMalformed?: (type: string, count: number) => void;
}

/** A clinic whose booking system is a CalDAV server: a calendar for each practitioner, with the free times as events. */
export function createCalDavBookingSystem(options: CalDavBookingSystemOptions): BookingSystem {
  const { providerId, name, baseUrl, timeoutMs = 5_000 } = options;
  const clinic: Clinic = {
    providerId,
    name,
    server: {
      baseUrl: new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`),
      headers: options.headers ?? (async () => ({})),
      onUnauthorized: options.onUnauthorized ?? (() => false),
      timeoutMs,
    },
    now: options.now ?? Date.now,
    onMalformed: options.onMalformed ?? (() => undefined),
  };
  return {
    search: (query) => searchEvents(clinic, query),
    hold: (slot, bookingId, signal) => hold(clinic, { ref: slot, bookingId, booking: null, signal }),
    book: (booking) => book(clinic, booking),
    release: (request) => release(clinic, request),
    lookUp: (bookings, signal) => lookUp(clinic, bookings, signal),
    marks: (range) => marks(clinic, range),
    capabilities: () => capabilities(clinic),
  };
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
