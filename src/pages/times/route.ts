import type { Request, Response, Router } from 'express';
import { addDays, dateAt } from '../../calendar/dates.ts';
import { weekOf } from '../../calendar/format.ts';
import { bookingIdOf, caseTime, hasOpenAssistance, isCancelled } from '../../domain/case-state.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import { mayChoose } from '../../http/booking/customer-service.ts';
import { createOfferedSlots } from '../../http/booking/offered-slots.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { createCookie } from '../../identity/cookies.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { customerBookingOf } from '../appointments.ts';
import { pathOf, ROUTES } from '../paths.ts';
import type { Visits } from '../visits.ts';
import { fits, isPlaceSaid, onlyPlace, queryFields, readTimesQuery, type TimesQuery } from './query.ts';
import type { Times } from './results.ts';
import { timesPage } from './view.ts';
import { placeChoices, type TimesNews, wherePage } from './where.ts';

/** How far ahead one can look. */
const DAYS_AHEAD = 90;
/** How far one looks for places to choose from: who has none by then is among all of them. */
const DAYS_OF_PLACES = 30;
/** How long a page waits for who is late, once a clinic has answered (milliseconds): most have by then. */
const PATIENCE_MS = 500;
/** How long a browser remembers the place (seconds). */
const PLACE_KEPT = 30 * 24 * 60 * 60;

/** The free times, a week or a day at a time, once it is known where. */
export function timesRoutes(router: Router, deps: Dependencies, visits: Visits): void {
  const { limits, now, settings } = deps;
  const times = createOfferedSlots(deps);
  const places = createPlaceMemory(settings.publicUrl.startsWith('https:'));
  router.get(ROUTES.times, async (req, res) => {
    await limits.timesPages(req, res);
    const { view, context } = await visits.requireOwner(req, res);
    if (!mayChoose(view, now())) {
      res.redirect(303, pathOf('welcome', view.id));
      return;
    }
    const today = dateAt(caseTime(view.state, now()));
    const bookingDeadline = view.state.deadline.date;
    const asked = readTimesQuery(req.query);
    const isAsking = req.query['where'] === 'ask';
    const query = isAsking ? asked : places.recall(req, asked);
    const isFirst = asked.from === null && !isPlaceSaid(asked);
    const search: Search = req.query['wait'] === 'all' ? (days) => times.within(view, days) : soonest(view);
    const noticed = noticeFor(view);
    const isNews = noticed !== null && noticed !== 'helpIsComing';
    const news = isNews ? { kind: noticed, bookingDeadline } : null;
    if (isFirst && (isAsking || !isPlaceSaid(query))) {
      const { slots, awaited } = await search(
        { from: today, to: addDays(today, DAYS_OF_PLACES) },
        (found) => placeChoices(found).length > 0,
      );
      const choices = placeChoices(slots);
      if (choices.length > 0) {
        const where = { choices, days: DAYS_OF_PLACES, awaited, news: isAsking ? null : news };
        visits.show(res, wherePage(context, where));
        return;
      }
    }
    places.remember(res, asked);
    const { from } = query;
    visits.show(
      res,
      timesPage(context, {
        query,
        ...(from === null
          ? await searchFirstWeek(view, { query, today, search })
          : await searchDays(view, { query, today, search })),
        bookingDeadline,
        current: customerBookingOf(view),
        isHelpComing: noticed === 'helpIsComing',
        // said once, and not again on every page of days
        news: from === null ? news : null,
      }),
    );
  });

  /** Those who answer soon, where they have what is looked for; or else all. */
  function soonest(view: CaseView): Search {
    return async (days, isEnough) => {
      const soon = await times.within(view, { ...days, patienceMs: PATIENCE_MS });
      return soon.awaited.length === 0 || isEnough(soon.slots) ? soon : times.within(view, days);
    };
  }

  async function searchDays(view: CaseView, { query, today, search }: Searching): Promise<FoundTimes> {
    const days = daysOf(query, today);
    const isWanted = fits(query.filters);
    const found = await search(days, (slots) => slots.some(isWanted));
    const isEmpty = !found.slots.some(isWanted);
    // the next day with a time that fits, for whom these days have none
    const later =
      isEmpty && days.laterFrom !== null
        ? await times.within(view, {
            from: days.laterFrom,
            to: addDays(today, DAYS_AHEAD),
            without: awayIn(found),
          })
        : null;
    const first = later?.slots.find(isWanted);
    return { ...found, ...days, searchedDays: null, nextWith: first ? dateAt(first.start) : null };
  }

  /**
   * Whoever does not say when sees the week with the first time in it, however far ahead that is. Nearly always it is this
   * week or the next, so both are asked for at once; who did not answer then is not waited for a second time.
   */
  async function searchFirstWeek(view: CaseView, { query, today, search }: Searching): Promise<FoundTimes> {
    const thisWeek = daysOf(query, today);
    const isWanted = fits(query.filters);
    const soon = { from: today, to: addDays(thisWeek.to, 7) };
    const found = await search(soon, (slots) => slots.some(isWanted));
    const away = awayIn(found);
    const isAnswered = away.length < found.providers.length;
    if (found.slots.some(isWanted) || !isAnswered) return weekOfFirst(found);

    const rest = { from: addDays(soon.to, 1), to: addDays(today, DAYS_AHEAD) };
    const later = await times.within(view, { ...rest, without: away });
    return weekOfFirst({
      awaited: [],
      slots: [...found.slots, ...later.slots],
      providers: found.providers.map((one) => later.providers.find(({ id }) => id === one.id) ?? one),
    });

    function weekOfFirst({ slots, ...answered }: Answered): FoundTimes {
      const first = slots.find(isWanted);
      const days = daysOf({ ...query, from: first ? dateAt(first.start) : null }, today);
      const week = slots.filter(({ start }) => dateAt(start) >= days.from && dateAt(start) <= days.to);
      const isLater = first !== undefined && days.from > thisWeek.to;
      const isNowhere = first === undefined && isAnswered;
      const searchedDays = isLater || isNowhere ? DAYS_AHEAD : null;
      return { slots: week, ...answered, ...days, searchedDays, nextWith: null };
    }
  }
}

