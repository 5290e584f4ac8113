import ICAL from 'ical.js';
import type { BookingId } from '../../domain/ids.ts';
import type { SlotRef } from '../../domain/slot.ts';
import type { BookingRequest } from '../port.ts';
import { appointmentText, HELD, NEUTRAL } from './appointment-text.ts';
import type { Changed, Step } from './change-event.ts';
import { changeEvent } from './change-event.ts';
import type { Clinic } from './clinic.ts';
import { idOf, isBusy, isCancelled, isInTheWay, isOffered, isOpen } from './event-view.ts';
import type { CalendarEvent } from './events.ts';
import { exceptionFor } from './exception.ts';
import { bookingOf, isAppointment, mark, setText, wasWithdrawn } from './mark.ts';
import { keepOffer } from './offer.ts';
import { readEvents } from './read-events.ts';

export interface Taking {
  readonly bookingId: BookingId;
  readonly ref: SlotRef;
  /** Null holds it. */
  readonly booking: BookingRequest | null;
  /** Once it is aborted, nothing is written any more. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the event ours, unless somebody else has it: then the verdict is null. A second time changes nothing. A booking
 * is read back, and not a hold, which a customer waits for and which the booking looks at anyway.
 */
export const takeEvent = (clinic: Clinic, taking: Taking): Promise<Changed<CalendarEvent | null>> =>
  changeEvent(clinic, () => look(clinic, taking), {
    isReadBack: taking.booking !== null,
    signal: taking.signal,
  });

async function look(clinic: Clinic, taking: Taking): Promise<Step<CalendarEvent | null>> {
  const { bookingId, ref, booking, signal } = taking;
  const events = await readEvents(clinic, ref.practitionerId, { from: ref.start, to: ref.end }, signal);
  const event = events.find((one) => idOf(one) === ref.slot);
  // Moved by the clinic: no longer the time that the customer chose.
  if (event?.start !== ref.start || event.end !== ref.end || isCancelled(event)) return { leave: null };
  if (bookingOf(event.component) === bookingId) {
    if (booking === null || isAppointment(event.component)) return { leave: event };
  } else if (!isFor(event, booking) || wasWithdrawn(event.object.root, bookingId)) {
    return { leave: null };
  }
  if (isInTheWay(event, events.filter(isBusy))) return { leave: null };
  write(clinic, event, taking);
  return { write: event.object, then: event };
}

const isFor = (event: CalendarEvent, booking: BookingRequest | null): boolean =>
  booking === null ? isOpen(event) : isOffered(event, booking.treatmentType);

/**
 * No ATTENDEE, though it would say who comes: servers send invitations to attendees, with where and what in them. And no
 * CLASS: from a calendar that is shared, private events are hidden from the colleagues, and from us.
 */
function write(clinic: Clinic, event: CalendarEvent, { bookingId, booking }: Taking): void {
  const component = ownComponent(event);
  keepOffer(component);
  mark(component, bookingId, booking?.caseId ?? null);
  setText(component, 'summary', booking === null ? HELD : NEUTRAL);
  setText(component, 'status', booking === null ? 'TENTATIVE' : 'CONFIRMED');
  setText(component, 'transp', 'OPAQUE');
  if (booking !== null) setText(component, 'description', appointmentText(booking));
  touch(component, clinic.now());
}

/** What is written for one of a series must not be written for all of it. */
function ownComponent(event: CalendarEvent): ICAL.Component {
  const { component, recurrence } = event;
  if (recurrence === null || component.hasProperty('recurrence-id')) return component;
  return exceptionFor(event, recurrence);
}

/** So that calendar programs see that it is newer than what they have. */
export function touch(component: ICAL.Component, now: number): void {
  const time = ICAL.Time.fromJSDate(new Date(now), true);
  component.updatePropertyWithValue('dtstamp', time);
  component.updatePropertyWithValue('last-modified', time.clone());
}
