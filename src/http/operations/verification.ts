import { datePlus, startOfDate } from '../../calendar/dates.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import type { VerificationReason } from '../../domain/verification.ts';
import { verificationAnswer } from '../answers/verification.ts';
import { policyInput, referralInput } from '../inputs/verification.ts';
import { operation, type Examples } from '../operation.ts';

const verified = (today: CalendarDate) => ({
  outcome: 'verified',
  reasons: [],
  checkedAt: startOfDate(today),
  validFrom: datePlus(today, -90),
  validTo: datePlus(today, 275),
});

const examples: Examples = {
  verified: { summary: 'Valid, and this patient’s', value: verified },
  expired: {
    summary: 'Not valid any more',
    value: (t) => ({
      ...verified(t),
      outcome: 'not_verified',
      reasons: ['expired'] satisfies VerificationReason[],
      validTo: datePlus(t, -60),
    }),
  },
  unknown: {
    summary: 'Unknown to the registry',
    value: (t) => ({
      ...verified(t),
      outcome: 'not_verified',
      reasons: ['unknown_number'] satisfies VerificationReason[],
      validFrom: null,
      validTo: null,
    }),
  },
};

const NOTE =
  'It informs and never blocks a booking, so it is possible in every status. The answer is kept on the case as ' +
  '`verification`, the number is not. A registry that does not answer is a 500 `REGISTRY_UNAVAILABLE`: that says nothing ' +
  'about the number, so ask again later.';

export const verifyPolicy = operation({
  id: 'verifyPolicy',
  method: 'post',
  path: '/cases/{caseId}/policy-verification',
  tag: 'Verification',
  access: 'api key',
  summary: 'Verify the patient’s policy',
  description: `Asks the policy registry whether the number is the patient’s, and covers the day of the injury. ${NOTE}`,
  body: () => policyInput,
  bodyExamples: { one: { summary: 'A policy', value: () => ({ policyNumber: 'POL-KARI-VALID' }) } },
  idempotent: true,
  answer: { status: 200, description: 'What the registry says.', schema: verificationAnswer, examples },
  refusals: ['REGISTRY_UNAVAILABLE'],
});

export const verifyReferral = operation({
  id: 'verifyReferral',
  method: 'post',
  path: '/cases/{caseId}/referral-verification',
  tag: 'Verification',
  access: 'api key',
  summary: 'Verify the patient’s referral',
  description: `Asks the referral registry whether the number is the patient’s, for this treatment, and valid today. ${NOTE}`,
  body: () => referralInput,
  bodyExamples: { one: { summary: 'A referral', value: () => ({ referralNumber: 'REF-KARI-VALID' }) } },
  idempotent: true,
  answer: { status: 200, description: 'What the registry says.', schema: verificationAnswer, examples },
  refusals: ['REGISTRY_UNAVAILABLE'],
});
