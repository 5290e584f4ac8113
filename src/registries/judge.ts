import type { Period } from 'fhir/r4.d.ts';
import { type CalendarDate, instant, type Instant } from '../domain/instant.ts';
import { type Verdict, VERIFICATION_REASONS, type VerificationReason } from '../domain/verification.ts';
import { ServerUnavailable } from '../http-client/exchange.ts';
import type { Name } from '../identity/name-match.ts';

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
  /** The day on which it must be valid. */
  readonly on: CalendarDate;
  /** Whether there may be more than the evidence, that could not be read. */
  readonly isWhole: boolean;
}

/**
 * Verified when any of the records holds in all. Otherwise the best one says why not: one of this person's rather than
 * another's, then the one with the fewest reasons, then the one that is valid longest.
 *
 * @throws ServerUnavailable rather than saying "no" of what could not be read in full
 */
export function judgeEvidence(evidence: readonly Evidence[], question: Question, rules: Rules): Verdict {
  const verdicts = evidence.map((record) => verdictOn(record, question, rules)).sort(bestFirst);
  const [best = UNKNOWN_NUMBER] = verdicts;
  if (best.outcome === 'not_verified' && !question.isWhole) throw new ServerUnavailable('incomplete result');
  return best;
}

const UNKNOWN_NUMBER: Verdict = {
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

/** First and last day, both included; null where there is no limit. */
export interface Validity {
  readonly from: CalendarDate | null;
  readonly to: CalendarDate | null;
}

/** The calendar date in Norway at a time. */
export type DateAt = (time: Instant) => CalendarDate;

/** Of a FHIR Period, whose end is included, to its last moment: an end of `2026` means all of 2026. */
export const validityOf = (period: Period | undefined, dateAt: DateAt): Validity => ({
  from: period?.start === undefined ? null : firstDayOf(period.start, dateAt),
  to: period?.end === undefined ? null : lastDayOf(period.end, dateAt),
});

/** The first day of a FHIR dateTime: a year, a month, a day, or an instant. */
export const firstDayOf = (time: string, dateAt: DateAt): CalendarDate =>
  time.length > 10 ? dayAt(time, dateAt) : date(`${time}-01-01`.slice(0, 10));

function lastDayOf(time: string, dateAt: DateAt): CalendarDate {
  if (time.length > 10) return dayAt(time, dateAt);
  if (time.length === 4) return date(`${time}-12-31`);
  if (time.length === 10) return date(time);
  const [year, month] = time.split('-').map(Number);
  return date(`${time}-${daysIn(year ?? 0, month ?? 0)}`);
}

/** The last day of the twelve months that begin with `day`. */
export function twelveMonthsFrom(day: CalendarDate): CalendarDate {
  const [year = 0, month = 1, dayOfMonth = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year + 1, month - 1, dayOfMonth - 1));
  return date(last.toISOString().slice(0, 10));
}

const dayAt = (time: string, dateAt: DateAt): CalendarDate => date(dateAt(instant(time)));

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

const FIRST = '0001-01-01' as CalendarDate;
const LAST = '9999-12-31' as CalendarDate;

/** What stands for "always" and "for ever" may be a day off in Norway, in a year that no date is written with. */
function date(text: string): CalendarDate {
  if (/^(\+|\d{5})/.test(text)) return LAST;
  return text < FIRST ? FIRST : (text as CalendarDate);
}
