import type { ProviderId } from './ids.ts';

/** What may be found at a provider that the operator should know of, and what it means. */
export const FINDING_KINDS = {
  unreachable: 'It did not answer, or not so that it could be understood. `about` says what was asked.',
  malformed: 'Entries that could not be read were left out. `about` is their type.',
  incomplete_search: 'It has more than is read of one search, so some free times were not shown.',
  not_free: 'A slot did not read as free after its booking was let go.',
  stray_mark: 'A slot bore a mark of ours that no case knew of. It was taken off.',
  unknown_appointment:
    'An appointment bears our mark, and our books know nothing of it: they may be an older backup. It was left alone.',
  moved: 'The clinic moved an appointment. The customer was told.',
  cancelled: 'The clinic cancelled an appointment. The customer was asked to choose again.',
  missing: 'An appointment was gone from the calendar, twice in a row. It was taken for cancelled.',
  many_missing:
    'So many appointments were gone at once that it was not believed, and nobody was told: look at the clinic.',
  unfinished: 'Its appointments were too many, or it was too slow, for all to be looked at in time.',
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
