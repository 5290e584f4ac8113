import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { BookingId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { BOOKING_CHECKS } from '../../src/providers/conformance/booking.ts';
import type { Subject } from '../../src/providers/conformance/check.ts';
import { conclude, examine } from '../../src/providers/conformance/examine.ts';
import { HOLDING_CHECKS } from '../../src/providers/conformance/holding.ts';
import { READING_CHECKS } from '../../src/providers/conformance/reading.ts';
import { runReadingCheck, runSlotCheck } from '../../src/providers/conformance/run-check.ts';
import { layOut } from '../../src/operator/command-line/layout.ts';
import { reportText } from '../../src/operator/providers/report.ts';
import {
  type BookingRef,
  type BookingSystem,
  ProviderUnavailable,
  type ReleaseRequest,
} from '../../src/providers/port.ts';
import { openClinicInMemory } from '../support/clinic-in-memory.ts';
import { FEW_TIMES, fhirSubject, type RunningSubject } from './conformance-subjects.ts';

/** Booking systems with one fault each: a real one, of which one verb does not keep its word. */
const LIES: readonly (readonly [fault: string, caughtBy: string, (real: BookingSystem) => Lie])[] = [
  ['says nothing of itself', 'says by its own account', () => ({ capabilities: async () => [] })],
  [
    'offers what is past',
    'offers only times to come',
    (real) => ({ search: async (query) => (await real.search(query)).map(longAgo) }),
  ],
  [
    'offers the latest first',
    'offers the earliest first',
    (real) => ({ search: async (query) => (await real.search(query)).toReversed() }),
  ],
  [
    'names nobody',
    'says of each time whose it is',
    (real) => ({
      search: async (query) => (await real.search(query)).map((slot) => ({ ...slot, practitioner: '' })),
    }),
  ],
  [
    'offers every time twice',
    'says of each time whose it is',
    (real) => ({ search: async (query) => (await real.search(query)).flatMap((slot) => [slot, slot]) }),
  ],
  [
    'pays no heed to the start of the window',
    'offers of a shorter time',
    (real) => ({ search: (query) => real.search({ ...query, from: instant(Date.now()) }) }),
  ],
  [
    'offers any treatment',
    'offers nothing for a treatment',
    (real) => ({ search: (query) => real.search({ ...query, treatmentType: 'psychology' }) }),
  ],
  [
    'takes every booking for cancelled',
    'knows nothing of a booking',
    () => ({ lookUp: async (bookings) => bookings.map(() => ({ state: 'cancelled' })) }),
  ],
  [
    'calls nothing taken',
    'tells another booking that a held time is taken',
    (real) => ({
      hold: async (ref, id) => {
        const slot = (await freeAt(real)).find((one) => one.slot === ref.slot) ?? held.get(ref.slot);
        if (slot) held.set(slot.slot, slot);
        await real.hold(ref, id);
        return slot ? { outcome: 'held', slot } : { outcome: 'taken' };
      },
    }),
  ],
  [
    'lets both of two hold a time',
    'gives a time to exactly one of two',
    (real) => ({
      hold: async (ref, id) => {
        const [slot] = await freeAt(real);
        const held = await real.hold(ref, id);
        return slot && held.outcome === 'taken' ? { outcome: 'held', slot } : held;
      },
    }),
  ],
  [
    'lists the marks of held times only for as long as they are not booked',
    'lists the mark of a booked time',
    () => ({ marks: async () => [] }),
  ],
  [
    'shows an appointment where a time is only held',
    'knows of no appointment where',
    () => ({ lookUp: async (bookings) => bookings.map(() => ({ state: 'cancelled' })) }),
  ],
  [
    'keeps what is released',
    'offers a time again when it is released',
    () => ({ release: async () => 'released' }),
  ],
  [
    'keeps what is released from the next one',
    'lets another booking hold what was released',
    () => ({ release: async () => 'released' }),
  ],
  [
    'keeps what is cancelled from the next one',
    'lets another booking have what was cancelled',
    () => ({ release: async () => 'released' }),
  ],
  [
    'loses sight of what stands',
    'leaves an appointment alone when',
    () => ({ lookUp: async (bookings) => bookings.map(() => ({ state: 'missing' })) }),
  ],
  [
    'books for both of two',
    'books a time for exactly one of two',
    (real) => ({
      book: async (booking) => {
        const made = await real.book(booking);
        return made.outcome === 'gone' ? { outcome: 'booked', reference: randomUUID() } : made;
      },
    }),
  ],
  [
    'makes two appointments when told twice at once',
    'makes one appointment when told twice at the same moment',
    (real) => ({
      book: async (booking) => {
        const made = await real.book(booking);
        return made.outcome === 'booked' ? { ...made, reference: randomUUID() } : made;
      },
    }),
  ],
  [
    'books what is not there',
    'tells that a time is gone',
    () => ({ book: async () => ({ outcome: 'booked', reference: 'made-up' }) }),
  ],
  ['finds nothing', 'knows nothing of a booking that was never made', () => ({ lookUp: async () => [] })],
  [
    'takes its own mark for another',
    'holds a free time, and again',
    (real) => {
      const known = new Set<string>();
      return {
        hold: async (ref, id) => {
          if (known.has(id)) return { outcome: 'taken' };
          known.add(id);
          return real.hold(ref, id);
        },
      };
    },
  ],
  [
    'holds nothing and says that it does',
    'does not offer a time that is held',
    (real) => ({
      hold: async (ref) => {
        const slot = (await freeAt(real)).find((one) => one.slot === ref.slot);
        return slot ? { outcome: 'held', slot } : { outcome: 'taken' };
      },
    }),
  ],
  ['loses marks', 'lists the mark of a held time', () => ({ marks: async () => [] })],
  [
    'releases by the time, whoever holds it',
    "leaves a time to its holder when another's booking is released",
    (real) => ({
      release: async (request) => {
        for (const mark of await marksOf(real))
          if (mark.slot.slot === request.slot.slot) await real.release({ ...mark, cancelledBy: 'service' });
        return 'released';
      },
    }),
  ],
  [
    'holds what is at another hour',
    'tells that a time is taken which is not there',
    (real) => ({
      hold: async (ref, id) => {
        const now = (await freeAt(real)).find((one) => one.slot === ref.slot);
        return real.hold(now ?? ref, id);
      },
    }),
  ],
  [
    'tells of the first booking only',
    'makes an appointment at a held time, and finds it again',
    (real) => ({
      lookUp: async (bookings) => {
        const [first] = await real.lookUp(bookings.slice(0, 1));
        return bookings.map(() => first ?? { state: 'missing' });
      },
    }),
  ],
  [
    'makes a second appointment when told again',
    'makes one appointment when told twice',
    (real) => {
      const asked = new Map<string, number>();
      return {
        book: async (booking) => {
          const times = (asked.get(booking.bookingId) ?? 0) + 1;
          asked.set(booking.bookingId, times);
          const first = await real.book(booking);
          return times === 1 ? first : { outcome: 'booked', reference: randomUUID() };
        },
      };
    },
  ],
  [
    'promises a booked time to another',
    'neither offers a booked time nor gives it',
    (real) => ({
      book: async (booking) => {
        const made = await real.book(booking);
        return made.outcome === 'gone' ? { outcome: 'booked', reference: randomUUID() } : made;
      },
    }),
  ],
  [
    'cancels nothing and says that it does',
    'cancels: the appointment stands no more',
    (real) => {
      const asked = new Map<string, number>();
      return {
        release: async (request) => {
          const times = (asked.get(request.bookingId) ?? 0) + 1;
          asked.set(request.bookingId, times);
          return times < 3 ? 'released' : real.release(request);
        },
      };
    },
  ],
  [
    'forgets what was released',
    'makes no appointment for a booking that was released',
    (real) => {
      const booked = new Set<string>();
      return {
        book: (booking) => {
          const bookingId = booked.has(booking.bookingId) ? (randomUUID() as BookingId) : booking.bookingId;
          booked.add(booking.bookingId);
          return real.book({ ...booking, bookingId });
        },
      };
    },
  ],
  [
    'holds for whoever waits no longer',
    'holds nothing for whoever waits no longer',
    (real) => ({ hold: (ref, id) => real.hold(ref, id) }),
  ],
  [
    'refuses appointments',
    'makes an appointment at a free time',
    () => ({ book: async () => ({ outcome: 'refused', cause: 'http_422' }) }),
  ],
  [
    'has a fault of its own',
    'lists our marks of the time asked for',
    () => ({
      marks: async () => {
        throw new TypeError('Kari Nordmann is not iterable');
      },
    }),
  ],
];

describe('the checks of a booking system', () => {
  let clinic: Awaited<ReturnType<typeof openClinicInMemory>>;
  let running: RunningSubject;
  beforeAll(async () => {
    clinic = await openClinicInMemory({ profile: 'fjordklinikken', fhir: 'stepwise', ...FEW_TIMES });
    running = fhirSubject('fjordklinikken', clinic);
  });
  afterEach(async () => {
    clinic.faults.clear();
    const { system } = running.subject;
    for (const mark of await marksOf(system)) await system.release({ ...mark, cancelledBy: 'service' });
  });

  const examined = (lie: Partial<BookingSystem>, more: Partial<RunningSubject['subject']> = {}) => {
    const system = { ...running.subject.system, ...lie };
    return examine({ ...running.subject, ...more, system }, { upTo: 'booking' });
  };

  it.each(LIES)('catch one that %s', async (_, caughtBy, lie) => {
    const { subject } = running;
    const lying = { ...subject, system: { ...subject.system, ...lie(subject.system) } };
    const { verdict } = await tryByName(lying, caughtBy);
    expect(verdict).toMatchObject({ outcome: 'failed' });
    expect(JSON.stringify(verdict)).not.toContain('Kari');
  });

  it('pass a sound one, and leave nothing of themselves at the clinic', async () => {
    const examination = await examined({});
    expect(conclude(examination)).toBe('passed');
    expect(examination.capabilities.length).toBeGreaterThan(0);
    expect(examination.triedOn).toHaveLength(1);
    expect(await running.liveAppointments()).toBe(0);
    expect(await marksOf(running.subject.system)).toEqual([]);
  });

  it('say what could not be taken back, and try nothing more', async () => {
    const examination = await examined({ release: async () => 'not_free' });
    expect(conclude(examination)).toBe('failed');
    expect(examination.leftBehind).toHaveLength(1);
    const after = examination.tried.slice(
      examination.tried.findIndex((one) => one.leftBehind.length > 0) + 1,
    );
    expect(after.length).toBeGreaterThan(10);
    expect(new Set(after.map(({ verdict }) => verdict.outcome))).toEqual(new Set(['not_possible']));
    expect(await marksOf(running.subject.system)).toMatchObject([
      { bookingId: examination.leftBehind[0]?.bookingId },
    ]);
  });

  describe('where a release is not answered', () => {
    const noAnswer = () => Promise.reject(new ProviderUnavailable('no answer'));
    const held = (system: BookingSystem) =>
      HOLDING_CHECKS.filter(({ name }) => name.startsWith('holds a free time')).map((check) =>
        runSlotCheck({ ...running.subject, system }, check),
      )[0];

    it('read back that it was carried out', async () => {
      const { system } = running.subject;
      const silent = {
        ...system,
        release: (request: ReleaseRequest) => system.release(request).then(noAnswer),
      };
      expect(await held(silent)).toMatchObject({ verdict: { outcome: 'passed' }, leftBehind: [] });
    });

    it('read back that it was not', async () => {
      const result = await held({ ...running.subject.system, release: noAnswer });
      expect(result?.leftBehind).toMatchObject([{ state: 'still_there' }]);
    });

    it('say that nobody knows, where reading back is not answered either', async () => {
      const result = await held({ ...running.subject.system, release: noAnswer, marks: noAnswer });
      expect(result?.leftBehind).toMatchObject([{ state: 'unknown' }]);
      const { system } = running.subject;
      let isHeld = false;
      const unknown: BookingSystem = {
        ...system,
        async hold(...asked) {
          const held = await system.hold(...asked);
          isHeld = true;
          return held;
        },
        lookUp: (bookings) => (isHeld ? noAnswer() : system.lookUp(bookings)),
        release: noAnswer,
      };
      const examination = await examine({ ...running.subject, system: unknown }, { upTo: 'holding' });
      expect(conclude(examination)).toBe('failed');
      const view = reportText({
        days: 14,
        free: [],
        leftOut: [],
        unseen: { unnamed: 0, others: {} },
        examination,
      });
      const report = layOut(view, 120);
      expect(report).toContain('UNKNOWN: it did not answer');
      expect(report).not.toContain('STILL THERE');
    });
  });

  it('go no further when the server is away', async () => {
    clinic.faults.add({ effect: 'answer', status: 503, times: null });
    const { tried } = await examined({});
    expect(tried.filter(({ wasAway }) => wasAway).length).toBeLessThanOrEqual(2);
    expect(tried.at(-1)?.verdict.outcome).toBe('not_possible');
  });

  it('are not proved by a calendar without free times, or a time that is not free', async () => {
    expect(conclude(await examined({}, { treatmentType: 'chiropractic' }))).toBe('not_proved');
    const { tried, triedOn } = await examined({}, { slot: 'no-such-slot' });
    expect(triedOn).toEqual([]);
    expect(tried.at(-1)?.verdict).toMatchObject({ reason: expect.stringContaining('"no-such-slot"') });
  });

  it('are tried on the time that was named', async () => {
    const [first] = await freeAt(running.subject.system);
    const { triedOn } = await examined({}, { slot: first?.slot ?? '' });
    expect(triedOn.map(({ slot }) => slot)).toEqual([first?.slot]);
  });

  it('are broken off between two of them, with what they made taken back', async () => {
    const controller = new AbortController();
    const { system } = running.subject;
    const examination = await examine(
      {
        ...running.subject,
        system: {
          ...system,
          hold: (slot, id: BookingId) => {
            controller.abort();
            return system.hold(slot, id);
          },
        },
      },
      { upTo: 'booking', signal: controller.signal },
    );
    expect(
      examination.tried.filter(({ stage, verdict }) => stage !== 'reading' && verdict.outcome === 'passed'),
    ).toHaveLength(1);
    expect(await marksOf(system)).toEqual([]);
  });
});

type Lie = Partial<BookingSystem>;

function tryByName(subject: Subject, beginning: string) {
  const is = ({ name }: { readonly name: string }) => name.startsWith(beginning);
  const reading = READING_CHECKS.find(is);
  if (reading) return runReadingCheck(subject, reading);
  const check = [...HOLDING_CHECKS, ...BOOKING_CHECKS].find(is);
  if (!check) throw new Error(`no check is called ${beginning}`);
  return runSlotCheck(subject, check);
}

const held = new Map<string, Awaited<ReturnType<BookingSystem['search']>>[number]>();

const all = () => ({ from: instant(Date.now()), to: instant('2100-01-01') });
const freeAt = (system: BookingSystem) => system.search({ treatmentType: 'psychology', ...all() });
const marksOf = (system: BookingSystem): Promise<readonly BookingRef[]> => system.marks(all());
const longAgo = <T extends { readonly start: string }>(slot: T): T => ({ ...slot, start: instant(0) });
