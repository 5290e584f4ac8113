import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import {
  ATTENTION,
  type AttentionKind,
  attentionsOf,
  causeOf,
  isDeadlineNear,
  NOTICED_KINDS,
  type NoticedKind,
  overdueWork,
  STATE_KINDS,
  stillPossible,
  whyOf,
} from '../domain/attention.ts';
import type { CaseState } from '../domain/case-state.ts';
import type { BookingId, CaseId, PartnerId, ProviderId } from '../domain/ids.ts';
import { instant, type Instant } from '../domain/instant.ts';
import { caseRow, instantColumn, nothing, textColumn } from './case-row.ts';
import { allOf, type Database, type Queries } from './database.ts';
import { keyOf, sealed } from './sealing.ts';

const attentionRow = z
  .object({
    id: z.number(),
    kind: textColumn<AttentionKind>(),
    caseId: textColumn<CaseId>().nullable(),
    partnerId: textColumn<PartnerId>().nullable(),
    partnerName: z.string().nullable(),
    partner_case_id: z.string().nullable().default(null),
    providerId: textColumn<ProviderId>().nullable(),
    cause: z.string(),
    since: instantColumn,
    answer: z.string().nullable(),
    takenBy: z.string().nullable(),
    takenAt: instantColumn.nullable(),
  })
  .transform(({ partner_case_id: partnerCaseId, ...row }) => ({ ...row, partnerCaseId }));

/** One thing that needs an operator. Nothing personal. */
export interface Attention extends z.infer<typeof attentionRow> {
  /** In words, with the counterpart's answer. */
  readonly why: string;
  readonly whatToDo: string;
}

export interface AttentionFilter {
  readonly kinds?: readonly AttentionKind[] | undefined;
  readonly caseId?: CaseId | undefined;
  readonly partnerId?: PartnerId | undefined;
  readonly providerId?: ProviderId | undefined;
  /** A clinic, channel or partner that several wait for. */
  readonly cause?: string | undefined;
  /** Who has the case: an operator, or nobody. */
  readonly takenBy?: string | null | undefined;
  /** Where the page before ended. */
  readonly after?: Pick<Attention, 'since' | 'id'> | undefined;
  readonly limit: number;
}

/** Of a case with several rows one may be younger than its taking: who has one has the case. */
const holderOf = (what: FragmentSqlToken) => sql.fragment`(
  SELECT ${what} FROM attention o
  WHERE o.case_id = a.case_id AND o.over_at IS NULL AND o.taken_by IS NOT NULL ORDER BY o.taken_at LIMIT 1)`;
const holder = holderOf(sql.fragment`o.taken_by`);

const isAmong = (filter: Omit<AttentionFilter, 'limit'>) => {
  const { kinds, caseId, partnerId, providerId, cause, takenBy, after } = filter;
  return allOf(
    sql.fragment`a.over_at IS NULL`,
    // of one, they are in the index's order
    kinds?.length === 1
      ? sql.fragment`a.kind = ${kinds[0] ?? ''}`
      : kinds && sql.fragment`a.kind = ANY(${sql.array(kinds, 'text')})`,
    caseId && sql.fragment`a.case_id = ${caseId}`,
    partnerId && sql.fragment`a.partner_id = ${partnerId}`,
    providerId && sql.fragment`a.provider_id = ${providerId}`,
    cause !== undefined && sql.fragment`a.cause = ${cause}`,
    takenBy === null &&
      sql.fragment`NOT EXISTS (
        SELECT FROM attention o WHERE o.case_id = a.case_id AND o.over_at IS NULL AND o.taken_by IS NOT NULL)`,
    // theirs are few: looked up, and not among all
    takenBy &&
      sql.fragment`${holder} = ${takenBy} AND a.case_id IN (
      SELECT case_id FROM attention WHERE taken_by = ${takenBy} AND over_at IS NULL)`,
    after && sql.fragment`(a.since, a.id) > (${after.since}::timestamptz, ${after.id})`,
  );
};

