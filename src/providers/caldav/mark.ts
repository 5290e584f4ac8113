import ICAL from 'ical.js';
import type { BookingId, CaseId } from '../../domain/ids.ts';

/** Our mark on an event: held or booked by this booking. */
export const BOOKING = 'x-treatment-booking';
/** The case, which the clinic quotes when it calls. An event that has it is an appointment. */
const CASE = 'x-treatment-booking-case';
/** A booking that was cancelled here: it must not come to life again. */
const WITHDRAWN = 'x-treatment-booking-withdrawn';
/** More than one free time is ever booked and cancelled; an event must not grow for ever. */
const MAX_WITHDRAWN = 20;

export const textIn = (component: ICAL.Component, name: string): string | null => {
  const value: unknown = component.getFirstPropertyValue(name);
  return typeof value === 'string' && value !== '' ? value : null;
};

/** A property that the library does not know is text only when that is said. */
export function setText(component: ICAL.Component, name: string, text: string): void {
  component.removeAllProperties(name);
  addText(component, name, text);
}

function addText(component: ICAL.Component, name: string, text: string): void {
  component.addProperty(new ICAL.Property([name, {}, 'text', text]));
}

/** The booking that an event is held or booked by, null when it is none of ours. */
export const bookingOf = (component: ICAL.Component): BookingId | null =>
  textIn(component, BOOKING) as BookingId | null;

export const isAppointment = (component: ICAL.Component): boolean =>
  bookingOf(component) !== null && component.hasProperty(CASE);

export function mark(component: ICAL.Component, bookingId: BookingId, caseId: CaseId | null): void {
  setText(component, BOOKING, bookingId);
  if (caseId !== null) setText(component, CASE, caseId);
}

export function unmark(component: ICAL.Component): void {
  component.removeAllProperties(BOOKING);
  component.removeAllProperties(CASE);
}

/** Whether an appointment of this booking was taken back here, or is another one's of the same series. */
export const wasWithdrawn = (root: ICAL.Component, bookingId: BookingId): boolean =>
  root
    .getAllSubcomponents('vevent')
    .some((component) => withdrawnOn(component).some((property) => property.getFirstValue() === bookingId));

export function rememberWithdrawn(component: ICAL.Component, bookingId: BookingId): void {
  addText(component, WITHDRAWN, bookingId);
  for (const property of withdrawnOn(component).slice(0, -MAX_WITHDRAWN)) component.removeProperty(property);
}

const withdrawnOn = (component: ICAL.Component) => component.getAllProperties(WITHDRAWN);
