import { dateAt } from '../calendar/dates.ts';
import { dayInWords, hoursInWords, type Language, shortDayInWords } from '../calendar/format.ts';
import type { BookingId, CaseId, ProviderId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { Mode, Slot } from '../domain/slot.ts';
import { bookingJson } from '../http/cases/case-json.ts';
import { type Content, html, type Html } from './html.ts';
import { confirmPath } from './paths.ts';
import { STRINGS } from './strings/strings.ts';
import type { TimesQuery } from './times/query.ts';

/** An appointment as its owner sees it. */
export interface CustomerBooking {
  readonly bookingId: BookingId;
  readonly providerId: ProviderId;
  readonly providerName: string;
  readonly practitioner: string;
  readonly location: string;
  readonly mode: Mode;
  readonly start: Instant;
  readonly end: Instant;
  readonly confirmedAt: Instant;
  /** When the clinic's calendar had it, or null while it is on its way. */
  readonly transferredAt: Instant | null;
  readonly providerReference: string | null;
}

/** A free time that may be chosen. */
export interface OfferedSlot extends Pick<
  Slot,
  'providerId' | 'practitioner' | 'location' | 'mode' | 'start' | 'end'
> {
  /** Opaque and signed. */
  readonly slotId: string;
  readonly providerName: string;
}

/** When, with whom and where, as a list of terms. */
export function bookingFacts(booking: CustomerBooking | OfferedSlot, language: Language): Html {
  const { facts: t } = STRINGS[language];
  return html`<dl class="facts">
    ${fact(t.when, [html`<strong>${dayAndHours(booking, language)}</strong>`, html`<small>${t.zone}</small>`])}
    ${fact(t.practitioner, booking.practitioner)} ${fact(t.with, booking.providerName)}
    ${fact(t.how, t.mode[booking.mode])} ${booking.mode === 'in_person' && fact(t.where, booking.location)}
  </dl>`;
}

const dayAndHours = (booking: CustomerBooking | OfferedSlot, language: Language): Content => [
  dayInWords(dateAt(booking.start), language),
  language === 'nb' ? ' ' : ', ',
  hoursOf(booking, language),
];

/** On one line, wherever the lines break. */
const hoursOf = (slot: CustomerBooking | OfferedSlot, language: Language): Html =>
  html`<span class="hours">${hoursInWords(slot, language)}</span>`;

const fact = (term: string, value: Content): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`;

export interface SlotListing {
  readonly caseId: CaseId;
  readonly language: Language;
  readonly query: TimesQuery;
  /** Shows the day of each; otherwise it is seen above, and heard by those who go from link to link. */
  readonly withDay?: boolean;
}

/** Times to choose from, each a link to the page that asks for confirmation: choosing changes nothing yet. */
export const slotList = (slots: readonly OfferedSlot[], listing: SlotListing): Html =>
  html`<ul class="times ${listing.withDay === true && 'near'}">
    ${slots.map((slot) => html`<li>${slotLink(slot, listing)}</li>`)}
  </ul>`;

function slotLink(slot: OfferedSlot, { caseId, language, query, withDay = false }: SlotListing): Html {
  const day = shortDayInWords(dateAt(slot.start), language);
  const when = html`${withDay ? day : html`<span class="ds-sr-only">${day}</span>`} ${hoursOf(slot, language)}`;
  return html`<a class="time" href="${confirmPath(caseId, slot.slotId, query)}">
    <strong>${when}</strong> <span>${slot.practitioner}, ${slot.providerName}</span>
    <span>${placeOf(slot, language)}</span>
  </a>`;
}

const placeOf = ({ mode, location }: OfferedSlot, language: Language): string =>
  mode === 'video'
    ? STRINGS[language].facts.mode.video
    : `${STRINGS[language].facts.mode.in_person}: ${location}`;

/** The customer's appointment as the pages show it. Right after a retry the clinic's words may be missing for a moment. */
export function customerBookingOf(view: Parameters<typeof bookingJson>[0]): CustomerBooking | null {
  const booking = bookingJson(view);
  return (
    booking && {
      ...booking,
      providerName: booking.providerName ?? booking.providerId,
      practitioner: booking.practitioner ?? '–',
      location: booking.location ?? '–',
      mode: booking.mode ?? 'in_person',
    }
  );
}
