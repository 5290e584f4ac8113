import { attentionOf, STATE_KINDS } from '../../domain/attention.ts';
import { type Booking, bookingIdOf, problemOf, recallOf } from '../../domain/case-state.ts';
import { instant } from '../../domain/instant.ts';
import { listAttention } from '../../postgres/attention.ts';
import { readTexts } from '../../postgres/case-texts.ts';
import { type CaseView, listBookings, notificationsOf } from '../../postgres/cases.ts';
import {
  type BoundPerson,
  listUnboundPersons,
  readBoundPerson,
  readBoundSince,
} from '../../postgres/customers.ts';
import { caseEvents, type EventRow } from '../../postgres/events.ts';
import { readLog } from '../../postgres/operators.ts';
import type { VerificationView } from '../../postgres/verifications.ts';
import type { Operation } from '../operation.ts';
import { type CurrentState, describeState, possibleCommands } from './current-case.ts';

/** All there is to know of a case that tells nothing of a person: what `case show` shows to everybody. */
export async function plainView(
  { database, now, settings, webUi }: Operation,
  view: CaseView,
  { state, source, according }: CurrentState,
) {
  const [attention, booked, boundAt, unbound, texts, timeline, log] = await Promise.all([
    listAttention(database, { caseId: view.id, limit: MAX_ATTENTION }),
    listBookings(database, view.id),
    readBoundSince(database, view.id),
    listUnboundPersons(database, view.id),
    readTexts(database, view.id),
    readTimeline((after) => caseEvents(database, { caseId: view.id, after, limit: PAGE })),
    readLog(database, { caseId: view.id, limit: MAX_WORK }),
  ]);
  const { email, sms } = state.contactability.channels;
  const [problem, recall] = [problemOf(state), recallOf(state)];
  const requests = texts.filter(({ kind }) => kind === 'assistance_request');
  return {
    id: view.id,
    partnerId: view.partner_id,
    partnerName: view.partner_name,
    partnerCaseId: view.partner_case_id,
    treatmentType: view.treatment_type,
    status: state.status,
    ...{ source, according },
    now: describeState(state),
    possible: possibleCommands(state, instant(now())),
    attention: attentionOf(
      state,
      attention.map(({ kind }) => kind).filter((kind) => !(STATE_KINDS as readonly string[]).includes(kind)),
    ),
    attentions: attention.map(({ kind, since, answer, why, whatToDo }) => ({
      ...{ kind, since, answer, why, whatToDo },
    })),
    takenBy: attention[0]?.takenBy ?? null,
    takenAt: attention[0]?.takenAt ?? null,
    // who saw personal data, and why, is for auditors
    work: log
      .filter(({ action }) => action !== 'case.reveal')
      .map(({ at, operator, action, note, outcome }) => ({ at, operator, action, note, outcome })),
    bookingDeadline: state.deadline.date,
    deadlinePassesAt: state.deadline.passesAt,
    createdAt: view.created_at,
    updatedAt: view.updated_at,
    revision: view.revision,
    bookingUrl: `${settings.publicUrl}/b/${view.id}`,
    workflowUrl: webUi?.caseLink(view.id) ?? null,
    reach: { email: email.hasAddress, sms: sms.hasAddress },
    boundAt,
    unbound: unbound.map(
      ({ id, boundAt: since, unboundAt, unboundBy, reason, readmittedAt, readmittedBy }) => ({
        ...{ id, boundAt: since, unboundAt, unboundBy, reason },
        ...{ readmittedAt, readmittedBy },
      }),
    ),
    problem: problem && { code: problem.code, since: problem.since },
    recall: recall && { at: recall.at, hasReason: view.recall_reason !== null },
    assistance: state.assistance,
    verification: {
      policy: verificationOf(view.verifications.policy),
      referral: verificationOf(view.verifications.referral),
    },
    bookings: state.bookings.map((booking) => {
      const { bookingId, providerId, slot, start, end } = booking;
      const { confirmedAt, transferredAt, providerReference, abandonedBy } = booking;
      const facts = booked.find(({ id }) => id === bookingId);
      return {
        ...{ bookingId, providerId, slot, start, end },
        ...{ confirmedAt, transferredAt, providerReference, abandonedBy },
        isCurrent: bookingId === bookingIdOf(state),
        providerName: facts?.provider_name ?? null,
        location: facts?.location ?? null,
        mode: facts?.mode ?? null,
        standing: transferStatusOf(booking),
      };
    }),
    messages: notificationsOf(view),
    requests: requests.map(({ created_at, preferred_contact, body }) => ({
      at: created_at,
      preferredContact: preferred_contact,
      hasMessage: body !== null,
    })),
    timeline: timeline.map(({ type, at, actor, api_key_id, data }) => ({
      ...{ type, at, actor, data },
      apiKeyId: api_key_id,
    })),
  };
}
export type PlainView = Awaited<ReturnType<typeof plainView>>;

