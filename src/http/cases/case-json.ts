import { z } from 'zod';
import {
  bookingOf,
  CASE_STATUSES,
  type CaseState,
  CHANNELS,
  type Problem,
  problemOf,
  recallOf,
} from '../../domain/case-state.ts';
import {
  DELIVERY_FAULTS,
  DELIVERY_STATUSES,
  type DeliveryFault,
  MESSAGE_KINDS,
} from '../../domain/events.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { PARTNER_ACTIONS, partnerActions } from '../../domain/permit.ts';
import {
  VERIFICATION_OUTCOMES,
  VERIFICATION_REASONS,
  type VerificationReason,
} from '../../domain/verification.ts';
import { type CaseView, notificationsOf } from '../../postgres/cases.ts';
import type { VerificationView } from '../../postgres/verifications.ts';
import { bookingAnswer } from '../booking/schemas.ts';
import { calendarDate, dateTime, openEnum } from '../fields.ts';

/** Where and with whom is written with the hold, which a crash can come before. */
const NO_WORDS = { provider_name: null, practitioner: null, location: null, mode: null };

/** The booking as partner and customer read it. */
export function bookingJson(view: Pick<CaseView, 'state' | 'booking'>) {
  const booking = bookingOf(view.state);
  if (!booking) return null;
  const { bookingId, providerId, start, end, confirmedAt, transferredAt, providerReference } = booking;
  const { provider_name: providerName, practitioner, location, mode } = view.booking ?? NO_WORDS;
  const when = { start, end, confirmedAt, transferredAt };
  return { bookingId, providerId, providerName, practitioner, location, mode, ...when, providerReference };
}

const NEXT_ACTION = {
  UNDELIVERABLE:
    'Correct the e-mail address or phone number with PATCH; the booking link is sent there a minute later.',
  TRANSFER_REFUSED: 'Our operator settles it with the provider. You need do nothing.',
  INTERNAL: 'Our operator mends it. You need do nothing.',
} as const;

function verificationJson(view: VerificationView | undefined) {
  if (!view) return null;
  const { outcome, reasons, checked_at, valid_from, valid_to } = view;
  return { outcome, reasons, checkedAt: instant(checked_at), validFrom: valid_from, validTo: valid_to };
}

/** What there is to read of a case, whoever's it is. */
type ReadableCase = Omit<CaseView, 'partner_name' | 'treatment_name'>;

/** A case as its partner reads it. */
export function caseJson(view: ReadableCase, publicUrl: string, now: Instant) {
  const state: CaseState = view.state;
  const [problem, recall] = [problemOf(state), recallOf(state)];
  return {
    id: view.id,
    partnerCaseId: view.partner_case_id,
    patientFirstName: view.patient_first_name,
    patientLastName: view.patient_last_name,
    patientEmail: view.patient_email,
    patientPhone: view.patient_phone,
    injuryDate: view.injury_date,
    injuryDescription: view.injury_description,
    treatmentType: view.treatment_type,
    bookingDeadline: state.deadline.date,
    status: state.status,
    allowedActions: partnerActions(state, now, view.is_bound),
    bookingUrl: `${publicUrl}/b/${view.id}`,
    createdAt: view.created_at,
    updatedAt: view.updated_at,
    notifications: notificationsOf(view),
    booking: bookingJson(view),
    assistance: state.assistance,
    problem: problem && { code: problem.code, since: problem.since, nextAction: NEXT_ACTION[problem.code] },
    recall: recall && { at: recall.at, reason: view.recall_reason },
    verification: {
      policy: verificationJson(view.verifications.policy),
      referral: verificationJson(view.verifications.referral),
    },
  };
}

const meaningsOf = (codes: Readonly<Record<string, string>>): string =>
  Object.entries(codes)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join('\n');

const reasons = Object.keys(VERIFICATION_REASONS) as VerificationReason[];

export const verificationReason = openEnum(reasons).meta({
  id: 'VerificationReason',
  description: meaningsOf(VERIFICATION_REASONS),
});

