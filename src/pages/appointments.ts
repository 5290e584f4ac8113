import { dateAt } from '../calendar/dates.ts';
import { afterDay, dayInWords, hoursInWords, type Language, shortDayInWords } from '../calendar/format.ts';
import type { SlotOffer } from '../http/booking/offered-slots.ts';
import { type Mode, NO_DETAILS, type SlotDetails } from '../domain/slot.ts';
import { bookingJson } from '../http/cases/case-json.ts';
import { type Content, html, type Html } from './html.ts';
import type { CaseContext } from './layout.ts';
import { confirmPath } from './paths.ts';
import type { TimesQuery } from './times/query.ts';

/** An appointment as its owner sees it. */
export type CustomerBooking = NonNullable<ReturnType<typeof customerBookingOf>>;

/** What it is, when and where, how to attend, with whom and who pays, as a list of terms. */
export function bookingFacts(booking: CustomerBooking | SlotOffer, context: CaseContext): Html {
  const { language, visit } = context;
  const { facts: t } = context.t;
  const { details } = booking;
  return html`<dl class="facts">
    ${fact(t.when, [html`<strong>${dayAndHours(booking, language)}</strong>`, html`<small>${t.zone}</small>`])}
    ${fact(t.what, visit.treatment)} ${fact(t.where, place(booking, context))}
    ${fact(t.know, details.instructions !== null && html`<span class="lines">${details.instructions}</span>`)}
    ${fact(t.practitioner, practitioner(booking, context))}
    ${fact(t.with, [booking.providerName, phoneLink(details.phone)])}
    ${fact(t.payment, t.paidBy({ partner: visit.partnerName }))}
  </dl>`;
}

/** The town first: whoever has to travel looks for that. */
function place(
  { mode, location, details }: CustomerBooking | SlotOffer,
  { t: { facts: t } }: CaseContext,
): Content {
  if (mode === 'video') return html`<strong>${t.mode.video}</strong>`;
  const { town, position } = details;
  return [
    town !== null && html`<strong>${town}</strong>`,
    html`<span class="line">${location}</span>`,
    position &&
      html`<a class="ds-link line" href="${mapAt(position)}" rel="noreferrer" target="_blank">${t.map}</a>`,
  ];
}

/** A map of everybody's, which learns the place and nothing of who looks for it. */
const mapAt = ({ latitude, longitude }: NonNullable<SlotDetails['position']>): string =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;

function practitioner(
  booking: CustomerBooking | SlotOffer,
  { language, t: { facts: t } }: CaseContext,
): Content {
  const { profession, languages } = booking.details;
  const spoken = languages.map((code) => languageInWords(code, language));
  return [
    booking.practitioner,
    profession !== null && html`<span class="line">${profession}</span>`,
    spoken.length > 0 &&
      html`<span class="line"
        >${t.speaks({ languages: new Intl.ListFormat(language).format(spoken) })}</span
      >`,
  ];
}

/** What its speakers' neighbours call a language: `polsk`, `Polish`. */
export const languageInWords = (code: string, language: Language): string =>
  new Intl.DisplayNames([language, 'nb'], { type: 'language' }).of(code) ?? code;

const phoneLink = (phone: string | null): Content =>
  phone !== null && html` <a class="ds-link line" href="tel:${phone.replaceAll(/[^\d+]/g, '')}">${phone}</a>`;

/** On one line: the appointment that another one is to replace. */
export const whenAndWhere = (booking: CustomerBooking, language: Language) => ({
  when: `${shortDayInWords(dateAt(booking.start), language)}${afterDay(language)}${hoursInWords(booking, language)}`,
  clinic: booking.providerName,
});

const dayAndHours = (booking: CustomerBooking | SlotOffer, language: Language): Content => [
  dayInWords(dateAt(booking.start), language),
  afterDay(language),
  hoursOf(booking, language),
];

/** On one line, wherever the lines break. */
const hoursOf = (slot: CustomerBooking | SlotOffer, language: Language): Html =>
  html`<span class="hours">${hoursInWords(slot, language)}</span>`;

/** Of a list of terms. */
export const fact = (term: string, value: Content): Content =>
  value !== null &&
  value !== false &&
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
    <span>${slotPlace(slot, facts.mode)}</span>
  </a>`;
}

/** The town in bold, and once: addresses often end with it. */
function slotPlace(
  { mode, location, details: { town } }: SlotOffer,
  modes: Readonly<Record<Mode, string>>,
): Content {
  if (mode === 'video') return html`<b>${modes.video}</b>`;
  if (town === null) return location;
  const before = location.length - town.length;
  const isLast = location.slice(Math.max(0, before)).toLowerCase() === town.toLowerCase();
  const rest = isLast ? location.slice(0, before).replace(/[\s,]*(\d{4})?\s*$/, '') : location;
  return [html`<b>${town}</b>`, rest !== '' && `, ${rest}`];
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
      details: view.booking?.details ?? NO_DETAILS,
    }
  );
}
