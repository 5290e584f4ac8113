import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type QuerySqlToken, sql } from 'slonik';
import { z } from 'zod';
import { asRole } from '../../dev/postgres/server.ts';
import { CASE_STATUSES } from '../../src/domain/case-state.ts';
import type { CaseId, ProviderId } from '../../src/domain/ids.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { createAsPartner } from '../../src/postgres/as-partner.ts';
import { caseColumns, caseRow, type CaseRow } from '../../src/postgres/case-row.ts';
import { type CaseFilter, type CasePage, listCases, readCase } from '../../src/postgres/cases.ts';
import type { Database, Queries } from '../../src/postgres/database.ts';
import { caseEvents, feedEvents } from '../../src/postgres/events.ts';
import { saveProvider } from '../../src/postgres/providers.ts';
import { openTestDatabase } from '../support/database.ts';
import { everyQuery } from '../support/every-query.ts';
import { FILLED, loadManyCases } from '../support/many-cases.ts';
import { PARTNERS, useCases } from './support/cases.ts';

const COUNT = 20_000;
/** What a page of 100 may look at, of the partner's 10,000 cases. */
const LOOKED_AT = 1_000;
const LIMIT = 101;
/** These do not grow with the cases, or stay short. */
const SMALL = [
  'partners',
  'providers',
  'provider_',
  'treatment_types',
  'api_keys',
  'log_heads',
  'reconcil',
  'pg_',
  'alerts',
];

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

