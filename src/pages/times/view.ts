import { dateAt } from '../../calendar/dates.ts';
import { dayInWords, shortDayInWords } from '../../calendar/format.ts';
import type { ProviderId } from '../../domain/ids.ts';
import type { CalendarDate, Instant } from '../../domain/instant.ts';
import { bookingFacts, type CustomerBooking, type OfferedSlot } from '../appointments.ts';
import { buttonRow, helpLink, linkButton } from '../buttons.ts';
import { type Content, html, type Html } from '../html.ts';
import { type CaseContext, layout } from '../layout.ts';
import { pathOf, timesPath } from '../paths.ts';
import { STRINGS } from '../strings/strings.ts';
import { timesFilter } from './filter.ts';
import { fits, type TimesQuery } from './query.ts';
import { timesResults } from './results.ts';

export interface Times {
  readonly query: TimesQuery;
  /** All that is free on the days looked at, in the order in which it starts; the query's filters come on top. */
  readonly slots: readonly OfferedSlot[];
  readonly providers: readonly TimesProvider[];
  /** The days looked at, both included. */
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  /** Where the neighbouring pages of days start, if there are such. */
  readonly earlierFrom: CalendarDate | null;
  readonly laterFrom: CalendarDate | null;
  /** The days that were looked through for the first time, when that was asked for; null when it was not. */
  readonly searchedDays: number | null;
  readonly bookingDeadline: CalendarDate;
  /** The appointment that a new one would replace. */
  readonly current: CustomerBooking | null;
  readonly notice: 'cancelled' | 'chooseAgain' | 'helpIsComing' | null;
}

export interface TimesProvider {
  readonly id: ProviderId;
  readonly name: string;
  readonly state: 'live' | 'unavailable';
  readonly asOf: Instant;
}

export function timesPage(context: CaseContext, times: Times): Html {
  const { language } = context;
  const { current, query, notice } = times;
  const { times: t, norwegianTime } = STRINGS[language];
  const found = times.slots.filter(fits(query.filters));
  const away = times.providers.filter(({ state }) => state === 'unavailable');
  // nobody knows then whether there are times
  const isSilent = away.length > 0 && away.length === times.providers.length;
  return layout(context, {
    title: current === null ? t.title : t.titleChange,
    main: html`${notice && html`<div class="ds-alert" data-color="info" role="status"><p>${t[notice]}</p></div>`}
      ${current && currentBooking(current, context)}
      <p>${current === null && t.deadline(dayInWords(times.bookingDeadline, language))} ${norwegianTime}</p>
      ${
        isSilent
          ? allUnavailableNotice(times, context)
          : html`${unavailableNotice(away, times, context)} ${timesFilter(times, context)}
              <p id="found" role="status">
                <strong>${t.found(found.length)}</strong>${firstTime(times, found, context)}
              </p>
              ${timesResults({ ...times, found }, context)} ${buttonRow(helpLink(context))}`
      }`,
  });
}

/** When the first time is in another week than this one, the page has gone there by itself, and says so. */
function firstTime(
  { searchedDays }: Times,
  [slot]: readonly OfferedSlot[],
  { language }: CaseContext,
): Content {
  const { times: t } = STRINGS[language];
  if (searchedDays === null || !slot) return null;
  return html`<br />${t.first(shortDayInWords(dateAt(slot.start), language))}`;
}

function currentBooking(current: CustomerBooking, { visit, language }: CaseContext): Html {
  const { times: t } = STRINGS[language];
  return html`<section class="ds-card" data-variant="tinted">
    <p>${t.keepsOld}</p>
    ${bookingFacts(current, language)} ${buttonRow(linkButton(pathOf('welcome', visit.caseId), t.keep))}
  </section>`;
}

/** Says who didn't answer, so that nobody takes their silence for a full calendar. */
function unavailableNotice(
  away: readonly TimesProvider[],
  { query }: Times,
  { visit, language }: CaseContext,
): Content {
  const { times: t } = STRINGS[language];
  if (away.length === 0) return null;
  const names = new Intl.ListFormat(language, { type: 'conjunction' }).format(away.map(({ name }) => name));
  return html`<div class="ds-alert" data-color="warning" role="status">
    <p>${t.unavailable(names)}</p>
    <p><a class="ds-link" href="${timesPath(visit.caseId, query)}">${t.tryAgain}</a></p>
  </div>`;
}

function allUnavailableNotice({ query }: Times, context: CaseContext): Content {
  const { times: t } = STRINGS[context.language];
  return html`<div class="ds-alert" data-color="warning" role="status"><p>${t.allUnavailable}</p></div>
    ${buttonRow(linkButton(timesPath(context.visit.caseId, query), t.tryAgain, 'primary'), helpLink(context))}`;
}
