import ICAL from 'ical.js';
import { type Instant, instant } from '../../domain/instant.ts';
import { NO_DETAILS, type Slot, type SlotDetails, type SlotRef } from '../../domain/slot.ts';
import { phoneIn, positionAt, townInAddress } from '../details.ts';
import type { TimeRange } from '../port.ts';
import type { EventTimes } from './answers.ts';
import type { Calendar } from './calendars.ts';
import { bookingOf, textIn } from './mark.ts';
import { type Budget, isSeries, startsOf } from './recurrence.ts';
import type { Clinic } from './server.ts';
import { dayAfter, instantOf, startIn, timeOf, Unreadable, zoneNamed } from './times.ts';

/** What lies at one address of a calendar: one event, or a series with its exceptions. */
export interface CalendarObject {
  readonly path: string;
  /** Without it nothing can be changed safely. */
  readonly etag: string;
  readonly root: ICAL.Component;
}

/** One time in a calendar: an event by itself, or one of a series. */
export interface CalendarEvent extends EventTimes {
  readonly object: CalendarObject;
  /** What says how it is: for most of a series, the series' own component. */
  readonly component: ICAL.Component;
}

/** The events that overlap the range. @throws Unreadable when one of them, or the rule of the series, can't be read; TooMany */
export function eventsIn(object: CalendarObject, range: TimeRange, budget: Budget): CalendarEvent[] {
  const { single, exceptions } = partsOf(object);
  const events = [...exceptions];
  if (single !== null && !isSeries(single)) events.push(eventOf(object, single, null));
  if (single !== null && isSeries(single)) {
    const replaced = new Set(exceptions.map(({ recurrence }) => recurrence));
    const first = eventOf(object, single, null);
    const length = Date.parse(first.end) - Date.parse(first.start);
    const from = instant(Date.parse(range.from) - length);
    for (const { start, time, zone } of startsOf(single, { from, to: range.to }, budget)) {
      if (replaced.has(start)) continue;
      const written = { time: time.toString(), zone };
      events.push({ ...first, recurrence: start, start, end: instant(Date.parse(start) + length), written });
    }
  }
  return events.filter(({ start, end }) => start < range.to && end > range.from);
}

/** The events that are written out: they alone can bear marks. @throws Unreadable */
export function writtenEvents(object: CalendarObject): CalendarEvent[] {
  const { single, exceptions } = partsOf(object);
  return single === null ? exceptions : [eventOf(object, single, null), ...exceptions];
}

function partsOf(object: CalendarObject): {
  readonly single: ICAL.Component | null;
  readonly exceptions: CalendarEvent[];
} {
  const components = object.root.getAllSubcomponents('vevent');
  const [single = null, ...more] = components.filter((one) => !one.hasProperty('recurrence-id'));
  if (more.length > 0) throw new Unreadable('several events in one object');
  const exceptions = components.flatMap((component) => {
    const property = component.getFirstProperty('recurrence-id');
    if (property === null) return [];
    if (property.getFirstParameter('range')) throw new Unreadable('an exception for all that follow');
    return [eventOf(object, component, instantOf(timeOf(property), zoneNamed(property)))];
  });
  return { single, exceptions };
}

function eventOf(
  object: CalendarObject,
  component: ICAL.Component,
  recurrence: Instant | null,
): CalendarEvent {
  const { time, zone } = startIn(component);
  const start = instantOf(time, zone);
  const end = endOf(component, start) ?? (time.isDate ? dayAfter(time, zone) : start);
  if (end < start) throw new Unreadable('an event that ends before it starts');
  return { object, recurrence, component, start, end, isAllDay: time.isDate, written: null };
}

