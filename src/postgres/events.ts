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
 * Adds events to their partner's feed. It must be the last statement of its transaction: it takes the partner's
 * counter, and whoever comes next waits for the commit, so that numbers become visible in their order. The case's row
 * was written before in the same transaction, so that no event is numbered behind one that says something newer of it.
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
 * The same as a part of a statement's WITH, of one that only little follows.
 *
 * @param shown selects the case's partner_id, status and booking_id
 */
export const eventsAppended = (
  shown: FragmentSqlToken,
  caseId: CaseId,
  events: readonly Appended[],
): FragmentSqlToken => sql.fragment`
  shown AS (${shown}), input AS (
    SELECT event, place FROM jsonb_array_elements(${sql.jsonb(events)}) WITH ORDINALITY AS e(event, place)
  ), counter AS (
    UPDATE partners SET last_event = last_event + ${events.length} FROM shown WHERE id = shown.partner_id
    RETURNING id, last_event - ${events.length} AS before
  ), appended AS (
    INSERT INTO events (partner_id, number, case_id, type, at, actor, api_key_id, status, booking_id, data)
    SELECT counter.id, counter.before + place, ${caseId}, event ->> 'type', (event ->> 'at')::timestamptz,
           event ->> 'actor', (event ->> 'apiKeyId')::uuid, coalesce(event ->> 'status', shown.status),
           CASE WHEN event ? 'status' THEN (event ->> 'bookingId')::uuid ELSE shown.booking_id END, event -> 'data'
    FROM input, counter, shown
  )`;

const eventRow = z.object({
  id: z.string(),
  number: z.number(),
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
  SELECT e.id, e.number, e.type, e.case_id, e.at, e.actor, e.api_key_id, e.status, e.booking_id, e.data,
    ${sealed(sql.fragment`c.sealed`, 'cases.sealed')}, ${keyOf(sql.fragment`e.case_id`)}
  FROM events e JOIN cases c ON c.id = e.case_id`;

/** A case's timeline, oldest first: up to `limit` events behind number `after`. */
export const caseEvents = async (
  queries: Queries,
  { caseId, after, limit }: { caseId: CaseId; after: number; limit: number },
): Promise<readonly EventRow[]> =>
  queries.any(sql.type(eventRow)`
    ${selectEvents} WHERE e.case_id = ${caseId} AND e.number > ${after} ORDER BY e.number LIMIT ${limit}`);

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

/** The number of a partner's newest event; 0 before the first. */
export const newestEvent = (queries: Queries, partnerId: PartnerId): Promise<number> =>
  queries.oneFirst(sql.type(z.object({ last_event: z.number() }))`
    SELECT last_event FROM partners WHERE id = ${partnerId}`);
