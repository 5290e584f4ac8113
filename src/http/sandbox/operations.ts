import { z } from 'zod';
import { addDays } from '../../calendar/dates.ts';
import { CHANNELS } from '../../domain/case-state.ts';
import { type CalendarDate, instant } from '../../domain/instant.ts';
import { caseAnswer, type CaseAnswer, messageKind } from '../cases/case-json.ts';
import type { ErrorCode } from '../error-codes.ts';
import { bookedCase, bookingOf, EXAMPLE_CASE_ID, openCase } from '../examples.ts';
import { dateTime, nextCursor, noInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { numberedCursors, pageLimit } from '../pagination.ts';
import type { SandboxAction } from './actions.ts';

const message = z
  .object({
    caseId: z.uuid(),
    kind: messageKind,
    channel: z.enum(CHANNELS),
    to: z.string().meta({ description: 'The address as the case had it.' }),
    subject: z.string().nullable().meta({ description: 'null for an SMS.' }),
    text: z.string().meta({ description: 'What the customer would have read.' }),
    at: dateTime('When it left.'),
  })
  .meta({ id: 'SandboxMessage', description: 'A message as the test environment sent it.' });

const messagesAnswer = z
  .object({ data: z.array(message), nextCursor })
  .meta({ id: 'SandboxMessages', description: 'A page of messages, the oldest first.' });

export const messageCursors = numberedCursors('sandbox-messages');

const listMessagesInput = z.strictObject({
  caseId: z
    .string('may be given once.')
    .meta({ description: 'Whose messages.', override: { format: 'uuid' } }),
  limit: pageLimit,
  cursor: messageCursors.schema.optional(),
});

interface SandboxDescription {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly example: (today: CalendarDate) => CaseAnswer;
  readonly refusals?: readonly ErrorCode[];
}

/** So far ahead may a case's clock go (days): longer than any life that is not at a standstill. */
export const MOST_DAYS_AHEAD = 1_000;

const advanceInput = z.strictObject({
  days: z.int('must be a whole number.').min(1).max(400).meta({ description: 'How many, of 24 hours each.' }),
});

const sandboxOperation = (
  action: SandboxAction,
  { id, summary, description, example, refusals = [] }: SandboxDescription,
) =>
  defineOperation({
    id,
    method: 'post',
    path: `/sandbox/cases/{caseId}/${action}`,
    tag: 'Sandbox',
    access: 'api key',
    summary,
    description,
    body: () => noInput,
    answer: {
      status: 200,
      description: 'The case as it is then.',
      schema: caseAnswer,
      examples: { driven: { summary, value: example } },
    },
    refusals: ['ACTION_NOT_ALLOWED', ...refusals],
  });

const at = (today: CalendarDate) => openCase(today).updatedAt;
const asked = (today: CalendarDate) => ({ requestedAt: at(today), resolvedAt: null });
const inError = (today: CalendarDate, code: 'UNDELIVERABLE' | 'TRANSFER_REFUSED') => ({
  ...openCase(today),
  status: 'error' as const,
  problem: { code, since: at(today), nextAction: 'What you can do about it.' },
});
const aBooking: readonly ErrorCode[] = ['APPOINTMENT_STARTED', 'SLOT_TAKEN', 'PROVIDER_UNAVAILABLE'];

/** What a partner makes happen to its cases in a test environment (docs/contract.md §6). In production there is none of it. */
export const SANDBOX_OPERATIONS = {
  book: sandboxOperation('book', {
    id: 'sandboxBook',
    summary: 'Book the first free time',
    description: 'As the customer does, from tomorrow on; a booked case gets another time instead.',
    example: bookedCase,
    refusals: aBooking,
  }),
  expire: sandboxOperation('expire', {
    id: 'sandboxExpire',
    summary: 'Let the deadline pass',
    description: 'The deadline moves to yesterday, and the case expires by that.',
    example: (today) => ({
      ...openCase(today),
      status: 'deadline_expired',
      allowedActions: ['recall', 'archive', 'moveDeadline'],
      bookingDeadline: addDays(today, -1),
    }),
  }),
  'request-assistance': sandboxOperation('request-assistance', {
    id: 'sandboxRequestAssistance',
    summary: 'Ask for help',
    description: 'As the customer does, without the limit of three a day.',
    example: (today) => ({ ...openCase(today), status: 'assistance_requested', assistance: asked(today) }),
  }),
  'resolve-assistance': sandboxOperation('resolve-assistance', {
    id: 'sandboxResolveAssistance',
    summary: 'Settle the request for help',
    description: 'As our operator does.',
    example: (today) => ({
      ...openCase(today),
      assistance: { ...asked(today), resolvedAt: at(today) },
    }),
  }),
  bounce: sandboxOperation('bounce', {
    id: 'sandboxBounce',
    summary: 'Let messages bounce',
    description:
      'The link is sent again, and the case’s addresses take nothing any more until one of them is corrected with ' +
      'PATCH. An unbooked case gets `error`, `UNDELIVERABLE`; one that waits for help stays as it is.',
    example: (today) => inError(today, 'UNDELIVERABLE'),
  }),
  'fail-transfer': sandboxOperation('fail-transfer', {
    id: 'sandboxFailTransfer',
    summary: 'Book a time that the provider refuses',
    description:
      'The case gets `error`, `TRANSFER_REFUSED`. A customer who is booked already keeps that appointment.',
    example: (today) => inError(today, 'TRANSFER_REFUSED'),
    refusals: aBooking,
  }),
  'provider-cancel': sandboxOperation('provider-cancel', {
    id: 'sandboxProviderCancel',
    summary: 'Let the provider cancel',
    description:
      'The customer is asked to choose again, and has at least three days for it. The time is free again.',
    example: openCase,
  }),
  'pass-appointment': sandboxOperation('pass-appointment', {
    id: 'sandboxPassAppointment',
    summary: 'Let the appointment be over',
    description:
      'The appointment moves so that it has just ended: the case can be archived, and not be recalled any more.',
    example: (today) => ({
      ...bookedCase(today),
      allowedActions: ['archive', 'changeContact'],
      booking: { ...bookingOf(today), start: instant(`${today}T06:00Z`), end: instant(`${today}T06:45Z`) },
    }),
    refusals: ['PROVIDER_UNAVAILABLE'],
  }),
} satisfies Record<Exclude<SandboxAction, 'advance'>, unknown>;

export const advanceClock = defineOperation({
  id: 'sandboxAdvance',
  method: 'post',
  path: '/sandbox/cases/{caseId}/advance',
  tag: 'Sandbox',
  access: 'api key',
  summary: 'Let days pass for a case',
  description:
    'The case’s own clock goes ahead, from one thing that it does by itself to the next: reminders are sent, the deadline ' +
    'passes, a case that has ended is archived. From then on all that is judged by the time (what is allowed, which times ' +
    'can be booked) is judged by that clock, and the case’s events bear its time; `createdAt`, `updatedAt` and ' +
    `\`notifications\` bear ours. It never goes back, and is at most ${MOST_DAYS_AHEAD} days ahead.`,
  body: () => advanceInput,
  idempotent: 'around',
  bodyExamples: { days: { summary: 'Past the deadline', value: () => ({ days: 15 }) } },
  answer: {
    status: 200,
    description: 'The case as it is then.',
    schema: caseAnswer,
    examples: {
      expired: {
        summary: 'Nobody has booked',
        value: (today) => ({
          ...openCase(today),
          status: 'deadline_expired',
          allowedActions: ['recall', 'archive', 'moveDeadline'],
        }),
      },
    },
  },
  refusals: ['ACTION_NOT_ALLOWED'],
});

export const seedCases = defineOperation({
  id: 'sandboxSeed',
  method: 'post',
  path: '/sandbox/seed',
  tag: 'Sandbox',
  access: 'api key',
  summary: 'Make a case in each status',
  description:
    'Seven new cases of yours, each brought to its status by its real workflow: the one in `error` is `UNDELIVERABLE`. ' +
    'Each call makes seven more. Where a provider is away, the call fails by that, and the others are there all the same.',
  body: () => noInput,
  idempotent: 'around',
  touches: 'listed',
  answer: {
    status: 201,
    description: 'The cases, one in each status.',
    schema: z
      .object({ data: z.array(caseAnswer) })
      .meta({ id: 'SandboxSeed', description: 'A case in each status.' }),
    examples: {
      seeded: {
        summary: 'The first two of them',
        value: (today) => ({ data: [openCase(today), bookedCase(today)] }),
      },
    },
  },
  refusals: ['ACTION_NOT_ALLOWED', 'SLOT_TAKEN', 'PROVIDER_UNAVAILABLE'],
});

export const listMessages = defineOperation({
  id: 'sandboxListMessages',
  method: 'get',
  path: '/sandbox/messages',
  tag: 'Sandbox',
  access: 'api key',
  summary: 'Read what was sent',
  description:
    'Every message that left for the case’s customer in the last seven days, the oldest first. The test environment ' +
    'never sends to real addresses.',
  query: () => listMessagesInput,
  refusals: ['CASE_NOT_FOUND'],
  answer: {
    status: 200,
    description: 'A page of messages.',
    schema: messagesAnswer,
    examples: {
      invitation: {
        summary: 'The invitation',
        value: (today) => ({
          data: [
            {
              caseId: EXAMPLE_CASE_ID,
              kind: 'invitation',
              channel: 'sms',
              to: '+4790000000',
              subject: null,
              text: `Fjordtrygd Forsikring: Bestill time her: ${openCase(today).bookingUrl}`,
              at: at(today),
            },
          ],
          nextCursor: null,
        }),
      },
    },
  },
});
