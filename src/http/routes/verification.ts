import { dateAt } from '../../calendar/dates.ts';
import { instant } from '../../domain/instant.ts';
import type { Verdict, VerificationKind } from '../../domain/verification.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import { listTreatments } from '../../postgres/treatment-types.ts';
import { keepVerification } from '../../postgres/verifications.ts';
import { verificationNoted } from '../../../workflows/contract.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Add } from '../operation.ts';
import * as described from '../operations/verification.ts';
import { partnersCase } from '../partners-case.ts';

/** Policy and referral, as their registries know them: contract §1. */
export function verificationRoutes(add: Add, deps: Dependencies): void {
  const { database, door, registries, idempotency, now } = deps;
  const { read } = partnersCase(deps);

  add(described.verifyPolicy, async (call) => {
    const view = await read(call.param('caseId'), call.res);
    return idempotency.once(call, described.verifyPolicy, async ({ policyNumber }) => {
      const query = { policyNumber, person: patientOf(view), on: view.injury_date };
      return keep(view, 'policy', await registries.verifyPolicy(query));
    });
  });

  add(described.verifyReferral, async (call) => {
    const view = await read(call.param('caseId'), call.res);
    return idempotency.once(call, described.verifyReferral, async ({ referralNumber }) => {
      const treatmentTypes = (await listTreatments(database)).map(({ code }) => code);
      const verdict = await registries.verifyReferral({
        referralNumber,
        person: patientOf(view),
        on: dateAt(now()),
        treatmentType: view.treatment_type,
        treatmentTypes,
      });
      return keep(view, 'referral', verdict);
    });
  });

  const keep = async (view: CaseView, kind: VerificationKind, verdict: Verdict) => {
    const { outcome, reasons, validFrom, validTo } = verdict;
    const at = instant(now());
    await keepVerification(database, { caseId: view.id, kind, verdict, at });
    // For the operator's eyes only: where it does not arrive, the answer is the same.
    await door.tell(view, verificationNoted, { kind, outcome, at });
    return { outcome, reasons: [...reasons], checkedAt: at, validFrom, validTo };
  };
}

const patientOf = ({ patient_first_name: given, patient_last_name: family }: CaseView) => ({ given, family });
