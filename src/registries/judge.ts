import type { CalendarDate } from '../domain/instant.ts';
import { VERIFICATION_REASONS, type Verdict, type VerificationReason } from '../domain/verification.ts';
import { FhirUnavailable } from '../fhir/unavailable.ts';
import type { Name } from '../identity/name-match.ts';
import type { DateAt, Validity } from './validity.ts';

/** What counts as the same in Norway, given by whoever connects the registries. */
export interface Rules {
  readonly isSameName: (a: Name, b: Name) => boolean;
  readonly dateAt: DateAt;
}

/** A registry's record of a number, as far as it is judged. */
export interface Evidence {
  readonly isActive: boolean;
  readonly isOtherTreatment: boolean;
  /** None where the registry does not name the person. */
  readonly names: readonly Name[];
  readonly validity: Validity;
}

export interface Question {
  readonly person: Name;
  /** The day on which it has to be valid. */
  readonly on: CalendarDate;
  /** Whether there may be more than the evidence, that could not be read. */
  readonly isWhole: boolean;
}

/**
 * Verified when any of the records holds in all. Otherwise the best one says why not: one of this person's rather than
 * another's, then the one with the fewest reasons, then the one that is valid longest.
 *
 * @throws FhirUnavailable rather than saying "no" of what could not be read in full
 */
export function judge(evidence: readonly Evidence[], question: Question, rules: Rules): Verdict {
  const verdicts = evidence.map((record) => verdictOn(record, question, rules)).sort(bestFirst);
  const [best = UNKNOWN] = verdicts;
  if (best.outcome === 'not_verified' && !question.isWhole)
    throw new FhirUnavailable('the answer could not be read in full');
  return best;
}

const UNKNOWN: Verdict = {
  outcome: 'not_verified',
  reasons: ['unknown_number'],
  validFrom: null,
  validTo: null,
};

function verdictOn(record: Evidence, { person, on }: Question, { isSameName }: Rules): Verdict {
  const { isActive, isOtherTreatment, names, validity } = record;
  const holds: Record<VerificationReason, boolean> = {
    unknown_number: false,
    person_unknown: names.length === 0,
    wrong_person: names.length > 0 && !names.some((name) => isSameName(name, person)),
    not_active: !isActive,
    other_treatment: isOtherTreatment,
    not_begun: validity.from !== null && on < validity.from,
    expired: validity.to !== null && on > validity.to,
  };
  const reasons = REASONS.filter((reason) => holds[reason]);
  const outcome = reasons.length === 0 ? 'verified' : 'not_verified';
  // How long another's policy runs is nobody's business here.
  if (holds.wrong_person || holds.person_unknown) return { outcome, reasons, validFrom: null, validTo: null };
  return { outcome, reasons, validFrom: validity.from, validTo: validity.to };
}

const REASONS = Object.keys(VERIFICATION_REASONS) as VerificationReason[];

function bestFirst(a: Verdict, b: Verdict): number {
  const own = ({ reasons }: Verdict) =>
    reasons.includes('wrong_person') || reasons.includes('person_unknown') ? 1 : 0;
  const end = ({ validTo }: Verdict) => validTo ?? '9999-12-31';
  return own(a) - own(b) || a.reasons.length - b.reasons.length || end(b).localeCompare(end(a));
}