export const verificationAnswer = z
  .object({
    outcome: z.enum(VERIFICATION_OUTCOMES),
    reasons: z.array(verificationReason).meta({ description: 'Why it is not verified. Empty when it is.' }),
    checkedAt: dateTime('When the registry was asked.'),
    validFrom: calendarDate('The first day, where the registry says one.').nullable(),
    validTo: calendarDate('The last day, where the registry says one.').nullable(),
  })
  .meta({ id: 'Verification', description: 'What a registry said. It informs, and never blocks a booking.' });

export const messageKind = openEnum(MESSAGE_KINDS).meta({
  id: 'MessageKind',
  description: 'What a message is for.',
});

/** Open, and a plain text in the description: Java's classes for open enumerations can not be null. */
export const deliveryFault = z
  .enum(Object.keys(DELIVERY_FAULTS) as DeliveryFault[])
  .nullable()
  .meta({
    description: `Why a message failed for good; null where it has not. There may be more.\n\n${meaningsOf(DELIVERY_FAULTS)}`,
    override: { type: ['string', 'null'], enum: undefined, anyOf: undefined },
  });

const notification = z
  .object({
    kind: messageKind,
    channel: z.enum(CHANNELS),
    status: z.enum(DELIVERY_STATUSES).meta({
      description:
        '`sent`: our server handed it over. `delivered`: the channel reports that it arrived. `failed`: for good.',
    }),
    reason: deliveryFault,
    at: dateTime('When it got this status.'),
  })
  .meta({ id: 'Notification', description: 'A message to the customer on one channel.' });

export const PROBLEMS = [
  'UNDELIVERABLE',
  'TRANSFER_REFUSED',
  'INTERNAL',
] as const satisfies readonly Problem['code'][];

const problem = z
  .object({
    code: z.enum(PROBLEMS).meta({
      description:
        '`UNDELIVERABLE`: no message reaches the customer. `TRANSFER_REFUSED`: the provider did not take the booking. ' +
        '`INTERNAL`: a fault of ours.',
    }),
    since: dateTime('Since when.'),
    nextAction: z.string().meta({ description: 'What you can do about it, in words.' }),
  })
  .meta({ id: 'Problem', description: 'Why the case is in `error`.' });

const assistance = z
  .object({
    requestedAt: dateTime('When the customer last asked.'),
    resolvedAt: dateTime('When our operator settled it; null while it is open.').nullable(),
  })
  .meta({
    id: 'Assistance',
    description: 'The customer’s request for help. What they wrote is for our operator only.',
  });

const recall = z
  .object({ at: dateTime('When you recalled it.'), reason: z.string().nullable() })
  .meta({ id: 'Recall', description: 'Set once you recalled the case.' });
export const caseStatus = z
  .enum(CASE_STATUSES)
  .meta({ id: 'CaseStatus', description: 'Where the case stands.' });

export const caseAnswer = z
  .object({
    id: z.uuid().meta({ description: 'The case’s UUID v4: also the last part of its `bookingUrl`.' }),
    partnerCaseId: z.string().meta({ description: 'Your own reference.' }),
    patientFirstName: z.string(),
    patientLastName: z.string(),
    patientEmail: z.string().nullable(),
    patientPhone: z.string().nullable().meta({ description: 'In E.164.' }),
    injuryDate: calendarDate('The day of the injury; null where it was lost (`case.restored`).').nullable(),
    injuryDescription: z.string().nullable(),
    treatmentType: z.string(),
    bookingDeadline: calendarDate('The last day on which the customer can book.'),
    status: caseStatus,
    allowedActions: z
      .array(openEnum(PARTNER_ACTIONS))
      .meta({ description: 'What you may do with the case now.' }),
    bookingUrl: z.url().meta({ description: 'The customer’s personal link, as it stands in the messages.' }),
    createdAt: dateTime('When it was handed over.'),
    updatedAt: dateTime('When it last changed.'),
    notifications: z.array(notification).meta({ description: 'Every message, the oldest first.' }),
    booking: bookingAnswer.nullable(),
    assistance: assistance.nullable(),
    problem: problem.nullable(),
    recall: recall.nullable(),
    verification: z
      .object({ policy: verificationAnswer.nullable(), referral: verificationAnswer.nullable() })
      .meta({ description: 'The newest answer of each registry; null where none was asked.' }),
  })
  .meta({ id: 'Case', description: 'One customer’s claim, and how far its booking is.' });
export type CaseAnswer = z.input<typeof caseAnswer>;
