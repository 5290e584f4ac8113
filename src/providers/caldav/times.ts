import ICAL from 'ical.js';
import { z } from 'zod';
import { instantInZone } from '../../calendar/wall-clock.ts';
import { type Instant, instant } from '../../domain/instant.ts';

/** Why an event can't be read. Holds nothing of what stands in it. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** Where the clinics are: for times without a zone, and for days. */
const NORWAY = 'Europe/Oslo';

/** As jCal has it (RFC 7265). The library takes 25:00 for 01:00 of the next day. */
const writtenTime = z.union([z.iso.datetime({ local: true }), z.iso.date()]);

/** The one time of a DTSTART, DTEND or RECURRENCE-ID. @throws Unreadable */
export function timeOf(property: ICAL.Property): ICAL.Time {
  const [time] = timesOf(property);
  if (time === undefined) throw new Unreadable('a time that is empty');
  return time;
}

/** The DTSTART, with the zone that it names. @throws Unreadable */
export function startIn(component: ICAL.Component): {
  readonly time: ICAL.Time;
  readonly zone: string | null;
} {
  const dtstart = component.getFirstProperty('dtstart');
  if (dtstart === null) throw new Unreadable('an event without a start');
  return { time: timeOf(dtstart), zone: zoneNamed(dtstart) };
}

/** All times of an EXDATE. @throws Unreadable */
export function timesOf(property: ICAL.Property): ICAL.Time[] {
  const [, , , ...written] = property.toJSON() as unknown[];
  if (!z.array(writtenTime).safeParse(written).success) throw new Unreadable('a time that is none');
  return property.getValues().map((value: unknown) => {
    if (value instanceof ICAL.Time) return value;
    throw new Unreadable('a time that is none');
  });
}

/** The zone that a DTSTART, DTEND, EXDATE or RECURRENCE-ID names; null when it names none. */
export const zoneNamed = (property: ICAL.Property): string | null =>
  property.getFirstParameter('tzid') || null;

/** When the day after begins. */
export function dayAfter(day: ICAL.Time, zone: string | null): Instant {
  const next = day.clone();
  next.adjust(1, 0, 0, 0);
  return instantOf(next, zone);
}

/**
 * When that is. A zone's name counts before the definition that the event brings along, since that is what calendar
 * programs go by; the definition is for names that only one vendor knows.
 * @param zone what {@link zoneNamed} says
 * @throws Unreadable when nobody knows the zone
 */
export function instantOf(time: ICAL.Time, zone: string | null): Instant {
  if (time.zone === ICAL.Timezone.utcTimezone) return instant(time.toJSDate());
  const clock = time.isDate ? time.toString() : time.toString().slice(0, '2026-01-01T00:00:00'.length);
  const known = instantInZone(clock, zone ?? NORWAY);
  if (known !== null) return known;
  if (zone === null || time.zone === ICAL.Timezone.localTimezone) throw new Unreadable('a zone unknown here');
  return instant(time.toUnixTime() * 1_000);
}
