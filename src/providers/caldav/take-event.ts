import ICAL from 'ical.js';
import type { BookingId } from '../../domain/ids.ts';
import type { SlotRef } from '../../domain/slot.ts';
import { bothOver } from '../adapter.ts';
import { type BookingRequest, type HoldOutcome, ProviderUnavailable } from '../port.ts';
import { calendarAt } from './calendars.ts';
import {
  type CalendarEvent,
  type CalendarObject,
  idOf,
  isBusy,
  isCancelled,
  isInTheWay,
  isOffered,
  isOpen,
  slotOf,
} from './events.ts';
import {
  appointmentText,
  BOOKED_TITLE,
  bookingOf,
  HELD_TITLE,
  isAppointment,
  keepOffer,
  keepSeries,
  mark,
  setText,
  wasWithdrawn,
} from './mark.ts';
import { writeObject, type Written } from './objects.ts';
import { readEvents } from './search-events.ts';
import type { Clinic } from './server.ts';

/** Two round trips: the hour in the calendar beside whose calendar it is, and the mark. */
export async function hold(clinic: Clinic, taking: Taking & { booking: null }): Promise<HoldOutcome> {
  const [calendar, taken] = await bothOver(
    calendarAt(clinic.server, taking.ref.practitionerId),
    takeEvent(clinic, taking),
  );
  // Not "taken", which would be untrue: a server that takes no marks is the operator's to mend.
  if (taken.outcome === 'refused')
    throw new ProviderUnavailable(`CalDAV PUT: refused (${taken.cause})`, { reason: 'write_refused' });
  if (taken.verdict === null || calendar === null) return { outcome: 'taken' };
  return { outcome: 'held', slot: slotOf(clinic, calendar, taken.verdict) };
}

export interface Taking {
  readonly bookingId: BookingId;
  readonly ref: SlotRef;
  /** Null holds it. */
  readonly booking: BookingRequest | null;
}

/**
 * Makes the event ours, unless somebody else has it: then the verdict is null. A second time changes nothing. A booking
 * is read back, and not a hold, which a customer waits for and which the booking looks at anyway.
 */
export const takeEvent = (clinic: Clinic, taking: Taking): Promise<Changed<CalendarEvent | null>> =>
  changeEvent(clinic, () => nextStep(clinic, taking), { isReadBack: taking.booking !== null });

async function nextStep(clinic: Clinic, taking: Taking): Promise<Step<CalendarEvent | null>> {
  const { bookingId, ref, booking } = taking;
  const events = await readEvents(clinic, ref.practitionerId, { from: ref.start, to: ref.end });
  const event = events.find((one) => idOf(one) === ref.slot);
  // Moved by the clinic: no longer the time that the customer chose.
  if (event?.start !== ref.start || event.end !== ref.end || isCancelled(event)) return { leave: null };
  const isOurs = bookingOf(event.component) === bookingId;
  if (isOurs && booking === null) return { leave: event };
  // Also of what is an appointment by now: whoever looked before our mark was there may have written over the time.
  if (isInTheWay(event, events.filter(isBusy))) return { leave: null };
  if (isOurs) {
    if (isAppointment(event.component)) return { leave: event };
  } else if (!isFreeFor(event, booking) || wasWithdrawn(event.object.root, bookingId)) {
    return { leave: null };
  }
  writeBooking(clinic, event, taking);
  return { write: event.object, then: event };
}

const isFreeFor = (event: CalendarEvent, booking: BookingRequest | null): boolean =>
  booking === null ? isOpen(event) : isOffered(event, booking.treatmentType);

/**
 * No ATTENDEE, though it would say who comes: servers send invitations to attendees, with where and what in them. And no
 * CLASS: from a calendar that is shared, private events are hidden from the colleagues, and from us.
 */
