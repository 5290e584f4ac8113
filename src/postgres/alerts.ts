import { sql } from 'slonik';
import { z } from 'zod';
import type { AttentionKind } from '../domain/attention.ts';
import type { CaseId } from '../domain/ids.ts';
import { instantColumn, nothing, textColumn } from './case-row.ts';
import type { Database, Queries } from './database.ts';

/** The two ways by which operators are told: each for itself, so that one which is broken is told of by the other. */
export type AlertChannel = 'mail' | 'webhook';

const alertRow = z.object({
  id: z.number(),
  kind: textColumn<AttentionKind>(),
  cause: z.string(),
  since: instantColumn,
  answer: z.string().nullable(),
  /** How many wait for the same. */
  waiting: z.number(),
  overAt: instantColumn.nullable(),
  /** How often it was told before. */
  told: z.number(),
  /** The cause by its name, where it has one. */
  causeName: z.string().nullable(),
  /** Of those that wait, some that wait longest. */
  cases: z.array(z.object({ caseId: textColumn<CaseId>(), partnerName: z.string() })),
});
/** What an operator is to be told now: that it began, that it still lasts, or that it is over. Nothing personal. */
export type Alert = z.infer<typeof alertRow>;

/** How many cases an alert names. */
const NAMED = 5;

/** A cause that is one case's own: what is new of it is told at once. */
const isOwn = sql.fragment`alert.cause ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`;

/**
 * Brings the alerts up to what needs attention: each kind and cause has one for each channel while it lasts. What is new
 * is due at once, and so is its end; more of the same an hour after it was last told, and so is what comes back within it.
 */
export const refreshAlerts = (database: Database, channels: readonly AlertChannel[]): Promise<void> =>
  database.transaction(async (tx) => {
    await tx.query(sql.type(nothing)`
      DELETE FROM alerts WHERE channel <> ALL(${sql.array(channels, 'text')})
        OR due_at = 'infinity' AND told_at < now() - interval '1 hour'`);
    await tx.query(sql.type(nothing)`
      INSERT INTO alerts AS alert (channel, kind, cause, since, waiting, answer, due_at)
      SELECT c.channel, a.kind, a.cause, a.since, a.waiting, a.answer, coalesce(
        (SELECT max(alert.told_at) + interval '1 hour' FROM alerts AS alert
         WHERE (alert.channel, alert.kind, alert.cause) = (c.channel, a.kind, a.cause)
           AND alert.due_at = 'infinity' AND NOT ${isOwn}), now())
      FROM unnest(${sql.array(channels, 'text')}) AS c (channel) CROSS JOIN (
        SELECT kind, cause, min(since) AS since, count(*)::integer AS waiting, max(answer) AS answer
        FROM attention WHERE over_at IS NULL GROUP BY kind, cause) a
      -- a conflict would lock each row that is as it was
      WHERE NOT EXISTS (
        SELECT FROM alerts AS alert
        WHERE (alert.channel, alert.kind, alert.cause) = (c.channel, a.kind, a.cause) AND alert.over_at IS NULL
          AND (alert.since, alert.waiting, alert.answer) IS NOT DISTINCT FROM (a.since, a.waiting, a.answer))
      ON CONFLICT (channel, kind, cause) WHERE over_at IS NULL DO UPDATE SET
        since = excluded.since, waiting = excluded.waiting, answer = excluded.answer,
        told = CASE WHEN ${isOwn} AND excluded.since <> alert.since THEN 0 ELSE alert.told END,
        due_at = CASE
          WHEN alert.attempts > 0 THEN alert.due_at
          WHEN ${isOwn} AND excluded.since <> alert.since THEN now()
          WHEN excluded.waiting > alert.told_waiting THEN least(alert.due_at, alert.told_at + interval '1 hour')
          ELSE alert.due_at END
      WHERE (alert.since, alert.waiting, alert.answer) IS DISTINCT FROM (excluded.since, excluded.waiting, excluded.answer)`);
    // what was not told yet is told when it is due: that it was, and is over
    await tx.query(sql.type(nothing)`
      UPDATE alerts SET over_at = now(), due_at = CASE WHEN attempts > 0 OR told = 0 THEN due_at ELSE now() END
      WHERE over_at IS NULL AND NOT EXISTS (
        SELECT FROM attention a WHERE a.over_at IS NULL AND a.kind = alerts.kind AND a.cause = alerts.cause)`);
  });

/**
 * Takes what is due on a channel, the oldest first; nobody else gets it for two minutes. Whoever has told it calls
 * {@link noteTold}, whoever could not {@link noteUntold}.
 */
export const takeDueAlerts = (
  queries: Queries,
  channel: AlertChannel,
  limit: number,
): Promise<readonly Alert[]> =>
  queries.any(sql.type(alertRow)`
    WITH taken AS (
      UPDATE alerts SET due_at = now() + interval '2 minutes' WHERE id IN (
        SELECT id FROM alerts WHERE channel = ${channel} AND due_at <= now()
        ORDER BY due_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING *)
    SELECT t.id, t.kind, t.cause, t.since, t.answer, t.waiting, t.over_at AS "overAt", t.told,
      coalesce((SELECT name FROM providers WHERE id = t.cause), (SELECT name FROM partners WHERE id = t.cause)) AS "causeName",
      (SELECT coalesce(json_agg(json_build_object('caseId', o.case_id, 'partnerName', o.name)), '[]') FROM (
        SELECT a.case_id, p.name FROM attention a
        JOIN cases c ON c.id = a.case_id JOIN partners p ON p.id = c.partner_id
        WHERE a.kind = t.kind AND a.cause = t.cause AND (a.over_at IS NULL OR t.over_at IS NOT NULL AND a.over_at >= t.since)
        ORDER BY a.since, a.id LIMIT ${NAMED}) o) AS cases
    FROM taken t ORDER BY t.since, t.id`);

/**
 * It was told: again in an hour, then in two, four …, a day at most. Where it is over, never again; it is kept for an hour,
 * so that what comes and goes is no flood.
 */
export async function noteTold(queries: Queries, told: readonly Alert[]): Promise<void> {
  const idsOf = (alerts: readonly Alert[]) =>
    sql.array(
      alerts.map(({ id }) => id),
      'int8',
    );
  await queries.query(sql.type(nothing)`
    UPDATE alerts SET told = told + 1, told_at = now(), told_waiting = waiting, attempts = 0, failing_since = NULL,
      failure = NULL,
      due_at = CASE WHEN id = ANY(${idsOf(told.filter(({ overAt }) => overAt !== null))}) THEN 'infinity'
        -- it ended while its beginning was told
        WHEN over_at IS NOT NULL THEN now()
        ELSE now() + least(interval '1 hour' * 2 ^ least(told, 5), interval '1 day') END
    WHERE id = ANY(${idsOf(told)})`);
}

/** It did not get through: again in 15 s, then in twice as long each time, ten minutes at most. */
export async function noteUntold(queries: Queries, alerts: readonly Alert[], failure: string): Promise<void> {
  await queries.query(sql.type(nothing)`
    UPDATE alerts SET attempts = attempts + 1, failing_since = coalesce(failing_since, now()), failure = ${failure},
      due_at = now() + least(interval '15 seconds' * 2 ^ least(attempts, 6), interval '10 minutes')
    WHERE id = ANY(${sql.array(
      alerts.map(({ id }) => id),
      'int8',
    )})`);
}
