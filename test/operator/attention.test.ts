import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CaseState } from '../../src/domain/case-state.ts';
import type { CaseId } from '../../src/domain/ids.ts';
import { attentionOf } from '../../src/domain/next-steps.ts';
import { listAllCases } from '../../src/postgres/cases.ts';
import * as live from '../domain/lives.ts';
import { openCases, type TestCases } from '../postgres/support/cases.ts';

const { lived } = live;
const released = { type: 'released', bookingId: live.id('first'), verified: false } as const;

const overlapping = { type: 'overlapChecked', bookingId: live.id('first'), overlaps: true } as const;
const doubleBooked = { type: 'clinicDoubleBooked', bookingId: live.id('first'), doubleBooked: true } as const;

const LIVES: Record<string, CaseState> = {
  fresh: lived(),
  booked: lived(live.confirm(), live.transferred()),
  'waiting for help': lived(live.ask),
  'booked, and waiting for help': lived(live.confirm(), live.transferred(), live.ask),
  helped: lived(live.ask, live.resolve),
  'not reached': lived(live.undeliverable),
  'not reached while waiting for help': lived(live.ask, live.undeliverable),
  'gone to somebody else': lived(live.disown),
  'gone to somebody else, and recalled': lived(live.disown, live.recall),
  'refused by the clinic': lived(live.confirm(), live.transferRefused()),
  'stopped by a fault': lived(live.confirm(), live.failed()),
  'not free at the clinic': lived(live.confirm(), live.transferred(), live.cancel, released),
  'recalled, and not free': lived(live.confirm(), live.transferred(), live.recall, released),
  'moved onto another': lived(live.confirm(), live.transferred(), overlapping),
  'booked twice at the clinic': lived(live.confirm(), live.transferred(), doubleBooked),
  expired: lived(live.DEADLINE.passesAt, live.expire),
};

describe('the cases that may need an operator', () => {
  let cases: TestCases;
  const ids = new Map<string, CaseId>();
  beforeAll(async () => {
    cases = await openCases();
    for (const [life, state] of Object.entries(LIVES)) ids.set(life, await cases.create({ state }));
  });
  afterAll(() => cases.close());

  it('as the database finds them, are all that need one, and few more', async () => {
    const filter = { statuses: [], maybeInTrouble: true };
    const rows = await listAllCases(cases.database, filter, { limit: 100, after: null });
    const found = Object.keys(LIVES).filter((life) => rows.some(({ id }) => id === ids.get(life)));
    const needing = Object.entries(LIVES)
      .filter(([, state]) => attentionOf(state) !== 'none' || state.status === 'error')
      .map(([life]) => life);
    expect(found).toEqual(expect.arrayContaining(needing));
    expect(found.filter((life) => !needing.includes(life))).toEqual(['gone to somebody else, and recalled']);
    expect(needing).toHaveLength(11);
  });

  it('come page by page, each once', async () => {
    const seen: CaseId[] = [];
    let after = null;
    for (;;) {
      const filter = { statuses: [], maybeInTrouble: false };
      const page = await listAllCases(cases.database, filter, { limit: 5, after });
      seen.push(...page.map(({ id }) => id));
      after = page.at(-1) ?? null;
      if (page.length < 5) break;
    }
    expect([...seen].sort()).toEqual([...ids.values()].sort());
  });
});
