import type { Booking } from '../../domain/case-state.ts';
import { instant } from '../../domain/instant.ts';
import { caseEvents, type EventRow } from '../../postgres/events.ts';
import { bookedOf, boundSince } from '../../postgres/operator-cases.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import type { VerificationView } from '../../postgres/verifications.ts';
import { readTexts } from '../../postgres/texts.ts';
import { attentionOf } from '../../domain/views.ts';
import type { Operation } from '../operation.ts';
import { inWords } from './outcome.ts';
import { possibleNow } from './possible.ts';
import type { StateNow } from './state-now.ts';

/** All there is to know of a case that tells nothing of a person: what `case show` shows to everybody. */
export async function plainView(
  { database, now, settings }: Operation,
  view: CaseView,
  { state, source, according }: StateNow,
) {
  const [booked, boundAt, texts, timeline] = await Promise.all([
    bookedOf(database, view.id),
    boundSince(database, view.id),
    readTexts(database, view.id),
    wholeTimeline((after) => caseEvents(database, { caseId: view.id, after, limit: PAGE })),
  ]);
  const requests = texts.filter(({ kind }) => kind === 'assistance_request');
  return {
    id: view.id,
    partnerId: view.partner_id,
    partnerName: view.partner_name,
    partnerCaseId: view.partner_case_id,
    treatmentType: view.treatment_type,
    status: state.status,
    source,
    according,
    now: inWords(state),
    possible: possibleNow(state, instant(now())),
    attention: attentionOf(state),
    bookingDeadline: state.deadline.date,
    deadlinePassesAt: state.deadline.passesAt,
    createdAt: view.created_at,
    updatedAt: view.updated_at,
    bookingUrl: `${settings.publicUrl}/b/${view.id}`,
    reach: { email: state.reach.email, sms: state.reach.sms },
    boundAt,
    problem: state.problem && { code: state.problem.code, since: state.problem.since },
    recall: state.recall && { at: state.recall.at, hasReason: view.recall_reason !== null },
    assistance: state.assistance,
    verification: {
      policy: verificationOf(view.verifications.policy),
      referral: verificationOf(view.verifications.referral),
    },
    bookings: state.bookings.map((booking) => {
      const facts = booked.find(({ id }) => id === booking.bookingId);
      return {
        bookingId: booking.bookingId,
        isCurrent: booking.bookingId === state.bookingId,
        providerId: booking.providerId,
        providerName: facts?.provider_name ?? null,
        slot: booking.slot,
        start: booking.start,
        end: booking.end,
        location: facts?.location ?? null,
        mode: facts?.mode ?? null,
        confirmedAt: booking.confirmedAt,
        transferredAt: booking.transferredAt,
        providerReference: booking.providerReference,
        abandonedBy: booking.abandonedBy,
        standing: standingOf(booking),
      };
    }),
    messages: view.notifications.map((message) => ({ ...message, at: instant(message.at) })),
    requests: requests.map(({ created_at, preferred_contact, body }) => ({
      at: created_at,
      preferredContact: preferred_contact,
      hasMessage: body !== null,
    })),
    timeline: timeline.map(({ type, at, actor, data }) => ({ type, at, actor, data })),
  };
}
export type PlainView = Awaited<ReturnType<typeof plainView>>;

/** What a registry said: a fact without a number or a name. */
const verificationOf = (said: VerificationView | undefined) =>
  said
    ? {
        outcome: said.outcome,
        reasons: said.reasons,
        checkedAt: instant(said.checked_at),
        validFrom: said.valid_from,
        validTo: said.valid_to,
      }
    : null;

/** How far a booking is at its provider. */
function standingOf({ unverified, abandonedBy, transferredAt, overlaps }: Booking): string {
  if (unverified) return 'cancelled, but the slot does not read as free';
  if (abandonedBy) return `being cancelled (${abandonedBy})`;
  if (overlaps) return "in the clinic's calendar, in an hour that another booking of ours has";
  return transferredAt ? "in the clinic's calendar" : "on its way into the clinic's calendar";
}

const PAGE = 200;

async function wholeTimeline(
  read: (after: number) => Promise<readonly EventRow[]>,
): Promise<readonly EventRow[]> {
  const all: EventRow[] = [];
  for (let page = await read(0); ; page = await read(all.at(-1)?.number ?? 0)) {
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}
