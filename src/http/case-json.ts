import { bookingOf, type CaseState } from '../domain/case-state.ts';
import { instant, type Instant } from '../domain/instant.ts';
import { partnerActions } from '../domain/permit.ts';
import type { CaseView } from '../postgres/read-cases.ts';
import type { VerificationView } from '../postgres/verifications.ts';

/** The booking as partner and customer read it (contract §1). */
export function bookingJson(view: Pick<CaseView, 'state' | 'booking'>) {
  const booking = bookingOf(view.state);
  if (!booking) return null;
  const { bookingId, providerId, start, end, confirmedAt, transferredAt, providerReference } = booking;
  return {
    bookingId,
    providerId,
    providerName: view.booking?.provider_name ?? null,
    practitioner: view.booking?.practitioner ?? null,
    location: view.booking?.location ?? null,
    mode: view.booking?.mode ?? null,
    start,
    end,
    confirmedAt,
    transferredAt,
    providerReference,
  };
}

const NEXT_ACTION = {
  UNDELIVERABLE:
    'Correct the e-mail address or phone number with PATCH; the booking link is then sent at once.',
  TRANSFER_REFUSED: 'Our operator settles it with the provider. You need do nothing.',
  INTERNAL: 'Our operator mends it. You need do nothing.',
} as const;

function verificationJson(view: VerificationView | undefined) {
  if (!view) return null;
  const { outcome, reasons, checked_at, valid_from, valid_to } = view;
  return { outcome, reasons, checkedAt: instant(checked_at), validFrom: valid_from, validTo: valid_to };
}

/** What there is to read of a case, whoever's it is. */
type ReadableCase = Omit<CaseView, 'partner_name'>;

/** A case as its partner reads it (contract §1). */
export function caseJson(view: ReadableCase, publicUrl: string, now: Instant) {
  const state: CaseState = view.state;
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
    allowedActions: partnerActions(state, now),
    bookingUrl: `${publicUrl}/b/${view.id}`,
    createdAt: view.created_at,
    updatedAt: view.updated_at,
    notifications: view.notifications.map((message) => ({ ...message, at: instant(message.at) })),
    booking: bookingJson(view),
    assistance: state.assistance,
    problem: state.problem && {
      code: state.problem.code,
      since: state.problem.since,
      nextAction: NEXT_ACTION[state.problem.code],
    },
    recall: state.recall && { at: state.recall.at, reason: view.recall_reason },
    verification: {
      policy: verificationJson(view.verifications.policy),
      referral: verificationJson(view.verifications.referral),
    },
  };
}
