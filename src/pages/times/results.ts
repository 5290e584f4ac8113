import { dateAt, datesBetween } from '../../calendar/dates.ts';
import { dayInFewWords, daysInWords, shortDayInWords, weekOf } from '../../calendar/format.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import type { SlotOffer } from '../../http/booking/offered-slots.ts';
import type { ProviderAvailability } from '../../providers/availability.ts';
import { type CustomerBooking, slotList } from '../appointments.ts';
import { buttonRow, linkButton } from '../buttons.ts';
import { type Content, html, type Html } from '../html.ts';
import type { CaseContext } from '../layout.ts';
import { timesPath } from '../paths.ts';
import { filtersOn, NO_FILTERS, type TimesQuery } from './query.ts';

/** Of a day among others: the next few, and a link to the rest. One more than these is shown, not hidden behind a link. */
const OF_A_DAY = 3;
/** Of a day alone. With each at less than a kilobyte, no page is a heavy one. */
const OF_A_PAGE = 60;

export interface Times {
  readonly query: TimesQuery;
  /** All that is free on the days looked at, in the order in which it starts; the query's filters come on top. */
  readonly slots: readonly SlotOffer[];
  readonly providers: readonly ProviderAvailability[];
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

export interface Results extends Times {
  /** The slots that the filters leave. */
  readonly found: readonly SlotOffer[];
}

/** The part of the page that the filters change. */
export function timesResults(results: Results, context: CaseContext): Html {
  const { language } = context;
  const { query, from, to, found } = results;
  const { times: t } = context.t;
  const days = query.oneDay ? shortDayInWords(from, language) : daysInWords(from, to, language);
  return html`<section id="results" aria-labelledby="days">
    <h2 class="ds-heading" data-size="sm" id="days">
      ${query.oneDay ? days : t.week({ number: weekOf(from).number, days })}
    </h2>
    ${
      found.length === 0
        ? empty(results, context)
        : query.oneDay
          ? wholeDay(results, context)
          : week(groupByDay({ slots: found, from, to }), results, context)
    }
    <nav aria-label="${t.paging}">${buttonRow(otherDays(results, context))}</nav>
  </section>`;
}

const timesLink = ({ query }: Results, { visit }: CaseContext, to: Partial<TimesQuery>): string =>
  timesPath(visit.caseId, { ...query, skip: 0, ...to });

function otherDays(results: Results, context: CaseContext): Content {
  const { times: t } = context.t;
  const { earlierFrom, laterFrom, query, from } = results;
  const to = (day: CalendarDate | null, label: string) =>
    day !== null && linkButton(timesLink(results, context, { from: day }), label);
  return [
    to(earlierFrom, query.oneDay ? t.earlierDay : t.earlierWeek),
    to(laterFrom, query.oneDay ? t.laterDay : t.laterWeek),
    query.oneDay &&
      linkButton(
        timesLink(results, context, { from: weekOf(from).first, oneDay: false }),
        t.wholeWeek,
        'tertiary',
      ),
  ];
}

function empty(results: Results, context: CaseContext): Html {
  const { times: t } = context.t;
  const { query, searchedDays } = results;
  const isFiltered = filtersOn(query.filters) > 0;
  const text =
    searchedDays === null
      ? isFiltered
        ? t.emptyFiltered
        : t.emptyDays
      : (isFiltered ? t.emptyAllFiltered : t.emptyAll)({ days: searchedDays });
  return html`<p>${text}</p>
    ${buttonRow(
      searchedDays === null &&
        linkButton(timesLink(results, context, { from: null, oneDay: false }), t.goToFirst, 'primary'),
      isFiltered &&
        linkButton(
          timesLink(results, context, { filters: NO_FILTERS }),
          t.filterClear,
          searchedDays === null ? 'secondary' : 'primary',
        ),
    )}`;
}

/** The days first, for whoever knows which one; then the next times of each. */
function week(groups: readonly DayGroup[], results: Results, context: CaseContext): Content {
  const { language } = context;
  const { times: t } = context.t;
  const days = groups.filter(({ slots }) => slots.length > 0);
  return [
    days.length > 1 &&
      html`<nav aria-label="${t.days}">
        <ul class="days">
          ${days.map(
            ({ first, slots }) =>
              html`<li>
                <a class="day" href="${dayLink(first, results, context)}">
                  <strong>${dayInFewWords(first, language)}</strong>
                  <span>${t.onDay({ count: slots.length })}</span>
                </a>
              </li>`,
          )}
        </ul>
      </nav>`,
    groups.map((group) => dayGroup(group, results, context)),
  ];
}

const dayLink = (day: CalendarDate, results: Results, context: CaseContext): string =>
  timesLink(results, context, { from: day, oneDay: true });

function dayGroup({ first, last, slots }: DayGroup, results: Results, context: CaseContext): Html {
  const { language } = context;
  const { times: t } = context.t;
  const day = shortDayInWords(first, language);
  if (slots.length === 0) {
    const days = first === last ? day : t.through({ from: day, to: shortDayInWords(last, language) });
    return html`<p class="none">${t.noneOnDays({ days })}</p>`;
  }
  const shown = slots.length > OF_A_DAY + 1 ? slots.slice(0, OF_A_DAY) : slots;
  return html`<section aria-labelledby="day-${first}">
    <h3 class="ds-heading" data-size="xs" id="day-${first}">${day}</h3>
    ${slotList(shown, { query: results.query }, context)}
    ${
      shown.length < slots.length &&
      html`<p>
        <a class="ds-link all" href="${dayLink(first, results, context)}"
          >${t.allOfDay({ count: slots.length, day })}</a
        >
      </p>`
    }
  </section>`;
}

function wholeDay(results: Results, context: CaseContext): Html {
  const { found, query } = results;
  const next = query.skip + OF_A_PAGE;
  const shown = found.slice(query.skip, next);
  return html`${slotList(shown, { query }, context)}
  ${next < found.length && html`<p><a class="ds-link all" href="${timesLink(results, context, { skip: next })}">${context.t.times.moreOfDay}</a></p>`}`;
}

/** One day with its times, or several days in a row without any. */
export interface DayGroup {
  readonly first: CalendarDate;
  readonly last: CalendarDate;
  readonly slots: readonly SlotOffer[];
}

/** Every day from `from` to `to`, in Norway; days without times are drawn together. */
function groupByDay({
  slots,
  from,
  to,
}: {
  slots: readonly SlotOffer[];
  from: CalendarDate;
  to: CalendarDate;
}): DayGroup[] {
  const onDay = Map.groupBy(slots, (slot) => dateAt(slot.start));
  return datesBetween(from, to).reduce<DayGroup[]>((groups, date) => {
    const today = { first: date, last: date, slots: onDay.get(date) ?? [] };
    const before = groups.at(-1);
    return before?.slots.length === 0 && today.slots.length === 0
      ? [...groups.slice(0, -1), { ...before, last: date }]
      : [...groups, today];
  }, []);
}
