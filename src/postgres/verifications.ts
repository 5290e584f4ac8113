import { sql } from 'slonik';
import { z } from 'zod';
import type { Author } from '../domain/command.ts';
import type { CaseId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import {
  type Verdict,
  VERIFICATION_OUTCOMES,
  type VerificationKind,
  type VerificationReason,
} from '../domain/verification.ts';
import { dateColumn, nothing, textColumn } from './case-row.ts';
import { hasNames, lockCase } from './customers.ts';
import type { Database } from './database.ts';
import { appendEvents } from './events.ts';

interface NewVerification {
  readonly caseId: CaseId;
  readonly kind: VerificationKind;
  readonly verdict: Verdict;
  readonly at: Instant;
  /** Who asked. */
  readonly author: Author;
  /** The names that the registry was asked of. */
  readonly person: { readonly given: string; readonly family: string };
}

/**
 * Keeps what a registry said as the newest of its kind, and tells of it in the case's timeline.
 *
 * @returns false where the case's names were corrected meanwhile: it was said of somebody else, and is not kept
 */
export const saveVerification = (
  database: Database,
  { caseId, kind, verdict, at, author, person }: NewVerification,
): Promise<boolean> =>
  database.transaction(async (tx) => {
    const { outcome, reasons, validFrom, validTo } = verdict;
    // the case's row first, as the projection does, so that the two never wait for each other
    const names = await lockCase(tx, caseId);
    if (!names || !hasNames(names, { first: person.given, last: person.family })) return false;
    await tx.query(sql.type(nothing)`
      UPDATE cases SET updated_at = greatest(updated_at, now()) WHERE id = ${caseId}`);
    await tx.query(sql.type(nothing)`
      INSERT INTO case_verifications AS v (case_id, kind, outcome, reasons, checked_at, valid_from, valid_to)
      VALUES (${caseId}, ${kind}, ${outcome}, ${sql.array([...reasons], 'text')}, ${at}, ${validFrom}, ${validTo})
      ON CONFLICT (case_id, kind) DO UPDATE SET
        outcome = excluded.outcome, reasons = excluded.reasons, checked_at = excluded.checked_at,
        valid_from = excluded.valid_from, valid_to = excluded.valid_to
      WHERE v.checked_at <= excluded.checked_at`);
    const data = { verification: kind, outcome, reasons };
    await appendEvents(tx, caseId, [{ type: 'verification.completed', at, ...author, data }]);
    return true;
  });

const verification = z.object({
  outcome: z.enum(VERIFICATION_OUTCOMES),
  reasons: z.array(textColumn<VerificationReason>()),
  checked_at: z.string(),
  valid_from: dateColumn.nullable(),
  valid_to: dateColumn.nullable(),
});
export type VerificationView = z.infer<typeof verification>;

/** What is kept of a case, as {@link newestVerifications} reads it. */
export const verificationsColumn = z.object({
  policy: verification.optional(),
  referral: verification.optional(),
});

/** For a query on `cases`: the newest of each kind. */
export const newestVerifications = sql.fragment`
  (SELECT coalesce(json_object_agg(v.kind, json_build_object(
            'outcome', v.outcome, 'reasons', v.reasons, 'checked_at', v.checked_at,
            'valid_from', v.valid_from, 'valid_to', v.valid_to)), '{}')
     FROM case_verifications v WHERE v.case_id = cases.id)`;
