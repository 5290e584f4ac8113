import { dateInWords, dayInWords } from '../../calendar/format.ts';
import type { ProviderId } from '../../domain/ids.ts';
import type { CalendarDate, Instant } from '../../domain/instant.ts';
import { bookingFacts, type CustomerBooking, type OfferedSlot } from '../booking-facts.ts';
import { html, type Content, type Html } from '../html.ts';
import { layout, type CaseContext, type Visit } from '../layout.ts';
import { pathOf, timesPath } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import { helpLink, linkButton, waysOn } from '../ways-on.ts';
import { byDay, type DayGroup } from './days.ts';
import { slotList } from './slot-list.ts';

export interface Times {
  /** In the order in which they start; already filtered. */
  readonly slots: readonly OfferedSlot[];
  readonly providers: readonly TimesProvider[];
  /** The days looked at, both included. */
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  /** Where the neighbouring pages of days start, if there are such. */
  readonly earlierFrom: CalendarDate | null;
  readonly laterFrom: CalendarDate | null;
  /** The provider that the customer wants to see alone. */
  readonly onlyProvider: ProviderId | null;
  readonly bookingDeadline: CalendarDate;
  /** The appointment that a new one would replace. */
  readonly current: CustomerBooking | null;
  readonly notice: 'cancelled' | 'chooseAgain' | null;
}

export interface TimesProvider {
  readonly id: ProviderId;
  readonly name: string;
  readonly state: 'live' | 'unavailable';
  readonly asOf: Instant;
}

export function timesPage(context: CaseContext, times: Times): Html {
  const { language, visit } = context;
  const { current } = times;
  const { times: t, norwegianTime } = STRINGS[language];
  return layout(context, {
    title: current === null ? t.title : t.titleChange,
    main: html`${times.notice && html`<div class="ds-alert" data-color="info" role="status">${t[times.notice]}</div>`}
      ${current && changing(current, context)}
      <p>${t.deadline(dayInWords(times.bookingDeadline, language))} ${norwegianTime}</p>
      ${missing(times, context)} ${providerFilter(times, context)}
      <h2 class="ds-heading" data-size="sm">
        ${t.range(dateInWords(times.from, language), dateInWords(times.to, language))}
      </h2>
      ${
        times.slots.length === 0
          ? html`<p>${t.empty}</p>`
          : byDay(times).map((group) => dayGroup(group, context))
      }
      ${waysOn(
        times.earlierFrom && linkButton(timesAt(times, times.earlierFrom, visit), t.earlier),
        times.laterFrom && linkButton(timesAt(times, times.laterFrom, visit), t.later),
        helpLink(context),
      )}`,
  });
}

const timesAt = ({ onlyProvider }: Times, from: CalendarDate, visit: Visit): string =>
  timesPath(visit.caseId, { from, provider: onlyProvider });

function changing(current: CustomerBooking, { visit, language }: CaseContext): Html {
  const { times: t } = STRINGS[language];
  return html`<section class="ds-card" data-variant="tinted">
    <p>${t.keepsOld}</p>
    ${bookingFacts(current, language)} ${linkButton(pathOf('welcome', visit.caseId), t.keep)}
  </section>`;
}

/** Says who didn't answer, so that nobody takes their silence for a full calendar. */
function missing(times: Times, { visit, language }: CaseContext): Content {
  const { times: t } = STRINGS[language];
  const away = times.providers.filter(({ state }) => state === 'unavailable');
  if (away.length === 0) return null;
  const names = new Intl.ListFormat(language, { type: 'conjunction' }).format(away.map(({ name }) => name));
  return html`<div class="ds-alert" data-color="warning" role="status">
    <p>${away.length === times.providers.length ? t.allUnavailable : t.unavailable(names)}</p>
    <a class="ds-link" href="${timesAt(times, times.from, visit)}">${t.tryAgain}</a>
  </div>`;
}

function providerFilter({ providers, onlyProvider, from }: Times, { visit, language }: CaseContext): Content {
  const { times: t } = STRINGS[language];
  if (providers.length < 2) return null;
  return html`<form method="get" action="${pathOf('times', visit.caseId)}">
    <input type="hidden" name="from" value="${from}" />
    <div class="ds-field">
      <label class="ds-label" for="provider">${t.filter}</label>
      <select class="ds-input" id="provider" name="provider">
        <option value="">${t.filterAll}</option>
        ${providers.map(
          ({ id, name }) =>
            html`<option value="${id}" ${id === onlyProvider && html`selected`}>${name}</option>`,
        )}
      </select>
    </div>
    ${waysOn(html`<button class="ds-button" data-variant="secondary">${t.filterShow}</button>`)}
  </form>`;
}

function dayGroup({ first, last, slots }: DayGroup, { visit, language }: CaseContext): Html {
  const { times: t } = STRINGS[language];
  const day = dayInWords(first, language);
  if (slots.length === 0) {
    return html`<p>${t.noneOnDays(first === last ? day : t.through(day, dayInWords(last, language)))}</p>`;
  }
  return html`<section aria-labelledby="day-${first}">
    <h3 class="ds-heading" data-size="xs" id="day-${first}">${day}</h3>
    ${slotList(slots, { caseId: visit.caseId, language })}
  </section>`;
}
