import { dateAt } from '../calendar/dates.ts';
import { dayInWords, hoursInWords, type Language } from '../calendar/format.ts';
import type { BookingId, ProviderId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { Mode, Slot } from '../domain/slot.ts';
import { html, type Content, type Html } from './html.ts';
import { STRINGS } from './strings/languages.ts';

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
export const hoursOf = (slot: CustomerBooking | OfferedSlot, language: Language): Html =>
  html`<span class="hours">${hoursInWords(slot, language)}</span>`;

const fact = (term: string, value: Content): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`;
