import { sql } from 'slonik';
import { z } from 'zod';
import type { BookingId, CaseId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { noteLostAttention } from './attention.ts';
import { caseRow, dateColumn, instantColumn, nothing, textColumn } from './case-row.ts';
import { allOf, type Database, type Queries } from './database.ts';

const lost = z.enum(['missing', 'terminated', 'failed', 'timed_out', 'cancelled', 'behind']);
/** How the workflow of an open case has ended, or that it knows less than its readers. */
export type Lost = z.infer<typeof lost>;
const checkedRow = z.object({
  caseId: caseRow.shape.id,
  revision: z.number(),
  status: caseRow.shape.status,
  bookingDeadline: dateColumn,
  bookingId: textColumn<BookingId>().nullable(),
  state: caseRow.shape.state,
  /** Of what readers see: also what was altered without another revision has another. */
  fingerprint: z.string(),
  checkedAs: z.string().nullable(),
  lost: lost.nullable(),
});
type CheckedRow = z.infer<typeof checkedRow>;

const columns = sql.fragment`
  cases.id AS "caseId", revision, status, booking_deadline AS "bookingDeadline", booking_id AS "bookingId", state,
  md5(concat_ws(' ', status, booking_deadline, booking_id, state)) AS fingerprint,
  (SELECT checked_as FROM case_checks WHERE case_id = cases.id) AS "checkedAs", workflow_lost AS lost`;
const isDue = sql.fragment`workflow_started_at IS NOT NULL AND status <> 'archived'`;

type Kind = 'regular' | 'nightly' | 'by_hand';
const countsOf = {
  checked: z.number(),
  differing: z.number(),
  mended: z.number(),
  withoutWorkflow: z.number(),
  withoutCase: z.number(),
  unanswered: z.number(),
};
type Counts = { readonly [Name in keyof typeof countsOf]: number };
type Outcome = Counts & { readonly orphans: readonly string[] };
const outcomeRow = z.object({
  kind: textColumn<Kind>(),
  at: instantColumn,
  ...countsOf,
  orphans: z.array(z.string()),
});
export type ReconciliationRow = z.infer<typeof outcomeRow>;

/** What comparing cases with their workflows needs of PostgreSQL. */
export const createReconciliationRepository = (database: Database) => ({
  takeDue: (limit: number): Promise<readonly CheckedRow[]> =>
    database.any(sql.type(checkedRow)`
      WITH place AS (SELECT after FROM reconcile_place FOR UPDATE), due AS (
        SELECT id FROM cases
        WHERE ${isDue} AND id > (SELECT coalesce(after, '00000000-0000-0000-0000-000000000000') FROM place)
        ORDER BY id LIMIT ${limit}
      ), moved AS (
        -- behind a page that is not full the round begins anew
        UPDATE reconcile_place SET after = (SELECT id FROM due ORDER BY id OFFSET ${limit - 1})
      )
      SELECT ${columns} FROM cases WHERE id IN (SELECT id FROM due) ORDER BY id`),

  async goOnBehind(caseId: CaseId): Promise<void> {
    await database.query(sql.type(nothing)`UPDATE reconcile_place SET after = ${caseId}`);
  },

  page: (after: CaseId | null, limit: number): Promise<readonly CheckedRow[]> =>
    database.any(sql.type(checkedRow)`
      SELECT ${columns} FROM cases
      WHERE ${allOf(isDue, after && sql.fragment`id > ${after}`)} ORDER BY id LIMIT ${limit}`),

  read: (ids: readonly CaseId[]): Promise<readonly CheckedRow[]> =>
    database.any(
      sql.type(checkedRow)`SELECT ${columns} FROM cases WHERE id = ANY(${sql.array(ids, 'uuid')})`,
    ),

  async noteChecked(seen: readonly { caseId: CaseId; as: string }[]): Promise<void> {
    if (seen.length === 0) return;
    await database.query(sql.type(nothing)`
      INSERT INTO case_checks (case_id, checked_as)
      SELECT id, as_what FROM ${sql.unnest(
        seen.map(({ caseId, as }) => [caseId, as]),
        ['uuid', 'text'],
      )} AS seen (id, as_what)
      ON CONFLICT (case_id) DO UPDATE SET checked_as = excluded.checked_as`);
  },

  /** @param how null: its workflow runs */
  async noteLost(caseId: CaseId, how: Lost | null): Promise<void> {
    await database.query(sql.type(nothing)`
      UPDATE cases SET workflow_lost = ${how}, workflow_lost_at = CASE WHEN ${how}::text IS NOT NULL THEN now() END
      WHERE id = ${caseId} AND workflow_lost IS DISTINCT FROM ${how}`);
    await noteLostAttention(database, caseId);
  },

  workflowsBefore: async (): Promise<Instant | null> =>
    database.maybeOneFirst(sql.type(z.object({ at: instantColumn.nullable() }))`
      SELECT workflows_before AS at FROM reconciliations WHERE kind = 'regular' ORDER BY id DESC LIMIT 1`),

  async note(kind: Kind, counts: Outcome, workflowsBefore: Instant | null): Promise<void> {
    const { checked, differing, mended, withoutWorkflow, withoutCase, unanswered, orphans } = counts;
    await database.query(sql.type(nothing)`
      INSERT INTO reconciliations
        (kind, checked, differing, mended, without_workflow, without_case, unanswered, orphans, workflows_before)
      VALUES (${kind}, ${checked}, ${differing}, ${mended}, ${withoutWorkflow}, ${withoutCase}, ${unanswered},
              ${sql.array(orphans, 'text')}, ${workflowsBefore})`);
  },
});

const outcomeColumns = sql.fragment`
  kind, at, checked, differing, mended, without_workflow AS "withoutWorkflow", without_case AS "withoutCase",
  unanswered, orphans`;

/** The newest comparison of each kind. */
export const readLastReconciliations = (queries: Queries): Promise<readonly ReconciliationRow[]> =>
  queries.any(sql.type(outcomeRow)`
    SELECT ${outcomeColumns} FROM unnest('{by_hand,nightly,regular}'::text[]) AS wanted
    CROSS JOIN LATERAL (SELECT * FROM reconciliations WHERE kind = wanted ORDER BY id DESC LIMIT 1) AS newest`);

/** How many were found differing within the last 24 hours, and mended. */
export const countReconciledToday = (queries: Queries): Promise<{ differing: number; mended: number }> =>
  queries.one(sql.type(z.object({ differing: z.number(), mended: z.number() }))`
    SELECT coalesce(sum(differing), 0)::bigint AS differing, coalesce(sum(mended), 0)::bigint AS mended
    FROM reconciliations WHERE at > now() - interval '24 hours'`);

/** Deletes what has been superseded for long. */
export async function deleteOldReconciliations(queries: Queries): Promise<void> {
  await queries.query(sql.type(nothing)`DELETE FROM reconciliations WHERE at < now() - interval '30 days'`);
}