function writeBooking(clinic: Clinic, event: CalendarEvent, { bookingId, booking }: Taking): void {
  const component = ownComponent(event);
  keepOffer(component);
  mark(component, bookingId, booking?.caseId ?? null);
  setText(component, 'summary', booking === null ? HELD_TITLE : BOOKED_TITLE);
  setText(component, 'status', booking === null ? 'TENTATIVE' : 'CONFIRMED');
  setText(component, 'transp', 'OPAQUE');
  if (booking !== null) setText(component, 'description', appointmentText(booking));
  touch(component, clinic.now());
}

/** What is written for one of a series must not be written for all of it. */
function ownComponent(event: CalendarEvent): ICAL.Component {
  const { component, written } = event;
  return written === null ? component : exceptionFor(event, written);
}

/** So that calendar programs see that it is newer than what they have. */
export function touch(component: ICAL.Component, now: number): void {
  const time = ICAL.Time.fromJSDate(new Date(now), true);
  component.updatePropertyWithValue('dtstamp', time);
  component.updatePropertyWithValue('last-modified', time.clone());
}

/** What to do about an event as it was found: write its object, or leave it with this verdict. */
export type Step<T> = { readonly write: CalendarObject; readonly then: T } | { readonly leave: T };

export type Changed<T> =
  { readonly outcome: 'settled'; readonly verdict: T } | Extract<Written, { outcome: 'refused' }>;

/** A series is one object: whoever changes another of its events is in the way, too. */
const ATTEMPTS = 16;

/**
 * Reads, judges and writes with `If-Match`. When somebody was quicker it is read again and judged again: it may be our
 * own earlier attempt whose answer was lost. So it is when the server does not say that it keeps what was sent.
 *
 * @param look reads it anew
 * @param isReadBack whether what was written is looked at again, whatever the server says of it
 * @throws ProviderUnavailable when others keep changing it, or the server does not keep what we write
 */
async function changeEvent<T>(
  clinic: Clinic,
  look: () => Promise<Step<T>>,
  { isReadBack }: { readonly isReadBack: boolean },
): Promise<Changed<T>> {
  let isKept = true;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const step = await look();
    if ('leave' in step) return { outcome: 'settled', verdict: step.leave };
    const written = await writeObject(clinic.server, step.write);
    if (written.outcome === 'refused') return written;
    isKept = written.outcome === 'conflict';
    const isSettled = written.outcome === 'done' && written.asSent && !isReadBack;
    if (isSettled) return { outcome: 'settled', verdict: step.then };
  }
  throw new ProviderUnavailable(
    isKept
      ? 'CalDAV PUT: changed concurrently too often'
      : 'CalDAV PUT: server does not store what is written',
  );
}

/** What makes the series a series, and stays with it. */
const OF_SERIES = ['rrule', 'rdate', 'exdate', 'dtstart', 'dtend', 'duration'];

/** Writes one event of a series out, in the series' own object. */
function exceptionFor(
  { object, component: series, start, end }: CalendarEvent,
  written: NonNullable<CalendarEvent['written']>,
): ICAL.Component {
  const exception = new ICAL.Component(structuredClone(series.toJSON() as unknown[]));
  for (const name of OF_SERIES) exception.removeAllProperties(name);
  // in the form of the series' own start, or programs don't know which one it is (RFC 5545 §3.8.4.4)
  addTimeProperty(exception, 'recurrence-id', written);
  addTimeProperty(exception, 'dtstart', written);
  const seconds = (Date.parse(end) - Date.parse(start)) / 1_000;
  exception.addPropertyWithValue('duration', ICAL.Duration.fromSeconds(seconds));
  keepSeries(exception);
  object.root.addSubcomponent(exception);
  return exception;
}

function addTimeProperty(
  component: ICAL.Component,
  name: string,
  { time, zone }: NonNullable<CalendarEvent['written']>,
): void {
  const property = new ICAL.Property(name);
  const value = ICAL.Time.fromString(time, undefined);
  property.setValue(value);
  if (zone !== null && value.zone !== ICAL.Timezone.utcTimezone) property.setParameter('tzid', zone);
  component.addProperty(property);
}
