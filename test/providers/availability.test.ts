import { describe, expect, it } from '@jest/globals';
import type { ProviderId } from '../../src/domain/ids.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { createAvailability } from '../../src/providers/availability.ts';
import { clinicAtHand } from './clinic-at-hand.ts';

describe('availability over all providers', () => {
  const fjord = clinicAtHand('fjordklinikken');
  const nord = clinicAtHand('nordlys');
  const [fjordId, nordId] = ['fjordklinikken', 'nordlys'] as [ProviderId, ProviderId];

  const ask = (treatmentType: string, deadlineMs?: number) => {
    const failures: unknown[] = [];
    const availability = createAvailability({
      systems: new Map([
        [fjordId, fjord.system()],
        [nordId, nord.system()],
      ]),
      claimedSlots: async () => [],
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      onUnavailable: (id, error) => failures.push([id, (error as Error).message]),
    });
    const from = instant(Date.now());
    const providers = [
      { id: fjordId, name: 'Fjordklinikken' },
      { id: nordId, name: 'Nordlys Helse' },
    ];
    return availability({ treatmentType, from, to: daysAfter(from, 30), providers }).then((shown) => ({
      ...shown,
      failures,
      of: new Set(shown.slots.map(({ providerId }) => providerId)),
    }));
  };

  it('shows the slots of all, earliest first', async () => {
    const shown = await ask('physiotherapy');
    expect(shown.of).toEqual(new Set([fjordId, nordId]));
    expect(shown.slots.map(({ start }) => start)).toEqual(shown.slots.map(({ start }) => start).toSorted());
    expect(shown.providers).toMatchObject([
      { id: fjordId, name: 'Fjordklinikken', state: 'live', asOf: expect.stringMatching(/Z$/) as unknown },
      { id: nordId, name: 'Nordlys Helse', state: 'live' },
    ]);
  });

  it('shows the others when one fails', async () => {
    await fjord.fault({ effect: 'answer', status: 503 });
    const shown = await ask('psychology');
    expect(shown.of).toEqual(new Set([nordId]));
    expect(shown.providers).toMatchObject([{ state: 'unavailable' }, { state: 'live' }]);
    expect(shown.failures).toEqual([[fjordId, 'GET Slot: HTTP 503']]);
  });

  it('gives up on one that is too slow', async () => {
    await nord.fault({ effect: 'delay', delayMs: 60_000 });
    const shown = await ask('psychology', 1_000);
    expect(shown.of).toEqual(new Set([fjordId]));
    expect(shown.providers).toMatchObject([{ state: 'live' }, { state: 'unavailable' }]);
  });

  it('says so when all are away', async () => {
    await fjord.fault({ effect: 'drop' });
    await nord.fault({ effect: 'answer', status: 200, body: '<html>' });
    const shown = await ask('psychology');
    expect(shown).toMatchObject({
      slots: [],
      providers: [{ state: 'unavailable' }, { state: 'unavailable' }],
    });
  });
});
