import type { CalendarDate, Instant } from './instant.ts';

export const VERIFICATION_KINDS = ['policy', 'referral'] as const;
export type VerificationKind = (typeof VERIFICATION_KINDS)[number];

/** Why a number is not verified, as it is told to partners; in this order where several hold. */
export const VERIFICATION_REASONS = {
  unknown_number: 'The registry knows no such number.',
  person_unknown: 'The registry does not name the person that the number belongs to.',
  wrong_person: "The number belongs to somebody with another name than the case's patient.",
  not_active: 'It was cancelled, revoked, completed or entered in error, or is a draft or on hold.',
  other_treatment: 'The referral is for another treatment than the case.',
  not_begun: 'It was not valid yet on the day that counts.',
  expired: 'It was not valid any more on the day that counts.',
} as const;
export type VerificationReason = keyof typeof VERIFICATION_REASONS;

export const VERIFICATION_OUTCOMES = ['verified', 'not_verified'] as const;
export type VerificationOutcome = (typeof VERIFICATION_OUTCOMES)[number];

/** What a registry says of a number. The number itself is not in it: nothing of ours keeps it. */
export interface Verdict {
  readonly outcome: VerificationOutcome;
  /** Empty when it is verified. */
  readonly reasons: readonly VerificationReason[];
  /** First and last day of validity; null where there is no such limit, or it is none of this person's. */
  readonly validFrom: CalendarDate | null;
  readonly validTo: CalendarDate | null;
}

/** The fact of it, as the case's workflow holds it for the operator. */
export interface VerificationNote {
  readonly outcome: VerificationOutcome;
  readonly at: Instant;
}

/** The registry can't say, so nobody knows: that is never "not verified". `message` holds no data. */
export class RegistryUnavailable extends Error {
  override readonly name = 'RegistryUnavailable';
  readonly kind: VerificationKind;
  /** This deployment has no such registry, so that waiting does not help. */
  readonly isMissing: boolean;
  /** Seconds that the registry asked us to wait, if it did. */
  readonly retryAfterSeconds: number | null;

  constructor(
    kind: VerificationKind,
    message: string,
    options: { isMissing?: boolean; retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.isMissing = options.isMissing ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}
