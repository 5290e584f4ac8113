import { randomUUID } from 'node:crypto';
import { addDays, dateAt } from '../../src/calendar/dates.ts';

export const today = (plusDays = 0): string => addDays(dateAt(new Date()), plusDays);

/** A customer with two addresses, who gets each message twice. */
export const BY_BOTH = { patientPhone: '+4790000000' };

/** What a partner sends for a case, with a reference that nobody has used. A message to its customer is a mail. */
export const newCase = (changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  partnerCaseId: `TF-${randomUUID()}`,
  patientFirstName: 'Kari',
  patientLastName: 'Nordmann',
  patientEmail: 'kari.nordmann@example.com',
  injuryDate: today(-30),
  injuryDescription: 'Fall på isen',
  treatmentType: 'psychology',
  bookingDeadline: today(20),
  ...changes,
});
