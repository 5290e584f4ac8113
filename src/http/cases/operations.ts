import { z } from 'zod';
import { addDays } from '../../calendar/dates.ts';
import { bookedCase, newCaseOf, openCase } from '../examples.ts';
import { nextCursor, noInput } from '../fields.ts';
import { type Examples, operationsFor } from '../operation.ts';
import { caseAnswer } from './case-json.ts';
import { createCaseInput, listCasesInput, patchCaseInput, recallInput, resendInput } from './inputs.ts';

const describe = operationsFor('Cases', 'api key');

const aCase: Examples = {
  open: { summary: 'Waiting for the customer', value: openCase },
};

export const createCase = describe({
  id: 'createCase',
  method: 'post',
  path: '/cases',
  summary: 'Hand over a case',
  description:
    'The customer gets the booking link by e-mail and/or SMS at once. `201` means that the case is safely kept: it ' +
    'goes on whatever happens to us.\n\n' +
    'Without an `Idempotency-Key`, handing over a live `partnerCaseId` again is refused with ' +
    '`DUPLICATE_PARTNER_CASE_ID`, and `details.caseId` is the case that there is.',
  body: createCaseInput,
  bodyExamples: {
    both: { summary: 'With e-mail and phone', value: newCaseOf },
    phoneOnly: {
      summary: 'By SMS only',
      value: (today) => {
        const { patientEmail: _, injuryDescription: __, ...rest } = newCaseOf(today);
        return { ...rest, partnerCaseId: 'TF-2026-000124' };
      },
    },
  },
  idempotent: 'within',
  answer: {
    status: 201,
    description: 'The case. `Location` is its address.',
    location: true,
    schema: caseAnswer,
    examples: {
      created: { summary: 'Just handed over', value: (t) => ({ ...openCase(t), notifications: [] }) },
    },
  },
  refusals: ['DUPLICATE_PARTNER_CASE_ID'],
  tellsWho: true,
  touches: 'answered',
});

export const listCases = describe({
  id: 'listCases',
  method: 'get',
  path: '/cases',
  summary: 'List your cases',
  description:
    'The newest first; all filters have to hold. For the next page send `nextCursor` as `cursor`, with the same filters. ' +
    'Every case that was there when you began, and that the filters let through all the while, comes exactly once, ' +
    'whatever is handed over and changed in the meantime. A case that you hand over meanwhile is on no later page.\n\n' +
    'To learn what changed, follow `GET /events`. `updatedSince` is for catching up: a change shows a moment after the ' +
    'time that it bears, so ask from a minute before you last began. What a filter no longer lets through is not told.',
  query: () => listCasesInput,
  answer: {
    status: 200,
    description: 'A page of cases.',
    schema: z
      .object({ data: z.array(caseAnswer), nextCursor })
      .meta({ id: 'CaseList', description: 'A page of cases.' }),
    examples: {
      lastPage: {
        summary: 'The last page',
        value: (t) => ({ data: [openCase(t), bookedCase(t)], nextCursor: null }),
      },
      none: { summary: 'Nothing found', value: () => ({ data: [], nextCursor: null }) },
    },
  },
  touches: 'listed',
});

export const getCase = describe({
  id: 'getCase',
  method: 'get',
  path: '/cases/{caseId}',
  summary: 'Read a case',
  answer: {
    status: 200,
    description: 'The case.',
    schema: caseAnswer,
    examples: { ...aCase, booked: { summary: 'Booked, and in the provider’s calendar', value: bookedCase } },
  },
});

export const changeCase = describe({
  id: 'changeCase',
  method: 'patch',
  path: '/cases/{caseId}',
  summary: 'Move the deadline, or correct how the customer is reached',
  description:
    'Only what you send changes, and all of it or nothing. A new deadline reopens an expired case. A corrected address ' +
    'gets the link while the case is unbooked, a minute after the first correction, so that others within the minute ' +
    'send no more of them; the old one gets nothing more. The names can be corrected ' +
    'while the case is open, until the customer has logged in; what the registries said of the wrong one is gone then.',
  body: patchCaseInput,
  bodyExamples: {
    deadline: { summary: 'A week more', value: (t) => ({ bookingDeadline: addDays(t, 21) }) },
    address: { summary: 'Another e-mail address', value: () => ({ patientEmail: 'kari@example.com' }) },
  },
  answer: {
    status: 200,
    description: 'The case as it is now.',
    schema: caseAnswer,
    examples: {
      moved: {
        summary: 'With the new deadline',
        value: (t) => ({ ...openCase(t), bookingDeadline: addDays(t, 21) }),
      },
    },
  },
  refusals: ['ACTION_NOT_ALLOWED'],
});

export const recallCase = describe({
  id: 'recallCase',
  method: 'post',
  path: '/cases/{caseId}/recall',
  summary: 'Recall a case',
  description:
    'The customer is told, and an appointment already booked is cancelled at the provider. Recalling a recalled case ' +
    'changes nothing.',
  body: () => recallInput,
  bodyExamples: {
    reason: { summary: 'With a reason', value: () => ({ reason: 'Handed over by mistake' }) },
    bare: { summary: 'Without', value: () => ({}) },
  },
  answer: {
    status: 200,
    description: 'The case, recalled.',
    schema: caseAnswer,
    examples: {
      recalled: {
        summary: 'Recalled',
        value: (t) => ({
          ...openCase(t),
          status: 'recalled',
          allowedActions: ['archive'],
          recall: { at: `${t}T09:12:00.000Z`, reason: 'Handed over by mistake' },
        }),
      },
    },
  },
  refusals: ['ACTION_NOT_ALLOWED', 'APPOINTMENT_STARTED'],
});

export const archiveCase = describe({
  id: 'archiveCase',
  method: 'post',
  path: '/cases/{caseId}/archive',
  summary: 'Close a case for good',
  description:
    'For cases that have ended; a booked one from its appointment’s start. A case archives itself some time after its ' +
    'end. Archiving an archived case changes nothing.',
  body: () => noInput,
  answer: {
    status: 200,
    description: 'The case, archived.',
    schema: caseAnswer,
    examples: {
      archived: {
        summary: 'Archived',
        value: (t) => ({ ...openCase(t), status: 'archived', allowedActions: [] }),
      },
    },
  },
  refusals: ['ACTION_NOT_ALLOWED'],
});

export const resendLink = describe({
  id: 'resendLink',
  method: 'post',
  path: '/cases/{caseId}/notifications',
  summary: 'Send the booking link again',
  description: 'Up to 5 times per case and day; beyond, the answer is 429 `CASE_LIMIT_EXCEEDED`.',
  body: () => resendInput,
  bodyExamples: {
    everywhere: { summary: 'On every channel that the case has', value: () => ({}) },
    sms: { summary: 'By SMS only', value: () => ({ channel: 'sms' }) },
  },
  idempotent: 'around',
  answer: { status: 200, description: 'The case.', schema: caseAnswer, examples: aCase },
  refusals: ['ACTION_NOT_ALLOWED', 'CASE_LIMIT_EXCEEDED'],
});
