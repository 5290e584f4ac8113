import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId } from '../domain/ids.ts';
import { instant, type Instant } from '../domain/instant.ts';
import { instantColumn, nothing, textColumn } from './case-row.ts';
import { columnsOf, type Table, TABLES } from './columns.ts';
import { affects, allOf, type Database, type Queries } from './database.ts';
import { appendEvents } from './events.ts';
import { keyOf, type Place, sealed } from './sealing.ts';

// What becomes of a person's data as a whole: given to them, kept from being erased, erased (docs/contract.md §9).

const id = z.object({ id: textColumn<CaseId>() });

interface Erasing {
  readonly why: 'request' | 'retention';
  /** Which operator has it done; null for the service itself. */
  readonly by: string | null;
}

/**
 * Erases an archived case without a legal hold, or one that was erased before and has come back with a backup: its data
 * key, every row about it, and what its own row tells. Its partner is told by an event, the only one that is left.
 *
 * @returns false where there is no such case
 */
export const eraseCase = (database: Database, caseId: CaseId, { why, by }: Erasing): Promise<boolean> =>
  database.transaction(async (tx) => {
    const isErased = await tx.oneFirst(sql.type(z.object({ erased: z.boolean() }))`
      SELECT erase_case(${caseId}, ${why}, ${by}) AS erased`);
    const actor = by === null ? 'service' : 'operator';
    if (isErased)
      await appendEvents(tx, caseId, [{ type: 'case.erased', at: instant(new Date()), actor, data: {} }]);
    return isErased;
  });

/** Archived cases whose time is over, up to so many of each partner. @param months where the partner has no time of its own */
const listOverdue = (
  queries: Queries,
  { months, limit }: { readonly months: number; readonly limit: number },
): Promise<readonly CaseId[]> =>
  queries.anyFirst(sql.type(id)`
    SELECT overdue.id FROM partners, LATERAL (
      SELECT id FROM cases
      WHERE partner_id = partners.id AND status = 'archived' AND erased_at IS NULL AND legal_hold_at IS NULL
        AND updated_at < now() - make_interval(months => coalesce(partners.retention_months, ${months}))
      ORDER BY updated_at LIMIT ${limit}) AS overdue`);

const OVERDUE_PAGE = 20;

/** Erases a page of each partner's overdue cases, each for itself. @returns how many were */
export async function eraseOverdue(database: Database, months: number): Promise<number> {
  let erased = 0;
  for (const caseId of await listOverdue(database, { months, limit: OVERDUE_PAGE }))
    if (await eraseCase(database, caseId, { why: 'retention', by: null })) erased += 1;
  return erased;
}

const erasure = z.object({
  caseId: textColumn<CaseId>(),
  at: instantColumn,
  why: z.enum(['request', 'retention']),
  erasedBy: z.string().nullable(),
});
export type Erasure = z.infer<typeof erasure>;

/** What was erased, the latest first. @param caseId of this case alone */
export const listErasures = (
  queries: Queries,
  { caseId, limit }: { readonly caseId?: CaseId; readonly limit: number },
): Promise<readonly Erasure[]> =>
  queries.any(sql.type(erasure)`
    SELECT case_id AS "caseId", at, why, erased_by AS "erasedBy" FROM keys.erasures
    WHERE ${allOf(caseId && sql.fragment`case_id = ${caseId}`)} ORDER BY at DESC, case_id LIMIT ${limit}`);

/** Cases that were erased and are there nevertheless: an older backup has brought them back. */
export const listReturned = (queries: Queries): Promise<readonly CaseId[]> =>
  queries.anyFirst(sql.type(id)`
    SELECT cases.id FROM cases JOIN keys.erasures ON case_id = cases.id WHERE erased_at IS NULL ORDER BY cases.id`);

/** Cases whose key is not there, and which nobody has erased: they are newer than the keys that were restored. */
export const countUnreadable = (queries: Queries): Promise<number> =>
  queries.oneFirst(sql.type(z.object({ count: z.number() }))`
    SELECT count(*) FROM cases WHERE erased_at IS NULL
      AND NOT EXISTS (SELECT FROM keys.data_keys WHERE case_id = cases.id)
      AND NOT EXISTS (SELECT FROM keys.erasures WHERE case_id = cases.id)`);

/** The case itself, and all others that the same person is bound to. */
export const listCasesOfPerson = (queries: Queries, caseId: CaseId): Promise<readonly CaseId[]> =>
  queries.anyFirst(sql.type(id)`
    SELECT id FROM cases WHERE erased_at IS NULL AND (id = ${caseId} OR id IN (
      SELECT other.case_id FROM case_persons one JOIN case_persons other USING (person_id)
      WHERE one.case_id = ${caseId} AND one.unbound_at IS NULL AND other.unbound_at IS NULL))
    ORDER BY created_at`);

/** Since when it is not to be erased; null where it may be. */
export const readLegalHold = (queries: Queries, caseId: CaseId): Promise<Instant | null> =>
  queries.maybeOneFirst(sql.type(z.object({ at: instantColumn.nullable() }))`
    SELECT legal_hold_at AS at FROM cases WHERE id = ${caseId}`);

