import { Router } from 'express';
import { dateAt, datePlus } from '../../calendar/dates.ts';
import { weekOf } from '../../calendar/weeks.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import { hasOpenAssistance } from '../../domain/permit.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import { timesPage, type Times } from '../../web/pages/times.ts';
import { pathOf, ROUTES } from '../../web/paths.ts';
import { fits, readTimesQuery, type TimesQuery } from '../../web/times-query.ts';
import { allowedToCustomer } from '../customer/desk.ts';
import { createTimes } from '../customer/times.ts';
import type { Dependencies } from '../dependencies.ts';
import { customersBooking } from './customers-booking.ts';
import type { Visits } from './visit.ts';

/** How far ahead one can look. */
const DAYS_AHEAD = 90;

/** The free times, a week or a day at a time. */
export function timesPages(deps: Dependencies, visits: Visits): Router {
  const { now } = deps;
  const times = createTimes(deps);
  const router = Router();

  router.get(ROUTES.times, async (req, res) => {
    const { view, context } = await visits.customer(req, res);
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
        ...(query.from === null ? await firstWeek(view, query, today) : await lookAt(view, query, today)),
        bookingDeadline: view.state.deadline.date,
        current: customersBooking(view),
        notice: noticeFor(view),
      }),
    );
  });

  return router;

  async function lookAt(view: CaseView, query: TimesQuery, today: CalendarDate): Promise<Looked> {
    const days = daysOf(query, today);
    return { ...(await times.within(view, days)), ...days, searchedDays: null };
  }

  /**
   * Whoever does not say when sees the week with the first time in it, however far ahead that is. Nearly always it is this
   * week or the next, so both are asked for at once; who did not answer then is not waited for a second time.
   */
  async function firstWeek(view: CaseView, query: TimesQuery, today: CalendarDate): Promise<Looked> {
    const thisWeek = daysOf(query, today);
    const soon = { from: today, to: datePlus(thisWeek.to, 7) };
    const found = await times.within(view, soon);
    const isThere = found.slots.some(fits(query.filters));
    const away = found.providers.filter(({ state }) => state === 'unavailable');
    const isAnswered = away.length < found.providers.length;
    if (isThere || !isAnswered) return weekOfFirst(found);

    const rest = { from: datePlus(soon.to, 1), to: datePlus(today, DAYS_AHEAD) };
    const later = await times.within(view, { ...rest, without: away.map(({ id }) => id) });
    return weekOfFirst({
      slots: [...found.slots, ...later.slots],
      providers: found.providers.map((one) => later.providers.find(({ id }) => id === one.id) ?? one),
    });

    function weekOfFirst({ slots, providers }: Pick<Looked, 'slots' | 'providers'>): Looked {
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
type Looked = Days & Pick<Times, 'slots' | 'providers' | 'searchedDays'>;

/** The day asked for, or what is left of its week; never before today, nor after the last day. */
function daysOf({ from: wanted, oneDay }: TimesQuery, today: CalendarDate): Days {
  const last = datePlus(today, DAYS_AHEAD);
  const from = [today, [wanted ?? today, last].sort()[0] ?? today].sort()[1] ?? today;
  const to = oneDay ? from : ([weekOf(from).last, last].sort()[0] ?? last);
  const before = oneDay ? datePlus(from, -1) : weekOf(datePlus(weekOf(from).first, -1)).first;
  const later = datePlus(to, 1);
  return {
    from,
    to,
    earlierFrom: from === today ? null : before < today ? today : before,
    laterFrom: later > last ? null : later,
  };
}

/** What the customer should know before choosing. */
function noticeFor({ state, notifications }: CaseView): Times['notice'] {
  if (state.bookingId !== null) return null;
  const told = notifications.findLast(({ kind }) => kind === 'choose_again' || kind === 'receipt');
  if (told?.kind === 'choose_again') return 'chooseAgain';
  if (state.cancelled) return 'cancelled';
  return hasOpenAssistance(state) ? 'helpIsComing' : null;
}