/** What needs an operator now, what has waited longest first. */
export async function listAttention(
  queries: Queries,
  { limit, ...filter }: AttentionFilter,
): Promise<readonly Attention[]> {
  const rows = await queries.any(sql.type(attentionRow)`
    SELECT a.id, a.kind, a.case_id AS "caseId", a.partner_id AS "partnerId",
      (SELECT name FROM partners WHERE id = a.partner_id) AS "partnerName",
      ${sealed(sql.fragment`c.sealed`, 'cases.sealed')}, ${keyOf(sql.fragment`c.id`)}, a.provider_id AS "providerId", a.cause, a.since, a.answer,
      ${holder} AS "takenBy", ${holderOf(sql.fragment`o.taken_at`)} AS "takenAt"
    FROM attention a LEFT JOIN cases c ON c.id = a.case_id
    WHERE ${isAmong(filter)} ORDER BY a.since, a.id LIMIT ${limit}`);
  return rows.map((row) => ({
    ...row,
    why: whyOf(row.kind, row.answer, row.partnerName),
    whatToDo: ATTENTION[row.kind].whatToDo,
  }));
}

export const countAttention = (
  queries: Queries,
  filter: Omit<AttentionFilter, 'limit' | 'after'>,
): Promise<number> =>
  queries.oneFirst(sql.type(z.object({ count: z.number() }))`
    SELECT count(*) FROM attention a WHERE ${isAmong(filter)}`);

/** How much waits at each clinic that anything waits at. */
export const countAttentionAtProviders = async (queries: Queries): Promise<ReadonlyMap<string, number>> => {
  const counted = z.object({ id: z.string(), count: z.number() });
  const rows = await queries.any(sql.type(counted)`
    SELECT provider_id AS id, count(*) AS count FROM attention
    WHERE over_at IS NULL AND provider_id IS NOT NULL GROUP BY provider_id`);
  return new Map(rows.map(({ id, count }) => [id, count]));
};

/**
 * Notes who works on a case.
 *
 * @param from who had it, as they were shown: null for nobody
 * @returns false where it needs nobody any more, or somebody else was quicker
 */
export const takeCase = async (
  queries: Queries,
  caseId: CaseId,
  { by, from }: { readonly by: string; readonly from: string | null },
): Promise<boolean> =>
  (
    await queries.any(sql.type(z.object({ id: z.number() }))`
      UPDATE attention SET taken_by = ${by}, taken_at = now()
      WHERE case_id = ${caseId} AND over_at IS NULL AND (taken_by IS NULL OR taken_by = ${from})
      RETURNING id`)
  ).length > 0;

/** @returns false where somebody else has it, or nobody */
export const handBackCase = async (queries: Queries, caseId: CaseId, by: string): Promise<boolean> =>
  (
    await queries.any(sql.type(z.object({ id: z.number() }))`
      UPDATE attention SET taken_by = NULL, taken_at = NULL
      WHERE case_id = ${caseId} AND over_at IS NULL AND taken_by = ${by} RETURNING id`)
  ).length > 0;

/** What is found now, to be held against what is noted. `since`: null for now. */
interface Found {
  readonly kind: AttentionKind;
  readonly caseId: CaseId | null;
  readonly providerId: ProviderId | null;
  readonly cause: string;
  readonly since: Instant | null;
}

const noticed = sql.fragment`ANY(${sql.array(NOTICED_KINDS, 'text')})`;

/**
 * Notes what is found and not known yet, and that the rest of `among` is over.
 *
 * @param found rows of kind, case_id, provider_id, cause, since, answer
 * @param among of which rows all that is true must be in `found`
 */
async function settle(tx: Queries, found: FragmentSqlToken, among: FragmentSqlToken): Promise<void> {
  await tx.query(sql.type(nothing)`
    WITH found AS MATERIALIZED (SELECT * FROM (${found}) AS f (kind, case_id, provider_id, cause, since, answer)),
    noted AS (
      INSERT INTO attention
        (kind, case_id, partner_id, case_created_at, provider_id, cause, since, answer, unsignalled)
      SELECT kind, case_id, cases.partner_id, cases.created_at, provider_id, cause, coalesce(since, now()), answer,
        kind = ${noticed}
      FROM found LEFT JOIN cases ON cases.id = case_id
      ON CONFLICT (kind, cause, case_id) WHERE over_at IS NULL DO UPDATE SET answer = excluded.answer
        WHERE attention.answer IS DISTINCT FROM excluded.answer
    )
    UPDATE attention SET over_at = now(), unsignalled = kind = ${noticed}
    WHERE over_at IS NULL AND ${among} AND NOT EXISTS (
      SELECT FROM found WHERE found.kind = attention.kind AND found.cause = attention.cause
        AND found.case_id IS NOT DISTINCT FROM attention.case_id)`);
}

