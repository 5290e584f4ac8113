import { describe, expect, it, jest } from '@jest/globals';
import type { ProviderId } from '../../src/domain/ids.ts';
import { instant, type Instant } from '../../src/domain/instant.ts';
import { NO_DETAILS, type Slot } from '../../src/domain/slot.ts';
import {
  type AvailabilityOptions,
  type AvailabilityQuery,
  type ClaimedSlot,
  createAvailability,
} from '../../src/providers/availability.ts';
import { type BookingSystem, ProviderUnavailable, type SlotQuery } from '../../src/providers/port.ts';
import { eventually } from '../support/eventually.ts';

const NOW = Date.parse('2027-03-01T09:30:20.500Z');
const at = (time: string, day = '2027-03-02'): Instant => instant(`${day}T${time}Z`);
const [CLINIC, OTHER] = ['clinic', 'other'] as [ProviderId, ProviderId];

const slotAt = (start: Instant, minutes = 45, changes: Partial<Slot> = {}): Slot => ({
  providerId: CLINIC,
  slot: `slot at ${start}`,
  practitionerId: 'fjellrev',
  start,
  end: instant(Date.parse(start) + minutes * 60_000),
  practitioner: 'Fjell Rev',
  location: 'Storgata 1',
  mode: 'in_person',
  details: NO_DETAILS,
  ...changes,
});

