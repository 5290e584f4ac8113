import type { CalendarDate } from '../domain/instant.ts';
import type { Verdict } from '../domain/verification.ts';
import type { Name } from '../identity/name-match.ts';
import { judge, type Rules } from './judge.ts';
import { createPersons } from './persons.ts';
import { findByNumber, type Inquiry } from './records.ts';
import { validityOf } from './validity.ts';

export interface PolicyQuery {
  readonly policyNumber: string;
  readonly person: Name;
  /** The day of the injury: the policy has to cover that one, and may have ended since. */
  readonly on: CalendarDate;
}

/** A policy is a Coverage: whose beneficiary it is, and in whose period the injury lies. */
export async function verifyPolicy(
  inquiry: Inquiry,
  { policyNumber, person, on }: PolicyQuery,
  rules: Rules,
): Promise<Verdict> {
  const found = await findByNumber(inquiry, 'Coverage', 'beneficiary', policyNumber);
  const namesOf = createPersons(inquiry, found.included);
  const evidence = await Promise.all(
    found.records.map(async ({ status, beneficiary, contained = [], period }) => ({
      isActive: status === 'active',
      isOtherTreatment: false,
      names: await namesOf({ reference: beneficiary, contained }),
      validity: validityOf(period, rules.dateAt),
    })),
  );
  return judge(evidence, { person, on, isWhole: found.isWhole }, rules);
}
