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

/** What an adapter for FHIR takes besides. */
export interface FhirAdapterOptions extends AdapterOptions, SearchObserver {
  /** How long what the server says of itself may take, in the background (milliseconds). */
  readonly metadataTimeoutMs: number;
  /** Whether each free time says its service itself: then no others are asked for. */
  readonly serviceOnSlots: boolean;
  /** What free times are for whose service nobody says; null: for nothing, so that nobody sees them. */
  readonly unnamedTreatment: string | null;
}

/** Told of what a provider sent that is not shown, without what stands in it. `type` is FHIR's or iCalendar's. */
export type OnSkipped = (type: string, count: number, fault: EntryFault) => void;

/** Where the service of a free time is said: on itself, on its schedule, on whom that is for, or nowhere. */
export type ServiceSaidBy = 'slot' | 'schedule' | 'actor' | 'nobody';

/** What a search for a treatment went over. */
export interface SearchCount {
  readonly treatmentType: string;
  /** The free times that were shown. */
  readonly found: Readonly<Record<ServiceSaidBy, number>>;
  /** Those whose service nobody says, and that so nobody sees. */
  readonly unnamed: number;
  /** Those of other services, by their code. */
  readonly others: ReadonlyMap<string, number>;
}

/** Told of each search, where the system's times can say their service in several ways. */
export type OnSearched = (count: SearchCount) => void;

/** Who wants to know what searches came upon. */
export interface SearchObserver {
  readonly onSkipped: OnSkipped;
  readonly onSearched: OnSearched;
}

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

/** What is worth knowing, and no reason to fail where the system doesn't answer. @returns null then */
export async function ifAnswered<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ServerUnavailable || error instanceof ProviderUnavailable) return null;
    throw error;
  }
}

/**
 * Like `Promise.all`, and fails only when both are over: a write that goes on after its verb has failed could come behind
 * what undoes it.
 */
export async function bothOver<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}
