import { dateAt } from '../../calendar/dates.ts';
import { dayInWords, shortDayInWords } from '../../calendar/format.ts';
import type { ProviderAvailability } from '../../providers/availability.ts';
import { whenAndWhere } from '../appointments.ts';
import { buttonRow, helpLink, linkButton } from '../controls.ts';
import { type Content, html, type Html } from '../html.ts';
import { type CaseContext, layout } from '../layout.ts';
import { pathOf, timesPath } from '../paths.ts';
import { timesFilter } from './filter.ts';
import { rangeInWords, type Results, resultsOf, type Times, timesResults } from './results.ts';
import { awaitedNotice, chosenPlace, newsOf } from './where.ts';

/** The times come as early on the page as they can: what is not needed to choose one stands below them. */
export function timesPage(context: CaseContext, times: Times): Html {
  const { language } = context;
  const { current, query, news, isHelpComing } = times;
  const { times: t, norwegianTime } = context.t;
  const results = resultsOf(times);
  const { found } = results;
  const away = times.providers.filter(({ state }) => state === 'unavailable');
  // nobody knows then whether there are times
  const noAnswer = away.length > 0 && away.length === times.providers.length;
  const told = news && newsOf(news, context);
  const title = current === null ? t.title : t.titleChange;
  const range = rangeInWords(results, context);
  return layout(context, {
    title: told?.title ?? title,
    ...(told && { news: told.news }),
    ...(range !== null && { part: range }),
    main: html`${told && html`<h2 class="ds-heading" data-size="sm">${title}</h2>`}
    ${isHelpComing && html`<div class="ds-alert" data-color="info" role="status"><p>${t.helpIsComing}</p></div>`}
    ${current && html`<p class="old">${t.keepsOld(whenAndWhere(current, language))}</p>`}
    ${chosenPlace(query, context)}
    ${
      noAnswer
        ? allUnavailableNotice(times, context)
        : html`<div id="away">${unavailableNotice(away, times, context)}</div>
            ${timesFilter(results, context)}
            <p id="found" role="status">
              <strong>${t.found({ count: found.length })}</strong>${firstTime(results, context)}
            </p>
            ${awaitedNotice(times.awaited, context)} ${timesResults(results, context)}
            <p class="hint">
              ${current === null && t.deadline({ day: dayInWords(times.bookingDeadline, language) })}
              ${norwegianTime}
            </p>
            ${buttonRow(
              current !== null && linkButton(pathOf('welcome', context.visit.caseId), t.keep),
              helpLink(context),
            )}`
    }`,
  });
}

/** When the first time is in another week than this one, the page has gone there by itself, and says so. */
function firstTime({ searchedDays, found: [slot] }: Results, { language, t }: CaseContext): Content {
  if (searchedDays === null || !slot) return null;
  return html`<span class="first-free"
    >${t.times.first({ day: shortDayInWords(dateAt(slot.start), language) })}</span
  >`;
}

/** Says who didn't answer, so that nobody takes their silence for a full calendar. */
function unavailableNotice(
  away: readonly ProviderAvailability[],
  { query }: Times,
  { visit, language, t: { times: t } }: CaseContext,
): Content {
  if (away.length === 0) return null;
  const names = new Intl.ListFormat(language, { type: 'conjunction' }).format(away.map(({ name }) => name));
  return html`<div class="ds-alert" data-color="warning" role="status">
    <p>${t.unavailable({ names })}</p>
    <p><a class="ds-link" href="${timesPath(visit.caseId, query)}">${t.tryAgain}</a></p>
  </div>`;
}

function allUnavailableNotice({ query }: Times, context: CaseContext): Content {
  const { times: t } = context.t;
  return html`<div class="ds-alert" data-color="warning" role="status"><p>${t.allUnavailable}</p></div>
    ${buttonRow(linkButton(timesPath(context.visit.caseId, query), t.tryAgain, 'primary'), helpLink(context))}`;
}
