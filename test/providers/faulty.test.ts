import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startClinic } from '../../dev/fhir-clinic/clinic.ts';
import type { FhirKind } from '../../dev/fhir/capabilities.ts';
import type { BookingId, ProviderId } from '../../src/domain/ids.ts';
import type { Slot } from '../../src/domain/slot.ts';
import { connectBookingSystem } from '../../src/providers/connect.ts';
import { type BookingSystem, ProviderUnavailable } from '../../src/providers/port.ts';
import { openClinicInMemory } from '../support/clinic-in-memory.ts';
import { booksOf } from '../support/clinics.ts';
import { eventually } from '../support/eventually.ts';
import { aMonth, type Attempt, expectNoDouble, type Verb, VERBS } from './faulty-verbs.ts';

/** Longer than the adapter waits for an answer over a connection below. */
const TOO_LONG_MS = 200;
const ERROR_INSIDE = JSON.stringify({
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'error', code: 'exception' }],
});
const inAWhile = new Date(Date.now() + 3_600_000).toUTCString();

const UNKNOWN = Symbol('unknown');

interface Trouble {
  readonly name: string;
  readonly fault: Readonly<Record<string, unknown>>;
  /** The adapter has to wait for its time-out. */
  readonly isSlow?: boolean;
  /** What it says is well-formed and false: then no answer can be true, but none may do harm. */
  readonly isFalse?: boolean;
  /** In seconds, as the server asks. */
  readonly retryAfter?: readonly [least: number, most: number];
  /** To a verb it is the same as another of these, or as what `ON_THE_WIRE` has; so it is tried on one. */
  readonly isAlike?: boolean;
}

const TROUBLES: readonly Trouble[] = [
  { name: 'a 500', fault: { effect: 'answer', status: 500 } },
  {
    name: 'a 429 with seconds to wait',
    fault: { effect: 'answer', status: 429, headers: { 'retry-after': '7' } },
    retryAfter: [7, 7],
    isAlike: true,
  },
  {
    name: 'a 429 with a date to wait for',
    fault: { effect: 'answer', status: 429, headers: { 'retry-after': inAWhile } },
    retryAfter: [3_000, 3_600],
    isAlike: true,
  },
  {
    name: 'a page of HTML',
    fault: { effect: 'answer', status: 200, body: '<!doctype html><p>Hei' },
    isAlike: true,
  },
  { name: 'an error inside a success', fault: { effect: 'answer', status: 200, body: ERROR_INSIDE } },
  {
    name: 'a time-out after the commit',
    fault: { effect: 'delay', delayMs: 60_000 },
    isSlow: true,
    isAlike: true,
  },
  { name: 'a time-out before the commit', fault: { effect: 'late', delayMs: TOO_LONG_MS }, isSlow: true },
  { name: 'a broken connection before the commit', fault: { effect: 'drop' }, isAlike: true },
  { name: 'a broken connection after the commit', fault: { effect: 'drop-after-commit' } },
  { name: 'half an answer that looks whole', fault: { effect: 'half' }, isAlike: true },
  { name: 'a reset in the middle of the answer', fault: { effect: 'half', then: 'reset' }, isAlike: true },
  {
    name: 'an answer in drops',
    fault: { effect: 'trickle', bytesPerSecond: 40 },
    isSlow: true,
    isAlike: true,
  },
  { name: 'a request that is done twice', fault: { effect: 'duplicate' } },
  { name: 'old versions', fault: { effect: 'stale-etag' } },
  { name: 'conditions that are ignored', fault: { effect: 'ignore-conditions' } },
  { name: 'an answer from before the last change', fault: { effect: 'stale' }, isFalse: true },
  { name: 'a wrong offset from UTC', fault: { effect: 'wrong-offset', offset: '+05:00' }, isFalse: true },
];

/** A clinic with its own faults, and our booking system for it. */
interface Subject {
  readonly clinic: Parameters<typeof booksOf>[0];
  readonly system: BookingSystem;
  place(fault: Readonly<Record<string, unknown>>): Promise<unknown>;
  clear(): Promise<unknown>;
  wasMet(): Promise<boolean>;
  /** Resolves when everything that was asked for is done, or never will be. */
  whenIdle(): Promise<void>;
  /** Runs a verb that has to wait for its time-out. */
  hurry<T>(verb: (system: BookingSystem) => Promise<T>): Promise<T>;
  close(): Promise<unknown>;
}

/** An attempt gives its slot back, and each request searches them all. */
const FEW_TIMES = { weeks: 1, starts: ['13:00'] };

async function inMemory(fhir: FhirKind): Promise<Subject> {
  const clinic = await openClinicInMemory({ profile: 'fjordklinikken', fhir, ...FEW_TIMES });
  const { transport, faults } = clinic;
  const system = connectBookingSystem(registrationOf(clinic), { transport });
  return {
    clinic,
    system,
    place: async (fault) => faults.add(fault),
    clear: async () => faults.clear(),
    wasMet: async () => faults.list()[0]?.fired === 1,
    whenIdle: clinic.whenIdle,
    hurry: (verb) => clinic.passTimeUntil(verb(system)),
    close: async () => undefined,
  };
}

