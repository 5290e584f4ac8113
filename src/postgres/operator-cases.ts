import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseStatus } from '../domain/case-state.ts';
import type { CaseId, PartnerId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { caseRow, instantColumn } from './case-row.ts';
import type { Queries } from './database.ts';

/** A case without anything personal, as the operator's lists show it. */
const plainCase = caseRow
  .pick({
    id: true,
    partner_id: true,
    partner_case_id: true,
    treatment_type: true,
    created_at: true,
    updated_at: true,
    status: true,
    state: true,
  })
  .extend({ workflow_lost: z.string().nullable() });
export type PlainCase = z.infer<typeof plainCase>;

const columns = sql.fragment`
  id, partner_id, partner_case_id, treatment_type, created_at, updated_at, status, state, workflow_lost`;

/** How many matches of a reference are told apart; whoever has more uses the id. */
const MATCHES = 20;

/** Cases of this id, of an id that begins so (8 digits or more), or with this reference of a partner's. */
export function findCases(queries: Queries, text: string): Promise<readonly PlainCase[]> {
  const prefix = text.toLowerCase();
  const [first, last] = ['0', 'f'].map((digit) => prefix + blank(digit).slice(prefix.length)) as [
    string,
    string,
  ];
  const byId =
    prefix.length >= 8 && UUID.test(first)
      ? sql.fragment`id BETWEEN ${first}::uuid AND ${last}::uuid`
      : sql.fragment`false`;
  return queries.any(sql.type(plainCase)`
    SELECT ${columns} FROM cases WHERE partner_case_id = ${text} OR ${byId} ORDER BY created_at DESC LIMIT ${MATCHES}`);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const blank = (digit: string): string => [8, 4, 4, 4, 12].map((length) => digit.repeat(length)).join('-');

export interface OperatorsFilter {
  readonly partnerId?: PartnerId | undefined;
  readonly statuses: readonly CaseStatus[];
  readonly updatedSince?: Instant | undefined;
  /** Leaves out most of those that need nobody's attention. Which of the others do, `attentionOf` knows. */
  readonly maybeInTrouble: boolean;
}

/** Everybody's cases, newest first. */
export function listAllCases(
  queries: Queries,
  filter: OperatorsFilter,
  { limit, after }: { limit: number; after: Pick<PlainCase, 'created_at' | 'id'> | null },
): Promise<readonly PlainCase[]> {
  const { partnerId, statuses, updatedSince, maybeInTrouble } = filter;
  const where = [
    sql.fragment`true`,
    partnerId && sql.fragment`partner_id = ${partnerId}`,
    statuses.length > 0 && sql.fragment`status = ANY(${sql.array(statuses, 'text')})`,
    updatedSince && sql.fragment`updated_at >= ${updatedSince}`,
    maybeInTrouble &&
      sql.fragment`(status = 'error' OR workflow_lost IS NOT NULL OR state -> 'undeliverable' = 'true'
      OR jsonb_array_length(coalesce(state -> 'disowned', '[]')) > 0
      OR state -> 'assistance' -> 'resolvedAt' = 'null' OR state -> 'bookings' @> '[{"unverified": true}]'
      OR state -> 'bookings' @> '[{"overlaps": true}]')`,
    after && sql.fragment`(created_at, id) < (${after.created_at}::timestamptz, ${after.id}::uuid)`,
  ].filter((condition) => typeof condition === 'object' && condition !== null);
  return queries.any(sql.type(plainCase)`
    SELECT ${columns} FROM cases WHERE ${sql.join(where, sql.fragment` AND `)}
    ORDER BY created_at DESC, id DESC LIMIT ${limit}`);
}

const bookedRow = z.object({
  id: z.string(),
  provider_name: z.string(),
  practitioner: z.string(),
  location: z.string(),
  mode: z.enum(['in_person', 'video']),
});
export type BookedRow = z.infer<typeof bookedRow>;

/** What was ever booked for the case, in words. */
export const bookedOf = (queries: Queries, caseId: CaseId): Promise<readonly BookedRow[]> =>
  queries.any(sql.type(bookedRow)`
    SELECT b.id, p.name AS provider_name, b.practitioner, b.location, b.mode
    FROM bookings b JOIN providers p ON p.id = b.provider_id WHERE b.case_id = ${caseId}`);

/** Since when the case is bound to a person; null while it is not. */
export const boundSince = (queries: Queries, caseId: CaseId): Promise<Instant | null> =>
  queries.maybeOneFirst(
    sql.type(
      z.object({ bound_at: instantColumn }),
    )`SELECT bound_at FROM case_persons WHERE case_id = ${caseId}`,
  );
