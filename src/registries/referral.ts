import type { ServiceRequest } from 'fhir/r4.d.ts';
import type { CalendarDate } from '../domain/instant.ts';
import type { Verdict } from '../domain/verification.ts';
import type { Name } from '../identity/name-match.ts';
import { judge, type Rules } from './judge.ts';
import { createPersons } from './persons.ts';
import { findByNumber, type Inquiry } from './records.ts';
import { firstDayOf, twelveMonthsFrom, validityOf, type DateAt, type Validity } from './validity.ts';

export interface ReferralQuery {
  readonly referralNumber: string;
  readonly person: Name;
  /** Today: a referral is for treatment that is yet to come. */
  readonly on: CalendarDate;
  readonly treatmentType: string;
  /** All that we know by a code, by which another treatment is told from another vocabulary. */
  readonly treatmentTypes: readonly string[];
}

/** A referral is a ServiceRequest: whose subject it is, for which treatment, and until when. */
export async function verifyReferral(inquiry: Inquiry, query: ReferralQuery, rules: Rules): Promise<Verdict> {
  const found = await findByNumber(inquiry, 'ServiceRequest', 'subject', query.referralNumber);
  const namesOf = createPersons(inquiry, found.included);
  const evidence = await Promise.all(
    found.records.map(async (request) => ({
      // a request not to do it is no referral
      isActive: request.status === 'active' && request.doNotPerform !== true,
      isOtherTreatment: isForOther(request, query),
      names: await namesOf({ reference: request.subject, contained: request.contained ?? [] }),
      validity: validityOfReferral(request, rules.dateAt),
    })),
  );
  return judge(evidence, { person: query.person, on: query.on, isWhole: found.isWhole }, rules);
}

/** Only what speaks of treatments by our codes is judged: most registries have words of their own. */
function isForOther(
  { code, category = [] }: ServiceRequest,
  { treatmentType, treatmentTypes }: ReferralQuery,
): boolean {
  const codes = [code, ...category].flatMap((concept) => concept?.coding ?? []).map((coding) => coding.code);
  const ours = codes.filter((one) => one !== undefined && treatmentTypes.includes(one));
  return ours.length > 0 && !ours.includes(treatmentType);
}

/** As the referral says, or else for twelve months from the day on which it was written. */
function validityOfReferral({ occurrencePeriod, authoredOn }: ServiceRequest, dateAt: DateAt): Validity {
  const written = authoredOn === undefined ? null : firstDayOf(authoredOn, dateAt);
  if (occurrencePeriod === undefined) return { from: written, to: written && twelveMonthsFrom(written) };
  const { from, to } = validityOf(occurrencePeriod, dateAt);
  return { from: from ?? written, to };
}
