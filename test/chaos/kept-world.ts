import { createHash } from 'node:crypto';
import { deadlineOn } from '../../src/calendar/dates.ts';
import { type Booking, bookingIdOf, type CaseState, commonOf } from '../../src/domain/case-state.ts';
import { openCase } from '../../src/domain/decide.ts';
import type { BookingId, ProviderId } from '../../src/domain/ids.ts';
import { type CalendarDate, instant } from '../../src/domain/instant.ts';
import { type Account, type Attempt, hourOf, marksOf } from './actors/account.ts';
import type { Outside, SeenEvent, SeenMessage } from './outside.ts';

const BEGAN = Date.parse('2026-11-21T09:00:00.000Z');
export const START = '2026-12-01T08:00:00.000Z';
const END = '2026-12-01T08:45:00.000Z';
export const HOUR = hourOf({ providerId: 'clinic', practitioner: 'Ingeborg Fjellrev', start: START });

/** Case 1 is booked, case 2 was recalled when it was booked, case 3 waits. */
export const [BOOKED, RECALLED, WAITING] = [1, 2, 3].map(
  (number) => `00000000-0000-4000-8000-00000000000${number}`,
) as [string, string, string];
const BOOKINGS = ['booking-1', 'booking-2'];

const OPEN: CaseState = openCase(
  {
    deadline: deadlineOn('2026-12-31' as CalendarDate),
    archiveAfterDays: 30,
    hasAddress: { email: true, sms: true },
  },
  instant(BEGAN),
).state;

const booking: Booking = {
  providerId: 'clinic' as ProviderId,
  slot: 'slot-1',
  practitionerId: 'Practitioner/fjellrev',
  start: instant(START),
  end: instant(END),
  bookingId: BOOKINGS[0] as BookingId,
  confirmedAt: instant(BEGAN + 1_000),
  transferredAt: instant(BEGAN + 2_000),
  providerReference: 'appointment-1',
  reminder: null,
  abandonedBy: null,
  unverified: false,
  formerly: [],
  overlaps: false,
  doubleBooked: false,
};

const STATES: readonly CaseState[] = [
  {
    ...commonOf(OPEN),
    status: 'booked',
    assistance: null,
    bookingId: booking.bookingId,
    bookings: [booking],
    waitlist: null,
  },
  {
    ...commonOf(OPEN),
    status: 'recalled',
    assistance: null,
    recall: { at: instant(BEGAN + 4_000), textId: null },
    endedAt: instant(BEGAN + 4_000),
  },
  OPEN,
];

/** Answered a tenth of a second later. */
export const attempt = (deed: Attempt['deed'], after: number, changes: Partial<Attempt> = {}): Attempt => ({
  deed,
  hour: deed === 'confirm' ? HOUR : null,
  sentAt: BEGAN + after,
  answeredAt: BEGAN + after + 100,
  outcome: 'granted',
  code: null,
  status: deed === 'recall' ? 'recalled' : null,
  ...changes,
});

const account = (number: number, id: string, attempts: Attempt[]): Account => ({
  planned: { number, partner: 0, treatmentType: 'psychology', channels: 'both' },
  story: 'of the test',
  partnerCaseId: `chaos-${number}`,
  marks: marksOf(number, false),
  created: [id],
  attempts: [attempt('create', 0), ...attempts],
});

const message = (caseId: string, kind: string, channel: 'email' | 'sms', sequence: number): SeenMessage => ({
  dedupId: `${caseId}:${kind}:${channel}:${sequence}`,
  kind,
  channel,
  bookingId: kind === 'receipt' ? booking.bookingId : null,
  outcome: 'sent',
  attempts: 1,
});

const MESSAGES = [
  [BOOKED, ['invitation', 'receipt']],
  [RECALLED, ['invitation', 'recalled']],
  [WAITING, ['invitation']],
] as const;

