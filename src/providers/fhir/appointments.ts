import type { Appointment, AppointmentParticipant } from 'fhir/r4.d.ts';
import type { BookingId } from '../../domain/ids.ts';
import { type Known, relativeReference } from '../../fhir/resources.ts';
import { type BookingRequest, ProviderUnavailable, type ReleaseRequest } from '../port.ts';
import type { Clinic } from './clinic.ts';
import { BOOKING_SYSTEM, bookingOf, CASE_SYSTEM } from './mark.ts';
import { unlessRefused } from './read-many.ts';
import { type DescribedSlot, serviceOf } from './slots.ts';

type KnownAppointment = Known<'Appointment'>;

const OVER = new Set<string>(['cancelled', 'entered-in-error', 'noshow', 'fulfilled']);

/** Whether it takes up the clinic's time still. */
export const isLive = ({ status }: KnownAppointment): boolean => !OVER.has(status);
/** Whether it was taken back, as opposed to: took place. */
export const isWithdrawn = ({ status }: KnownAppointment): boolean =>
  status === 'cancelled' || status === 'entered-in-error';

/** @throws ProviderUnavailable when there is none among what could be read, and that was not all. */
export async function appointmentsOf(clinic: Clinic, bookingId: BookingId): Promise<KnownAppointment[]> {
  return (await appointmentsOfAll(clinic, [bookingId])).get(bookingId) ?? [];
}

/** Of several bookings in one search. Servers that don't know the comma find nothing. */
export async function appointmentsOfAll(
  clinic: Clinic,
  bookingIds: readonly BookingId[],
): Promise<Map<BookingId, KnownAppointment[]>> {
  const tokens = bookingIds.map((bookingId) => `${BOOKING_SYSTEM}|${bookingId}`);
  const found = await clinic.client.search('Appointment', [['identifier', tokens.join(',')]]);
  if (found.skipped > 0) clinic.onSkipped('Appointment', found.skipped, 'malformed');
  const byBooking = new Map<BookingId, KnownAppointment[]>(bookingIds.map((id) => [id, []]));
  for (const appointment of found.matches) {
    const mark = bookingOf(appointment);
    byBooking.get(mark as BookingId)?.push(appointment);
  }
  for (const [, appointments] of byBooking) {
    if (appointments.length === 0 && (!found.complete || found.skipped > 0))
      throw new ProviderUnavailable('GET Appointment: incomplete result');
    // In an order that every reader agrees on, so that two who reduce doubles at the same time keep the same one.
    appointments.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
  return byBooking;
}

/** The ids of the slots that it takes up. */
export const slotsOf = (appointment: KnownAppointment): string[] =>
  (appointment.slot ?? []).flatMap((slot) => /^Slot\/(.+)$/.exec(relativeReference(slot) ?? '')?.[1] ?? []);

export const standsOn = (appointment: KnownAppointment, slotId: string): boolean =>
  slotsOf(appointment).includes(slotId);

/** Whether no live appointment of anybody else's stands on the slot, as far as the server lets us see. */
export async function isAlone(clinic: Clinic, slotId: string, bookingId: BookingId): Promise<boolean> {
  const found = await unlessRefused(clinic.client.search('Appointment', [['slot', `Slot/${slotId}`]]));
  // A search that is refused: asked only about slots that were marked or booked by us a moment ago.
  return !found?.matches.some(
    (other) => standsOn(other, slotId) && isLive(other) && bookingOf(other) !== bookingId,
  );
}

/** Cancels all live ones but the first. @returns that one, null when none is live or took place. */
export async function reduceToOne(
  clinic: Clinic,
  found: readonly KnownAppointment[],
): Promise<KnownAppointment | null> {
  const [kept, ...doubles] = found.filter((appointment) => !isWithdrawn(appointment));
  await Promise.all(doubles.map((double) => cancel(clinic, double, 'duplicate')));
  return kept ?? null;
}

const ATTEMPTS = 4;

/** @returns false when the server refuses to cancel it. */
export async function cancel(
  clinic: Clinic,
  appointment: KnownAppointment,
  by: ReleaseRequest['cancelledBy'] | 'duplicate',
): Promise<boolean> {
  let current = appointment;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (!isLive(current)) return true;
    const cancelled: KnownAppointment = { ...current, status: 'cancelled', cancelationReason: REASONS[by] };
    const written = await clinic.client.update<'Appointment'>(current, cancelled);
    if (written.outcome === 'done' || written.outcome === 'missing') return true;
    if (written.outcome === 'refused') return false;
    const read = await clinic.client.read('Appointment', current.id);
    if (read.outcome !== 'found') return read.outcome === 'missing';
    current = read.resource;
  }
  throw new ProviderUnavailable('PUT Appointment: changed concurrently too often');
}

// What the clinic's staff reads, with the code that FHIR has for it.
const reason = (code: 'pat' | 'prov' | 'other', text: string) => ({
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/appointment-cancellation-reason', code }],
  text,
});
const REASONS = {
  customer: reason('pat', 'Avbestilt av pasienten'),
  partner: reason('other', 'Trukket tilbake av forsikringsselskapet'),
  operator: reason('other', 'Avbestilt av kundeservice i bestillingstjenesten'),
  provider: reason('prov', 'Avlyst av klinikken'),
  service: reason('other', 'Trukket tilbake av bestillingstjenesten'),
  duplicate: reason('other', 'Dobbeltregistrering fjernet av bestillingstjenesten'),
};

/** The appointment as the clinic gets it: docs/contract.md §7. */
export function appointmentFor(request: BookingRequest, slot: DescribedSlot, patient: string): Appointment {
  const { treatmentType, injuryDescription } = request;
  const { appointmentType } = slot.resource;
  return {
    resourceType: 'Appointment',
    identifier: [
      { system: BOOKING_SYSTEM, value: request.bookingId },
      { system: CASE_SYSTEM, value: request.caseId },
    ],
    status: 'booked',
    serviceType: [serviceOf(slot, treatmentType) ?? { coding: [{ code: treatmentType }] }],
    // Says "video" in the clinic's own code, where the slot says so.
    ...(appointmentType === undefined ? {} : { appointmentType }),
    ...(injuryDescription === null ? {} : { reasonCode: [{ text: injuryDescription }] }),
    // Calendars show it on screens that others see: nothing about the injury or the insurer here.
    description: 'Time bestilt på nett',
    comment: [
      `Forsikringsselskap: ${request.partnerName}`,
      `Saksnummer hos selskapet: ${request.partnerCaseId}`,
      `Skadedato: ${request.injuryDate}`,
    ].join('\n'),
    start: request.slot.start,
    end: request.slot.end,
    slot: [{ reference: `Slot/${slot.resource.id}` }],
    participant: participants(slot, patient),
  };
}

const participants = ({ actors }: DescribedSlot, patient: string): AppointmentParticipant[] =>
  [patient, actors.practitioner, actors.locationReference]
    .filter((reference) => reference !== null)
    .map((reference) => ({ actor: { reference }, required: 'required', status: 'accepted' }));
