import ICAL from 'ical.js';
import type { Instant } from '../../domain/instant.ts';
import { instant } from '../../domain/instant.ts';
import type { CalendarEvent } from './events.ts';
import { keepSeries } from './offer.ts';
import type { Start } from './series.ts';
import { startsOf } from './series.ts';
import { Unreadable } from './times.ts';

/** What makes the series a series, and stays with it. */
const OF_SERIES = ['rrule', 'rdate', 'exdate', 'dtstart', 'dtend', 'duration'];

/** Writes one event of a series out, in the series' own object. */
export function exceptionFor(
  { object, component: series, start, end }: CalendarEvent,
  recurrence: Instant,
): ICAL.Component {
  const next = instant(Date.parse(recurrence) + 1);
  const [of] = startsOf(series, { from: recurrence, to: next });
  if (of === undefined) throw new Unreadable('a series without this event');
  const exception = new ICAL.Component(structuredClone(series.toJSON() as unknown[]));
  for (const name of OF_SERIES) exception.removeAllProperties(name);
  // in the form of the series' own start, or programs don't know which one it is (RFC 5545 §3.8.4.4)
  addTime(exception, 'recurrence-id', of);
  addTime(exception, 'dtstart', of);
  const seconds = (Date.parse(end) - Date.parse(start)) / 1_000;
  exception.addPropertyWithValue('duration', ICAL.Duration.fromSeconds(seconds));
  keepSeries(exception);
  object.root.addSubcomponent(exception);
  return exception;
}

function addTime(component: ICAL.Component, name: string, { time, zone }: Start): void {
  const property = new ICAL.Property(name);
  property.setValue(time.clone());
  if (zone !== null && time.zone !== ICAL.Timezone.utcTimezone) property.setParameter('tzid', zone);
  component.addProperty(property);
}
