import { DateTime } from 'luxon';
import { instant, type Instant } from '../domain/instant.ts';
import { parseDate, startOfDate, ZONE } from './dates.ts';

/**
 * A time as people type it: `2026-11-24` (its first instant), `2026-11-24 09:00` (both in Norway), or with an offset of
 * its own, `2026-11-24T08:00Z`.
 *
 * @returns null for anything else, and for an hour that the change to summer time leaves out
 */
export function parseTime(text: string): Instant | null {
  const date = parseDate(text);
  if (date) return startOfDate(date);
  const [, day, clock, offset] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  if (day === undefined || clock === undefined) return null;
  const time = DateTime.fromISO(`${day}T${clock}${offset ?? ''}`, { zone: ZONE });
  if (!time.isValid || (offset === undefined && !time.toISO().startsWith(`${day}T${clock}`))) return null;
  return instant(time.toMillis());
}
