import { setTimeout as delay } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import type { ProviderId } from '../domain/ids.ts';
import { type Instant, instant } from '../domain/instant.ts';
import type { Slot, SlotRef } from '../domain/slot.ts';
import { type BookingSystem, PAGE_BUDGET_MS, ProviderUnavailable } from './port.ts';
import { createSingleFlight } from './single-flight.ts';

export interface AvailabilityQuery {
  readonly treatmentType: string;
  /** Inclusive. */
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  /** The providers that offer the treatment. */
  readonly providers: readonly { readonly id: ProviderId; readonly name: string }[];
  /** A slot that is shorter is of no use for the treatment; any length will do when left out. */
  readonly minimumMinutes?: number | null;
  /** After so long (milliseconds), those who have answered are enough, if any has. Left out: all are waited for. */
  readonly patienceMs?: number | undefined;
}

export interface Availability {
  /** Earliest first, of the providers that are `live`. */
  readonly slots: Slot[];
  readonly providers: ProviderAvailability[];
  /** Who has not answered yet, where the query had no patience. */
  readonly awaited: readonly Pick<ProviderAvailability, 'id' | 'name'>[];
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
  /** What our own cases have at these providers within the range. Asked after the providers, so that it is the newer word. */
  readonly claimedSlots: (range: {
    readonly providers: readonly ProviderId[];
    readonly from: Instant;
    readonly to: Instant;
  }) => Promise<readonly ClaimedSlot[]>;
  /** What the customer's page has for all providers, in milliseconds: each one's own limit counts within it. */
  readonly deadlineMs?: number;
  readonly now?: () => number;
  /** Told why a provider is not shown. */
  readonly onUnavailable?: (providerId: ProviderId, error: unknown) => void;
}

/** No answer that is shared is older, when it is shown as live, than this and what its provider may take (milliseconds). */
const JOIN_WITHIN_MS = 2_000;
const MINUTE_MS = 60_000;

interface Answer {
  readonly slots: readonly Slot[];
  readonly asOf: Instant;
}

/**
 * Asks all providers at once. One that fails or is too slow is `unavailable`; the others are shown all the same. Who asks
 * for the same at the same moment shares the call, and no answer is kept: what is live was asked for just now.
 */
export function createAvailability(options: AvailabilityOptions) {
  const {
    systems,
    claimedSlots,
    deadlineMs = PAGE_BUDGET_MS,
    now = Date.now,
    onUnavailable = () => undefined,
  } = options;
  const share = createSingleFlight<Answer>({ joinWithinMs: JOIN_WITHIN_MS });

  const ask = async (id: ProviderId, query: AvailabilityQuery): Promise<Answer | null> => {
    const system = systems.get(id);
    const deadline = new AbortController();
    try {
      if (system === undefined) throw new ProviderUnavailable('not registered');
      const { treatmentType } = query;
      // In whole minutes, or no two who look from now on would ask for the same.
      const from = instant(Math.floor(Date.parse(query.from) / MINUTE_MS) * MINUTE_MS);
      const to = instant(Math.ceil(Date.parse(query.to) / MINUTE_MS) * MINUTE_MS);
      const answer = share([id, treatmentType, from, to].join(' '), deadline.signal, async (signal) => {
        const slots = await system.search({ treatmentType, from, to, signal });
        return { slots, asOf: instant(now()) };
      });
      // for a booking system that does not heed its signal
      return await pTimeout(answer, {
        milliseconds: deadlineMs,
        message: new ProviderUnavailable(`timed out after ${deadlineMs} ms`, { reason: 'timed_out' }),
      });
    } catch (error) {
      deadline.abort();
      onUnavailable(id, error);
      return null;
    }
  };

  const freeOfUs = async (slots: readonly Slot[]): Promise<Slot[]> => {
    const [first] = slots;
    if (!first) return [];
    const providers = [...new Set(slots.map(({ providerId }) => providerId))];
    const to = slots.reduce((latest, { end }) => (end > latest ? end : latest), first.end);
    return withoutClaimed(slots, await claimedSlots({ providers, from: first.start, to }));
  };

  return async (query: AvailabilityQuery): Promise<Availability> => {
    const asked = query.providers.map((provider) => ({ ...provider, answer: ask(provider.id, query) }));
    const answers = await soonest(asked, query.patienceMs);
    const at = instant(now());
    const found = answers
      .flatMap(({ answer }) => answer?.slots ?? [])
      .filter((slot) => isOnOffer(slot, query, at))
      .sort((a, b) => (a.start < b.start ? -1 : Number(a.start > b.start)));
    return {
      slots: await freeOfUs(found),
      providers: answers.map(({ id, name, answer }) => ({
        id,
        name,
        state: answer === null ? 'unavailable' : 'live',
        asOf: answer?.asOf ?? at,
      })),
      awaited: query.providers.filter((one) => !answers.some(({ id }) => id === one.id)),
    };
  };
}

type Asked<A> = Pick<ProviderAvailability, 'id' | 'name'> & { readonly answer: A };

/**
 * Those who have answered, or were given up, after `patienceMs`, as soon as one of them has an answer. Whoever is late goes
 * on, for who asks the same next.
 */
async function soonest(
  asked: readonly Asked<Promise<Answer | null>>[],
  patienceMs: number | undefined,
): Promise<Asked<Answer | null>[]> {
  const known = new Map<ProviderId, Answer | null>();
  const all = Promise.all(asked.map(async ({ id, answer }) => known.set(id, await answer)));
  const timer = new AbortController();
  const anAnswer = async (ms: number) => {
    await delay(ms, undefined, { signal: timer.signal });
    await Promise.any(asked.map(async ({ answer }) => (await answer) ?? Promise.reject(new Error('away'))));
  };
  await (patienceMs === undefined ? all : Promise.race([all, anAnswer(patienceMs).catch(() => all)]));
  timer.abort();
  return asked.flatMap(({ id, name }) => {
    const answer = known.get(id);
    return answer === undefined ? [] : [{ id, name, answer }];
  });
}

/** Held against the query once more: whoever shares a call may have asked for a little less. */
const isOnOffer = (
  { start, end }: Slot,
  { from, to, minimumMinutes }: AvailabilityQuery,
  at: Instant,
): boolean =>
  start >= from &&
  start < to &&
  start > at &&
  Date.parse(end) - Date.parse(start) >= (minimumMinutes ?? 0) * MINUTE_MS;

/** Whose time, and when; of us, whatever its provider's system says by now. */
export type ClaimedSlot = Omit<SlotRef, 'slot'>;

/** The slots that overlap none which one of our own cases has. */
function withoutClaimed(slots: readonly Slot[], claimed: readonly ClaimedSlot[]): Slot[] {
  const byPractitioner = Map.groupBy(claimed, practitionerKey);
  return slots.filter(
    (slot) =>
      !byPractitioner
        .get(practitionerKey(slot))
        ?.some(({ start, end }) => start < slot.end && slot.start < end),
  );
}

const practitionerKey = ({ providerId, practitionerId }: ClaimedSlot): string =>
  `${providerId} ${practitionerId}`;
