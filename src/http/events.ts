import { z } from 'zod';
import { CHANNELS } from '../domain/case-state.ts';
import { EVENT_TYPES, type EventField, type EventType, LOST_FIELDS, NAME_FIELDS } from '../domain/events.ts';
import { VERIFICATION_KINDS, VERIFICATION_OUTCOMES } from '../domain/verification.ts';
import { caseEvents, eventBehind, type EventRow, feedEvents, numberEvents } from '../postgres/events.ts';
import { caseStatus, deliveryFault, messageKind, PROBLEMS, verificationReason } from './cases/case-json.ts';
import type { Dependencies } from './dependencies.ts';
import { feedPage, timelinePage } from './examples.ts';
import { calendarDate, dateTime, nextCursor, openEnum } from './fields.ts';
import { operationsFor } from './operation.ts';
import type { Add } from './route.ts';
import { invalidCursor, numberedCursors, pageLimit, pageOf, requireOwnCursor } from './pagination.ts';

const types = Object.keys(EVENT_TYPES) as EventType[];

/** In which types of events a field of `data` is. */
const inTypes = (field: EventField): string =>
  types
    .filter((type) => (EVENT_TYPES[type].data as readonly EventField[]).includes(field))
    .map((type) => `\`${type}\``)
    .join(', ');

const DATA = {
  treatmentType: z.string(),
  bookingDeadline: calendarDate('The last day to book, from then on.'),
  formerDeadline: calendarDate('The last day to book, until then.'),
  bookingId: z.uuid().meta({
    description: 'The booking that the event is about; `providerId`, `start` and `end` are this one’s.',
  }),
  providerId: z.string(),
  start: dateTime('When the appointment begins.'),
  end: dateTime('When it ends.'),
  replaces: z.uuid().meta({ description: 'The booking that was there before.' }),
  refused: z.uuid().meta({ description: 'The booking that the provider did not take.' }),
  gone: z.boolean().meta({ description: 'Whether somebody else had taken the time at the provider.' }),
  problem: z.enum(PROBLEMS).meta({ description: 'As in the case’s `problem.code`.' }),
  channels: z.array(z.enum(CHANNELS)),
  fields: z.array(z.enum(NAME_FIELDS)).meta({ description: 'What was corrected.' }),
  channel: z.enum(CHANNELS),
  kind: messageKind,
  reason: deliveryFault,
  verification: z.enum(VERIFICATION_KINDS).meta({ description: 'Of what.' }),
  outcome: z.enum(VERIFICATION_OUTCOMES),
  reasons: z.array(verificationReason).meta({ description: 'Why it is not verified. Empty when it is.' }),
  lost: z.array(z.enum(LOST_FIELDS)).meta({
    description:
      'What of the case is lost, or may be older than what you sent last: send names and addresses again with `PATCH /cases/{caseId}`.',
  }),
} satisfies Record<EventField, z.ZodType>;

const eventData = z
  .object(
    Object.fromEntries(
      Object.entries<z.ZodType>(DATA).map(([name, field]) => {
        const described = [field.description, `In ${inTypes(name as EventField)}.`].filter(Boolean).join(' ');
        return [name, field.optional().meta({ description: described })];
      }),
    ) as { [F in keyof typeof DATA]: z.ZodOptional<(typeof DATA)[F]> },
  )
  .meta({
    id: 'EventData',
    description:
      'What this type of event tells beyond status and booking. Ids, codes and dates; nothing personal.',
  });

