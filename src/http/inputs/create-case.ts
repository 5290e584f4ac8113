import { z } from 'zod';
import type { CalendarDate } from '../../domain/instant.ts';
import * as fields from './case-fields.ts';

/** Judged beside the fields' own faults, so that all come back at once: a wrong field is here still as it was sent. */
const whateverElseIsWrong = { when: () => true };

const oneContact = 'give an e-mail address, a phone number, or both.';

/** The nine fields of the specification's §2.1, with the rules of contract §1. */
export const createCaseInput = (today: CalendarDate, offered: readonly string[]) =>
  z
    .strictObject({
      partnerCaseId: fields.partnerCaseId,
      patientFirstName: fields.name,
      patientLastName: fields.name,
      patientEmail: fields.email.nullish(),
      patientPhone: fields.phone.nullish(),
      injuryDate: fields.injuryDate(today),
      injuryDescription: fields.injuryDescription.nullish(),
      treatmentType: fields.treatmentType(offered),
      bookingDeadline: fields.bookingDeadline(today),
    })
    .refine(hasContact, {
      ...whateverElseIsWrong,
      path: ['patientEmail'],
      params: { code: 'contact_required' },
      error: oneContact,
    })
    .refine(hasContact, {
      ...whateverElseIsWrong,
      path: ['patientPhone'],
      params: { code: 'contact_required' },
      error: oneContact,
    })
    .refine((body) => isGiven(body.patientEmail) || !isFixedLine(body.patientPhone), {
      ...whateverElseIsWrong,
      path: ['patientPhone'],
      params: { code: 'no_sms' },
      error: 'can not get SMS; give a mobile number, or an e-mail address as well.',
    });

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function hasContact(body: { patientEmail?: unknown; patientPhone?: unknown }): boolean {
  return isGiven(body.patientEmail) || isGiven(body.patientPhone);
}

const isFixedLine = (phone: unknown): boolean =>
  typeof phone === 'object' && phone !== null && 'takesSms' in phone && phone.takesSms === false;

export type CreateCaseInput = z.output<ReturnType<typeof createCaseInput>>;

/** What PATCH may change; a field that is left out stays. */
export const patchCaseInput = (today: CalendarDate) =>
  z
    .strictObject({
      bookingDeadline: fields.bookingDeadline(today).optional(),
      patientEmail: fields.email.optional(),
      patientPhone: fields.phone.optional(),
      patientFirstName: fields.name.optional(),
      patientLastName: fields.name.optional(),
    })
    .refine((body) => Object.keys(body).length > 0, {
      // who sent a wrong field meant to change something
      when: ({ issues }) => issues.length === 0,
      path: ['bookingDeadline'],
      params: { code: 'required' },
      error: 'give at least one field to change.',
    });
export type PatchCaseInput = z.output<ReturnType<typeof patchCaseInput>>;
