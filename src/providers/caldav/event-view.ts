import type { Slot, SlotRef } from '../../domain/slot.ts';
import type { Calendar } from './calendars.ts';
import type { Clinic } from './clinic.ts';
import type { CalendarEvent } from './events.ts';
import { bookingOf, textIn } from './mark.ts';

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
  const isVideo = categoriesOf(event).has('video') || event.component.hasProperty('conference');
  return {
    providerId: clinic.providerId,
    slot: idOf(event),
    practitionerId: calendar.path,
    start: event.start,
    end: event.end,
    practitioner: calendar.practitioner,
    location: isVideo ? 'Video' : textIn(event.component, 'location')?.trim() || clinic.name,
    mode: isVideo ? 'video' : 'in_person',
  };
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