const eventAnswer = z
  .object({
    id: z
      .uuid()
      .meta({ description: 'The same whenever the event is read: keep it to know what you have seen.' }),
    type: openEnum(types).meta({
      id: 'EventType',
      description: Object.entries(EVENT_TYPES)
        .map(([type, { meaning }]) => `- \`${type}\`: ${meaning}`)
        .join('\n'),
    }),
    caseId: z.uuid(),
    partnerCaseId: z.string().nullable().meta({
      description: 'Your own reference; null once the case is erased, since it leads to a person.',
    }),
    at: dateTime('When it happened.'),
    actor: z
      .enum(['customer', 'partner', 'operator', 'provider', 'service'])
      .meta({ description: 'Whose doing.' }),
    apiKeyId: z.uuid().nullable().meta({
      description:
        'With which of your API keys it was done, as `GET /auth/api-keys` has them; null where with none.',
    }),
    status: caseStatus.meta({ description: 'The case’s status after it.' }),
    bookingId: z
      .uuid()
      .nullable()
      .meta({ description: 'The case’s booking after it; null where it has none.' }),
    data: eventData,
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

/** Of so many events a call looks for those of the types that it asks for. */
const MOST_PASSED_OVER = 5_000;

const timelineCursors = numberedCursors('case-events');
const feedCursors = numberedCursors('events');

const timelineInput = z.strictObject({ limit: pageLimit, cursor: timelineCursors.schema.optional() });

const feedInput = z
  .strictObject({
    limit: pageLimit,
    cursor: feedCursors.schema.optional().meta({
      description: 'The `nextCursor` of the answer before, as it was given. Left out: see `from`.',
    }),
    from: z
      .enum(['beginning', 'now'], 'must be beginning or now.')
      .optional()
      .meta({
        description:
          'Where to begin without a cursor: with the first event there is (`beginning`, unless you say otherwise), or ' +
          'behind the last one (`now`).',
      }),
    type: z
      .preprocess(
        (value) => (typeof value === 'string' ? [value] : value),
        z.array(z.enum(types, `must be one of: ${types.join(', ')}.`)),
      )
      .default([])
      .meta({
        description: 'Events of this type, or of any of several: `type=case.failed&type=case.recalled`.',
      }),
  })
  .refine(({ cursor, from }) => cursor === undefined || from === undefined, {
    path: ['from'],
    params: { code: 'invalid' },
    error: 'is for a call without a cursor.',
  });

const describe = operationsFor('Events', 'api key');

export const listEvents = describe({
  id: 'listEvents',
  method: 'get',
  path: '/events',
  summary: 'Follow the events of all your cases',
  description:
    'One feed, the oldest event first. Ask for what came since with the `nextCursor` of the answer before: at once while ' +
    '`hasMore` is true, then every minute or so. With nothing new, `data` is empty and `nextCursor` is the place where ' +
    'you were.\n\n' +
    'Nothing is skipped and nothing comes twice, however many cases change at the same time: an event appears behind all ' +
    'that appeared before it, so the order is that of the feed, and `at` may be slightly earlier than that of the event ' +
    'before. Keep the cursor together with what you made of the events; it does not expire, and events are kept as long ' +
    'as their case.\n\n' +
    'Each event bears the case’s `status` and `bookingId` after it, so what you keep of your cases follows without reading ' +
    'them. With a `type`, a page may have fewer events than `limit`, or none, while `hasMore` is true: so many others ' +
    'were passed over.',
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
  touches: 'listed',
});

export const listCaseEvents = describe({
  id: 'listCaseEvents',
  method: 'get',
  path: '/cases/{caseId}/events',
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
export function eventRoutes(add: Add, { asPartner }: Dependencies): void {
  add(listCaseEvents, async ({ partnerId, view: { id: caseId }, query: { cursor, limit } }) => {
    requireOwnCursor(cursor, caseId);
    const rows = await caseEvents(asPartner(partnerId), {
      caseId,
      after: cursor?.number ?? 0,
      limit: limit + 1,
    });
    return pageOf(rows, limit, {
      json: eventJson,
      cursor: ({ place }) => timelineCursors.encode(caseId, place),
    });
  });

  add(listEvents, async ({ partnerId, query: { cursor, from, type: types, limit } }) => {
    requireOwnCursor(cursor, partnerId);
    const events = asPartner(partnerId);
    // before the page is read: what is told meanwhile comes behind it
    const newest = await numberEvents(events, partnerId);
    const after = cursor?.number ?? (from === 'now' ? newest : 0);
    // whoever waited at a place that was never given would miss what comes before it
    if (after > newest) throw invalidCursor();
    // counted, since numbers jump ahead when the database was restored
    const passedOver = types.length > 0 && newest - after > MOST_PASSED_OVER;
    const behind = passedOver
      ? await eventBehind(events, { partnerId, after, count: MOST_PASSED_OVER })
      : null;
    const until = Math.min(newest, behind ?? newest);
    const rows = await feedEvents(events, { partnerId, after, until, types, limit: limit + 1 });
    const page = rows.slice(0, limit);
    const place = rows.length > limit ? (page.at(-1)?.number ?? after) : until;
    return {
      data: page.map(eventJson),
      nextCursor: feedCursors.encode(partnerId, place),
      hasMore: place < newest,
    };
  });
}

const eventJson = (row: EventRow) => ({
  id: row.id,
  type: row.type,
  caseId: row.case_id,
  partnerCaseId: row.partner_case_id,
  at: row.at,
  actor: row.actor,
  apiKeyId: row.api_key_id,
  status: row.status,
  bookingId: row.booking_id,
  data: row.data,
});
