import { Router } from 'express';
import { addDays, dateAt } from '../../calendar/dates.ts';
import { weekOf } from '../../calendar/format.ts';
import { bookingIdOf, hasOpenAssistance, isCancelled } from '../../domain/case-state.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import { allowedToCustomer } from '../../http/booking/customer-service.ts';
import { createOfferedSlots } from '../../http/booking/offered-slots.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { customerBookingOf } from '../appointments.ts';
import { pathOf, ROUTES } from '../paths.ts';
import type { Visits } from '../visits.ts';
import { fits, readTimesQuery, type TimesQuery } from './query.ts';
import type { Times } from './results.ts';
import { timesPage } from './view.ts';

/** How far ahead one can look. */
const DAYS_AHEAD = 90;

/** The free times, a week or a day at a time. */
export function timesRoutes(deps: Dependencies, visits: Visits): Router {
  const { limits, now } = deps;
  const times = createOfferedSlots(deps);
  const router = Router();

  router.get(ROUTES.times, async (req, res) => {
    await limits.timesPages(req, res);
    const { view, context } = await visits.requireOwner(req, res);
    const allowed = allowedToCustomer(view, now());
    if (!allowed.includes('confirm') && !allowed.includes('change')) {
      res.redirect(303, pathOf('welcome', view.id));
      return;
    }
    const query = readTimesQuery(req.query);
    const today = dateAt(now());
    visits.show(
      res,
      timesPage(context, {
        query,
        ...(query.from === null
          ? await searchFirstWeek(view, query, today)
          : await searchDays(view, query, today)),
        bookingDeadline: view.state.deadline.date,
        current: customerBookingOf(view),
        notice: noticeFor(view),
      }),
    );
  });

  return router;

  async function searchDays(view: CaseView, query: TimesQuery, today: CalendarDate): Promise<FoundTimes> {
    const days = daysOf(query, today);
    return { ...(await times.within(view, days)), ...days, searchedDays: null };
  }

  /**
   * Whoever does not say when sees the week with the first time in it, however far ahead that is. Nearly always it is this
   * week or the next, so both are asked for at once; who did not answer then is not waited for a second time.
   */
  async function searchFirstWeek(
    view: CaseView,
    query: TimesQuery,
    today: CalendarDate,
  ): Promise<FoundTimes> {
    const thisWeek = daysOf(query, today);
    const soon = { from: today, to: addDays(thisWeek.to, 7) };
    const found = await times.within(view, soon);
    const isThere = found.slots.some(fits(query.filters));
    const away = found.providers.filter(({ state }) => state === 'unavailable');
    const isAnswered = away.length < found.providers.length;
    if (isThere || !isAnswered) return weekOfFirst(found);

    const rest = { from: addDays(soon.to, 1), to: addDays(today, DAYS_AHEAD) };
    const later = await times.within(view, { ...rest, without: away.map(({ id }) => id) });
    return weekOfFirst({
      slots: [...found.slots, ...later.slots],
      providers: found.providers.map((one) => later.providers.find(({ id }) => id === one.id) ?? one),
    });

    function weekOfFirst({ slots, providers }: Pick<FoundTimes, 'slots' | 'providers'>): FoundTimes {
      const first = slots.find(fits(query.filters));
      const days = daysOf({ ...query, from: first ? dateAt(first.start) : null }, today);
      const week = slots.filter(({ start }) => dateAt(start) >= days.from && dateAt(start) <= days.to);
      const isLater = first !== undefined && days.from > thisWeek.to;
      const isNowhere = first === undefined && isAnswered;
      return { slots: week, providers, ...days, searchedDays: isLater || isNowhere ? DAYS_AHEAD : null };
    }
  }
}

type Days = Pick<Times, 'from' | 'to' | 'earlierFrom' | 'laterFrom'>;
type FoundTimes = Days & Pick<Times, 'slots' | 'providers' | 'searchedDays'>;

/** The day asked for, or what is left of its week; never before today, nor after the last day. */
function daysOf({ from: wanted, oneDay }: TimesQuery, today: CalendarDate): Days {
  const last = addDays(today, DAYS_AHEAD);
  const from = [today, [wanted ?? today, last].sort()[0] ?? today].sort()[1] ?? today;
  const to = oneDay ? from : ([weekOf(from).last, last].sort()[0] ?? last);
  const before = oneDay ? addDays(from, -1) : weekOf(addDays(weekOf(from).first, -1)).first;
  const later = addDays(to, 1);
  return {
    from,
    to,
    earlierFrom: from === today ? null : before < today ? today : before,
    laterFrom: later > last ? null : later,
  };
}

/** What the customer should know before choosing. */
function noticeFor({ state, notifications }: CaseView): Times['notice'] {
  if (bookingIdOf(state) !== null) return null;
  const told = notifications.findLast(({ kind }) => kind === 'choose_again' || kind === 'receipt');
  if (told?.kind === 'choose_again') return 'chooseAgain';
  if (isCancelled(state)) return 'cancelled';
  return hasOpenAssistance(state) ? 'helpIsComing' : null;
}
