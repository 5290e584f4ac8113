import type { ProviderId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { instant } from '../domain/instant.ts';
import type { Slot } from '../domain/slot.ts';
import type { BookingSystem } from './port.ts';
import { ProviderUnavailable } from './port.ts';

export interface AvailabilityQuery {
  readonly treatmentType: string;
  /** Inclusive. */
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  /** The providers that offer the treatment. */
  readonly providers: readonly { readonly id: ProviderId; readonly name: string }[];
}

export interface Availability {
  /** Earliest first, of the providers that are `live`. */
  readonly slots: Slot[];
  readonly providers: ProviderAvailability[];
}

export interface ProviderAvailability {
  readonly id: ProviderId;
  readonly name: string;
  readonly state: 'live' | 'unavailable';
  /** When it answered, or was given up. */
  readonly asOf: Instant;
}

export interface AvailabilityOptions {
  readonly systems: ReadonlyMap<ProviderId, BookingSystem>;
  /** How long a provider may take, in milliseconds. */
  readonly deadlineMs?: number;
  readonly now?: () => number;
  /** Told why a provider is not shown. */
  readonly onUnavailable?: (providerId: ProviderId, error: unknown) => void;
}

/** Asks all providers at once. One that fails or is too slow is `unavailable`; the others are shown all the same. */
export function createAvailability(options: AvailabilityOptions) {
  const { systems, deadlineMs = 3_000, now = Date.now, onUnavailable = () => undefined } = options;

  const ask = async (id: ProviderId, query: AvailabilityQuery): Promise<Slot[] | null> => {
    const { treatmentType, from, to } = query;
    const system = systems.get(id);
    const deadline = deadlineIn(deadlineMs);
    try {
      if (system === undefined) throw new ProviderUnavailable('not connected');
      const search = system.search({ treatmentType, from, to, signal: deadline.signal });
      return await Promise.race([search, deadline.passed]);
    } catch (error) {
      onUnavailable(id, error);
      return null;
    } finally {
      deadline.clear();
    }
  };

  return async (query: AvailabilityQuery): Promise<Availability> => {
    const answers = await Promise.all(
      query.providers.map(async ({ id, name }) => {
        const slots = await ask(id, query);
        return { id, name, slots, asOf: instant(now()) };
      }),
    );
    return {
      slots: answers.flatMap(({ slots }) => slots ?? []).sort((a, b) => a.start.localeCompare(b.start)),
      providers: answers.map(({ slots, ...provider }) => ({
        ...provider,
        state: slots === null ? 'unavailable' : 'live',
      })),
    };
  };
}

/** The race is for a booking system that does not heed its signal. */
function deadlineIn(ms: number) {
  const controller = new AbortController();
  const { promise: passed, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new ProviderUnavailable(`no answer within ${ms} ms`));
    controller.abort();
  }, ms);
  return { signal: controller.signal, passed, clear: () => clearTimeout(timer) };
}
