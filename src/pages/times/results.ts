import { dateAt, datesBetween } from '../../calendar/dates.ts';
import { dayInFewWords, daysInWords, shortDayInWords, weekOf } from '../../calendar/format.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import type { SlotOffer } from '../../http/booking/offered-slots.ts';
import type { Availability, ProviderAvailability } from '../../providers/availability.ts';
import { type CustomerBooking, slotList } from '../appointments.ts';
import { buttonRow, linkButton } from '../controls.ts';
import { type Content, html, type Html } from '../html.ts';
import type { CaseContext } from '../layout.ts';
import { timesPath } from '../paths.ts';
import { fits, filtersOn, isPlaceSaid, onlyPlace, type TimesQuery } from './query.ts';
import { askForPlace, byPlace, type TimesNews } from './where.ts';

/** Of a day among others: the next few, and a link to the rest. One more than these is shown, not hidden behind a link. */
const OF_A_DAY = 3;
/** Of a day alone. With each at less than a kilobyte, no page is a heavy one. */
const OF_A_PAGE = 60;

export interface Times {
  readonly query: TimesQuery;
  /** All that is free on the days looked at, in the order in which it starts; the query's filters come on top. */
  readonly slots: readonly SlotOffer[];
  readonly providers: readonly ProviderAvailability[];
  /** Who has not answered yet. */
  readonly awaited: Availability['awaited'];
  /** The days looked at, both included. */
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  /** Where the neighbouring pages of days start, if there are such. */
  readonly earlierFrom: CalendarDate | null;
  readonly laterFrom: CalendarDate | null;
  /** The days that were looked through for the first time, when that was asked for; null when it was not. */
  readonly searchedDays: number | null;
  /** Where these days have nothing: the next one that has, if it is known. */
  readonly nextWith: CalendarDate | null;
  readonly bookingDeadline: CalendarDate;
  /** The appointment that a new one would replace. */
  readonly current: CustomerBooking | null;
  readonly news: TimesNews | null;
  /** The customer asked for help and was not answered yet. */
  readonly isHelpComing: boolean;
}

export interface Results extends Times {
  /** The slots that the filters leave. */
  readonly found: readonly SlotOffer[];
  /** They are in several towns, or some of them by video. */
  readonly isMixed: boolean;
}

export function resultsOf(times: Times): Results {
  const found = times.slots.filter(fits(times.query.filters));
  return { ...times, found, isMixed: byPlace(found).length > 1 };
}

/** Which of a day's times these are, where they take more than a page; it stands in the title, too. */
export function rangeInWords({ query, found }: Results, { t: { times: t } }: CaseContext): string | null {
  if (!query.oneDay || found.length <= OF_A_PAGE) return null;
  const to = Math.min(found.length, query.skip + OF_A_PAGE);
  return t.range({ from: query.skip + 1, to, count: found.length });
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
  const { language } = context;
  const { times: t, where } = context.t;
  const { query, searchedDays, nextWith } = results;
  const isNarrowed = filtersOn(query.filters) > 0;
  const isFiltered = Object.values(query.filters).some((value) => value !== null);
  const text =
    searchedDays === null
      ? isFiltered
        ? t.emptyFiltered
        : t.emptyDays
      : (isFiltered ? t.emptyAllFiltered : t.emptyAll)({ days: searchedDays });
  const onward =
    nextWith !== null
      ? { from: nextWith, label: t.goToNext({ day: shortDayInWords(nextWith, language) }) }
      : searchedDays === null && { from: null, label: t.goToFirst };
  return html`<p>${text}</p>
    ${buttonRow(
      onward &&
        linkButton(
          timesLink(results, context, { from: onward.from, oneDay: false }),
          onward.label,
          'primary',
        ),
      isNarrowed &&
        linkButton(
          timesLink(results, context, { filters: onlyPlace(query.filters) }),
          t.filterClear,
          onward ? 'secondary' : 'primary',
        ),
      isPlaceSaid(query) &&
        linkButton(askForPlace(context), where.change, onward || isNarrowed ? 'secondary' : 'primary'),
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
  const places = byPlace(slots).map((theirs) => ({ slots: theirs, shown: nextFew(theirs) }));
  const { isMixed } = results;
  return html`<section aria-labelledby="day-${first}">
    <h3 class="ds-heading" data-size="xs" id="day-${first}">${day}</h3>
    ${places.map(({ shown }) => [
      isMixed && placeHeading(shown, context),
      slotList(shown, { query: results.query }, context),
    ])}
    ${
      places.some(({ slots: all, shown }) => shown.length < all.length) &&
      html`<p>
        <a class="ds-link all" href="${dayLink(first, results, context)}"
          >${t.allOfDay({ count: slots.length, day })}</a
        >
      </p>`
    }
  </section>`;
}

const nextFew = (slots: readonly SlotOffer[]): readonly SlotOffer[] =>
  slots.length > OF_A_DAY + 1 ? slots.slice(0, OF_A_DAY) : slots;

function placeHeading([slot]: readonly SlotOffer[], { t: { facts, where } }: CaseContext): Content {
  if (!slot) return null;
  const place = slot.mode === 'video' ? facts.mode.video : (slot.details.town ?? where.elsewhere);
  return html`<h4 class="ds-heading" data-size="2xs">${place}</h4>`;
}

function wholeDay(results: Results, context: CaseContext): Html {
  const { found, query } = results;
  const { times: t } = context.t;
  const next = query.skip + OF_A_PAGE;
  const shown = found.slice(query.skip, next);
  const range = rangeInWords(results, context);
  const more = (skip: number, label: string) =>
    html`<a class="ds-link all" href="${timesLink(results, context, { skip })}">${label}</a>`;
  return html`${range && html`<p>${range}</p>`} ${slotList(shown, { query }, context)}
  ${
    range &&
    html`<p>
      ${query.skip > 0 && more(Math.max(0, query.skip - OF_A_PAGE), t.fewerOfDay)}
      ${next < found.length && more(next, t.moreOfDay)}
    </p>`
  }`;
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
