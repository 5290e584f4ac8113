import type { BookingRequest, ReleaseRequest } from '../port.ts';

// Calendars show titles on screens that others see: nothing about who, the injury or the insurer there.
export const HELD = 'Holdes av for bestilling på nett';
export const NEUTRAL = 'Time bestilt på nett';

/** What the clinic gets to know: contract §7. */
export function appointmentText(request: BookingRequest): string {
  const { patient } = request;
  const lines: [label: string, value: string | null][] = [
    ['Pasient', `${patient.givenName} ${patient.familyName}`],
    ['Fødselsdato', patient.birthDate],
    ['Telefon', patient.phone],
    ['E-post', patient.email],
    ['Behandling', request.treatmentType],
    ['Forsikringsselskap', request.partnerName],
    ['Saksnummer hos selskapet', request.partnerCaseId],
    ['Skadedato', request.injuryDate],
    ['Skade', request.injuryDescription],
    ['Sak i bestillingstjenesten', request.caseId],
  ];
  return lines.flatMap(([label, value]) => (value === null ? [] : [`${label}: ${value}`])).join('\n');
}

/** What the clinic's staff reads on a time that became free again. */
export const REASONS: Record<ReleaseRequest['cancelledBy'], string> = {
  customer: 'Avbestilt av pasienten',
  partner: 'Trukket tilbake av forsikringsselskapet',
  operator: 'Avbestilt av kundeservice i bestillingstjenesten',
  provider: 'Avlyst av klinikken',
  service: 'Trukket tilbake av bestillingstjenesten',
};