describe('reading among 20,000 cases', () => {
  const cases = useCases();
  let own: readonly CaseRow[];
  let partners: Database;
  beforeAll(async () => {
    partners = await openTestDatabase(asRole(cases.url, 'booking_partner'));
    for (let i = 0; i < 50; i += 1)
      await saveProvider(cases.database, {
        id: `nowhere-${i}` as ProviderId,
        name: 'Nowhere',
        kind: 'fhir',
        base_url: 'http://127.0.0.1:9/fhir',
        connection: { auth: 'none' },
        treatments: ['psychology'],
      });
    await loadManyCases(cases.database, { count: COUNT, partners: PARTNERS });
    own = await cases.database.any(sql.type(caseRow)`
      SELECT ${caseColumns} FROM cases WHERE partner_id = ${PARTNERS[0]} ORDER BY created_at DESC, id DESC`);
  });
  afterAll(() => partners.end());

  const now = instant(Date.now());
  const daysAgo = (days: number) => daysAfter(now, -days);
  const deep = () => {
    const { created_at: createdAt, id } = own[own.length >> 1] as CaseRow;
    return { createdAt, id };
  };
  const page = (filter: Partial<CaseFilter> = {}, after: CasePage['after'] = null): CasePage => ({
    partnerId: PARTNERS[0],
    filter: { statuses: [], ...filter },
    limit: LIMIT,
    after,
  });

  /** What PostgreSQL did for it, node by node, asked by the partner. */
  async function planOf(read: (queries: Queries) => unknown): Promise<readonly Node[]> {
    const asked: QuerySqlToken[] = [];
    const note = async (query: QuerySqlToken) => void asked.push(query);
    const noted = { keys: cases.database.keys, any: note, maybeOne: note } as unknown as Database;
    await read(createAsPartner(noted, cases.database)(PARTNERS[0]));
    const [query] = asked;
    if (!query) throw new Error('nothing was asked');
    const [{ Plan }] = await partners.oneFirst(
      sql.type(z.object({ 'QUERY PLAN': z.custom<[{ Plan: Node }]>() }))`
        EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${query}`,
    );
    const all = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(all)];
    return all(Plan);
  }

  const looksAt = (plan: readonly Node[], table: string): number =>
    plan
      .filter((node) => node['Relation Name'] === table)
      .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
      .reduce((sum, rows) => sum + rows, 0);
  // of these there are few at all
  const scanned = (plan: readonly Node[]) =>
    plan
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'] ?? '')
      .filter((table) => !['partners', 'providers', 'case_persons'].includes(table));

  describe('a page of the list', () => {
    const rare = { treatmentType: 'chiropractic' };
    const frequent = { treatmentType: 'psychology' };
    it.each<[string, Partial<CaseFilter>]>([
      ['no filter', {}],
      ['a rare status', { statuses: ['error'] }],
      ['a frequent status', { statuses: ['archived'] }],
      ['the open statuses', { statuses: ['pending_patient_action', 'assistance_requested', 'error'] }],
      ['all statuses', { statuses: CASE_STATUSES }],
      ['a reference', { partnerCaseId: 'TF-1000' }],
      ['a rare treatment', rare],
      ['a frequent treatment', frequent],
      ['created in some days', { createdFrom: daysAgo(210), createdTo: daysAgo(190) }],
      ['created before some day', { createdTo: daysAgo(300) }],
      ['changed within the hour', { updatedSince: daysAgo(1 / 24) }],
      ['changed within a day', { updatedSince: daysAgo(1) }],
      ['changed within a year', { updatedSince: daysAgo(365) }],
      ['open, of a rare treatment', { ...rare, statuses: ['pending_patient_action', 'booked'] }],
      ['open, of a frequent treatment', { ...frequent, statuses: ['pending_patient_action', 'booked'] }],
      ['booked, created this month', { statuses: ['booked'], createdFrom: daysAgo(30) }],
      ['booked, changed today', { statuses: ['booked'], updatedSince: daysAgo(1) }],
      ['of a treatment, changed today', { ...frequent, updatedSince: daysAgo(1) }],
      ['of a treatment, created this month', { ...frequent, createdFrom: daysAgo(30) }],
    ])('looks at few cases: %s', async (_, filter) => {
      for (const after of [null, deep()]) {
        const plan = await planOf((queries) => listCases(queries, page(filter, after)));
        expect(scanned(plan)).toEqual([]);
        expect(looksAt(plan, 'cases')).toBeLessThan(LOOKED_AT);
        // what is told of a case is read for those only that are shown
        expect(looksAt(plan, 'notifications')).toBeLessThanOrEqual(LIMIT * 4);
        expect(looksAt(plan, 'case_texts')).toBeLessThanOrEqual(LIMIT);
      }
    });

    it('has what the filters let through, in order, page by page, whichever are combined', async () => {
      const [someday, reference] = [daysAgo(200), 'TF-777'];
      const choices: Partial<CaseFilter>[][] = [
        [
          {},
          { statuses: ['error'] },
          { statuses: ['booked', 'recalled', 'booked'] },
          { statuses: CASE_STATUSES },
        ],
        [{}, rare, { partnerCaseId: reference }],
        [{}, { createdFrom: someday }, { createdTo: someday }, { updatedSince: someday }],
      ];
      const combined = choices.reduce((sets, more) =>
        sets.flatMap((set) => more.map((one) => ({ ...set, ...one }))),
      );
      for (const filter of combined) {
        const matching = own.filter(
          ({ status, treatment_type, partner_case_id, created_at, updated_at }) =>
            (filter.statuses?.includes(status) ?? true) &&
            treatment_type === (filter.treatmentType ?? treatment_type) &&
            partner_case_id === (filter.partnerCaseId ?? partner_case_id) &&
            created_at >= (filter.createdFrom ?? created_at) &&
            !(filter.createdTo && created_at >= filter.createdTo) &&
            updated_at >= (filter.updatedSince ?? updated_at),
        );
        // pages of a size that cuts through cases of one instant
        const seen: CaseId[] = [];
        let after: CasePage['after'] = null;
        do {
          const rows = await listCases(cases.database, { ...page(filter, after), limit: 97 });
          seen.push(...rows.map(({ id }) => id));
          const last = rows.length === 97 ? rows.at(-1) : null;
          after = last ? { createdAt: last.created_at, id: last.id } : null;
        } while (after && seen.length < 400);
        expect([filter, seen]).toEqual([filter, matching.slice(0, seen.length).map(({ id }) => id)]);
        expect(seen.length).toBeGreaterThanOrEqual(Math.min(matching.length, 388));
      }
    });
  });

  it('nothing that is asked reads a table whole, as large as they are with a million cases', async () => {
    // the planner's own numbers, as they are then
    await cases.database.any(sql.type(z.object({}))`
      SELECT pg_restore_relation_stats('schemaname', nspname::text, 'relname', relname::text, 'relpages', relpages,
        'reltuples', (reltuples * ${1_000_000 / COUNT})::real)::text AS done
      FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
      WHERE pg_class.oid = ANY(${sql.array(FILLED, 'text')}::regclass[]) AND relkind = 'r'`);
    const plan = z.object({ 'QUERY PLAN': z.string() });
    const wholes: string[] = [];
    const { partnerId, queries } = await everyQuery(cases.database);
    for (const [name, ask] of Object.entries(queries)) {
      // tables that are empty here are read by an index as well, where there is one
      for (const isAnywhere of [true, false]) {
        const note = async (tx: Queries, query: QuerySqlToken) => {
          await tx.query(sql.type(z.object({}))`
            SELECT set_config('enable_seqscan', ${isAnywhere ? 'on' : 'off'}, true),
              -- there are as many more pages to be read then
              set_config('seq_page_cost', ${String(1_000_000 / COUNT)}, true)`);
          const lines = await tx.any(sql.type(plan)`EXPLAIN ${query}`);
          for (const { 'QUERY PLAN': line } of lines) {
            const [, table = ''] = /Seq Scan on (\w+)/.exec(line) ?? [];
            const isLarge = isAnywhere ? FILLED.includes(table) : !SMALL.some((one) => table.startsWith(one));
            if (table !== '' && isLarge) wholes.push(`${name}: ${table}`);
          }
        };
        await cases.database.transaction(async (tx) => {
          const asked = new Proxy(tx, {
            get(target, method) {
              const real = Reflect.get(target, method) as unknown;
              if (typeof real !== 'function' || method === 'transaction') return real;
              return async (query: QuerySqlToken) => {
                await note(target, query);
                return (real as (query: QuerySqlToken) => unknown).call(target, query);
              };
            },
          });
          if (!name.startsWith('partner: ')) return ask(asked);
          await tx.query(sql.type(z.object({}))`SELECT set_config('role', 'booking_partner', true)`);
          return ask(createAsPartner(asked as unknown as Database, cases.database)(partnerId));
        });
      }
    }
    // what is open is counted, and nearly all is open here
    const counted = wholes.filter((one) => !/^(job: gauges|operator: how much .*): attention$/.test(one));
    expect([...new Set(counted)]).toEqual([]);
  });

  it('a case is found by its id, with all that is told of it', async () => {
    for (const id of [own[0]?.id as CaseId, own.find(({ status }) => status === 'recalled')?.id as CaseId]) {
      const plan = await planOf((queries) => readCase(queries, id));
      expect(scanned(plan)).toEqual([]);
      expect(looksAt(plan, 'cases')).toBe(1);
    }
  });

  it('a case’s timeline, and the feed from anywhere, are read off an index', async () => {
    const { id } = own[5_000] as CaseRow;
    const timeline = await planOf((queries) => caseEvents(queries, { caseId: id, after: 0, limit: LIMIT }));
    expect(scanned(timeline)).toEqual([]);
    expect(looksAt(timeline, 'events')).toBeLessThan(10);
    for (const after of [0, 25_000, 1_000_000]) {
      const feed = await planOf((queries) =>
        feedEvents(queries, { partnerId: PARTNERS[0], after, limit: LIMIT }),
      );
      expect(scanned(feed)).toEqual([]);
      expect(looksAt(feed, 'events')).toBeLessThanOrEqual(LIMIT);
    }
  });
});
