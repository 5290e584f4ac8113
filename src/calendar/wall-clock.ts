import { DateTime } from 'luxon';
import { instant, type Instant } from '../domain/instant.ts';

/**
 * The instant at which clocks in `zone` show `time`. An hour that the change to summer time leaves out is the one after
 * it, and of an hour that comes twice it is the first: RFC 5545 §3.3.5.
 *
 * @param time `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SS`, without an offset
 * @param zone a name of the IANA time zone database
 * @returns null for a zone that is not known, and for what is no such time
 */
export function instantInZone(time: string, zone: string): Instant | null {
  const at = DateTime.fromISO(time, { zone });
  if (!at.isValid) return null;
  // to ask for both is dear, and there are two only where the hour before had another offset
  const isChange = at.zone.offset(at.toMillis() - HOUR_MS) !== at.offset;
  const possible = isChange ? at.getPossibleOffsets() : [at];
  return instant(Math.min(...possible.map((one) => one.toMillis())));
}

const HOUR_MS = 60 * 60 * 1_000;