/** The last answers of clinics' systems about a case's bookings, or about one's. */
const rowsOf = (found: readonly Found[]): FragmentSqlToken => sql.fragment`
  SELECT f.kind, f.case_id, f.provider_id, f.cause, f.since,
    (SELECT answer FROM booking_failures b WHERE b.case_id = f.case_id AND f.provider_id IS NOT NULL
     ORDER BY b.since DESC LIMIT 1)
  FROM ${sql.unnest(
    found.map(({ kind, caseId, providerId, cause, since }) => [kind, caseId, providerId, cause, since]),
    ['text', 'uuid', 'text', 'text', 'timestamptz'],
  )} AS f (kind, case_id, provider_id, cause, since)`;

/**
 * What a case's new state says, in the transaction that shows it. What was noticed from outside stays while the state has
 * room for it: the sweep takes it away.
 */
export async function noteStateAttention(tx: Queries, caseId: CaseId, state: CaseState): Promise<void> {
  const found = attentionsOf(state).map((one) => ({ ...one, caseId, cause: causeOf(one, caseId) }));
  const settled = [
    ...STATE_KINDS,
    ...NOTICED_KINDS.filter((kind) => !stillPossible(state).includes(kind)),
  ] as const;
  await settle(
    tx,
    rowsOf(found),
    sql.fragment`case_id = ${caseId} AND kind = ANY(${sql.array(settled, 'text')})`,
  );
}

/** What the case's row says of its workflow's end. */
export const noteLostAttention = (queries: Queries, caseId: CaseId): Promise<void> =>
  settle(
    queries,
    sql.fragment`${lostWorkflows} AND id = ${caseId}`,
    sql.fragment`case_id = ${caseId} AND kind IN ('workflow_lost', 'workflow_behind')`,
  );

const lostWorkflows = sql.fragment`
  SELECT CASE WHEN workflow_lost = 'behind' THEN 'workflow_behind' ELSE 'workflow_lost' END, id, NULL::text, '',
    workflow_lost_at, workflow_lost
  FROM cases WHERE workflow_lost IS NOT NULL`;

const waitingMessages = sql.fragment`
  SELECT CASE WHEN n.failure LIKE 'held\\_%' THEN 'messages_held' ELSE 'message_stuck' END AS kind, n.case_id,
    NULL::text, CASE WHEN n.failure LIKE 'held\\_%' THEN c.partner_id ELSE n.channel END AS cause, min(n.at),
    (array_agg(n.failure ORDER BY n.at))[1]
  FROM notifications n JOIN cases c ON c.id = n.case_id
  WHERE n.status = 'queued' AND (n.at < now() - interval '1 hour' OR n.failure LIKE 'held\\_%')
  GROUP BY 1, 2, 4`;

const unseenChanges = sql.fragment`
  SELECT 'changes_unseen', NULL::uuid, id, id, watched_at, unwatched_answer
  FROM providers WHERE watched_at < now() - interval '15 minutes'`;

const failingAlerts = sql.fragment`
  SELECT 'alerts_failing', NULL::uuid, NULL::text, channel, min(failing_since), max(failure)
  FROM alerts WHERE failing_since < now() - interval '15 minutes' GROUP BY channel`;

const breakGlass = sql.fragment`
  SELECT 'break_glass', NULL::uuid, NULL::text, operator, min(at), NULL::text
  FROM operator_log WHERE via = 'break_glass' AND at > now() - interval '1 hour' GROUP BY operator`;

const overdueRow = z.object({
  id: textColumn<CaseId>(),
  state: caseRow.shape.state,
  createdAt: instantColumn,
  now: instantColumn,
  failing: z.array(z.tuple([textColumn<BookingId>(), z.string()])),
});

/** Bookings on their way into calendars or out of them: few, unless a clinic is away. */
const unsettledBookings = sql.fragment`
  SELECT c.id, c.state, c.created_at AS "createdAt", now() AS now,
    (SELECT coalesce(json_agg(json_build_array(b.booking_id, b.since)), '[]') FROM booking_failures b
     WHERE b.case_id = c.id AND b.task = 'release') AS failing
  FROM cases c WHERE c.id IN (
    SELECT id FROM cases WHERE status = 'booked' AND state -> 'bookings' @> '[{"transferredAt": null}]'
    UNION SELECT case_id FROM booking_failures WHERE task = 'release' AND since < now() - interval '2 minutes')`;