/** RFC 5545 §3.6.1: DTEND, or DURATION. @returns null for neither: the one day, or the moment, that it starts on */
function endOf(component: ICAL.Component, start: Instant): Instant | null {
  const dtend = component.getFirstProperty('dtend');
  if (dtend !== null) return instantOf(timeOf(dtend), zoneNamed(dtend));
  const duration: unknown = component.getFirstPropertyValue('duration');
  if (duration === null) return null;
  const seconds = duration instanceof ICAL.Duration ? duration.toSeconds() : NaN;
  if (Number.isNaN(seconds)) throw new Unreadable('a duration that is none');
  return instant(Date.parse(start) + seconds * 1_000);
}

/** Which event of a calendar: its path, and for one of a series when the series has it. No path holds a `#`. */
export const idOf = ({ object, recurrence }: CalendarEvent): string =>
  recurrence === null ? object.path : `${object.path}#${recurrence}`;

export const pathIn = ({ slot }: SlotRef): string => slot.split('#')[0] ?? slot;

/** The appointment, as calendar programs know it: the UID stays the same wherever it is moved. */
export function referenceOf({ object, component, recurrence }: CalendarEvent): string {
  const uid = textIn(component, 'uid') ?? object.path;
  return recurrence === null ? uid : `${uid}#${recurrence}`;
}

/** The event as the customer sees it. */
export function slotOf(clinic: Clinic, calendar: Calendar, event: CalendarEvent): Slot {
  const { component } = event;
  const isVideo = categoriesOf(event).has('video') || component.hasProperty('conference');
  const place = textIn(component, 'location')?.trim();
  return {
    providerId: clinic.providerId,
    slot: idOf(event),
    practitionerId: calendar.path,
    start: event.start,
    end: event.end,
    practitioner: calendar.practitioner,
    location: isVideo ? 'Video' : place || clinic.name,
    mode: isVideo ? 'video' : 'in_person',
    details: {
      ...NO_DETAILS,
      town: isVideo ? null : townInAddress(place),
      phone: phoneIn(textIn(component, 'contact')),
      position: isVideo ? null : positionOf(component),
    },
  };
}

/** RFC 5545 §3.8.1.6: latitude and longitude. */
function positionOf(component: ICAL.Component): SlotDetails['position'] {
  const [latitude, longitude] = [component.getFirstPropertyValue('geo')].flat() as unknown[];
  return positionAt(latitude, longitude);
}

/** Whether the clinic gives this time away for the treatment. What stands in its way is not looked at. */
export const isOffered = (event: CalendarEvent, treatmentType: string): boolean =>
  isOpen(event) && categoriesOf(event).has(treatmentType.toLowerCase());

/** Whether it is free, though perhaps not for every treatment. A time to book has a beginning and an end. */
export const isOpen = (event: CalendarEvent): boolean =>
  isTransparent(event) &&
  !isCancelled(event) &&
  bookingOf(event.component) === null &&
  !event.isAllDay &&
  event.end > event.start &&
  categoriesOf(event).size > 0;

/** Whether it takes up the practitioner's time. */
export const isBusy = (event: CalendarEvent): boolean => !isTransparent(event) && !isCancelled(event);

export const isCancelled = ({ component }: CalendarEvent): boolean =>
  textIn(component, 'status')?.toUpperCase() === 'CANCELLED';

const isTransparent = ({ component }: CalendarEvent): boolean =>
  textIn(component, 'transp')?.toUpperCase() === 'TRANSPARENT';

/** In lower case: people type them. */
function categoriesOf({ component }: CalendarEvent): Set<string> {
  const values: unknown[] = component
    .getAllProperties('categories')
    .flatMap((one) => one.getValues() as unknown[]);
  return new Set(values.map((value) => String(value).trim().toLowerCase()).filter((value) => value !== ''));
}

/** Whether another one takes up the practitioner's time then. @param busy of the same calendar */
export const isInTheWay = (event: CalendarEvent, busy: readonly CalendarEvent[]): boolean =>
  busy.some((other) => other.start < event.end && other.end > event.start && idOf(other) !== idOf(event));
