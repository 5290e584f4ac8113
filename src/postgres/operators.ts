import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { instantColumn, nothing } from './case-row.ts';
import { allOf, type Queries } from './database.ts';
import { keyOf, readDataKey, seal, sealed } from './sealing.ts';

/** Who does something, as their login proved. */
interface LoggedActor {
  readonly subject: string;
  readonly name: string;
  readonly via: string;
}

export interface LogEntry {
  readonly actor: LoggedActor;
  /** Who let them, where it takes two. */
  readonly grantedBy?: LoggedActor | null;
  /** The operation, such as `case.cancel`. */
  readonly action: string;
  readonly caseId?: CaseId | undefined;
  /** What else it is done to. */
  readonly subject?: string | undefined;
  /** Why, or how it was checked who the customer is. */
  readonly note?: string | undefined;
  /** Which ticket or call it is for. */
  readonly ticket?: string | undefined;
}

/** Writes down what an operator is about to do. @returns the row, for {@link recordOutcome} */
export async function addLogEntry(
  queries: Queries,
  { actor, grantedBy, action, caseId, subject, note, ticket }: LogEntry,
): Promise<number> {
  // what is said of a case may be about a person, and goes with the case's key
  const sealedNote =
    caseId !== undefined && note !== undefined
      ? seal(await readDataKey(queries, caseId), 'operator_log.sealed_note', { note })
      : null;
  return queries.oneFirst(sql.type(z.object({ id: z.number() }))`
    INSERT INTO operator_log
      (operator, operator_subject, via, granted_by, action, case_id, subject, note, sealed_note, ticket)
    VALUES (${actor.name}, ${actor.subject}, ${actor.via}, ${grantedBy?.name ?? null}, ${action}, ${caseId ?? null},
            ${subject ?? null}, ${sealedNote ? null : (note ?? null)}, ${sealedNote}, ${ticket ?? null})
    RETURNING id`);
}

/** A row of its own, so that nothing in the log is ever changed. @param outcome `done`, or the code of what stood in the way */
export async function recordOutcome(queries: Queries, id: number, outcome: string): Promise<void> {
  await queries.query(sql.type(nothing)`
    INSERT INTO operator_log_outcomes (id, outcome) VALUES (${id}, ${outcome})`);
}

const logRow = z.object({
  at: instantColumn,
  operator: z.string(),
  operator_subject: z.string(),
  via: z.string(),
  granted_by: z.string().nullable(),
  action: z.string(),
  case_id: z.string().nullable(),
  subject: z.string().nullable(),
  note: z.string().nullable(),
  ticket: z.string().nullable(),
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
    SELECT at, operator, operator_subject, via, granted_by, action, case_id, subject, note, ticket,
           ${sealed(sql.fragment`sealed_note`, 'operator_log.sealed_note')}, ${keyOf(sql.fragment`operator_log.case_id`)},
           (SELECT o.outcome FROM operator_log_outcomes o WHERE o.id = operator_log.id) AS outcome
    FROM operator_log
    WHERE ${where} ORDER BY id DESC LIMIT ${limit}`);
}

const requestRow = z.object({
  id: z.number(),
  operation: z.string(),
  input: z.unknown(),
  what: z.string(),
  asked_by: z.string(),
  asked_by_subject: z.string(),
  asked_via: z.enum(['token', 'session', 'break_glass']),
  asked_at: instantColumn,
  ends_at: instantColumn,
});
/** What an operator has asked for, and another has to grant. */
export type RequestRow = z.infer<typeof requestRow>;
const requestColumns = sql.fragment`id, operation, input, what, asked_by, asked_by_subject, asked_via,
  asked_at, ends_at`;

export interface NewRequest {
  readonly operation: string;
  readonly input: unknown;
  /** What will be done, as whoever asked was told. */
  readonly what: string;
  readonly actor: LoggedActor;
  readonly minutes: number;
}

export const addRequest = (queries: Queries, { operation, input, what, actor, minutes }: NewRequest) =>
  queries.one(sql.type(requestRow)`
    INSERT INTO operator_requests (operation, input, what, asked_by, asked_by_subject, asked_via, ends_at)
    VALUES (${operation}, ${sql.jsonb(input as never)}, ${what}, ${actor.name}, ${actor.subject},
            ${actor.via}, now() + ${minutes} * interval '1 minute')
    RETURNING ${requestColumns}`);

/** Those that can still be granted, the oldest first. */
export const listRequests = (queries: Queries): Promise<readonly RequestRow[]> =>
  queries.any(sql.type(requestRow)`
    SELECT ${requestColumns} FROM operator_requests WHERE granted_at IS NULL AND ends_at > now() ORDER BY id`);

const foundRequest = requestRow.extend({ is_granted: z.boolean(), is_over: z.boolean() });

export const readRequest = (queries: Queries, id: number) =>
  queries.maybeOne(sql.type(foundRequest)`
    SELECT ${requestColumns}, granted_at IS NOT NULL AS is_granted, ends_at <= now() AS is_over
    FROM operator_requests WHERE id = ${id}`);

/** Of several at once only one grants it. @returns whether it was this one */
export const grantRequest = async (queries: Queries, id: number, by: LoggedActor): Promise<boolean> =>
  (await queries.maybeOneFirst(sql.type(z.object({ id: z.number() }))`
    UPDATE operator_requests SET granted_at = now(), granted_by = ${by.name}, granted_by_subject = ${by.subject}
    WHERE id = ${id} AND granted_at IS NULL AND ends_at > now() AND asked_by_subject <> ${by.subject}
    RETURNING id`)) !== null;
