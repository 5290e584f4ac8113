import type { Patient, Reference } from '@medplum/fhirtypes';

/** Whom the sandbox's policies and referrals are for. */
export const KARI: Patient = {
  resourceType: 'Patient',
  id: 'kari',
  name: [{ use: 'official', family: 'Nordmann', given: ['Kari', 'Anne'] }],
};
const OLA: Patient = {
  resourceType: 'Patient',
  id: 'ola',
  name: [{ use: 'official', family: 'Hansen', given: ['Ola'] }],
};

export interface Holder {
  readonly reference: Reference<Patient>;
  readonly contained?: Patient[];
}

/** Registries refer to people in different ways: Kari has a record of her own, Ola is contained in what is his. */
export const KARIS: Holder = { reference: { reference: 'Patient/kari' } };
export const OLAS: Holder = { reference: { reference: '#ola' }, contained: [OLA] };
