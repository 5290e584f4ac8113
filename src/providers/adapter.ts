import type { ProviderId } from '../domain/ids.ts';
import { type ServerOptions, ServerUnavailable } from '../http-client/exchange.ts';
import { type BookingSystem, type EntryFault, ProviderUnavailable, wrapEachVerb } from './port.ts';

/** What an adapter of any kind is made of. */
export interface AdapterOptions extends Omit<ServerOptions, 'name' | 'maxBytes'> {
  readonly providerId: ProviderId;
  /** The provider's name: where to go, when its server names no place. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onSkipped: OnSkipped;
}

/** Told of what a provider sent that is not shown, without what stands in it. `type` is FHIR's or iCalendar's. */
export type OnSkipped = (type: string, count: number, fault: EntryFault) => void;

/** What is left out, e.g. `Slot (names_nobody)`; what can't be read goes by its type alone. */
export const describeSkipped = (type: string, fault: EntryFault): string =>
  fault === 'malformed' ? type : `${type} (${fault})`;

/** In the port's words: every adapter's server fails alike. */
export const translateFailures = (system: BookingSystem): BookingSystem =>
  wrapEachVerb(async (verb) => {
    try {
      return await verb(system);
    } catch (error) {
      if (!(error instanceof ServerUnavailable)) throw error;
      const { message, reason, retryAfterSeconds } = error;
      throw new ProviderUnavailable(message, { reason, retryAfterSeconds, cause: error });
    }
  });
