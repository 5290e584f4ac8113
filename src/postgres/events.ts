import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { Actor } from '../domain/case-state.ts';
import type { CaseEvent, EventType } from '../domain/events.ts';
import type { CaseId, PartnerId } from '../domain/ids.ts';
import { instantColumn, textColumn } from './case-row.ts';
import type { Queries } from './database.ts';

/**
 * Adds events to their partner's feed. It must be the last statement of its transaction: it takes the partner's
 * counter, and whoever comes next waits for the commit, so that numbers become visible in their order.
 */
export async function appendEvents(
  queries: Queries,
  caseId: CaseId,
  events: readonly CaseEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const partner = sql.fragment`(SELECT partner_id FROM cases WHERE id = ${caseId})`;
  await queries.query(sql.type(z.object({}))`WITH ${eventsAppended(partner, caseId, events)} SELECT`);
}

/** The same as a part of a statement's WITH, of one that only little follows. */
export const eventsAppended = (
  partnerId: FragmentSqlToken,
  caseId: CaseId,
  events: readonly CaseEvent[],
): FragmentSqlToken => sql.fragment`
  input AS (
    SELECT event, place
    FROM jsonb_array_elements(${sql.jsonb(events.map(({ type, at, actor, data }) => ({ type, at, actor, data })))})
      WITH ORDINALITY AS e(event, place)
  ), counter AS (
    UPDATE partners SET last_event = last_event + ${events.length} WHERE id = ${partnerId}
    RETURNING id, last_event - ${events.length} AS before
  ), appended AS (
    INSERT INTO events (partner_id, number, case_id, type, at, actor, data)
    SELECT counter.id, counter.before + place, ${caseId}, event ->> 'type', (event ->> 'at')::timestamptz,
           event ->> 'actor', event -> 'data'
    FROM input, counter
  )`;

const eventRow = z.object({
  id: z.string(),
  number: z.number(),
  type: textColumn<EventType>(),
  case_id: z.string(),
  partner_case_id: z.string(),
  at: instantColumn,
  actor: textColumn<Actor>(),
  data: z.record(z.string(), z.unknown()),
});
export type EventRow = z.infer<typeof eventRow>;

const selectEvents = sql.fragment`
  SELECT e.id, e.number, e.type, e.case_id, c.partner_case_id, e.at, e.actor, e.data
  FROM events e JOIN cases c ON c.id = e.case_id`;

/** A case's timeline, oldest first: up to `limit` events behind number `after`. */
export const caseEvents = async (
  queries: Queries,
  { caseId, after, limit }: { caseId: CaseId; after: number; limit: number },
): Promise<readonly EventRow[]> =>
  queries.any(sql.type(eventRow)`
    ${selectEvents} WHERE e.case_id = ${caseId} AND e.number > ${after} ORDER BY e.number LIMIT ${limit}`);

/** The events of all of a partner's cases, oldest first: up to `limit` behind number `after`. None appears behind later. */
export const feedEvents = async (
  queries: Queries,
  { partnerId, after, limit }: { partnerId: PartnerId; after: number; limit: number },
): Promise<readonly EventRow[]> =>
  queries.any(sql.type(eventRow)`
    ${selectEvents} WHERE e.partner_id = ${partnerId} AND e.number > ${after} ORDER BY e.number LIMIT ${limit}`);

/** The number of a partner's newest event; 0 before the first. */
export const newestEvent = (queries: Queries, partnerId: PartnerId): Promise<number> =>
  queries.oneFirst(sql.type(z.object({ last_event: z.number() }))`
    SELECT last_event FROM partners WHERE id = ${partnerId}`);