/**
 * Customers who are waited for, their last day near, and no message is known to have arrived: mail that its server took
 * counts, since nobody reports more of it; an SMS once its arrival is reported.
 */
const unreachedCustomers = sql.fragment`
  SELECT id, state, created_at AS "createdAt", now() AS now, '[]'::json AS failing FROM cases c
  WHERE status = 'pending_patient_action'
    AND booking_deadline BETWEEN (now() AT TIME ZONE 'Europe/Oslo')::date AND (now() AT TIME ZONE 'Europe/Oslo')::date + 2
    AND NOT EXISTS (SELECT FROM notifications n WHERE n.case_id = c.id
                    AND (n.status = 'delivered' OR (n.channel = 'email' AND n.status = 'sent')))`;

/**
 * Looks for everything that no case's state says: what has not happened for too long, at clinics, with messages, with
 * workflows and with our own alerts. One process at a time; for another there is nothing to do.
 */
export const sweepAttention = (database: Database): Promise<void> =>
  database.transaction(async (tx) => {
    const isOurs = await tx.oneFirst(sql.type(z.object({ locked: z.boolean() }))`
      SELECT pg_try_advisory_xact_lock(hashtextextended('attention', 0)) AS locked`);
    if (!isOurs) return;
    const judged = (...kinds: readonly AttentionKind[]) =>
      sql.fragment`kind = ANY(${sql.array(kinds, 'text')})`;
    const pending = (await tx.any(sql.type(overdueRow)`${unsettledBookings}`)).flatMap((row) => {
      const failing = new Map(row.failing.map(([id, since]) => [id, instant(since)]));
      return overdueWork(row.state, row.now, failing).map((one) => ({ ...one, caseId: row.id }));
    });
    const unreached = (await tx.any(sql.type(overdueRow)`${unreachedCustomers}`))
      .filter(({ state, createdAt, now }) => isDeadlineNear(state, createdAt, now))
      .map(
        ({ id: caseId }) => ({ kind: 'deadline_unreached', caseId, providerId: null, since: null }) as const,
      );
    const found = [...pending, ...unreached].map((one) => ({ ...one, cause: causeOf(one, one.caseId) }));
    await settle(tx, rowsOf(found), judged('transfer_pending', 'release_pending', 'deadline_unreached'));
    await settle(tx, waitingMessages, judged('message_stuck', 'messages_held'));
    await settle(tx, lostWorkflows, judged('workflow_lost', 'workflow_behind'));
    await settle(tx, unseenChanges, judged('changes_unseen'));
    await settle(tx, failingAlerts, judged('alerts_failing'));
    await settle(tx, breakGlass, judged('break_glass'));
  });

const unsignalledRow = z.object({
  rowId: z.number(),
  id: textColumn<CaseId>(),
  kind: textColumn<NoticedKind>(),
  isOpen: z.boolean(),
});

/** What workflows have yet to be told of what was noticed, the oldest first. */
export const listUnsignalledAttention = (queries: Queries, limit: number) =>
  queries.any(sql.type(unsignalledRow)`
    SELECT a.id AS "rowId", a.case_id AS id, a.kind,
      EXISTS (SELECT FROM attention o WHERE o.case_id = a.case_id AND o.kind = a.kind AND o.over_at IS NULL) AS "isOpen"
    FROM attention a JOIN cases c ON c.id = a.case_id
    WHERE a.unsignalled AND c.workflow_started_at IS NOT NULL
    ORDER BY a.id LIMIT ${limit} FOR UPDATE OF a SKIP LOCKED`);

export async function noteAttentionSignalled(queries: Queries, rowId: number): Promise<void> {
  await queries.query(sql.type(nothing)`UPDATE attention SET unsignalled = false WHERE id = ${rowId}`);
}

/** Deletes what has been over for long. */
export async function deleteOldAttention(queries: Queries): Promise<void> {
  await queries.query(sql.type(nothing)`
    DELETE FROM attention WHERE over_at < now() - interval '30 days' AND NOT unsignalled`);
  await queries.query(sql.type(nothing)`
    DELETE FROM booking_failures b USING cases c
    WHERE c.id = b.case_id AND c.status = 'archived' AND b.since < now() - interval '30 days'`);
}
