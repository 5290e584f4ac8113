import { boundPerson } from '../../postgres/persons.ts';
import { bookedOf } from '../../postgres/operator-cases.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import { readTexts } from '../../postgres/texts.ts';
import type { Operation } from '../operation.ts';

/** What is known of the people in a case. Only for somebody whose reason is in the log. */
export async function personalView({ database }: Operation, view: CaseView) {
  const [person, texts, booked] = await Promise.all([
    boundPerson(database, view.id),
    readTexts(database, view.id),
    bookedOf(database, view.id),
  ]);
  return {
    firstName: view.patient_first_name,
    lastName: view.patient_last_name,
    email: view.patient_email,
    phone: view.patient_phone,
    injuryDate: view.injury_date,
    injuryDescription: view.injury_description,
    recallReason: view.recall_reason,
    boundPerson: person && {
      givenName: person.givenName,
      familyName: person.familyName,
      birthDate: person.birthDate,
    },
    practitioners: booked.map(({ id, practitioner }) => ({ bookingId: id, practitioner })),
    requests: texts
      .filter(({ kind }) => kind === 'assistance_request')
      .map(({ created_at, preferred_contact, body }) => ({
        at: created_at,
        preferredContact: preferred_contact,
        message: body,
      })),
  };
}
export type PersonalView = Awaited<ReturnType<typeof personalView>>;
