import type { BookingSystem } from './port.ts';

/** A booking system whose every verb goes through `around`, which may run it, or not. */
export function eachVerb(
  around: <T>(verb: (system: BookingSystem) => Promise<T>) => Promise<T>,
): BookingSystem {
  return {
    search: (query) => around((system) => system.search(query)),
    hold: (slot, bookingId, signal) => around((system) => system.hold(slot, bookingId, signal)),
    book: (booking) => around((system) => system.book(booking)),
    release: (request) => around((system) => system.release(request)),
    lookUp: (bookings, signal) => around((system) => system.lookUp(bookings, signal)),
    marks: (range) => around((system) => system.marks(range)),
    capabilities: () => around((system) => system.capabilities()),
  };
}
