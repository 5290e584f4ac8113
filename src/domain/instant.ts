/** An instant as `toISOString` writes it (UTC, milliseconds), so that comparing the strings compares the times. */
export type Instant = string & { readonly brand: 'Instant' };

/** A calendar date in Norway, `YYYY-MM-DD`. */
export type CalendarDate = string & { readonly brand: 'CalendarDate' };

const DAY_MS = 24 * 60 * 60 * 1000;

/** @returns the instant in its one written form. @throws RangeError when `time` is no valid time. */
export const instant = (time: string | number | Date): Instant => new Date(time).toISOString() as Instant;

/** Exactly `days` × 24 hours later: for waiting periods, not for calendar dates. */
export const daysAfter = (time: Instant, days: number): Instant => instant(Date.parse(time) + days * DAY_MS);
