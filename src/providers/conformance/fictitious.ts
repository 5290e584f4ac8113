import { randomUUID } from 'node:crypto';
import type { BookingId, CaseId } from '../../domain/ids.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import type { SlotRef } from '../../domain/slot.ts';
import type { BookingRequest } from '../port.ts';

export const newBookingId = (): BookingId => randomUUID() as BookingId;

/**
 * A booking that nobody at the clinic takes for a patient's. No telephone number: none is reserved for trials, so each
 * could be somebody's. Addresses at `.example` reach nobody (RFC 2606).
 */
export const fictitiousBooking = (
  slot: SlotRef,
  treatmentType: string,
  caseId: CaseId = randomUUID() as CaseId,
): BookingRequest => ({
  bookingId: newBookingId(),
  caseId,
  slot,
  treatmentType,
  patient: {
    givenName: 'Prøve',
    familyName: 'Ikke-Pasient',
    birthDate: '1900-01-01' as CalendarDate,
    email: 'ingen@timebestilling.example',
    phone: null,
  },
  injuryDate: '2000-01-01' as CalendarDate,
  injuryDescription: 'Prøve av forbindelsen til timeboken. Ingen pasient: kan slettes.',
  partnerName: 'Prøve (ingen forsikring)',
  partnerCaseId: 'PROVE',
});
