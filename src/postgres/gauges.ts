import { sql } from 'slonik';
import { z } from 'zod';
import type { Database, Queries } from './database.ts';

const count = z.number();
/** Seconds since the oldest began; null where there is none. */
const oldest = z.number().nullable();
const ageOf = (instant: ReturnType<typeof sql.fragment>) => sql.fragment`
  extract(epoch FROM now() - min(${instant}))::float8 AS oldest`;

const waiting = z.object({ count, oldest });
const messagesWaiting = waiting.extend({ channel: z.string(), state: z.enum(['new', 'failing', 'held']) });
const attentionOpen = waiting.extend({ kind: z.string() });
const reconciled = z.object({
  kind: z.string(),
  age: z.number(),
  differing: count,
  withoutWorkflow: count,
  withoutCase: count,
  unanswered: count,
});
const found = z.object({ clinic: z.string(), kind: z.string(), count });
const server = z.object({ connections: count, maxConnections: count, archiveAge: z.number().nullable() });

/** What waits, and what was found, in all of the service. Counts and ages in seconds; ids of clinics, nothing personal. */
export interface Gauges {
  readonly unstarted: z.infer<typeof waiting>;
  /** Queued: not tried yet, refused by their channel so far, or held back. */
  readonly messages: readonly z.infer<typeof messagesWaiting>[];
  /** Bookings that are not in their clinic's calendar yet, and slots that their clinic does not let go. */
  readonly transfers: z.infer<typeof waiting>;
  readonly releases: z.infer<typeof waiting>;
  readonly attention: readonly z.infer<typeof attentionOpen>[];
  /** The newest comparison of each kind. */
  readonly reconciliations: readonly z.infer<typeof reconciled>[];
  readonly findings: readonly z.infer<typeof found>[];
  /** Partners' API keys in use that end within two weeks. */
  readonly keysEnding: number;
  /** Of PostgreSQL; `archiveAge`: since it last archived its log, or began to try; null where it archives none. */
  readonly server: z.infer<typeof server>;
  /** It was put back from a backup, and `operator after-restore` has not finished since. */
  readonly restoreUnfinished: boolean;
}

/** Each statement reads an index of what is open, which is little, or a small table; test/postgres/gauges.test.ts has their plans. */
export const GAUGE_QUERIES = {
  unstarted: sql.type(waiting)`
    SELECT count(*), ${ageOf(sql.fragment`created_at`)} FROM cases WHERE workflow_started_at IS NULL`,
  messages: sql.type(messagesWaiting)`
    SELECT channel, CASE WHEN failure IS NULL THEN 'new' WHEN failure LIKE 'held\\_%' THEN 'held' ELSE 'failing' END AS state,
      count(*), ${ageOf(sql.fragment`at`)}
    FROM notifications WHERE status = 'queued' GROUP BY 1, 2`,
  transfers: sql.type(waiting)`
    SELECT count(*), ${ageOf(sql.fragment`(booking ->> 'confirmedAt')::timestamptz`)}
    FROM cases CROSS JOIN jsonb_array_elements(state -> 'bookings') AS booking
    WHERE status = 'booked' AND state -> 'bookings' @> '[{"transferredAt": null}]'
      AND booking ->> 'transferredAt' IS NULL AND booking ->> 'abandonedBy' IS NULL`,
  releases: sql.type(waiting)`
    SELECT count(*), ${ageOf(sql.fragment`since`)} FROM booking_failures WHERE task = 'release'`,
  attention: sql.type(attentionOpen)`
    SELECT kind, count(*), ${ageOf(sql.fragment`since`)} FROM attention WHERE over_at IS NULL GROUP BY kind`,
  reconciliations: sql.type(reconciled)`
    SELECT kind, extract(epoch FROM now() - at)::float8 AS age, differing, without_workflow AS "withoutWorkflow",
      without_case AS "withoutCase", unanswered
    FROM unnest('{regular,nightly,by_hand}'::text[]) AS wanted
    CROSS JOIN LATERAL (SELECT * FROM reconciliations WHERE kind = wanted ORDER BY id DESC LIMIT 1) AS newest`,
  findings: sql.type(found)`
    SELECT provider_id AS clinic, kind, sum(count)::bigint AS count FROM provider_findings GROUP BY 1, 2`,
  keysEnding: sql.type(z.object({ count }))`
    SELECT count(*) FROM api_keys
    WHERE revoked_at IS NULL AND last_used_at > now() - interval '7 days'
      AND least(expires_at, replaced_until) BETWEEN now() AND now() + interval '14 days'`,
  // a crash makes PostgreSQL forget when it last did, and a new server that can not archive never has
  server: sql.type(server)`
    SELECT (SELECT sum(numbackends)::bigint FROM pg_stat_database) AS connections,
      current_setting('max_connections')::int AS "maxConnections",
      (SELECT extract(epoch FROM now() - coalesce(last_archived_time, stats_reset))::float8 FROM pg_stat_archiver
       WHERE current_setting('archive_mode') <> 'off') AS "archiveAge"`,
  restoreUnfinished: sql.type(z.object({ unfinished: z.boolean() }))`
    SELECT finished_at IS NULL OR database <> database_identity() AS unfinished FROM restores ORDER BY id DESC LIMIT 1`,
} as const;

export async function readGauges(queries: Queries): Promise<Gauges> {
  const q = GAUGE_QUERIES;
  // one after the other: they have one connection
  const unstarted = await queries.one(q.unstarted);
  const messages = await queries.any(q.messages);
  const transfers = await queries.one(q.transfers);
  const releases = await queries.one(q.releases);
  const attention = await queries.any(q.attention);
  const reconciliations = await queries.any(q.reconciliations);
  const findings = await queries.any(q.findings);
  const keysEnding = (await queries.one(q.keysEnding)).count;
  return {
    ...{ unstarted, messages, transfers, releases, attention, reconciliations, findings, keysEnding },
    server: await queries.one(q.server),
    restoreUnfinished: (await queries.one(q.restoreUnfinished)).unfinished,
  };
}

/**
 * Does the work in one process at a time, for as long as it goes on: on a connection of its own, whose end makes room for
 * another. @returns whether it was this one
 */
export const asLeader = (
  database: Database,
  name: string,
  work: (queries: Queries) => Promise<void>,
): Promise<boolean> =>
  database.connect(async (connection) => {
    const lock = sql.fragment`hashtextextended(${name}, 0)`;
    const isOurs = await connection.oneFirst(sql.type(z.object({ locked: z.boolean() }))`
      SELECT pg_try_advisory_lock(${lock}) AS locked`);
    if (!isOurs) return false;
    try {
      await work(connection);
    } finally {
      await connection.query(sql.type(z.object({}))`SELECT pg_advisory_unlock(${lock})`);
    }
    return true;
  });
