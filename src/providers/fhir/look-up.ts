import type { BookingId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import type { Slot, SlotRef } from '../../domain/slot.ts';
import { relative } from '../../fhir/reference.ts';
import type { Known } from '../../fhir/resources.ts';
import { isInstant } from '../../fhir/resources.ts';
import type { BookingFound, BookingRef } from '../port.ts';
import { appointmentsOf, appointmentsOfAll, isWithdrawn, slotsOf } from './appointments.ts';
import { chunks } from './chunks.ts';
import type { Clinic } from './clinic.ts';
import { readSlots } from './read-slots.ts';
import type { Described } from './slot-view.ts';

type Appointment = Known<'Appointment'>;

/** Reads only. Of several appointments of one booking, the first that was not taken back counts, as everywhere. */
export async function lookUp(
  clinic: Clinic,
  bookings: readonly BookingRef[],
  signal?: AbortSignal,
): Promise<readonly BookingFound[]> {
  const ids = bookings.map(({ bookingId }) => bookingId);
  const appointments = await findAll(clinic, ids, signal);
  const standing = bookings.map(({ bookingId, slot }) => {
    const made = appointments.get(bookingId)?.find((one) => !isWithdrawn(one));
    return made && { made, slotId: slotIdOf(made, slot) };
  });
  const slotIds = standing.flatMap((one) => one?.slotId ?? []);
  const slots = await readSlots(clinic, slotIds, signal);
  return bookings.map((booking, index): BookingFound => {
    const { made, slotId } = standing[index] ?? {};
    if (made) {
      const described = slots.get(slotId ?? '') ?? null;
      return { state: 'stands', reference: made.id, slot: slotNow(clinic, made, booking.slot, described) };
    }
    const isKnown = (appointments.get(booking.bookingId)?.length ?? 0) > 0;
    return { state: isKnown ? 'cancelled' : 'missing' };
  });
}

/** "Missing" is a grave word, so it is only said after a search for that booking alone. */
async function findAll(
  clinic: Clinic,
  bookingIds: readonly BookingId[],
  signal?: AbortSignal,
): Promise<Map<BookingId, Appointment[]>> {
  const all = new Map<BookingId, Appointment[]>();
  for (const some of chunks(bookingIds)) {
    for (const [id, appointments] of await appointmentsOfAll(clinic, some, signal)) {
      const isAsked = appointments.length > 0 || some.length === 1;
      all.set(id, isAsked ? appointments : await appointmentsOf(clinic, id, signal));
    }
  }
  return all;
}

/** One appointment can take several slots. */
function slotIdOf(appointment: Appointment, asked: SlotRef): string | null {
  const slots = slotsOf(appointment);
  return slots.includes(asked.slot) ? asked.slot : (slots[0] ?? null);
}

/**
 * The appointment's own time is when the clinic expects the customer; where, and with whom, its slot says.
 * A slot that is gone, or that nobody can be named for, leaves what the appointment itself says.
 */
function slotNow(clinic: Clinic, made: Appointment, asked: SlotRef, slot: Described | null): Slot {
  const view = slot?.view ?? viewWithoutSlot(clinic, made, asked);
  const { start, end } = made;
  if (!isInstant(start) || !isInstant(end) || Date.parse(end) <= Date.parse(start)) return view;
  return { ...view, start: instant(start), end: instant(end) };
}

function viewWithoutSlot(clinic: Clinic, made: Appointment, asked: SlotRef): Slot {
  const actor = (type: string) =>
    made.participant.map((one) => one.actor).find((one) => relative(one)?.startsWith(`${type}/`));
  const practitioner = actor('Practitioner');
  return {
    ...asked,
    slot: slotIdOf(made, asked) ?? asked.slot,
    practitionerId: relative(practitioner) ?? asked.practitionerId,
    practitioner: practitioner?.display ?? clinic.name,
    location: actor('Location')?.display ?? clinic.name,
    mode: 'in_person',
  };
}
