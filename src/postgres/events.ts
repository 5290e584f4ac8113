import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { Actor } from '../domain/case-state.ts';
import type { CaseStatus } from '../domain/case-state.ts';
import type { CaseEvent, EventType, Happening } from '../domain/events.ts';
import type { BookingId, CaseId, PartnerId } from '../domain/ids.ts';
import { instantColumn, textColumn } from './case-row.ts';
import type { Queries } from './database.ts';
import { keyOf, sealed } from './sealing.ts';

/** What happened elsewhere than in the workflow is told with the status and booking that readers see of the case. */
type Appended = CaseEvent | (Happening & { readonly status?: never });

/**
 * Adds events to their partner's feed. The case's row was written before in the same transaction, so that none is written
 * behind one that says something newer of it; whoever writes of another case does not wait.
 */
export async function appendEvents(
  queries: Queries,
  caseId: CaseId,
  events: readonly Appended[],
): Promise<void> {
  if (events.length === 0) return;
  const shown = sql.fragment`SELECT partner_id, status, booking_id FROM cases WHERE id = ${caseId}`;
  await queries.query(sql.type(z.object({}))`WITH ${eventsAppended(shown, caseId, events)} SELECT`);
}

/**
 * The same as a part of a statement's WITH.
 *
 * @param shown selects the case's partner_id, status and booking_id
 * @param isNews which of them are to be added, by `event` and by what `shown` selects besides
 */
export const eventsAppended = (
  shown: FragmentSqlToken,
  caseId: CaseId,
  events: readonly Appended[],
  isNews = sql.fragment`true`,
): FragmentSqlToken => sql.fragment`
  shown AS (${shown}), appended AS (
    INSERT INTO events (partner_id, case_id, type, at, actor, api_key_id, status, booking_id, data)
    SELECT shown.partner_id, ${caseId}, event ->> 'type', (event ->> 'at')::timestamptz,
           event ->> 'actor', (event ->> 'apiKeyId')::uuid, coalesce(event ->> 'status', shown.status),
           CASE WHEN event ? 'status' THEN (event ->> 'bookingId')::uuid ELSE shown.booking_id END, event -> 'data'
    FROM shown, jsonb_array_elements(${sql.jsonb(events)}) WITH ORDINALITY AS input (event, nth)
    WHERE ${isNews}
    ORDER BY nth
  )`;

/** As many at a time as take a fraction of a second. */
const NUMBERED_AT_ONCE = 5_000;

/**
 * Gives the events of a partner that are committed by now their numbers, without gaps and behind all that were given: so
 * none appears before one that a reader has seen. Whoever reads does so first, and waits for nobody who writes.
 *
 * @returns the number of the newest; 0 before the first
 */
export async function numberEvents(database: Queries, partnerId: PartnerId): Promise<number> {
  const unnumbered = sql.fragment`FROM events WHERE partner_id = ${partnerId} AND number IS NULL`;
  const given = sql.type(z.object({ newest: z.number(), isAll: z.boolean() }))`
    WITH fresh AS (
      SELECT place, row_number() OVER (ORDER BY place) AS nth
      FROM (SELECT place ${unnumbered} ORDER BY place LIMIT ${NUMBERED_AT_ONCE}) AS batch
    ), numbered AS (
      UPDATE events SET number = last_event + nth FROM fresh, partners
      WHERE events.place = fresh.place AND partners.id = ${partnerId}
    )
    UPDATE partners SET last_event = last_event + (SELECT count(*) FROM fresh) WHERE id = ${partnerId}
    RETURNING last_event AS newest, (SELECT count(*) FROM fresh) < ${NUMBERED_AT_ONCE} AS "isAll"`;
  for (;;) {
    const { isNew, newest } = await database.one(sql.type(
      z.object({ isNew: z.boolean(), newest: z.number() }),
    )`
      SELECT EXISTS (SELECT ${unnumbered}) AS "isNew", last_event AS newest FROM partners WHERE id = ${partnerId}`);
    if (!isNew) return newest;
    const after = await database.transaction(async (tx) => {
      // one reader after the other, each with a look of its own at what those before have left
      await tx.query(sql.type(z.object({}))`SELECT FROM partners WHERE id = ${partnerId} FOR NO KEY UPDATE`);
      return tx.one(given);
    });
    if (after.isAll) return after.newest;
  }
}

const eventRow = z.object({
  id: z.string(),
  place: z.number(),
  /** Null until somebody reads the feed. */
  number: z.number().nullable(),
  type: textColumn<EventType>(),
  case_id: z.string(),
  /** Null once the case is erased. */
  partner_case_id: z.string().nullable().default(null),
  at: instantColumn,
  actor: textColumn<Actor>(),
  api_key_id: z.string().nullable(),
  status: textColumn<CaseStatus>(),
  booking_id: textColumn<BookingId>().nullable(),
  data: z.record(z.string(), z.unknown()),
});
export type EventRow = z.infer<typeof eventRow>;

const selectEvents = sql.fragment`
  SELECT e.id, e.place, e.number, e.type, e.case_id, e.at, e.actor, e.api_key_id, e.status, e.booking_id, e.data,
    ${sealed(sql.fragment`c.sealed`, 'cases.sealed')}, ${keyOf(sql.fragment`e.case_id`)}
  FROM events e JOIN cases c ON c.id = e.case_id`;

/**
 * A case's timeline, oldest first: up to `limit` events behind place `after`. Whoever writes of a case has its row, so none
 * appears before one that was read.
 */
export const caseEvents = async (
  queries: Queries,
  { caseId, after, limit }: { caseId: CaseId; after: number; limit: number },
): Promise<readonly EventRow[]> =>
  queries.any(sql.type(eventRow)`
    ${selectEvents} WHERE e.case_id = ${caseId} AND e.place > ${after} ORDER BY e.place LIMIT ${limit}`);

export interface FeedPlace {
  readonly partnerId: PartnerId;
  readonly after: number;
  readonly until?: number;
  /** All where none is named. */
  readonly types?: readonly EventType[];
  readonly limit: number;
}

/**
 * The events of all of a partner's cases, oldest first: up to `limit` behind number `after` and up to `until`. None
 * appears behind later.
 */
export const feedEvents = async (
  queries: Queries,
  { partnerId, after, until = Number.MAX_SAFE_INTEGER, types = [], limit }: FeedPlace,
): Promise<readonly EventRow[]> => {
  const ofTypes =
    types.length === 0 ? sql.fragment`` : sql.fragment`AND e.type = ANY(${sql.array(types, 'text')})`;
  return queries.any(sql.type(eventRow)`
    ${selectEvents}
    WHERE e.partner_id = ${partnerId} AND e.number > ${after} AND e.number <= ${until} ${ofTypes}
    ORDER BY e.number LIMIT ${limit}`);
};

/** The number of the event that is so many behind number `after`; null where there are fewer. */
export const eventBehind = (
  queries: Queries,
  { partnerId, after, count }: { partnerId: PartnerId; after: number; count: number },
): Promise<number | null> =>
  queries.maybeOneFirst(sql.type(z.object({ number: z.number() }))`
    SELECT number FROM events WHERE partner_id = ${partnerId} AND number > ${after}
    ORDER BY number OFFSET ${count - 1} LIMIT 1`);