/** What is on offer of what a clinic's system says is free. */
function offer(free: readonly Slot[], options: Partial<AvailabilityOptions> = {}) {
  const searches: SlotQuery[] = [];
  const ranges: unknown[] = [];
  let gate: Promise<unknown> = Promise.resolve();
  let taken: readonly ClaimedSlot[] = [];
  const search: BookingSystem['search'] = async (query) => {
    searches.push(query);
    await gate;
    return [...free];
  };
  const availability = createAvailability({
    systems: new Map([CLINIC, OTHER].map((id) => [id, { search } as BookingSystem])),
    claimedSlots: async (range) => {
      ranges.push(range);
      return taken;
    },
    now: () => NOW,
    ...options,
  });
  return {
    searches,
    ranges,
    claim: (...hours: ClaimedSlot[]) => (taken = hours),
    /** Searches wait for what this returns to be called. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      gate = promise;
      return () => resolve(undefined);
    },
    ask: (changes: Partial<AvailabilityQuery> = {}) =>
      availability({
        treatmentType: 'psychology',
        from: instant(NOW),
        to: at('23:00:00'),
        providers: [{ id: CLINIC, name: 'Clinic' }],
        ...changes,
      }),
  };
}
const starts = ({ slots }: { slots: readonly Slot[] }) => slots.map(({ start }) => start);

describe('what is on offer', () => {
  it('is nothing that a case of ours has, whatever the clinic says', async () => {
    const slots = ['09:00:00', '10:00:00', '11:00:00'].map((time) => slotAt(at(time)));
    const { ask, claim, ranges } = offer(slots);
    claim({ ...slotAt(at('10:30:00'), 60) });
    expect(starts(await ask())).toEqual([at('09:00:00')]);
    expect(ranges).toEqual([{ providers: [CLINIC], from: at('09:00:00'), to: at('11:45:00') }]);
  });

  it.each([
    ['of another practitioner', { practitionerId: 'multebær' }],
    ['at another provider', { providerId: OTHER }],
    ['that ends as the slot begins', { start: at('09:00:00'), end: at('10:00:00') }],
    ['that begins as the slot ends', { start: at('10:45:00'), end: at('11:45:00') }],
  ])('is all the same beside an hour of ours %s', async (_, changes) => {
    const { ask, claim } = offer([slotAt(at('10:00:00'))]);
    claim({ ...slotAt(at('10:00:00')), ...changes });
    expect((await ask()).slots).toHaveLength(1);
  });

  it('is nothing that was claimed while its clinic was being asked', async () => {
    const { ask, claim, hold } = offer([slotAt(at('10:00:00'))]);
    const goOn = hold();
    const asked = ask();
    claim(slotAt(at('10:00:00')));
    goOn();
    expect((await asked).slots).toEqual([]);
  });

  it('is nothing past, nothing outside of the window, and nothing shorter than needed', async () => {
    const today = (time: string) => at(time, '2027-03-01');
    const slots = [
      slotAt(today('09:30:20.400')),
      slotAt(today('09:31:00')),
      slotAt(at('12:00:00'), 44),
      slotAt(at('13:00:00'), 45),
      slotAt(at('23:00:00')),
    ];
    const { ask } = offer(slots);
    expect(starts(await ask({ minimumMinutes: 45 }))).toEqual([today('09:31:00'), at('13:00:00')]);
    expect(starts(await ask({ minimumMinutes: null }))).toHaveLength(3);
    expect(starts(await ask({ from: instant(NOW - 60_000) }))).not.toContain(today('09:30:20.400'));
  });

  it('is asked for once by all who look at the same moment, each for a window of their own', async () => {
    const { ask, searches, hold } = offer([slotAt(at('09:30:20.600', '2027-03-01')), slotAt(at('10:00:00'))]);
    const goOn = hold();
    const all = Promise.all([
      ask(),
      ask({ from: instant(NOW + 300) }),
      ask({ treatmentType: 'chiropractic' }),
    ]);
    goOn();
    const [now, later] = await all;
    expect(searches.map(({ treatmentType }) => treatmentType)).toEqual(['psychology', 'chiropractic']);
    expect([starts(now).length, starts(later).length]).toEqual([2, 1]);
    await ask();
    expect(searches).toHaveLength(3);
  });

  it('tells when its clinic answered, also whoever came later', async () => {
    let time = NOW;
    const { ask, hold } = offer([], { now: () => time });
    const goOn = hold();
    const asked = ask();
    time += 1_500;
    const joined = ask();
    goOn();
    for (const { providers } of [await asked, await joined]) {
      expect(providers).toMatchObject([{ state: 'live', asOf: instant(NOW + 1_500) }]);
    }
  });

  it('stays with those who still wait when one has waited long enough', async () => {
    const failures: unknown[] = [];
    const { ask, searches, hold } = offer([slotAt(at('10:00:00'))], {
      deadlineMs: 200,
      onUnavailable: (_, error) => failures.push(error),
    });
    const goOn = hold();
    const impatient = ask();
    const aWhileLater = Date.now() + 100;
    await eventually(() => Date.now() > aWhileLater);
    const patient = ask();
    expect((await impatient).providers).toMatchObject([{ state: 'unavailable' }]);
    expect(searches[0]?.signal?.aborted).toBe(false);
    goOn();
    expect((await patient).slots).toHaveLength(1);
    expect([searches.length, failures.length]).toEqual([1, 1]);
    expect(failures[0]).toBeInstanceOf(ProviderUnavailable);
  });
});

describe('who is late', () => {
  const both = [
    { id: CLINIC, name: 'Clinic' },
    { id: OTHER, name: 'Other' },
  ];
  const slow = () => {
    const { promise, resolve, reject } = Promise.withResolvers<Slot[]>();
    return { search: jest.fn(() => promise), answer: resolve, fail: reject };
  };
  const among = (search: BookingSystem['search'], late: BookingSystem['search']) =>
    offer([], {
      systems: new Map([
        [CLINIC, { search } as BookingSystem],
        [OTHER, { search: late } as BookingSystem],
      ]),
    });

  it('is not waited for by who has no patience, once one has answered; and goes on for who asks next', async () => {
    const late = slow();
    const { ask } = among(async () => [slotAt(at('09:00:00'))], late.search);
    const soon = await ask({ providers: both, patienceMs: 1 });
    expect([starts(soon), soon.awaited]).toEqual([[at('09:00:00')], [{ id: OTHER, name: 'Other' }]]);
    expect(soon.providers.map(({ id, state }) => [id, state])).toEqual([[CLINIC, 'live']]);

    const whole = ask({ providers: both });
    late.answer([slotAt(at('08:00:00'), 45, { providerId: OTHER })]);
    expect(starts(await whole)).toEqual([at('08:00:00'), at('09:00:00')]);
    expect([(await whole).awaited, late.search.mock.calls.length]).toEqual([[], 1]);
  });

  it('is waited for as long as nobody has answered', async () => {
    const [late, later] = [slow(), slow()];
    const { ask } = among(late.search, later.search);
    const soon = ask({ providers: both, patienceMs: 1 });
    late.fail(new ProviderUnavailable('away'));
    setTimeout(() => later.answer([slotAt(at('08:00:00'), 45, { providerId: OTHER })]), 20);
    expect(starts(await soon)).toEqual([at('08:00:00')]);
    expect((await soon).providers.map(({ state }) => state)).toEqual(['unavailable', 'live']);
  });
});
