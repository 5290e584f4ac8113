import { z } from 'zod';
import { addDays } from '../../calendar/dates.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import { bookingOf, EXAMPLE_CASE_ID, offeredSlot, openCase } from '../examples.ts';
import { noInput } from '../fields.ts';
import { operationsFor } from '../operation.ts';
import {
  assistanceInput,
  availabilityAnswer,
  availabilityInput,
  bookingAnswer,
  confirmInput,
  customersView,
  strangersView,
} from './schemas.ts';

const forAnybody = operationsFor('Booking', 'anybody');
const forCustomers = operationsFor('Booking', 'customer');

const strangersExample = (today: CalendarDate) => ({
  caseId: EXAMPLE_CASE_ID,
  open: true,
  bookingDeadline: addDays(today, 14),
  partnerName: 'Fjordtrygd Forsikring',
  authenticated: false,
});
const customersExample = (today: CalendarDate) => ({
  ...strangersExample(today),
  authenticated: true,
  status: 'pending_patient_action',
  treatmentType: openCase(today).treatmentType,
  patientFirstName: 'Kari',
  booking: null,
  allowedActions: ['confirm', 'requestAssistance'],
});

export const readBooking = forAnybody({
  id: 'readBooking',
  method: 'get',
  path: '/booking/{caseId}',
  summary: 'What there is to book',
  description: 'More with the customer’s session than without: a stranger learns nothing about the customer.',
  answer: {
    status: 200,
    description: 'The case, as far as the caller may know it.',
    schema: z.union([strangersView, customersView]),
    examples: {
      anybody: { summary: 'Before the login', value: strangersExample },
      customer: { summary: 'After the login', value: customersExample },
    },
  },
});

export const beginLogin = forAnybody({
  id: 'beginLogin',
  method: 'post',
  path: '/booking/{caseId}/login',
  countLogin: 'case',
  sameOrigin: 'unless unsaid',
  summary: 'Begin the eID login',
  description:
    'Answers where to send the browser, and sets the cookie by which the login is known when it comes back to ' +
    '`/eid/callback`. That sets the session’s cookie: good for 15 minutes since it was last used, and for two hours at most.',
  body: () => noInput,
  answer: {
    status: 200,
    description: 'Where the customer authenticates.',
    schema: z
      .object({ authorizationUrl: z.url() })
      .meta({ id: 'LoginBegun', description: 'Where the customer authenticates.' }),
    examples: {
      begun: {
        summary: 'Go there',
        value: () => ({ authorizationUrl: 'https://eid.example.com/authorize?client_id=treatment-booking' }),
      },
    },
  },
});

export const endLogin = forAnybody({
  id: 'endLogin',
  method: 'post',
  path: '/booking/{caseId}/logout',
  sameOrigin: 'unless unsaid',
  summary: 'End the session',
  description: 'Wherever its cookie is: no copy of it is good any more.',
  body: () => noInput,
  answer: {
    status: 200,
    description: 'There is no session any more.',
    schema: z
      .object({ caseId: z.uuid(), authenticated: z.literal(false) })
      .meta({ id: 'LoggedOut', description: 'There is no session any more.' }),
    examples: {
      out: { summary: 'Logged out', value: () => ({ caseId: EXAMPLE_CASE_ID, authenticated: false }) },
    },
  },
});

export const listAvailability = forCustomers({
  id: 'listAvailability',
  method: 'get',
  path: '/booking/{caseId}/availability',
  summary: 'The live free times',
  description:
    'Asked of every provider now. One that does not answer is `unavailable`, and the others’ times are there all the ' +
    'same.',
  query: ({ today }) => availabilityInput(today),
  answer: {
    status: 200,
    description: 'Free times, by time.',
    schema: availabilityAnswer,
    examples: {
      some: {
        summary: 'A free time',
        value: (t) => ({
          slots: [offeredSlot(t)],
          providers: [
            { id: 'fjordklinikken', name: 'Fjordklinikken', state: 'live', asOf: openCase(t).createdAt },
          ],
        }),
      },
    },
  },
});

export const confirmBooking = forCustomers({
  id: 'confirmBooking',
  method: 'post',
  path: '/booking/{caseId}/confirm',
  sameOrigin: 'required',
  summary: 'Confirm a time',
  description:
    'Or another one instead of what is booked: the new is secured before the old is let go. The time one has already ' +
    'is confirmed again. Where somebody else was faster, `details.alternatives` has up to three others.',
  body: () => confirmInput,
  bodyExamples: {
    offered: { summary: 'A slotId of the availability', value: (t) => ({ slotId: offeredSlot(t).slotId }) },
  },
  answer: {
    status: 200,
    description: 'What is booked.',
    schema: bookingAnswer,
    examples: {
      confirmed: {
        summary: 'Confirmed; its transfer to the provider follows by itself',
        value: (t) => ({ ...bookingOf(t), transferredAt: null, providerReference: null }),
      },
    },
  },
  refusals: [
    'ACTION_NOT_ALLOWED',
    'APPOINTMENT_STARTED',
    'SLOT_UNKNOWN',
    'SLOT_TAKEN',
    'PROVIDER_UNAVAILABLE',
  ],
});

export const cancelBooking = forCustomers({
  id: 'cancelBooking',
  method: 'post',
  path: '/booking/{caseId}/cancel',
  sameOrigin: 'required',
  summary: 'Cancel what is booked',
  body: () => noInput,
  answer: {
    status: 200,
    description: 'The case, open again until its deadline.',
    schema: customersView,
    examples: { cancelled: { summary: 'Cancelled', value: customersExample } },
  },
  refusals: ['ACTION_NOT_ALLOWED', 'APPOINTMENT_STARTED'],
});

export const requestAssistance = forAnybody({
  id: 'requestAssistance',
  method: 'post',
  path: '/booking/{caseId}/assistance',
  sameOrigin: 'unless unsaid',
  summary: 'Ask for help',
  description:
    'Needs no login: a customer who can not log in needs help most. Up to 3 times per case and day.',
  body: () => assistanceInput,
  bodyExamples: {
    message: {
      summary: 'With a message',
      value: () => ({
        message: 'I have no eID. Please call me.',
        preferredContact: 'phone',
        phone: '+4790000000',
        bestTime: 'morning',
        interpreter: 'Polish',
      }),
    },
    helper: {
      summary: 'For a child',
      value: () => ({
        preferredContact: 'phone',
        phone: '+4790000000',
        helper: { name: 'Ola Nordmann', relation: 'parent' },
      }),
    },
    bare: { summary: 'Without', value: () => ({}) },
  },
  answer: {
    status: 200,
    description: 'The request is kept, and our operator is told.',
    schema: z
      .object({ caseId: z.uuid(), received: z.literal(true) })
      .meta({ id: 'AssistanceReceived', description: 'The request for help is kept.' }),
    examples: {
      received: { summary: 'Received', value: () => ({ caseId: EXAMPLE_CASE_ID, received: true }) },
    },
  },
  refusals: ['ACTION_NOT_ALLOWED', 'CASE_LIMIT_EXCEEDED'],
});
