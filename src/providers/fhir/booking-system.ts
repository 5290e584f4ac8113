import { createFhirClient } from '../../fhir/client.ts';
import { type FhirAdapterOptions, translateFailures } from '../adapter.ts';
import type { BookingSystem } from '../port.ts';
import { book } from './book.ts';
import { capabilities } from './capabilities.ts';
import { type Clinic, Memory, within } from './clinic.ts';
import { lookUp, marks } from './look-up.ts';
import { release } from './release.ts';
import { searchSlots } from './search-slots.ts';
import { hold } from './take-slot.ts';

/** A clinic whose booking system speaks FHIR R4: its Slots, Schedules and Appointments. */
export function createFhirBookingSystem(options: FhirAdapterOptions): BookingSystem {
  const { name, now, ...rest } = options;
  // The client's name for it would stand in its messages.
  const client = createFhirClient(rest, now);
  const clinic: Clinic = { ...rest, name, now, client, memory: new Memory(now) };
  return translateFailures({
    search: (query) => searchSlots(within(clinic, query.signal), query),
    hold: (slot, bookingId, signal) => hold(clinic, { ref: slot, bookingId }, signal),
    book: (booking) => book(clinic, booking),
    release: (request) => release(clinic, request),
    lookUp: (bookings, signal) => lookUp(within(clinic, signal), bookings),
    marks: (range) => marks(clinic, range),
    capabilities: () => capabilities(clinic),
  });
}
