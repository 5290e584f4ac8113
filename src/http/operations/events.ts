import { feedAnswer, timelineAnswer } from '../answers/event.ts';
import { feedInput, timelineInput } from '../inputs/list-events.ts';
import { operation } from '../operation.ts';
import { feedPage, timelinePage } from './examples.ts';

export const listEvents = operation({
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

export const listCaseEvents = operation({
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
