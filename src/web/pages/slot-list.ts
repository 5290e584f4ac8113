import { dateAt } from '../../calendar/dates.ts';
import { shortDayInWords, type Language } from '../../calendar/format.ts';
import type { CaseId } from '../../domain/ids.ts';
import { hoursOf, type OfferedSlot } from '../booking-facts.ts';
import { html, type Html } from '../html.ts';
import { confirmPath } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import type { TimesQuery } from '../times-query.ts';

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
    <span>${whereTo(slot, language)}</span>
  </a>`;
}

const whereTo = ({ mode, location }: OfferedSlot, language: Language): string =>
  mode === 'video'
    ? STRINGS[language].facts.mode.video
    : `${STRINGS[language].facts.mode.in_person}: ${location}`;
