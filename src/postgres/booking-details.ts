import type { CaseId } from '../domain/ids.ts';
import type { BookingRequest } from '../providers/port.ts';
import type { Database } from './database.ts';
import { boundPerson } from './persons.ts';
import { readCase } from './read-cases.ts';

/**
 * What the clinic gets to know of a case (contract §7). The name is the eID's; the partner's, where the operator booked
 * for a customer without eID.
 */
export async function bookingDetails(
  database: Database,
  caseId: CaseId,
): Promise<Omit<BookingRequest, 'bookingId' | 'slot'>> {
  const [row, person] = await Promise.all([readCase(database, caseId), boundPerson(database, caseId)]);
  if (!row) throw new Error('a booking was ordered for a case that has no row');
  return {
    caseId,
    treatmentType: row.treatment_type,
    patient: {
      givenName: person?.givenName ?? row.patient_first_name,
      familyName: person?.familyName ?? row.patient_last_name,
      birthDate: person?.birthDate ?? null,
      email: row.patient_email,
      phone: row.patient_phone,
    },
    injuryDate: row.injury_date,
    injuryDescription: row.injury_description,
    partnerName: row.partner_name,
    partnerCaseId: row.partner_case_id,
  };
}