/** @param by who says that it is not to be erased; null takes that back. @returns false where it was so before */
export const setLegalHold = (queries: Queries, caseId: CaseId, by: string | null): Promise<boolean> =>
  affects(
    queries,
    sql.fragment`
      UPDATE cases SET legal_hold_by = ${by}, legal_hold_at = CASE WHEN ${by}::text IS NOT NULL THEN now() END
      WHERE id = ${caseId} AND erased_at IS NULL AND (legal_hold_at IS NULL) = (${by}::text IS NOT NULL)`,
  );

const exported = z.record(z.string(), z.unknown());
/** By table, in the catalogue's names of columns. */
export type Export = Readonly<Record<string, readonly z.infer<typeof exported>[]>>;

/** All that is kept of a case, as the catalogue of columns has it: what is sealed opened, what it withholds left out. */
export async function exportCase(queries: Queries, caseId: CaseId): Promise<Export> {
  const tables = Object.entries(TABLES).filter(([, table]) => table.caseId ?? table.caseIds);
  const rows = await Promise.all(
    tables.map(async ([name, table]) => [name, await exportRows(queries, name, table, caseId)] as const),
  );
  return Object.fromEntries(rows.filter(([, found]) => found.length > 0));
}

function exportRows(queries: Queries, name: string, table: Table, caseId: CaseId) {
  const { caseId: ofOne, caseIds: ofSeveral = '', withheld = {}, sealed: opened = {} } = table;
  const columns = columnsOf(table)
    .filter((column) => !(column.name in withheld))
    .map((column) => {
      const selected = sql.identifier([column.name]);
      // the catalogue names what is sealed by the columns that it is sealed for
      return column.name in opened
        ? sealed(sql.fragment`${selected}`, `${name}.${column.name}` as Place)
        : selected;
    });
  const where = ofOne
    ? sql.fragment`${sql.identifier([ofOne])} = ${caseId}`
    : sql.fragment`${sql.identifier([ofSeveral])} @> ARRAY[${caseId}::uuid]`;
  return queries.any(sql.type(exported)`
    SELECT ${sql.join(columns, sql.fragment`, `)}, ${keyOf(sql.fragment`${caseId}::uuid`)}
    FROM ${sql.identifier(name.split('.'))} WHERE ${where}`);
}

const PAGE = 1_000;
const wrappedRow = z.object({ id: z.string(), wrapped: z.string() });

const keyUse = z.object({
  setting: z.enum(['IDENTITY_SECRETS', 'MASTER_KEYS']),
  id: z.string(),
  /** How many people are known, or keys wrapped, by it. */
  uses: z.number(),
  /** How many of those people have a case that goes on. */
  withOpenCases: z.number().nullable(),
});
export type KeyUse = z.infer<typeof keyUse>;

/** By which identity secrets people are known, and by which master keys keys are wrapped: those that can't go yet. */
export const listKeyUses = (queries: Queries): Promise<readonly KeyUse[]> =>
  queries.any(sql.type(keyUse)`
    SELECT 'IDENTITY_SECRETS' AS setting, secret_id AS id, count(*) AS uses, count(open.person_id) AS "withOpenCases"
    FROM persons LEFT JOIN (
      SELECT DISTINCT p.person_id FROM case_persons p JOIN cases ON cases.id = p.case_id
      WHERE p.unbound_at IS NULL AND cases.status NOT IN ('recalled', 'archived')) AS open ON open.person_id = persons.id
    GROUP BY secret_id
    UNION ALL
    SELECT 'MASTER_KEYS', split_part(wrapped, ':', 1), count(*), NULL
    FROM (SELECT wrapped FROM keys.data_keys UNION ALL SELECT wrapped FROM keys.search_key) AS all_keys GROUP BY 2
    ORDER BY setting, id`);

/** Wraps by the newest master key what older ones have wrapped; readers notice nothing. @returns how many */
export async function rewrapKeys(queries: Queries): Promise<number> {
  const { master } = queries.keys;
  const rewrap = async (rows: readonly z.infer<typeof wrappedRow>[]) =>
    Promise.all(
      rows
        .filter(({ wrapped }) => !master.isNewest(wrapped))
        .map(async ({ id: context, wrapped }) => {
          const anew = await master.wrap(await master.unwrap(wrapped, context), context);
          return [context, wrapped, anew];
        }),
    );
  const [search] = await rewrap(
    await queries.any(sql.type(wrappedRow)`SELECT 'search' AS id, wrapped FROM keys.search_key`),
  );
  if (search) await queries.query(sql.type(nothing)`UPDATE keys.search_key SET wrapped = ${search[2] ?? ''}`);
  let count = search ? 1 : 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const page = await queries.any(sql.type(wrappedRow)`
      SELECT case_id AS id, wrapped FROM keys.data_keys WHERE case_id > ${after} ORDER BY case_id LIMIT ${PAGE}`);
    const wrapped = await rewrap(page);
    await queries.query(sql.type(nothing)`
      UPDATE keys.data_keys SET wrapped = anew
      FROM ${sql.unnest(wrapped, ['uuid', 'text', 'text'])} AS one (id, before, anew)
      WHERE case_id = id AND wrapped = before`);
    count += wrapped.length;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return count;
    after = last.id;
  }
}
