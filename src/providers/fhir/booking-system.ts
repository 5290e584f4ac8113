import type { ProviderId } from '../../domain/ids.ts';
import { createFhirClient } from '../../fhir/client.ts';
import { FhirUnavailable } from '../../fhir/exchange.ts';
import { type BookingSystem, ProviderUnavailable } from '../port.ts';
import { book } from './book.ts';
import { capabilities } from './capabilities.ts';
import { type Clinic, Memory, type OnMalformed } from './clinic.ts';
import { lookUp, marks } from './look-up.ts';
import { release } from './release.ts';
import { searchSlots } from './search-slots.ts';
import { hold } from './take-slot.ts';

export interface FhirBookingSystemOptions {
  readonly providerId: ProviderId;
  /** The provider's name: where to go, when its server names no place. */
  readonly name: string;
  readonly baseUrl: string;
  readonly headers?: () => Promise<Record<string, string>>;
  /** Told what was sent when the answer is 401. @returns whether to try once more, with what `headers` gives then */
  readonly onUnauthorized?: (sent: Readonly<Record<string, string>>) => boolean;
  /** For one request, in milliseconds. */
  readonly timeoutMs?: number;
  readonly now?: () => number;
  /** Told what of its slots is not shown. */
  readonly onMalformed?: OnMalformed;
}

/** A clinic whose booking system speaks FHIR R4: its Slots, Schedules and Appointments. */
export function createFhirBookingSystem(options: FhirBookingSystemOptions): BookingSystem {
  const { providerId, name, baseUrl, headers, onUnauthorized, timeoutMs = 5_000 } = options;
  const now = options.now ?? Date.now;
  const client = createFhirClient(
    { baseUrl, timeoutMs, ...(headers ? { headers } : {}), ...(onUnauthorized ? { onUnauthorized } : {}) },
    now,
  );
  const clinic: Clinic = {
    providerId,
    name,
    client,
    memory: new Memory(now),
    now,
    onMalformed: options.onMalformed ?? (() => undefined),
  };

  /** What the server says of itself is read beside the first verb. An address that is no FHIR R4 server's is said so. */
  const verb = <T>(act: () => Promise<T>): Promise<T> =>
    translated(async () => {
      const acting = act();
      acting.catch(() => undefined);
      await client.metadata.statement();
      return acting;
    });

  return {
    search: (query) => verb(() => searchSlots(clinic, query)),
    hold: (slot, bookingId, signal) => verb(() => hold(clinic, { ref: slot, bookingId, signal })),
    book: (booking) => verb(() => book(clinic, booking)),
    release: (request) => verb(() => release(clinic, request)),
    lookUp: (bookings, signal) => verb(() => lookUp(clinic, bookings, signal)),
    marks: (range) => verb(() => marks(clinic, range)),
    capabilities: () => translated(() => capabilities(clinic)),
  };
}

async function translated<T>(verb: () => Promise<T>): Promise<T> {
  try {
    return await verb();
  } catch (error) {
    if (!(error instanceof FhirUnavailable)) throw error;
    const { message, retryAfterSeconds } = error;
    throw new ProviderUnavailable(message, { retryAfterSeconds, cause: error });
  }
}
