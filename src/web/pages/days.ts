import { dateAt, datesBetween } from '../../calendar/dates.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import type { OfferedSlot } from '../booking-facts.ts';

/** One day with its times, or several days in a row without any. */
export interface DayGroup {
  readonly first: CalendarDate;
  readonly last: CalendarDate;
  readonly slots: readonly OfferedSlot[];
}

/** Every day from `from` to `to`, in Norway; days without times are drawn together. */
export function byDay({
  slots,
  from,
  to,
}: {
  slots: readonly OfferedSlot[];
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
