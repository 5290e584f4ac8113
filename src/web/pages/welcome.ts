import { dayInWords } from '../../calendar/format.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import { html, type Html } from '../html.ts';
import { layout } from '../layout.ts';
import type { CaseContext } from '../page-context.ts';
import { pathOf } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import { helpLink, loginButton, waysOn } from '../ways-on.ts';

/** What the bare link shows, to whoever has it: nothing about the person or the treatment. */
export interface Welcome {
  readonly bookingDeadline: CalendarDate;
  /** Whether the case can be booked at all now. */
  readonly open: boolean;
  /** The session ended while the customer read. */
  readonly hasEnded: boolean;
}

export function welcomePage(context: CaseContext, welcome: Welcome): Html {
  const { visit, language } = context;
  const { welcome: t } = STRINGS[language];
  return layout(context, {
    title: welcome.open ? t.title : t.closedTitle,
    main: html`${
        welcome.hasEnded &&
        html`<div class="ds-alert" data-color="info" tabindex="-1" autofocus><p>${t.ended}</p></div>`
      }
      ${welcome.open ? toBook(context, welcome.bookingDeadline) : toSee(context)}
      <h2 class="ds-heading" data-size="xs">${t.never}</h2>
      <ul class="ds-list">
        ${t.neverList.map((thing) => html`<li>${thing}</li>`)}
      </ul>
      <p>${t.neverButThere}</p>
      <h2 class="ds-heading" data-size="xs">${t.cannotLogIn}</h2>
      <p>${t.cannotLogInText}</p>
      ${waysOn(helpLink(context))}
      <h2 class="ds-heading" data-size="xs">${t.notYours}</h2>
      <p><a class="ds-link" href="${pathOf('notYours', visit.caseId)}">${t.notYoursLink}</a></p>`,
  });
}

function toBook(context: CaseContext, bookingDeadline: CalendarDate): Html {
  const { visit, language } = context;
  const { welcome: t } = STRINGS[language];
  return html`<p class="lead">${t.from(visit.partnerName)}</p>
    <p><strong>${t.deadline(dayInWords(bookingDeadline, language))}</strong></p>
    ${waysOn(loginButton(context, t.loginToBook))}
    <p class="hint">${t.loginHint}</p>
    <h2 class="ds-heading" data-size="xs">${t.steps}</h2>
    <ol class="ds-list">
      ${t.stepList.map((step) => html`<li>${step}</li>`)}
    </ol>`;
}

/** The same for whoever has booked and for every case that can't be booked: a stranger is not to tell them apart. */
function toSee(context: CaseContext): Html {
  const { welcome: t } = STRINGS[context.language];
  return html`<p class="lead">${t.closed}</p>
    ${waysOn(loginButton(context, t.loginToSee))}`;
}
