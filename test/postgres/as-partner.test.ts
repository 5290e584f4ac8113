import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { asRole } from '../../dev/postgres/server.ts';
import type { CaseId, ProviderId } from '../../src/domain/ids.ts';
import { type AsPartner, createAsPartner, isShownAll } from '../../src/postgres/as-partner.ts';
import { listCases, readCase } from '../../src/postgres/cases.ts';
import type { Database, Queries } from '../../src/postgres/database.ts';
import { feedEvents, numberEvents } from '../../src/postgres/events.ts';
import { saveProvider } from '../../src/postgres/providers.ts';
import { openTestDatabase } from '../support/database.ts';
import { loadManyCases } from '../support/many-cases.ts';
import { PARTNERS, useCases } from './support/cases.ts';

const [OWN, OTHER] = PARTNERS;
/** What a partner may be shown of a table, in the words of an administrator, who sees all. */
const ITS_OWN = sql.fragment`partner_id = ${OWN}`;
const OF_ITS_CASES = sql.fragment`case_id IN (SELECT id FROM cases WHERE ${ITS_OWN})`;
const SHOWN: Readonly<Record<string, FragmentSqlToken>> = {
  partners: sql.fragment`id = ${OWN}`,
  ...{ cases: ITS_OWN, events: ITS_OWN, partner_requests: ITS_OWN, 'keys.data_keys': ITS_OWN },
  ...{ case_texts: OF_ITS_CASES, case_persons: OF_ITS_CASES, case_verifications: OF_ITS_CASES },
  ...{ bookings: OF_ITS_CASES, notifications: OF_ITS_CASES },
};
const nothing = z.object({});

describe('what is read as a partner', () => {
  const cases = useCases();
  /** One connection: what a statement leaves behind is there for the next. */
  let locked: Database;
  let asPartner: AsPartner;
  beforeAll(async () => {
    const { database } = cases;
    await saveProvider(database, {
      id: 'nowhere' as ProviderId,
      name: 'Nowhere',
      kind: 'fhir',
      base_url: 'http://127.0.0.1:9/fhir',
      connection: { auth: 'none' },
      treatments: ['psychology'],
    });
    await loadManyCases(database, { count: 200, partners: PARTNERS });
    await database.query(sql.type(nothing)`
      INSERT INTO case_verifications (case_id, kind, outcome, reasons, checked_at)
      SELECT id, 'policy', 'verified', '{}', now() FROM cases`);
    await database.query(sql.type(nothing)`
      INSERT INTO partner_requests (partner_id, at, method, status, request_id)
      SELECT partner_id, now(), 'GET', 200, id FROM cases`);
    locked = await openTestDatabase(asRole(cases.url, 'booking_partner'), { maxPoolSize: 1 });
    asPartner = createAsPartner(locked, database);
  });
  afterAll(() => locked.end());

  const countIn = (queries: Queries, table: string, which = sql.fragment`true`) =>
    queries.oneFirst(sql.type(z.object({ count: z.number() }))`
      SELECT count(*) FROM ${sql.identifier(table.split('.'))} WHERE ${which}`);
  const anothers = () =>
    cases.database.oneFirst(sql.type(z.object({ id: z.custom<CaseId>() }))`
      SELECT id FROM cases WHERE partner_id = ${OTHER} LIMIT 1`);

  it.each(Object.entries(SHOWN))(
    'of %s is its own alone, though the statement asks for all',
    async (table, which) => {
      const own = await countIn(cases.database, table, which);
      expect(own).toBeGreaterThan(0);
      expect(await countIn(cases.database, table)).toBeGreaterThan(own);
      expect(await countIn(asPartner(OWN), table)).toBe(own);
      expect(await asPartner(OWN).transaction((tx) => countIn(tx, table))).toBe(own);
    },
  );

  it.each(Object.keys(SHOWN))(
    'of %s is nothing for a statement that does not say for whom',
    async (table) => {
      expect(await countIn(locked, table)).toBe(0);
      // what another has said is gone with its statement, and with its transaction
      await countIn(asPartner(OWN), table);
      expect(await countIn(locked, table)).toBe(0);
      await asPartner(OWN).transaction((tx) => countIn(tx, table));
      expect(await countIn(locked, table)).toBe(0);
    },
  );

  it('is tried here of every table that is locked so', async () => {
    const locks = await cases.database.anyFirst(sql.type(z.object({ name: z.string() }))`
      SELECT DISTINCT polrelid::regclass::text AS name FROM pg_policy
      WHERE polroles = ARRAY['booking_partner'::regrole::oid]`);
    expect(locks.toSorted()).toEqual(Object.keys(SHOWN).toSorted());
  });

  it('is nothing of a table that is not locked so, but what is the same for all partners', async () => {
    const open = await cases.database.anyFirst(sql.type(z.object({ name: z.string() }))`
      SELECT pg_class.oid::regclass::text AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
      WHERE relkind IN ('r', 'p') AND nspname IN ('public', 'keys') AND NOT relrowsecurity
        AND has_any_column_privilege('booking_partner', pg_class.oid, 'SELECT, INSERT, UPDATE') ORDER BY name`);
    expect(open).toEqual(['providers', 'treatment_types']);
  });

  it('is another’s case neither by its id, nor in the list or the feed of that other', async () => {
    const id = await anothers();
    const page = { partnerId: OTHER, filter: { statuses: [] }, limit: 10, after: null };
    await numberEvents(asPartner(OTHER), OTHER);
    const feed = { partnerId: OTHER, after: 0, limit: 10 };
    const found = async (queries: Queries) => [
      (await readCase(queries, id))?.id,
      (await listCases(queries, page)).length,
      (await feedEvents(queries, feed)).length,
    ];
    expect(await found(asPartner(OTHER))).toEqual([id, 10, 10]);
    expect(await found(asPartner(OWN))).toEqual([undefined, 0, 0]);
  });

  it('is nothing at all by a role that sees every partner’s: the API refuses one', async () => {
    const api = await openTestDatabase(asRole(cases.url, 'booking_api'));
    expect(await isShownAll(api)).toBe(true);
    await api.end();
    expect(await isShownAll(cases.database)).toBe(true);
    expect(await isShownAll(locked)).toBe(false);
  });

  it('changes nothing but the numbers of its own feed', async () => {
    const change = (statement: ReturnType<typeof sql.fragment>) =>
      asPartner(OWN).transaction(async (tx) => (await tx.query(sql.type(nothing)`${statement}`)).rowCount);
    const id = await anothers();
    await expect(change(sql.fragment`UPDATE cases SET updated_at = now()`)).rejects.toThrow();
    await expect(change(sql.fragment`DELETE FROM events`)).rejects.toThrow();
    expect(await change(sql.fragment`UPDATE events SET number = NULL WHERE case_id = ${id}`)).toBe(0);
    expect(await change(sql.fragment`UPDATE partners SET last_event = 0 WHERE id = ${OTHER}`)).toBe(0);
  });
});
