import { caseEvents, feedEvents, newestEvent, type EventRow } from '../../postgres/events.ts';
import type { Dependencies } from '../dependencies.ts';
import { feedCursor, timelineCursor } from '../inputs/list-events.ts';
import { cursorRefused, requireOwn } from '../inputs/page.ts';
import type { Add } from '../operation.ts';
import * as described from '../operations/events.ts';
import { partnerOf } from '../partner-key.ts';
import { partnersCase } from '../partners-case.ts';

/** What happened to a case, and to all of a partner's: contract §1. */
export function eventRoutes(add: Add, deps: Dependencies): void {
  const { database } = deps;
  const { read } = partnersCase(deps);

  add(described.listCaseEvents, async ({ param, res, query }) => {
    const { id: caseId } = await read(param('caseId'), res);
    const { cursor, limit } = await query();
    requireOwn(cursor, caseId);
    const rows = await caseEvents(database, { caseId, after: cursor?.number ?? 0, limit: limit + 1 });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      data: page.map(eventJson),
      nextCursor: rows.length > limit && last ? timelineCursor(caseId, last.number) : null,
    };
  });

  add(described.listEvents, async ({ res, query }) => {
    const partnerId = partnerOf(res);
    const { cursor, limit } = await query();
    requireOwn(cursor, partnerId);
    const after = cursor?.number ?? 0;
    const rows = await feedEvents(database, { partnerId, after, limit: limit + 1 });
    // whoever waited at a place that was never given would miss what comes before it
    if (rows.length === 0 && after > (await newestEvent(database, partnerId))) throw cursorRefused();
    const page = rows.slice(0, limit);
    return {
      data: page.map(eventJson),
      nextCursor: feedCursor(partnerId, page.at(-1)?.number ?? after),
      hasMore: rows.length > limit,
    };
  });
}

const eventJson = ({ id, type, case_id, partner_case_id, at, actor, data }: EventRow) => ({
  id,
  type,
  caseId: case_id,
  partnerCaseId: partner_case_id,
  at,
  actor,
  data,
});
