import { z } from 'zod';
import { addDays, dateAt, startOfDate } from '../calendar/dates.ts';
import type { Author } from '../domain/command.ts';
import { type CalendarDate, instant } from '../domain/instant.ts';
import type { Verdict, VerificationKind, VerificationReason } from '../domain/verification.ts';
import type { CaseView } from '../postgres/cases.ts';
import { listTreatments } from '../postgres/treatment-types.ts';
import { saveVerification } from '../postgres/verifications.ts';
import { verificationAnswer } from './cases/case-json.ts';
import { partnersCase } from './cases/partners-case.ts';
import type { Dependencies } from './dependencies.ts';
import { text } from './fields.ts';
import { type Examples, operationsFor } from './operation.ts';
import type { Add } from './route.ts';

type Verification = z.input<typeof verificationAnswer>;

const number = (description: string) => text(100).meta({ description });

const policyInput = z.strictObject({
  policyNumber: number('The number of the policy, as the registry has it. It is not kept.'),
});

const referralInput = z.strictObject({
  referralNumber: number('The number of the referral, as the registry has it. It is not kept.'),
});

const verified = (today: CalendarDate) => ({
  outcome: 'verified',
  reasons: [],
  checkedAt: startOfDate(today),
  validFrom: addDays(today, -90),
  validTo: addDays(today, 275),
});

const examples: Examples = {
  verified: { summary: 'Valid, and this patient’s', value: verified },
  expired: {
    summary: 'Not valid any more',
    value: (t) => ({
      ...verified(t),
      outcome: 'not_verified',
      reasons: ['expired'] satisfies VerificationReason[],
      validTo: addDays(t, -60),
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

const describe = operationsFor('Verification', 'api key');

export const verifyPolicy = describe({
  id: 'verifyPolicy',
  method: 'post',
  path: '/cases/{caseId}/policy-verification',
  summary: 'Verify the patient’s policy',
  description: `Asks the policy registry whether the number is the patient’s, and covers the day of the injury. ${NOTE}`,
  body: () => policyInput,
  bodyExamples: { one: { summary: 'A policy', value: () => ({ policyNumber: 'POL-KARI-VALID' }) } },
  idempotent: 'around',
  answer: { status: 200, description: 'What the registry says.', schema: verificationAnswer, examples },
  refusals: ['REGISTRY_UNAVAILABLE'],
});

export const verifyReferral = describe({
  id: 'verifyReferral',
  method: 'post',
  path: '/cases/{caseId}/referral-verification',
  summary: 'Verify the patient’s referral',
  description: `Asks the referral registry whether the number is the patient’s, for this treatment, and valid today. ${NOTE}`,
  body: () => referralInput,
  bodyExamples: { one: { summary: 'A referral', value: () => ({ referralNumber: 'REF-KARI-VALID' }) } },
  idempotent: 'around',
  answer: { status: 200, description: 'What the registry says.', schema: verificationAnswer, examples },
  refusals: ['REGISTRY_UNAVAILABLE'],
});

/** Policy and referral, as their registries know them. */
export function verificationRoutes(add: Add, deps: Dependencies): void {
  const { database, caseClient, registries, now } = deps;

  const { read } = partnersCase(deps);

  add(verifyPolicy, ({ view, author, input: { policyNumber } }) =>
    verify('policy', view, author, (current) =>
      registries.verifyPolicy({
        ...{ policyNumber, person: patientOf(current) },
        // where a restore has lost it: the day that it was handed over
        on: current.injury_date ?? dateAt(new Date(current.created_at)),
      }),
    ),
  );

  add(verifyReferral, async ({ view, author, input: { referralNumber } }) => {
    const treatmentTypes = (await listTreatments(database)).map(({ code }) => code);
    return verify('referral', view, author, (current) =>
      registries.verifyReferral({
        referralNumber,
        person: patientOf(current),
        on: dateAt(now()),
        treatmentType: current.treatment_type,
        treatmentTypes,
      }),
    );
  });

  /** Asks, and keeps the answer; asks anew where the names were corrected meanwhile. */
  async function verify(
    kind: VerificationKind,
    view: CaseView,
    author: Author,
    ask: (view: CaseView) => Promise<Verdict>,
  ): Promise<Verification> {
    const verdict = await ask(view);
    const { outcome, reasons, validFrom, validTo } = verdict;
    const at = instant(now());
    const said = { caseId: view.id, kind, verdict, at, author, person: patientOf(view) };
    if (!(await saveVerification(database, said)))
      return verify(kind, await read(view.id, view.partner_id), author, ask);
    // For the operator's eyes only: where it does not arrive, the answer is the same.
    await caseClient.signal(view, 'verificationNoted', { kind, outcome, at });
    return { outcome, reasons: [...reasons], checkedAt: at, validFrom, validTo };
  }
}

const patientOf = ({ patient_first_name: given, patient_last_name: family }: CaseView) => ({ given, family });
