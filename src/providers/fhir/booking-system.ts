import { createFhirClient } from '../../fhir/client.ts';
import { type AdapterOptions, translateFailures } from '../adapter.ts';
import { type BookingSystem, wrapEachVerb } from '../port.ts';
import { book } from './book.ts';
import { capabilities } from './capabilities.ts';
import { type Clinic, Memory, within } from './clinic.ts';
import { lookUp, marks } from './look-up.ts';
import { release } from './release.ts';
import { searchSlots } from './search-slots.ts';
import { hold } from './take-slot.ts';

/** A clinic whose booking system speaks FHIR R4: its Slots, Schedules and Appointments. */
export function createFhirBookingSystem(options: AdapterOptions): BookingSystem {
  const { providerId, name, now, onSkipped, ...server } = options;
  const client = createFhirClient(server, now);
  const clinic: Clinic = { providerId, name, client, memory: new Memory(now), now, onSkipped };
  const verbs: BookingSystem = {
    search: (query) => searchSlots(within(clinic, query.signal), query),
    hold: (slot, bookingId, signal) => hold(clinic, { ref: slot, bookingId }, signal),
    book: (booking) => book(clinic, booking),
    release: (request) => release(clinic, request),
    lookUp: (bookings, signal) => lookUp(within(clinic, signal), bookings),
    marks: (range) => marks(clinic, range),
    capabilities: () => capabilities(clinic),
  };
  /** What the server says of itself is read beside the first verb. An address that is no FHIR R4 server's is said so. */
  const besideStatement = wrapEachVerb(async (verb) => {
    const acting = verb(verbs);
    acting.catch(() => undefined);
    await client.metadata.statement();
    return acting;
  });
  return translateFailures({ ...besideStatement, capabilities: () => verbs.capabilities() });
}
