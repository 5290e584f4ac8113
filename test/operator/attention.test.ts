import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CaseState } from '../../src/domain/case-state.ts';
import type { CaseId } from '../../src/domain/ids.ts';
import { ATTENTION_KINDS, attentionsOf } from '../../src/domain/attention.ts';
import { countAttention, listAttention, noteStateAttention } from '../../src/postgres/attention.ts';
import { listAllCases } from '../../src/postgres/cases.ts';
import * as live from '../domain/lives.ts';
import { useCases } from '../postgres/support/cases.ts';

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
  const cases = useCases();
  const ids = new Map<string, CaseId>();
  beforeAll(async () => {
    for (const [life, state] of Object.entries(LIVES)) {
      const id = await cases.create({ state });
      await noteStateAttention(cases.database, id, state);
      ids.set(life, id);
    }
  });

  it('come by page, the longest first, and none twice', async () => {
    const all = await listAttention(cases.database, { limit: 100 });
    const paged = [];
    for (let after = undefined as (typeof all)[number] | undefined; ; after = paged.at(-1)) {
      const page = await listAttention(cases.database, { limit: 2, after });
      paged.push(...page);
      if (page.length < 2) break;
    }
    expect(paged).toEqual(all);
    expect(await countAttention(cases.database, {})).toBe(all.length);
  });

  it('are all in the work list, and in the list of cases, for just what their state says', async () => {
    const rows = await listAttention(cases.database, { limit: 100 });
    const listed = await listAllCases(
      cases.database,
      { statuses: [], attention: ATTENTION_KINDS },
      { limit: 100, after: null },
    );
    const needing = [];
    for (const [life, state] of Object.entries(LIVES)) {
      const id = ids.get(life);
      const kinds = attentionsOf(state).map(({ kind }) => kind);
      if (kinds.length > 0) needing.push(life);
      expect([
        life,
        rows
          .filter(({ caseId }) => caseId === id)
          .map(({ kind }) => kind)
          .sort(),
      ]).toEqual([life, [...kinds].sort()]);
      expect([life, listed.some((one) => one.id === id)]).toEqual([life, kinds.length > 0]);
    }
    expect(needing).toHaveLength(11);
  });

  it('come page by page, each once', async () => {
    const seen: CaseId[] = [];
    let after = null;
    for (;;) {
      const filter = { statuses: [] };
      const page = await listAllCases(cases.database, filter, { limit: 5, after });
      seen.push(...page.map(({ id }) => id));
      after = page.at(-1) ?? null;
      if (page.length < 5) break;
    }
    expect([...seen].sort()).toEqual([...ids.values()].sort());
  });
});
