import type { BookingId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import { NO_DETAILS, type Slot, type SlotRef } from '../../domain/slot.ts';
import type { SearchParameters } from '../../fhir/client.ts';
import { isInstant, type Known, relativeReference } from '../../fhir/resources.ts';
import { ifAnswered } from '../adapter.ts';
import type { BookingFound, BookingRef, TimeRange } from '../port.ts';
import {
  appointmentsOf,
  appointmentsOfAll,
  isAlone,
  isInTheWay,
  isLive,
  isWithdrawn,
  slotsOf,
} from './appointments.ts';
import type { Clinic } from './clinic.ts';
import type { Directory } from './directory.ts';
import { BOOKING_SYSTEM, bookingOf } from './mark.ts';
import { chunks } from './read-many.ts';
import { type DescribedSlot, findSlots, type FoundSlots, readSlots } from './slots.ts';

type KnownAppointment = Known<'Appointment'>;

/** Reads only. Of several appointments of one booking, the first that was not taken back counts, as everywhere. */
export async function lookUp(
  clinic: Clinic,
  bookings: readonly BookingRef[],
): Promise<readonly BookingFound[]> {
  const ids = bookings.map(({ bookingId }) => bookingId);
  const appointments = await findAll(clinic, ids);
  const standing = bookings.map(({ bookingId, slot }) => {
    const made = appointments.get(bookingId)?.find((one) => !isWithdrawn(one));
    return made && { made, slotId: slotIdOf(made, slot) };
  });
  const slotIds = standing.flatMap((one) => one?.slotId ?? []);
  const { slots, appointments: onThem } = await readSlots(clinic, slotIds, { withAppointments: true });
  const live = standing.flatMap((one) => (one && isLive(one.made) ? [one.made] : []));
  const doubleBooked = await findDoubleBooked(clinic, live, onThem);
  return bookings.map((booking, index): BookingFound => {
    const { made, slotId } = standing[index] ?? {};
    if (made) {
      const described = slots.get(slotId ?? '') ?? null;
      const slot = slotNow(clinic, made, booking.slot, described);
      return {
        ...{ state: 'stands', reference: made.id, slot },
        doubleBooked: doubleBooked.get(made.id) ?? null,
      };
    }
    const isKnown = (appointments.get(booking.bookingId)?.length ?? 0) > 0;
    return { state: isKnown ? 'cancelled' : 'missing' };
  });
}

/**
 * Of each appointment whether somebody else's stands on its slot, as far as that is known. A server that brings ours along
 * with its slot brings all that stand there; of those that others leave out one is asked after, whichever, so that each has
 * its turn.
 * @param onSlots what came along with the slots
 * @returns by the id of the appointment; without those that were not asked after
 */
async function findDoubleBooked(
  clinic: Clinic,
  ours: readonly KnownAppointment[],
  onSlots: readonly KnownAppointment[],
): Promise<Map<string, boolean>> {
  const known = new Map<string, boolean>();
  const brought = new Set(onSlots.map(({ id }) => id));
  for (const one of ours.filter(({ id }) => brought.has(id)))
    known.set(
      one.id,
      slotsOf(one).some((slot) => onSlots.some((other) => isInTheWay(other, slot, bookingOf(one)))),
    );
  const others = ours.filter((one) => !known.has(one.id));
  const next = others[Math.floor(Math.random() * others.length)];
  const [slot] = next ? slotsOf(next) : [];
  const bookingId = next && bookingOf(next);
  if (!next || slot === undefined || !bookingId) return known;
  const alone = await ifAnswered(isAlone(clinic, { ...next, slot }, bookingId as BookingId));
  return alone === null ? known : known.set(next.id, !alone);
}

/** "Missing" is a grave word, so it is only said after a search for that booking alone. */
async function findAll(
  clinic: Clinic,
  bookingIds: readonly BookingId[],
): Promise<Map<BookingId, KnownAppointment[]>> {
  const all = new Map<BookingId, KnownAppointment[]>();
  for (const some of chunks(bookingIds)) {
    for (const [id, appointments] of await appointmentsOfAll(clinic, some)) {
      const isAsked = appointments.length > 0 || some.length === 1;
      all.set(id, isAsked ? appointments : await appointmentsOf(clinic, id));
    }
  }
  return all;
}

/** One appointment can take several slots. */
function slotIdOf(appointment: KnownAppointment, asked: SlotRef): string | null {
  const slots = slotsOf(appointment);
  return slots.includes(asked.slot) ? asked.slot : (slots[0] ?? null);
}

/**
 * The appointment's own time is when the clinic expects the customer; where, and with whom, its slot says.
 * A slot that is gone, or that nobody can be named for, leaves what the appointment itself says.
 */
function slotNow(clinic: Clinic, made: KnownAppointment, asked: SlotRef, slot: DescribedSlot | null): Slot {
  const view = slot?.view ?? viewWithoutSlot(clinic, made, asked);
  const { start, end } = made;
  if (!isInstant(start) || !isInstant(end) || Date.parse(end) <= Date.parse(start)) return view;
  return { ...view, start: instant(start), end: instant(end) };
}

function viewWithoutSlot(clinic: Clinic, made: KnownAppointment, asked: SlotRef): Slot {
  const actor = (type: string) =>
    made.participant.map((one) => one.actor).find((one) => relativeReference(one)?.startsWith(`${type}/`));
  const practitioner = actor('Practitioner');
  return {
    ...asked,
    slot: slotIdOf(made, asked) ?? asked.slot,
    practitionerId: relativeReference(practitioner) ?? asked.practitionerId,
    practitioner: practitioner?.display ?? clinic.name,
    location: actor('Location')?.display ?? clinic.name,
    mode: 'in_person',
    details: NO_DETAILS,
  };
}

/** Judged here again: servers ignore search parameters that they don't know. */
export async function marks(clinic: Clinic, { from, to }: TimeRange): Promise<readonly BookingRef[]> {
  const { slots, directory } = await findMarked(clinic, [
    ['start', `ge${from}`],
    ['start', `lt${to}`],
    ['_count', '200'],
  ]);
  return slots
    .flatMap((slot) => markOn(clinic, slot, directory) ?? [])
    .filter(({ slot }) => slot.start >= from && slot.start < to);
}

/** By the mark itself where the server is known to be able to; otherwise among all of that time. */
async function findMarked(clinic: Clinic, window: SearchParameters): Promise<FoundSlots> {
  const knowsMarks = clinic.client.metadata.known().searchParameter('Slot', 'identifier') === 'yes';
  return findSlots(clinic, knowsMarks ? [['identifier', `${BOOKING_SYSTEM}|`], ...window] : window);
}

function markOn(clinic: Clinic, slot: Known<'Slot'>, directory: Directory): BookingRef | null {
  const bookingId = bookingOf(slot);
  if (bookingId === null) return null;
  const schedule = directory.find('Schedule', slot.schedule);
  const actors = schedule && directory.actorsOf(schedule);
  return {
    bookingId: bookingId as BookingId,
    slot: {
      providerId: clinic.providerId,
      slot: slot.id,
      // A mark on a slot that names nobody is to be found all the same.
      practitionerId: actors?.practitioner ?? relativeReference(slot.schedule) ?? '',
      start: instant(slot.start),
      end: instant(slot.end),
    },
  };
}
