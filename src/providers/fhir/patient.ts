import { createHash } from 'node:crypto';
import type { ContactPoint, Patient } from 'fhir/r4.d.ts';
import type { Refused } from '../../fhir/interactions.ts';
import type { Known } from '../../fhir/resources.ts';
import { ServerUnavailable } from '../../http-client/exchange.ts';
import { type BookingRequest, ProviderUnavailable } from '../port.ts';
import type { Clinic } from './clinic.ts';
import { PATIENT_SYSTEM } from './mark.ts';

/*
 * The Patient is a resource of its own: many servers refuse a contained one, and no clinic can call up, merge or
 * invoice it. It is one per case and person. So a change of slot doesn't add another, and a second person in the same
 * case never overwrites the first one's, in which the clinic may have written by now.
 */

export async function findPatient(clinic: Clinic, request: BookingRequest): Promise<Known<'Patient'> | null> {
  const value = personOf(request);
  const found = await clinic.client.search('Patient', [['identifier', `${PATIENT_SYSTEM}|${value}`]]);
  const ours = found.matches.filter(({ identifier }) =>
    identifier?.some((one) => one.system === PATIENT_SYSTEM && one.value === value),
  );
  return ours.sort((a, b) => (a.id < b.id ? -1 : 1))[0] ?? null;
}

/** @returns a reference to the patient, with the contacts of today. */
export async function ensurePatient(
  clinic: Clinic,
  request: BookingRequest,
  found: Known<'Patient'> | null,
): Promise<{ readonly outcome: 'done'; readonly reference: string } | Refused> {
  let patient = found;
  if (patient === null) {
    const { resource, condition } = newPatient(request);
    const created = await clinic.client.create<'Patient'>(resource, condition);
    if (created.outcome === 'missing') return { outcome: 'refused', cause: 'no_patients' };
    if (created.outcome === 'refused') return created;
    if (created.outcome === 'done' && created.resource === null && created.id !== null) {
      return { outcome: 'done', reference: `Patient/${created.id}` };
    }
    // A conflict means that several match: any one of them will do.
    patient = created.outcome === 'done' ? created.resource : await findPatient(clinic, request);
    if (patient === null) throw new ProviderUnavailable('POST Patient: created, but not found afterwards');
  }
  await refreshContacts(clinic, patient, telecomOf(request));
  return { outcome: 'done', reference: `Patient/${patient.id}` };
}

/** A refusal or a conflict is left: then the clinic's own staff is at work on it, or we may not. */
async function refreshContacts(
  clinic: Clinic,
  patient: Known<'Patient'>,
  telecom: ContactPoint[],
): Promise<void> {
  const has = new Set(patient.telecom?.map(({ system, value }) => `${system ?? ''}|${value ?? ''}`));
  if (telecom.every(({ system, value }) => has.has(`${system ?? ''}|${value ?? ''}`))) return;
  try {
    await clinic.client.update<'Patient'>(patient, { ...patient, telecom });
  } catch (error) {
    if (!(error instanceof ServerUnavailable) || error.reason !== 'forbidden') throw error;
  }
}

/** With the search that finds it, if it was made already. */
export function newPatient(request: BookingRequest) {
  const { patient } = request;
  const value = personOf(request);
  const resource: Patient = {
    resourceType: 'Patient',
    active: true,
    identifier: [{ system: PATIENT_SYSTEM, value }],
    name: [{ use: 'official', family: patient.familyName, given: patient.givenName.trim().split(/\s+/) }],
    telecom: telecomOf(request),
    ...(patient.birthDate === null ? {} : { birthDate: patient.birthDate }),
  };
  return { resource, condition: [['identifier', `${PATIENT_SYSTEM}|${value}`]] as const };
}

function telecomOf({ patient }: BookingRequest): ContactPoint[] {
  const telecom: ContactPoint[] = [];
  if (patient.phone !== null) telecom.push({ system: 'phone', value: patient.phone, use: 'mobile' });
  if (patient.email !== null) telecom.push({ system: 'email', value: patient.email });
  return telecom;
}

function personOf({ caseId, patient }: BookingRequest): string {
  const person = JSON.stringify([patient.familyName, patient.givenName, patient.birthDate]);
  return `${caseId}.${createHash('sha256').update(`${caseId}${person}`).digest('hex').slice(0, 16)}`;
}
