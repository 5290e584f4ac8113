import { dateOf, hoursInWords, shortDayInWords, type Language } from '../../calendar/format.ts';
import type { CaseId } from '../../domain/ids.ts';
import type { OfferedSlot } from '../booking-facts.ts';
import { html, type Html } from '../html.ts';
import { confirmPath } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import type { TimesQuery } from '../times-query.ts';

export interface SlotListing {
  readonly caseId: CaseId;
  readonly language: Language;
  readonly query: TimesQuery;
  readonly withDay?: boolean;
}

/** Times to choose from, each a link to the page that asks for confirmation: choosing changes nothing yet. */
export const slotList = (
  slots: readonly OfferedSlot[],
  { caseId, language, query, withDay = false }: SlotListing,
): Html =>
  html`<ul class="times ${withDay && 'near'}">
    ${slots.map(
      (slot) =>
        html`<li>
          <a class="time" href="${confirmPath(caseId, slot.slotId, query)}">
            <strong
              >${withDay && `${shortDayInWords(dateOf(slot.start), language)} `}${hoursInWords(slot, language)}</strong
            >
            <span>${slot.practitioner}, ${slot.providerName}</span>
            <span>${whereTo(slot, language)}</span></a
          >
        </li>`,
    )}
  </ul>`;

const whereTo = ({ mode, location }: OfferedSlot, language: Language): string =>
  mode === 'video'
    ? STRINGS[language].facts.mode.video
    : `${STRINGS[language].facts.mode.in_person}: ${location}`;
