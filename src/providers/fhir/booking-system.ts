import type { ProviderId } from '../../domain/ids.ts';
import { createFhirClient } from '../../fhir/client.ts';
import { FhirUnavailable } from '../../fhir/unavailable.ts';
import type { BookingSystem } from '../port.ts';
import { ProviderUnavailable } from '../port.ts';
import { book } from './book.ts';
import { capabilities } from './capabilities.ts';
import type { Clinic } from './clinic.ts';
import { hold } from './hold.ts';
import { lookUp } from './look-up.ts';
import { marks } from './marks.ts';
import { release } from './release.ts';
import { searchSlots } from './search-slots.ts';

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
  /** Told how many entries of a search were malformed, and so not shown. */
  readonly onMalformed?: (type: string, count: number) => void;
}

/** A clinic whose booking system speaks FHIR R4: its Slots, Schedules and Appointments. */
export function createFhirBookingSystem(options: FhirBookingSystemOptions): BookingSystem {
  const { providerId, name, baseUrl, headers, onUnauthorized, timeoutMs = 5_000 } = options;
  const clinic: Clinic = {
    providerId,
    name,
    client: createFhirClient({
      baseUrl,
      timeoutMs,
      ...(headers ? { headers } : {}),
      ...(onUnauthorized ? { onUnauthorized } : {}),
    }),
    now: options.now ?? Date.now,
    onMalformed: options.onMalformed ?? (() => undefined),
  };
  return {
    search: (query) => translated(() => searchSlots(clinic, query)),
    hold: (slot, bookingId) => translated(() => hold(clinic, slot, bookingId)),
    book: (booking) => translated(() => book(clinic, booking)),
    release: (request) => translated(() => release(clinic, request)),
    lookUp: (bookings, signal) => translated(() => lookUp(clinic, bookings, signal)),
    marks: (range) => translated(() => marks(clinic, range)),
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
