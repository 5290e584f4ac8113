import { addDays, startOfDate } from '../calendar/dates.ts';
import type { EventData, EventType } from '../domain/events.ts';
import { type CalendarDate, instant } from '../domain/instant.ts';
import { PARTNER_ACTIONS } from '../domain/permit.ts';
import { TRANSITIONS } from '../domain/transitions.ts';
import type { CaseAnswer } from './cases/case-json.ts';

export const EXAMPLE_CASE_ID = '0b9f6d3c-4c55-4e0f-9d4f-3a1c1f7e2b60';
const EXAMPLE_REFERENCE = 'TF-2026-000123';
const HOUR_MS = 60 * 60 * 1000;

const at = (date: CalendarDate, hours: number) => instant(Date.parse(startOfDate(date)) + hours * HOUR_MS);

/** What a partner sends for a case: the specification's nine fields. */
export const newCaseOf = (today: CalendarDate) => ({
  partnerCaseId: EXAMPLE_REFERENCE,
  patientFirstName: 'Kari',
  patientLastName: 'Nordmann',
  patientEmail: 'kari.nordmann@example.com',
  patientPhone: '+4790000000',
  injuryDate: addDays(today, -30),
  injuryDescription: 'Fall on ice',
  treatmentType: 'psychology',
  bookingDeadline: addDays(today, 14),
});

export const openCase = (today: CalendarDate): CaseAnswer => ({
  id: EXAMPLE_CASE_ID,
  ...newCaseOf(today),
  status: 'pending_patient_action',
  allowedActions: PARTNER_ACTIONS.filter((action) => action in TRANSITIONS.pending_patient_action),
  bookingUrl: `https://booking.example.com/b/${EXAMPLE_CASE_ID}`,
  createdAt: at(today, 9),
  updatedAt: at(today, 9.01),
  notifications: [
    { kind: 'invitation', channel: 'email', status: 'sent', reason: null, at: at(today, 9.01) },
    { kind: 'invitation', channel: 'sms', status: 'sent', reason: null, at: at(today, 9.01) },
  ],
  booking: null,
  assistance: null,
  problem: null,
  recall: null,
  verification: { policy: null, referral: null },
});

export const bookingOf = (today: CalendarDate): NonNullable<CaseAnswer['booking']> => ({
  bookingId: '7d2a4f0e-7a5b-4a7d-8a55-5b8f3f0f1c11',
  providerId: 'fjordklinikken',
  providerName: 'Fjordklinikken',
  practitioner: 'Ingrid Vik',
  location: 'Strandgata 1, 5003 Bergen',
  mode: 'in_person',
  start: at(addDays(today, 5), 10),
  end: at(addDays(today, 5), 10.75),
  confirmedAt: at(today, 11),
  transferredAt: at(today, 11.01),
  providerReference: 'Appointment/48213',
});

export const bookedCase = (today: CalendarDate): CaseAnswer => ({
  ...openCase(today),
  status: 'booked',
  allowedActions: ['recall', 'changeContact'],
  updatedAt: at(today, 11.01),
  booking: bookingOf(today),
});

const eventsOf = (today: CalendarDate) => {
  const event = <T extends EventType>(type: T, n: number, when: string, data: EventData<T>) => ({
    id: `3f6b0a52-91c4-4d5e-8f60-2c1d5e7a9b0${n}`,
    type,
    caseId: EXAMPLE_CASE_ID,
    partnerCaseId: EXAMPLE_REFERENCE,
    at: when,
    actor: type === 'case.created' ? ('partner' as const) : ('service' as const),
    apiKeyId: type === 'case.created' ? 'a0c9a3b1-5f0e-4f83-9f1d-6f3c1b7d2e44' : null,
    status: openCase(today).status,
    bookingId: null,
    data,
  });
  const { treatmentType, bookingDeadline } = newCaseOf(today);
  const invitation = { kind: 'invitation', reason: null } as const;
  return [
    event('case.created', 1, at(today, 9), { treatmentType, bookingDeadline }),
    event('notification.sent', 2, at(today, 9.01), { ...invitation, channel: 'email' }),
    event('notification.sent', 3, at(today, 9.01), { ...invitation, channel: 'sms' }),
  ];
};

export const timelinePage = (today: CalendarDate) => ({ data: eventsOf(today), nextCursor: null });

export const feedPage = (today: CalendarDate) => ({
  data: eventsOf(today),
  nextCursor: 'WyJldmVudHMiLFsiZmpvcmR0cnlnZCIsM11d',
  hasMore: false,
});

/** A free time as it is offered to the customer. */
export const offeredSlot = (today: CalendarDate) => {
  const { providerId, providerName, practitioner, location, mode, start, end } = bookingOf(today);
  return {
    slotId: 'WyJmam9yZGtsaW5pa2tlbiIsIjQ4MjEzIl0.kq3Zr0mJx1cV8yQ2uT5w7A',
    ...{ providerId, providerName, practitioner, location, town: 'Bergen', mode, start, end },
  };
};