const EVENTS = [
  [BOOKED, 'case.created', 50],
  [RECALLED, 'case.created', 50],
  [WAITING, 'case.created', 50],
  [BOOKED, 'booking.confirmed', 1_050],
  [RECALLED, 'booking.confirmed', 1_050],
  [BOOKED, 'booking.transferred', 2_000],
  [RECALLED, 'booking.cancelled', 4_050],
  [RECALLED, 'case.recalled', 4_050],
] as const;

/** All as it should be: what each test breaks in one place. */
export function keptWorld(): Outside {
  const ids = [BOOKED, RECALLED, WAITING];
  const ordered = MESSAGES.map(([id, kinds]) =>
    kinds.flatMap((kind, i) => [message(id, kind, 'email', i + 1), message(id, kind, 'sms', i + 1)]),
  );
  const all = ordered.flat();
  const addressOf = (dedupId: string) => marksOf(ids.findIndex((id) => dedupId.startsWith(id)) + 1, false);
  const wordsOf = (dedupId: string) => `words of ${dedupId}`;
  return {
    accounts: [
      account(1, BOOKED, [attempt('confirm', 1_000)]),
      account(2, RECALLED, [attempt('confirm', 1_000), attempt('recall', 4_000)]),
      account(3, WAITING, []),
    ],
    answers: [{ call: 'POST /cases', status: 201, code: null, body: '' }],
    rows: STATES.map((state, i) => ({
      id: ids[i] ?? '',
      partnerCaseId: `chaos-${i + 1}`,
      status: state.status,
      bookingDeadline: state.deadline.date,
      bookingId: bookingIdOf(state),
      state,
    })),
    events: EVENTS.map(([caseId, type, after], i): SeenEvent => ({
      partnerId: 'fjordtrygd',
      number: i + 1,
      caseId,
      type,
      at: BEGAN + after,
      actor: type === 'booking.transferred' ? 'service' : 'customer',
      status: type === 'case.recalled' ? 'recalled' : 'pending_patient_action',
      data: type === 'booking.confirmed' ? { providerId: 'clinic', start: START } : {},
    })),
    feeds: [{ partnerId: 'fjordtrygd', lastEvent: EVENTS.length }],
    claims: [{ bookingId: booking.bookingId, caseId: BOOKED, isForGood: true }],
    bodies: all.map(({ dedupId }) => ({ dedupId, body: wordsOf(dedupId) })),
    shown: STATES.map((state, i) => ({
      caseId: ids[i] ?? '',
      status: state.status,
      bookingId: bookingIdOf(state),
    })),
    workflows: STATES.map((state, i) => ({
      workflowId: `case-${ids[i]}`,
      lives: 1,
      state,
      messages: ordered[i] ?? [],
      fault: null,
    })),
    appointments: [true, false].map((isLive, i) => ({
      clinic: 'clinic',
      id: `appointment-${i + 1}`,
      caseId: ids[i] ?? '',
      bookingId: BOOKINGS[i] ?? '',
      slots: ['slot-1'],
      practitioner: 'Ingeborg Fjellrev',
      start: Date.parse(START),
      end: Date.parse(END),
      isLive,
    })),
    slots: [
      { clinic: 'clinic', id: 'slot-1', isFree: false, heldFor: null, mark: BOOKINGS[0] ?? null },
      { clinic: 'clinic', id: 'slot-2', isFree: true, heldFor: null, mark: null },
    ],
    mails: all
      .filter(({ channel }) => channel === 'email')
      .map(({ dedupId }) => ({ to: addressOf(dedupId).email, messageId: messageIdOf(dedupId) })),
    texts: all
      .filter(({ channel }) => channel === 'sms')
      .map(({ dedupId }) => ({ to: addressOf(dedupId).phone, body: wordsOf(dedupId) })),
    writings: [{ where: `the history of case-${BOOKED}`, text: `{"caseId":"${BOOKED}"}` }],
    lost: null,
    restless: [],
  };
}

const messageIdOf = (dedupId: string): string =>
  `<${createHash('sha256').update(dedupId).digest('hex').slice(0, 32)}@booking.example>`;
