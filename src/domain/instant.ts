/** An instant as `toISOString` writes it (UTC, milliseconds), so that comparing the strings compares the times. */
export type Instant = string & { readonly brand: 'Instant' };

/** A calendar date in Norway, `YYYY-MM-DD`. */
export type CalendarDate = string & { readonly brand: 'CalendarDate' };

const HOUR_MS = 60 * 60 * 1000;

/** @returns the instant in its one written form. @throws RangeError when `time` is no valid time. */
export const instant = (time: string | number | Date): Instant => new Date(time).toISOString() as Instant;

export const hoursAfter = (time: Instant, hours: number): Instant =>
  instant(Date.parse(time) + hours * HOUR_MS);

/** Exactly `days` × 24 hours later: for waiting periods, not for calendar dates. */
export const daysAfter = (time: Instant, days: number): Instant => hoursAfter(time, days * 24);