async function overTheWire(fhir: FhirKind): Promise<Subject> {
  const clinic = await startClinic({ profile: 'fjordklinikken', fhir, ...FEW_TIMES });
  const system = connectBookingSystem(registrationOf(clinic), { timeoutMs: 10_000 });
  const hurried = connectBookingSystem(registrationOf(clinic), { timeoutMs: TOO_LONG_MS / 2 });
  await eventually(() => hurried.capabilities().catch(() => null), { what: 'a quick answer' });
  const headers = { 'content-type': 'application/json' };
  return {
    clinic,
    system,
    place: (fault) =>
      fetch(`${clinic.url}/_faults`, { method: 'POST', headers, body: JSON.stringify(fault) }),
    clear: () => fetch(`${clinic.url}/_faults`, { method: 'DELETE' }),
    async wasMet() {
      const [placed] = (await (await fetch(`${clinic.url}/_faults`)).json()) as { fired: number }[];
      return placed?.fired === 1;
    },
    whenIdle: () => clinic.whenIdle(),
    hurry: (verb) => verb(hurried),
    close: () => clinic.close(),
  };
}

const registrationOf = ({ name, fhirUrl }: { readonly name: string; readonly fhirUrl: string }) => ({
  ...{ id: 'fjordklinikken' as ProviderId, name, kind: 'fhir', baseUrl: fhirUrl },
});

const [BOOK] = VERBS.filter(({ name }) => name === 'book what is held');
/** What an injected network could get wrong. */
const ON_THE_WIRE = TROUBLES.filter(({ name }) => /^a time-out after|^a broken|^a reset|drops$/.test(name));

/** What is one request where the server has transactions is several where it has none. */
const AT: readonly (readonly [string, FhirKind, Verb, readonly Trouble[], typeof inMemory])[] = [
  ...VERBS.map(
    (verb) => [verb.name, 'full', verb, TROUBLES.filter(({ isAlike }) => !isAlike), inMemory] as const,
  ),
  ...(BOOK
    ? [
        [`${BOOK.name}, step by step`, 'stepwise', BOOK, TROUBLES, inMemory] as const,
        [`${BOOK.name}, over a connection`, 'stepwise', BOOK, ON_THE_WIRE, overTheWire] as const,
      ]
    : []),
];

describe.each(AT)('to %s', (_, fhir, verb, troubles, open) => {
  let at: Subject;
  let offered: readonly Slot[];
  let attempts = 0;
  beforeAll(async () => {
    at = await open(fhir);
    // What the server is able to do is read once, so that it is no part of a verb.
    await at.system.capabilities();
    offered = await at.system.search({ treatmentType: 'psychology', ...aMonth() });
  });
  afterEach(() => at.clear());
  afterAll(() => at.close());

  const books = async () => {
    await at.whenIdle();
    return booksOf(at.clinic);
  };
  /** The next slot in turn that is free. */
  const newAttempt = async (): Promise<Attempt> => {
    const { slots } = await books();
    for (const _ of offered) {
      const slot = offered[(attempts += 1) % offered.length];
      const isFree = slots.get(slot?.slot ?? '')?.status === 'free';
      if (slot && isFree) return { slot, bookingId: `booking-${attempts}` as BookingId };
    }
    throw new Error('no slot is left');
  };
  const run = async (trouble: Trouble, attempt: Attempt): Promise<unknown> => {
    try {
      if (trouble.isSlow) return await at.hurry((system) => verb.run(system, attempt));
      return await verb.run(at.system, attempt);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      const [least, most] = trouble.retryAfter ?? [null, null];
      if (least === null) return UNKNOWN;
      expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(least);
      expect(error.retryAfterSeconds).toBeLessThanOrEqual(most);
      return UNKNOWN;
    }
  };

  /** The trouble is with the request after so many. @returns whether it was met, and how the verb ended */
  const meet = async (trouble: Trouble, after: number) => {
    const attempt = await newAttempt();
    await verb.prepare(at.system, attempt);
    await at.place({ ...trouble.fault, after });
    const answer = await run(trouble, attempt);
    const met = await at.wasMet();
    await at.clear();
    const before = await booksOf(at.clinic);
    expectNoDouble(attempt, before);
    const check = trouble.isFalse ? verb.isKept : verb.isRight;
    if (answer !== UNKNOWN) check?.(answer, attempt, before);

    const again = await verb.run(at.system, attempt);
    const then = await books();
    expectNoDouble(attempt, then);
    check?.(again, attempt, then);

    expect(await at.system.release({ ...attempt, cancelledBy: 'customer' })).toBe('released');
    const end = await books();
    expect(end.live).toEqual([]);
    if (!trouble.isFalse) expect(end.blocked()).toEqual([]);
    return { met, ended: answer !== UNKNOWN };
  };

  it.each(troubles.map((trouble) => [trouble.name, trouble] as const))(
    'survives %s, with whichever of its requests, and ends well when it is repeated',
    async (__, trouble) => {
      let requests = 0;
      await eventually(
        async () => {
          const { met, ended } = await meet(trouble, requests);
          if (met) requests += 1;
          return !met && ended;
        },
        { what: () => `through ${requests} requests`, everyMs: 0, withinMs: 60_000 },
      );
      expect(requests).toBeGreaterThan(0);
    },
  );
});
