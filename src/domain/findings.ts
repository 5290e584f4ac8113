import type { ProviderId } from './ids.ts';

/** What may be found at a provider that the operator should know of, and what it means. */
export const FINDING_KINDS = {
  unreachable: 'It did not answer, or not so that it could be understood. `about` says what was asked.',
  malformed: 'Entries that could not be read were left out. `about` is their type.',
  incomplete_search: 'It has more than is read of one search, so some free times were not shown.',
  not_free: 'A slot was still busy after its booking was released.',
  orphaned_slot: 'A slot carried our mark but belongs to no case. It was released.',
  unknown_appointment:
    'An appointment carries our mark, and our database knows nothing of it: it may be an older backup. It was left alone.',
  moved: 'The clinic moved an appointment. The customer was told.',
  cancelled: 'The clinic cancelled an appointment. The customer was asked to choose again.',
  missing: 'An appointment was gone from the calendar, twice in a row. It was taken for cancelled.',
  many_missing:
    'So many appointments were gone at once that it was not believed, and nobody was told: check with the clinic.',
  double_booked:
    'The clinic has another appointment of its own at the time of one of ours. Both were left alone; the case needs an operator.',
  unfinished: 'Its appointments were too many, or it was too slow, for all to be checked in time.',
} as const;
export type FindingKind = keyof typeof FINDING_KINDS;

/** Nothing personal: ids, codes, counts. */
export interface Finding {
  readonly providerId: ProviderId;
  readonly kind: FindingKind;
  /** A type of resource or a code, where the kind alone says too little. */
  readonly about?: string;
  /** How many at once; one when left out. */
  readonly count?: number;
}

/**
 * More than a few gone or reset at once, and more than one in five: rather a calendar that can't be read, or a backup
 * that is older, than so many changes.
 */
export const isImplausible = (found: number, among: number): boolean => found > 2 && found * 5 > among;
