import { z } from 'zod';
import { EVENT_TYPES, type EventType } from '../../domain/events.ts';
import { instant, nextCursor } from './primitives.ts';

const types = Object.keys(EVENT_TYPES) as [EventType, ...EventType[]];

/** Contract §1's Event. */
const eventAnswer = z
  .object({
    id: z
      .uuid()
      .meta({ description: 'The same whenever the event is read: keep it to know what you have seen.' }),
    type: z.enum(types).meta({
      id: 'EventType',
      description: Object.entries(EVENT_TYPES)
        .map(([type, meaning]) => `- \`${type}\`: ${meaning}`)
        .join('\n'),
    }),
    caseId: z.uuid(),
    partnerCaseId: z.string(),
    at: instant('When it happened.'),
    actor: z
      .enum(['customer', 'partner', 'operator', 'provider', 'service'])
      .meta({ description: 'Whose doing.' }),
    data: z.record(z.string(), z.unknown()).meta({ description: 'Ids, codes and dates; nothing personal.' }),
  })
  .meta({ id: 'Event', description: 'Something that happened to a case.' });

export const timelineAnswer = z
  .object({ data: z.array(eventAnswer), nextCursor })
  .meta({ id: 'Timeline', description: 'A page of a case’s events, the oldest first.' });

export const feedAnswer = z
  .object({
    data: z.array(eventAnswer),
    nextCursor: z.string().meta({ description: 'Where to go on; never null.' }),
    hasMore: z.boolean().meta({ description: 'Whether there is more by now.' }),
  })
  .meta({ id: 'Feed', description: 'The events of all cases behind a cursor, the oldest first.' });
