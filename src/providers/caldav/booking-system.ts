import type { ProviderId } from '../../domain/ids.ts';
import type { BookingSystem } from '../port.ts';
import { book } from './book.ts';
import { capabilities } from './capabilities.ts';
import type { Clinic } from './clinic.ts';
import type { CalDavServer } from './exchange.ts';
import { hold } from './hold.ts';
import { lookUp } from './look-up.ts';
import { marks } from './marks.ts';
import { release } from './release.ts';
import { searchEvents } from './search-events.ts';

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
