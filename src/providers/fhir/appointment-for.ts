import type { Appointment, AppointmentParticipant } from 'fhir/r4.d.ts';
import type { BookingRequest } from '../port.ts';
import { BOOKING_SYSTEM, CASE_SYSTEM } from './mark.ts';
import type { Described } from './slot-view.ts';
import { serviceOf } from './slot-view.ts';

/** The appointment as the clinic gets it: contract §7. */
export function appointmentFor(request: BookingRequest, slot: Described, patient: string): Appointment {
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

const participants = ({ actors }: Described, patient: string): AppointmentParticipant[] =>
  [patient, actors.practitioner, actors.locationReference]
    .filter((reference) => reference !== null)
    .map((reference) => ({ actor: { reference }, required: 'required', status: 'accepted' }));
