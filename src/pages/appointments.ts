import { dateAt } from '../calendar/dates.ts';
import { afterDay, dayInWords, hoursInWords, type Language, shortDayInWords } from '../calendar/format.ts';
import type { SlotOffer } from '../http/booking/offered-slots.ts';
import { bookingJson } from '../http/cases/case-json.ts';
import { type Content, html, type Html } from './html.ts';
import type { CaseContext, PageContext } from './layout.ts';
import { confirmPath } from './paths.ts';
import type { TimesQuery } from './times/query.ts';

/** An appointment as its owner sees it. */
export type CustomerBooking = NonNullable<ReturnType<typeof customerBookingOf>>;

/** When, with whom and where, as a list of terms. */
export function bookingFacts(
  booking: CustomerBooking | SlotOffer,
  { language, t: strings }: PageContext,
): Html {
  const t = strings.facts;
  return html`<dl class="facts">
    ${fact(t.when, [html`<strong>${dayAndHours(booking, language)}</strong>`, html`<small>${t.zone}</small>`])}
    ${fact(t.practitioner, booking.practitioner)} ${fact(t.with, booking.providerName)}
    ${fact(t.how, t.mode[booking.mode])} ${booking.mode === 'in_person' && fact(t.where, booking.location)}
  </dl>`;
}

const dayAndHours = (booking: CustomerBooking | SlotOffer, language: Language): Content => [
  dayInWords(dateAt(booking.start), language),
  afterDay(language),
  hoursOf(booking, language),
];

/** On one line, wherever the lines break. */
const hoursOf = (slot: CustomerBooking | SlotOffer, language: Language): Html =>
  html`<span class="hours">${hoursInWords(slot, language)}</span>`;

const fact = (term: string, value: Content): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`;

export interface SlotListing {
  readonly query: TimesQuery;
  /** Shows the day of each; otherwise it is seen above, and heard by those who go from link to link. */
  readonly withDay?: boolean;
}

/** Times to choose from, each a link to the page that asks for confirmation: choosing changes nothing yet. */
export const slotList = (slots: readonly SlotOffer[], listing: SlotListing, context: CaseContext): Html =>
  html`<ul class="times ${listing.withDay === true && 'near'}">
    ${slots.map((slot) => html`<li>${slotLink(slot, listing, context)}</li>`)}
  </ul>`;

function slotLink(
  slot: SlotOffer,
  { query, withDay = false }: SlotListing,
  { visit, language, t: { facts } }: CaseContext,
): Html {
  const day = shortDayInWords(dateAt(slot.start), language);
  const when = html`${withDay ? day : html`<span class="ds-sr-only">${day}</span>`} ${hoursOf(slot, language)}`;
  return html`<a class="time" href="${confirmPath(visit.caseId, slot.slotId, query)}">
    <strong>${when}</strong> <span>${slot.practitioner}, ${slot.providerName}</span>
    <span>${slot.mode === 'video' ? facts.mode.video : `${facts.mode.in_person}: ${slot.location}`}</span>
  </a>`;
}

/** The customer's appointment as the pages show it. Right after a retry the clinic's words may be missing for a moment. */
export function customerBookingOf(view: Parameters<typeof bookingJson>[0]) {
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
