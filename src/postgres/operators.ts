import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { instantColumn, nothing } from './case-row.ts';
import { allOf, type Queries } from './database.ts';

export interface LogEntry {
  readonly operator: string;
  /** The command, such as `case.cancel`. */
  readonly action: string;
  readonly caseId?: CaseId;
  /** What else it is done to. */
  readonly subject?: string;
  /** Why, or how it was checked who the customer is. */
  readonly note?: string | undefined;
}

/** Writes down what an operator is about to do. @returns the row, for {@link recordOutcome} */
export const addLogEntry = (queries: Queries, entry: LogEntry): Promise<number> =>
  queries.oneFirst(sql.type(z.object({ id: z.number() }))`
    INSERT INTO operator_log (operator, action, case_id, subject, note)
    VALUES (${entry.operator}, ${entry.action}, ${entry.caseId ?? null}, ${entry.subject ?? null}, ${entry.note ?? null})
    RETURNING id`);

/** @param outcome `done`, or the code of what stood in the way */
export async function recordOutcome(queries: Queries, id: number, outcome: string): Promise<void> {
  await queries.query(sql.type(nothing)`UPDATE operator_log SET outcome = ${outcome} WHERE id = ${id}`);
}

const logRow = z.object({
  at: instantColumn,
  operator: z.string(),
  action: z.string(),
  case_id: z.string().nullable(),
  subject: z.string().nullable(),
  note: z.string().nullable(),
  outcome: z.string().nullable(),
});
export type LogRow = z.infer<typeof logRow>;

export interface LogFilter {
  readonly caseId?: CaseId | undefined;
  readonly operator?: string | undefined;
  readonly action?: string | undefined;
  readonly since?: Instant | undefined;
  readonly limit: number;
}

/** Newest first. */
export function readLog(queries: Queries, filter: LogFilter): Promise<readonly LogRow[]> {
  const { caseId, operator, action, since, limit } = filter;
  const where = allOf(
    caseId && sql.fragment`case_id = ${caseId}`,
    operator !== undefined && sql.fragment`operator = ${operator}`,
    action !== undefined && sql.fragment`action = ${action}`,
    since && sql.fragment`at >= ${since}`,
  );
  return queries.any(sql.type(logRow)`
    SELECT at, operator, action, case_id, subject, note, outcome FROM operator_log
    WHERE ${where} ORDER BY id DESC LIMIT ${limit}`);
}

const alertRow = z.object({ partner_name: z.string(), is_told: z.boolean() });

/** The record of what the operator was told, so that a repeated attempt tells it no second time. */
export const createAlertRepository = (queries: Queries) => ({
  async read(caseId: CaseId, dedupId: string) {
    const row = await queries.one(sql.type(alertRow)`
      SELECT partners.name AS partner_name,
             EXISTS (SELECT FROM operator_alerts WHERE dedup_id = ${dedupId}) AS is_told
      FROM cases JOIN partners ON partners.id = cases.partner_id WHERE cases.id = ${caseId}`);
    return { partnerName: row.partner_name, isTold: row.is_told };
  },

  async told(caseId: CaseId, dedupId: string): Promise<void> {
    await queries.query(sql.type(nothing)`
      INSERT INTO operator_alerts (dedup_id, case_id) VALUES (${dedupId}, ${caseId}) ON CONFLICT DO NOTHING`);
  },
});
