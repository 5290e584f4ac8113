import type { Appointment, AppointmentParticipant, CodeableConcept, Reference } from 'fhir/r4.d.ts';
import type { BookingId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import type { SearchParameters } from '../../fhir/client.ts';
import { type Known, relativeReference } from '../../fhir/resources.ts';
import { type BookingRequest, ProviderUnavailable } from '../port.ts';
import type { Clinic } from './clinic.ts';
import { BOOKING_SYSTEM, bookingOf, CANCELLED_SYSTEM, CASE_SYSTEM, INJURY_DATE } from './mark.ts';
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

/**
 * Whether no live appointment of anybody else's stands on the slot, as far as the server lets us see. Asked always: most
 * servers leave a slot as it is when the clinic's own staff books it. By the slot, else by its time.
 */
export async function isAlone(
  { client, memory }: Clinic,
  { slot, start, end }: { readonly slot: string; readonly start?: string; readonly end?: string },
  bookingId: BookingId,
): Promise<boolean> {
  const search = (parameters: SearchParameters) => unlessRefused(client.search('Appointment', parameters));
  const bySlot = memory.searchesBySlot ? await search([['slot', `Slot/${slot}`]]) : null;
  if (bySlot === null) memory.searchesBySlot = false;
  const found = bySlot?.complete
    ? bySlot
    : await search([
        ['date', `ge${start}`],
        ['date', `lt${end}`],
      ]);
  return !found?.matches.some((other) => isInTheWay(other, slot, bookingId));
}

/** Whether it is somebody else's live appointment on the slot that this booking has. */
export const isInTheWay = (other: KnownAppointment, slotId: string, bookingId: string | null): boolean =>
  standsOn(other, slotId) && isLive(other) && bookingOf(other) !== bookingId;

/**
 * Cancels all live ones but the first. @returns that one, null when none is live or took place.
 * @throws ProviderUnavailable when the server refuses: two appointments must not be told as one
 */
export async function reduceToOne(
  clinic: Clinic,
  found: readonly KnownAppointment[],
): Promise<KnownAppointment | null> {
  const [kept, ...doubles] = found.filter((appointment) => !isWithdrawn(appointment));
  const cancelled = await Promise.all(doubles.map((double) => cancel(clinic, double, 'duplicate')));
  if (cancelled.includes(false))
    throw new ProviderUnavailable('PUT Appointment: a double could not be cancelled', {
      reason: 'write_refused',
    });
  return kept ?? null;
}

const ATTEMPTS = 4;

/** @returns false when the server refuses to cancel it. */
export async function cancel(
  clinic: Clinic,
  appointment: KnownAppointment,
  by: keyof typeof REASONS,
): Promise<boolean> {
  let current = appointment;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (!isLive(current)) return true;
    const cancelled: KnownAppointment = { ...current, status: 'cancelled', cancelationReason: reasonOf(by) };
    const written = await clinic.client.update<'Appointment'>(current, cancelled);
    if (written.outcome === 'done' || written.outcome === 'missing') return true;
    if (written.outcome === 'refused') return false;
    const read = await clinic.client.read('Appointment', current.id);
    if (read.outcome !== 'found') return read.outcome === 'missing';
    current = read.resource;
  }
  throw new ProviderUnavailable('PUT Appointment: changed concurrently too often');
}

/** Whether the clinic itself took it back: what we cancel says so. */
export const isWithdrawnByClinic = (appointment: KnownAppointment): boolean =>
  isWithdrawn(appointment) &&
  !appointment.cancelationReason?.coding?.some(({ system }) => system === CANCELLED_SYSTEM);

const REASON_SYSTEM = 'http://terminology.hl7.org/CodeSystem/appointment-cancellation-reason';
const reasonOf = (by: keyof typeof REASONS): CodeableConcept => {
  const [code, text] = REASONS[by];
  const coding = [
    { system: REASON_SYSTEM, code },
    { system: CANCELLED_SYSTEM, code: by },
  ];
  return { coding, text };
};
/** FHIR's code, and what the clinic's staff reads. */
const REASONS = {
  customer: ['pat', 'Avbestilt av pasienten'],
  partner: ['other', 'Trukket tilbake av forsikringsselskapet'],
  operator: ['other', 'Avbestilt av kundeservice i bestillingstjenesten'],
  provider: ['prov', 'Avlyst av klinikken'],
  service: ['other', 'Trukket tilbake av bestillingstjenesten'],
  duplicate: ['other', 'Dobbeltregistrering fjernet av bestillingstjenesten'],
} as const;

/**
 * The appointment as the clinic gets it: docs/contract.md §7. It is one of the Norwegian profile no-basis-Appointment,
 * and says so nowhere: servers refuse what claims a profile that they don't know.
 */
export function appointmentFor(
  request: BookingRequest,
  slot: DescribedSlot,
  { patient, now }: { readonly patient: string; readonly now: number },
): Appointment {
  const { treatmentType, injuryDescription, injuryDate, partnerName, partnerCaseId } = request;
  const { start, end } = request.slot;
  const { appointmentType } = slot.resource;
  return {
    resourceType: 'Appointment',
    ...(injuryDate === null ? {} : { extension: [{ url: INJURY_DATE, valueDate: injuryDate }] }),
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
    // Who pays: a logical reference, since no clinic keeps the insurer's claims.
    supportingInformation: [
      {
        type: 'Claim',
        identifier: { value: partnerCaseId, assigner: { display: partnerName } },
        display: `${partnerName}: ${partnerCaseId}`,
      },
    ],
    comment: [
      `Forsikringsselskap: ${partnerName}`,
      `Saksnummer hos selskapet: ${partnerCaseId}`,
      ...(injuryDate === null ? [] : [`Skadedato: ${injuryDate}`]),
    ].join('\n'),
    created: instant(now),
    start,
    end,
    minutesDuration: Math.round((Date.parse(end) - Date.parse(start)) / 60_000),
    slot: [{ reference: `Slot/${slot.resource.id}` }],
    participant: participants(slot, patient),
  };
}

function participants({ actors, view }: DescribedSlot, patient: string): AppointmentParticipant[] {
  const { practitioner, practitionerName, locationReference } = actors;
  const taking = (actor: Reference, type?: 'PPRF' | 'PART'): AppointmentParticipant => ({
    ...(type && { type: [{ coding: [{ system: PARTICIPATION, code: type }] }] }),
    ...{ actor, required: 'required', status: 'accepted' },
  });
  return [
    taking({ reference: patient }, 'PART'),
    taking({ reference: practitioner, display: practitionerName }, 'PPRF'),
    ...(locationReference === null ? [] : [taking({ reference: locationReference, display: view.location })]),
  ];
}

/** Of FHIR's value set for them: who takes part, and who performs it in the first place. It has none for a place. */
const PARTICIPATION = 'http://terminology.hl7.org/CodeSystem/v3-ParticipationType';