type Days = Pick<Times, 'from' | 'to' | 'earlierFrom' | 'laterFrom'>;
type Answered = Pick<Times, 'slots' | 'providers' | 'awaited'>;
type FoundTimes = Days & Answered & Pick<Times, 'searchedDays' | 'nextWith'>;

/** The free times of these days. @param isEnough whether these are worth showing without those who are late */
type Search = (
  days: Pick<Days, 'from' | 'to'>,
  isEnough: (slots: Times['slots']) => boolean,
) => Promise<Answered>;

interface Searching {
  readonly query: TimesQuery;
  readonly today: CalendarDate;
  readonly search: Search;
}

const awayIn = ({ providers }: Answered) =>
  providers.flatMap(({ id, state }) => (state === 'unavailable' ? [id] : []));

/** The day asked for, or what is left of its week; never before today, nor after the last day. */
function daysOf({ from: wanted, oneDay }: TimesQuery, today: CalendarDate): Days {
  const last = addDays(today, DAYS_AHEAD);
  const from = latest(today, earliest(wanted ?? today, last));
  const to = oneDay ? from : earliest(weekOf(from).last, last);
  const before = oneDay ? addDays(from, -1) : weekOf(addDays(weekOf(from).first, -1)).first;
  const later = addDays(to, 1);
  return {
    from,
    to,
    earlierFrom: from === today ? null : latest(today, before),
    laterFrom: later > last ? null : later,
  };
}

const earliest = (a: CalendarDate, b: CalendarDate) => (a < b ? a : b);
const latest = (a: CalendarDate, b: CalendarDate) => (a > b ? a : b);

/** What the customer should know before choosing. */
function noticeFor({ state, notifications }: CaseView): TimesNews['kind'] | 'helpIsComing' | null {
  if (bookingIdOf(state) !== null) return null;
  const told = notifications.findLast(({ kind }) => kind === 'choose_again' || kind === 'receipt');
  if (told?.kind === 'choose_again') return 'chooseAgain';
  if (isCancelled(state)) return 'cancelled';
  return hasOpenAssistance(state) ? 'helpIsComing' : null;
}

/** Where the customer wanted to go the last time, so that it is asked once: in this browser, and nowhere else. */
function createPlaceMemory(secure: boolean) {
  const cookie = createCookie({ name: 'place', secure, maxAgeSeconds: PLACE_KEPT });
  return {
    recall(req: Request, asked: TimesQuery): TimesQuery {
      const kept = cookie.read(req.headers.cookie);
      if (kept === null || isPlaceSaid(asked)) return asked;
      const { anywhere, filters } = readTimesQuery(Object.fromEntries(new URLSearchParams(kept)));
      return { ...asked, anywhere, filters: { ...asked.filters, town: filters.town, mode: filters.mode } };
    },
    /** @param asked by the address, and not what was remembered */
    remember(res: Response, { anywhere, filters }: TimesQuery): void {
      const said = Object.entries(queryFields({ anywhere, filters: onlyPlace(filters) })).filter(
        (field): field is [string, string] => field[1] !== null && field[1].length <= MOST_LETTERS,
      );
      if (said.length > 0) res.append('Set-Cookie', cookie.set(new URLSearchParams(said).toString()));
    },
  };
}

/** No town's name is longer: what comes by an address may be. */
const MOST_LETTERS = 60;
