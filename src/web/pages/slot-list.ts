import { dateOf, dayInWords, hoursInWords, type Language } from '../../calendar/format.ts';
import type { CaseId } from '../../domain/ids.ts';
import type { OfferedSlot } from '../booking-facts.ts';
import { html, type Html } from '../html.ts';
import { confirmPath } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';

/** Times to choose from, each a link to the page that asks for confirmation: choosing changes nothing yet. */
export const slotList = (
  slots: readonly OfferedSlot[],
  { caseId, language, withDay = false }: { caseId: CaseId; language: Language; withDay?: boolean },
): Html =>
  html`<ul class="times">
    ${slots.map((slot) => {
      const day = withDay && `${dayInWords(dateOf(slot.start), language)} `;
      return html`<li>
        <a class="time" href="${confirmPath(caseId, slot.slotId)}">
          <strong>${day}${hoursInWords(slot, language)}</strong>
          <span>${slot.practitioner}, ${slot.providerName}</span>
          <span>${slot.location} (${STRINGS[language].facts.mode[slot.mode].toLowerCase()})</span>
        </a>
      </li>`;
    })}
  </ul>`;
