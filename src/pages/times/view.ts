import { dateAt } from '../../calendar/dates.ts';
import { dayInWords, shortDayInWords } from '../../calendar/format.ts';
import type { SlotOffer } from '../../http/booking/offered-slots.ts';
import type { ProviderAvailability } from '../../providers/availability.ts';
import { bookingFacts, type CustomerBooking } from '../appointments.ts';
import { buttonRow, helpLink, linkButton } from '../buttons.ts';
import { type Content, html, type Html } from '../html.ts';
import { type CaseContext, layout } from '../layout.ts';
import { pathOf, timesPath } from '../paths.ts';
import { timesFilter } from './filter.ts';
import { fits } from './query.ts';
import { type Times, timesResults } from './results.ts';

export function timesPage(context: CaseContext, times: Times): Html {
  const { language } = context;
  const { current, query, notice } = times;
  const { times: t, norwegianTime } = context.t;
  const found = times.slots.filter(fits(query.filters));
  const away = times.providers.filter(({ state }) => state === 'unavailable');
  // nobody knows then whether there are times
  const noAnswer = away.length > 0 && away.length === times.providers.length;
  return layout(context, {
    title: current === null ? t.title : t.titleChange,
    main: html`${notice && html`<div class="ds-alert" data-color="info" role="status"><p>${t[notice]}</p></div>`}
      ${current && currentBooking(current, context)}
      <p>
        ${current === null && t.deadline({ day: dayInWords(times.bookingDeadline, language) })}
        ${norwegianTime}
      </p>
      ${
        noAnswer
          ? allUnavailableNotice(times, context)
          : html`${unavailableNotice(away, times, context)} ${timesFilter(times, context)}
              <p id="found" role="status">
                <strong>${t.found({ count: found.length })}</strong>${firstTime(times, found, context)}
              </p>
              ${timesResults({ ...times, found }, context)} ${buttonRow(helpLink(context))}`
      }`,
  });
}

/** When the first time is in another week than this one, the page has gone there by itself, and says so. */
function firstTime(
  { searchedDays }: Times,
  [slot]: readonly SlotOffer[],
  { language, t }: CaseContext,
): Content {
  if (searchedDays === null || !slot) return null;
  return html`<br />${t.times.first({ day: shortDayInWords(dateAt(slot.start), language) })}`;
}

function currentBooking(current: CustomerBooking, context: CaseContext): Html {
  const { times: t } = context.t;
  return html`<section class="ds-card" data-variant="tinted">
    <p>${t.keepsOld}</p>
    ${bookingFacts(current, context)}
    ${buttonRow(linkButton(pathOf('welcome', context.visit.caseId), t.keep))}
  </section>`;
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
