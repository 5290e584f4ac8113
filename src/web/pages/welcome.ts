import { dayInWords } from '../../calendar/format.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import { html, type Html } from '../html.ts';
import { layout, type CaseContext } from '../layout.ts';
import { STRINGS } from '../strings/languages.ts';
import { helpLink, loginButton, waysOn } from '../ways-on.ts';

/** What the bare link shows, to whoever has it: nothing about the person or the treatment. */
export interface Welcome {
  readonly bookingDeadline: CalendarDate;
  /** Whether the case can be booked at all now. */
  readonly open: boolean;
}

export function welcomePage(context: CaseContext, { bookingDeadline, open }: Welcome): Html {
  const { visit } = context;
  const t = STRINGS[context.language];
  const { welcome } = t;
  return layout(context, {
    title: welcome.title,
    main: html`<p class="ds-paragraph">${welcome.from(visit.partnerName)}</p>
      <p>
        <strong
          >${open ? welcome.deadline(dayInWords(bookingDeadline, context.language)) : welcome.closed}</strong
        >
      </p>
      ${waysOn(loginButton(context))}
      ${
        open &&
        html`<h2 class="ds-heading" data-size="xs">${welcome.steps}</h2>
          <ol class="ds-list">
            ${welcome.stepList.map((step) => html`<li>${step}</li>`)}
          </ol>`
      }
      <h2 class="ds-heading" data-size="xs">${welcome.never}</h2>
      <ul class="ds-list">
        ${welcome.neverList.map((thing) => html`<li>${thing}</li>`)}
      </ul>
      <h2 class="ds-heading" data-size="xs">${welcome.cannotLogIn}</h2>
      ${waysOn(helpLink(context))}`,
  });
}
