import { DateTime } from 'luxon';

const NORWAY = 'Europe/Oslo';

export interface WorkingTime {
  /** `YYYY-MM-DD` in Norway. */
  readonly date: string;
  /** `HH:MM` on the clock in Norway. */
  readonly clock: string;
  readonly start: DateTime;
  readonly end: DateTime;
}

/**
 * The times that slots start at, on weekdays from tomorrow on: at these times on the clock in Norway, in summer and in
 * winter.
 * @param now milliseconds since 1970
 */
export function workingTimes(
  now: number,
  weeks: number,
  clocks: readonly string[],
  minutes: number,
): WorkingTime[] {
  const today = DateTime.fromMillis(now, { zone: NORWAY }).startOf('day');
  return Array.from({ length: weeks * 7 }, (_, day) => today.plus({ days: day + 1 }))
    .filter(({ weekday }) => weekday <= 5)
    .flatMap((day) =>
      clocks.map((clock) => {
        const date = day.toFormat('yyyy-MM-dd');
        const start = DateTime.fromISO(`${date}T${clock}`, { zone: NORWAY });
        return { date, clock, start, end: start.plus({ minutes }) };
      }),
    );
}
