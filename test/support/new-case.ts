import { randomUUID } from 'node:crypto';
import { addDays, dateAt } from '../../src/calendar/dates.ts';

export const today = (plusDays = 0): string => addDays(dateAt(new Date()), plusDays);

/** What a partner sends for a case, with a reference that nobody has used. */
export const newCase = (changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  partnerCaseId: `TF-${randomUUID()}`,
  patientFirstName: 'Kari',
  patientLastName: 'Nordmann',
  patientEmail: 'kari.nordmann@example.com',
  patientPhone: '+4790000000',
  injuryDate: today(-30),
  injuryDescription: 'Fall på isen',
  treatmentType: 'psychology',
  bookingDeadline: today(20),
  ...changes,
});
