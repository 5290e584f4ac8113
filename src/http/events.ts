import { z } from 'zod';
import { EVENT_TYPES, type EventType } from '../domain/events.ts';
import { caseEvents, type EventRow, feedEvents, newestEvent } from '../postgres/events.ts';
import type { Dependencies } from './dependencies.ts';
import { feedPage, timelinePage } from './examples.ts';
import { dateTime, nextCursor, openEnum } from './fields.ts';
import { defineOperation } from './operation.ts';
import type { Add } from './route.ts';
import { invalidCursor, numberedCursors, pageLimit, pageOf, requireOwnCursor } from './pagination.ts';

const types = Object.keys(EVENT_TYPES) as EventType[];

const eventAnswer = z
  .object({
    id: z
      .uuid()
      .meta({ description: 'The same whenever the event is read: keep it to know what you have seen.' }),
    type: openEnum(types).meta({
      id: 'EventType',
      description: Object.entries(EVENT_TYPES)
        .map(([type, meaning]) => `- \`${type}\`: ${meaning}`)
        .join('\n'),
    }),
    caseId: z.uuid(),
    partnerCaseId: z.string(),
    at: dateTime('When it happened.'),
    actor: z
      .enum(['customer', 'partner', 'operator', 'provider', 'service'])
      .meta({ description: 'Whose doing.' }),
    data: z.record(z.string(), z.unknown()).meta({ description: 'Ids, codes and dates; nothing personal.' }),
  })
  .meta({ id: 'Event', description: 'Something that happened to a case.' });

const timelineAnswer = z
  .object({ data: z.array(eventAnswer), nextCursor })
  .meta({ id: 'Timeline', description: 'A page of a case’s events, the oldest first.' });

const feedAnswer = z
  .object({
    data: z.array(eventAnswer),
    nextCursor: z.string().meta({ description: 'Where to go on; never null.' }),
    hasMore: z.boolean().meta({ description: 'Whether there is more by now.' }),
  })
  .meta({ id: 'Feed', description: 'The events of all cases behind a cursor, the oldest first.' });

const timelineCursors = numberedCursors('case-events');
const feedCursors = numberedCursors('events');

const timelineInput = z.strictObject({ limit: pageLimit, cursor: timelineCursors.schema.optional() });

const feedInput = z.strictObject({
  limit: pageLimit,
  cursor: feedCursors.schema.optional().meta({
    description: 'The `nextCursor` of the answer before, as it was given. Left out: from the beginning.',
  }),
});

export const listEvents = defineOperation({
  id: 'listEvents',
  method: 'get',
  path: '/events',
  tag: 'Events',
  access: 'api key',
  summary: 'Follow the events of all your cases',
  description:
    'One feed, the oldest event first. Ask for what came since with the `nextCursor` of the answer before: at once while ' +
    '`hasMore` is true, then every minute or so. With nothing new, `data` is empty and `nextCursor` is the place where ' +
    'you were.\n\n' +
    'Nothing is skipped and nothing comes twice, however many cases change at the same time: an event appears behind all ' +
    'that appeared before it, so the order is that of the feed, and `at` may be slightly earlier than that of the event ' +
    'before. Keep the cursor together with what you made of the events; it does not expire, and events are kept as long ' +
    'as their case.',
  query: () => feedInput,
  answer: {
    status: 200,
    description: 'What came behind the cursor.',
    schema: feedAnswer,
    examples: {
      some: { summary: 'What is new', value: feedPage },
      nothing: { summary: 'Nothing new', value: (t) => ({ ...feedPage(t), data: [] }) },
    },
  },
});

export const listCaseEvents = defineOperation({
  id: 'listCaseEvents',
  method: 'get',
  path: '/cases/{caseId}/events',
  tag: 'Events',
  access: 'api key',
  summary: 'Read a case’s timeline',
  description: 'The oldest event first.',
  query: () => timelineInput,
  answer: {
    status: 200,
    description: 'A page of events.',
    schema: timelineAnswer,
    examples: { first: { summary: 'Just handed over', value: timelinePage } },
  },
});

/** What happened to a case, and to all of a partner's. */
export function eventRoutes(add: Add, deps: Dependencies): void {
  const { database } = deps;

  add(listCaseEvents, async ({ view: { id: caseId }, query: { cursor, limit } }) => {
    requireOwnCursor(cursor, caseId);
    const rows = await caseEvents(database, { caseId, after: cursor?.number ?? 0, limit: limit + 1 });
    return pageOf(rows, limit, {
      json: eventJson,
      cursor: ({ number }) => timelineCursors.encode(caseId, number),
    });
  });

  add(listEvents, async ({ partnerId, query: { cursor, limit } }) => {
    requireOwnCursor(cursor, partnerId);
    const after = cursor?.number ?? 0;
    const rows = await feedEvents(database, { partnerId, after, limit: limit + 1 });
    // whoever waited at a place that was never given would miss what comes before it
    if (rows.length === 0 && after > (await newestEvent(database, partnerId))) throw invalidCursor();
    const page = rows.slice(0, limit);
    return {
      data: page.map(eventJson),
      nextCursor: feedCursors.encode(partnerId, page.at(-1)?.number ?? after),
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