/** What a registry said: a fact without a number or a name. */
const verificationOf = (result: VerificationView | undefined) =>
  result
    ? {
        ...{ outcome: result.outcome, reasons: result.reasons },
        checkedAt: instant(result.checked_at),
        ...{ validFrom: result.valid_from, validTo: result.valid_to },
      }
    : null;

/** How far a booking is at its provider. */
function transferStatusOf(booking: Booking): string {
  const { unverified, abandonedBy, transferredAt, overlaps, doubleBooked } = booking;
  if (unverified) return 'cancelled, slot still busy at the clinic';
  if (abandonedBy) return `being cancelled (${abandonedBy})`;
  if (overlaps) return "in the clinic's calendar, overlapping another booking of ours";
  if (doubleBooked) return "in the clinic's calendar, with another of its own at that time";
  return transferredAt ? "in the clinic's calendar" : "on its way into the clinic's calendar";
}

const PAGE = 200;
/** More than a case has at a time. */
const MAX_ATTENTION = 50;
/** Of what operators did to a case: the log has all of it. */
const MAX_WORK = 50;

async function readTimeline(
  read: (after: number) => Promise<readonly EventRow[]>,
): Promise<readonly EventRow[]> {
  const all: EventRow[] = [];
  for (let page = await read(0); ; page = await read(all.at(-1)?.number ?? 0)) {
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

/** What is known of the people in a case. Only for somebody whose reason is in the log. */
export async function personalView({ database }: Operation, view: CaseView) {
  const [person, unbound, texts, booked] = await Promise.all([
    readBoundPerson(database, view.id),
    listUnboundPersons(database, view.id),
    readTexts(database, view.id),
    listBookings(database, view.id),
  ]);
  return {
    firstName: view.patient_first_name,
    lastName: view.patient_last_name,
    email: view.patient_email,
    phone: view.patient_phone,
    injuryDate: view.injury_date,
    injuryDescription: view.injury_description,
    recallReason: view.recall_reason,
    boundPerson: person && personOf(person),
    unboundPersons: unbound.map((one) => ({ id: one.id, ...personOf(one) })),
    practitioners: booked.map(({ id, practitioner }) => ({ bookingId: id, practitioner })),
    requests: texts
      .filter(({ kind }) => kind === 'assistance_request')
      .map((asked) => ({
        at: asked.created_at,
        preferredContact: asked.preferred_contact,
        message: asked.body,
        phone: asked.phone,
        bestTime: asked.best_time,
        interpreter: asked.interpreter,
        helper: asked.helper_name && { name: asked.helper_name, relation: asked.helper_relation },
      })),
  };
}

const personOf = ({ givenName, familyName, birthDate }: Omit<BoundPerson, 'personId'>) => ({
  givenName,
  familyName,
  birthDate,
});
export type PersonalView = Awaited<ReturnType<typeof personalView>>;
