import type { CodeableConcept, ServiceRequest } from '@medplum/fhirtypes';
import { KARIS, OLAS, type Holder } from './people.ts';
import type { DayIn } from './policies.ts';

/** The referrals that docs/partners/verification.md lists. */
export const referrals = (dayIn: DayIn): ServiceRequest[] => [
  referral('REF-KARI-VALID', KARIS, { occurrencePeriod: { start: dayIn(-30), end: dayIn(335) } }),
  // without a period of its own, as many are
  referral('REF-KARI-WRITTEN', KARIS, { authoredOn: dayIn(-30) }),
  referral('REF-KARI-EXPIRED', KARIS, { occurrencePeriod: { start: dayIn(-400), end: dayIn(-35) } }),
  referral('REF-KARI-NOT-BEGUN', KARIS, { occurrencePeriod: { start: dayIn(30), end: dayIn(395) } }),
  referral('REF-KARI-REVOKED', KARIS, { authoredOn: dayIn(-30), status: 'revoked' }),
  referral('REF-KARI-CHIROPRACTIC', KARIS, { authoredOn: dayIn(-30), code: CHIROPRACTIC }),
  referral('REF-OLA-VALID', OLAS, { occurrencePeriod: { start: dayIn(-30), end: dayIn(335) } }),
  referral('REF-OLA-EXPIRED', OLAS, { occurrencePeriod: { start: dayIn(-400), end: dayIn(-35) } }),
];

const CHIROPRACTIC: CodeableConcept = {
  coding: [{ system: 'urn:sandbox:services', code: 'chiropractic', display: 'Kiropraktor' }],
};

const referral = (
  number: string,
  { reference, contained }: Holder,
  rest: Partial<ServiceRequest>,
): ServiceRequest => ({
  resourceType: 'ServiceRequest',
  ...(contained ? { contained } : {}),
  identifier: [{ system: 'urn:sandbox:referrals', value: number }],
  status: 'active',
  intent: 'order',
  code: { text: 'Behandling etter skade' },
  subject: reference,
  ...rest,
});
