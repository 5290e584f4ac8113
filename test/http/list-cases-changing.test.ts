import { beforeAll, describe, expect, it } from '@jest/globals';
import type { components } from '../../clients/typescript/index.ts';
import { CASE_STATUSES, type CaseState, type CaseStatus } from '../../src/domain/case-state.ts';
import type { CaseId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { hashOfKey, issueKey } from '../../src/identity/secrets.ts';
import { addKey } from '../../src/postgres/api-keys.ts';
import { readCase } from '../../src/postgres/cases.ts';
import { projectCase } from '../../src/postgres/project-case.ts';
import { type Caller, type CaseBody, createCaller, type Reply } from '../support/caller.ts';
import { newCase } from '../support/new-case.ts';
import { useService } from '../support/use-service.ts';

type Page = components['schemas']['CaseList'];

const CASES = 60;
const TYPES = ['psychology', 'physiotherapy'] as const;
/** Changers leave these alone, so that it is known what a filter by status has to let through all the while. */
const isLeftAlone = (i: number) => i % 3 === 0;

describe('GET /cases while cases are created and changed', () => {
  const service = useService('api');
  let before: readonly CaseBody[];
  beforeAll(async () => {
    before = await Promise.all(Array.from({ length: CASES }, (_, i) => create(service.partner, i)));
    for (const [i, { id }] of before.entries()) if (i % 4 === 0) await change(id, 'booked');
  });

  const create = async (caller: Caller, i: number) =>
    (await caller.post<CaseBody>('/cases', newCase({ treatmentType: TYPES[i % 2] }))).body;

  /** As a case's workflow shows its new status. */
  async function change(id: string, status: CaseStatus): Promise<void> {
    const view = await readCase(service.database, id as CaseId);
    if (!view) throw new Error('no such case');
    const at = instant(Date.now());
    const problem = { code: 'UNDELIVERABLE', since: at, cancelled: false };
    await projectCase(service.database, {
      caseId: view.id,
      revision: view.revision + 1,
      state: { ...view.state, status, bookingId: null, problem } as CaseState,
      events: [],
      at,
    });
  }

  /** A key of its own, with a limit of its own. */
  async function another(): Promise<Caller> {
    const key = issueKey('test');
    const { partnerId } = service;
    await addKey(service.database, { partnerId, name: 'another', keyHash: hashOfKey(key) });
    return createCaller(service.apiUrl, { 'X-API-Key': key });
  }

  const traversals: readonly [query: string, lets: (theCase: CaseBody, i: number) => boolean][] = [
    ['limit=1', () => true],
    ['limit=7', () => true],
    ['limit=100', () => true],
    ['limit=3&treatmentType=psychology', ({ treatmentType }) => treatmentType === 'psychology'],
    ['limit=2&status=booked', (_, i) => isLeftAlone(i) && i % 4 === 0],
    ['limit=5&status=booked&status=pending_patient_action', (_, i) => isLeftAlone(i)],
    ['limit=4&updatedSince=2026-01-01', () => true],
    ['limit=6&createdFrom=2026-01-01&treatmentType=physiotherapy', (_, i) => i % 2 === 1],
  ];

  it('shows whoever goes through it every case that was there before exactly once, and none twice', async () => {
    const [creator, ...readers] = await Promise.all(Array.from({ length: traversals.length + 1 }, another));
    let reading = traversals.length;
    let [created, changed] = [0, 0];

    const creating = async () => {
      while (reading > 0) await create(creator as Caller, created++);
    };
    const changing = async (first: number) => {
      const subject = before.filter((_, i) => !isLeftAlone(i));
      for (let i = first; reading > 0; i += 2, changed += 1)
        await change(
          subject[i % subject.length]?.id ?? '',
          CASE_STATUSES[(i * 5) % CASE_STATUSES.length] ?? 'booked',
        );
    };
    /** Page by page, with something created and changed between any two. */
    const goThrough = async (caller: Caller, query: string): Promise<readonly string[]> => {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { status, body }: Reply<Page> = await caller.get<Page>(
          `/cases?${query}${cursor && `&cursor=${cursor}`}`,
        );
        expect(status).toBe(200);
        seen.push(...body.data.map(({ id }) => id));
        cursor = body.nextCursor;
      }
      reading -= 1;
      return seen;
    };

    const [, , , ...seen] = await Promise.all([
      creating(),
      changing(0),
      changing(1),
      ...traversals.map(([query], i) => goThrough(readers[i] as Caller, query)),
    ]);
    expect(created).toBeGreaterThan(5);
    expect(changed).toBeGreaterThan(50);
    for (const [i, [query, lets]] of traversals.entries()) {
      const ids = seen[i] as readonly string[];
      expect([query, ids.length]).toEqual([query, new Set(ids).size]);
      const expected = before.filter(lets).map(({ id }) => id);
      expect([query, expected.filter((id) => !ids.includes(id))]).toEqual([query, []]);
    }
  });

  it('shows with updatedSince what changed since the traversal before began, a moment earlier', async () => {
    const began = instant(Date.now() - 1_000);
    const changed = before.slice(10, 20).map(({ id }) => id);
    await Promise.all(changed.map((id) => change(id, 'recalled')));
    const { body } = await (await another()).get<Page>(`/cases?limit=100&updatedSince=${began}`);
    const ids = body.data.map(({ id }) => id);
    expect(changed.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('shows with updatedSince also what we learned late: the change counts from when it shows', async () => {
    const [{ id }] = before as [CaseBody];
    const view = await readCase(service.database, id);
    if (!view) throw new Error('no such case');
    const askedBefore = instant(Date.now() - 1_000);
    const hourAgo = instant(Date.now() - 3_600_000);
    const { revision, state } = view;
    await projectCase(service.database, {
      caseId: view.id,
      revision: revision + 1,
      state,
      events: [],
      at: hourAgo,
    });
    const { body } = await (await another()).get<Page>(`/cases?limit=100&updatedSince=${askedBefore}`);
    expect(body.data.map((theCase) => theCase.id)).toContain(id);
  });
});
