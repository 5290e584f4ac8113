import { sql, UniqueIntegrityConstraintViolationError } from 'slonik';
import { z } from 'zod';
import type { CaseState } from '../domain/case-state.ts';
import type { Author } from '../domain/command.ts';
import type { CaseId, PartnerId } from '../domain/ids.ts';
import type { CalendarDate, Instant } from '../domain/instant.ts';
import {
  caseColumns,
  caseRow,
  type CaseRow,
  nothing,
  type SealedCase,
  textColumn,
  unsealedColumns,
  unsealedRow,
} from './case-row.ts';
import type { Database, Queries } from './database.ts';
import { eventsAppended } from './events.ts';
import { claimKey, type Keyed, type KeyInUse, saveAnswer } from './idempotency.ts';
import { newDataKey, seal, searchHash } from './sealing.ts';

/** Tells the starters that a row waits. A lost one is made good by their next look. */
export const CASES_CHANNEL = 'cases_created';

export interface NewCase {
  readonly id: CaseId;
  readonly partnerId: PartnerId;
  readonly partnerCaseId: string;
  readonly patientFirstName: string;
  readonly patientLastName: string;
  readonly patientEmail: string | null;
  readonly patientPhone: string | null;
  readonly injuryDate: CalendarDate;
  readonly injuryDescription: string | null;
  readonly treatmentType: string;
  readonly createdAt: Instant;
  /** Who hands it over. */
  readonly author: Author;
  readonly state: CaseState;
  /** Of the request that hands it over; null where that is not traced. */
  readonly traceparent: string | null;
}

/** PostgreSQL went away between the commit and its answer, so the case may exist. */
export class CommitOutcomeUnknown extends Error {
  override readonly name = 'CommitOutcomeUnknown';
}

/**
 * The row that is the case and its own outbox, with its first event, and the key's answer, in one transaction (P1).
 *
 * @param onWritten called when only the commit is left
 * @returns the row; or the id of the partner's live case of this reference and treatment, or what there is to say of the
 *   key, and then nothing is written
 */
export async function createCase(
  database: Database,
  c: NewCase,
  keyed: Keyed<CaseRow> | null = null,
  onWritten: () => void = () => undefined,
): Promise<{ created: CaseRow } | { duplicateOf: CaseId } | KeyInUse> {
  const progress = { isWritten: false };
  const key = await newDataKey(database, c.id);
  const personal = personalOf(c);
  const reference = sql.binary(await searchHash(database, 'reference', c.partnerCaseId));
  try {
    return await database.transaction(async (tx) => {
      const claim = keyed && (await claimKey(tx, keyed.request));
      if (claim && claim.claim !== 'new') return claim;
      const data = { treatmentType: c.treatmentType, bookingDeadline: c.state.deadline.date };
      const event = { type: 'case.created', at: c.createdAt, ...c.author, data } as const;
      const written = await tx.one(sql.type(unsealedRow)`
        WITH data_key AS (
          INSERT INTO keys.data_keys (case_id, partner_id, wrapped) VALUES (${c.id}, ${c.partnerId}, ${key.wrapped})
        ), created AS (INSERT INTO cases (
          id, partner_id, reference_hash, hashed_reference, sealed, treatment_type, created_at, updated_at, status,
          booking_deadline, state, traceparent
        ) VALUES (
          ${c.id}, ${c.partnerId}, ${reference}, ${hashedReference(c)}, ${seal(key, 'cases.sealed', personal)}, ${c.treatmentType},
          ${c.createdAt}, ${c.createdAt}, ${c.state.status}, ${c.state.deadline.date}, ${sql.jsonb(c.state as never)},
          ${c.traceparent}
        ) RETURNING *), ${eventsAppended(sql.fragment`SELECT partner_id, status, booking_id FROM created`, c.id, [event])}
        SELECT ${unsealedColumns}, pg_notify(${CASES_CHANNEL}, '')::text FROM created AS cases`);
      const created = { ...written, ...personal };
      if (keyed) await saveAnswer(tx, keyed.request, keyed.answerOf(created));
      progress.isWritten = true;
      onWritten();
      return { created };
    });
  } catch (error) {
    if (progress.isWritten)
      throw new CommitOutcomeUnknown('commit sent, no reply: outcome unknown', { cause: error });
    if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error;
    const duplicateOf = await findLiveCase(database, c, reference);
    if (!duplicateOf) throw error;
    return { duplicateOf };
  }
}

const personalOf = (c: NewCase): SealedCase => ({
  partner_case_id: c.partnerCaseId,
  patient_first_name: c.patientFirstName,
  patient_last_name: c.patientLastName,
  patient_email: c.patientEmail,
  patient_phone: c.patientPhone,
  injury_date: c.injuryDate,
  injury_description: c.injuryDescription,
});

/** Null where the partner has no key for it. */
const hashedReference = ({ partnerId, partnerCaseId }: NewCase) => sql.fragment`(
  SELECT 'h-' || left(encode(sha256(convert_to(reference_key || ':' || ${partnerCaseId}, 'UTF8')), 'hex'), 32)
  FROM partners WHERE id = ${partnerId})`;

const findLiveCase = (
  database: Database,
  c: NewCase,
  reference: ReturnType<typeof sql.binary>,
): Promise<CaseId | null> =>
  database.maybeOneFirst(sql.type(z.object({ id: textColumn<CaseId>() }))`
    SELECT id FROM cases
    WHERE partner_id = ${c.partnerId} AND reference_hash = ${reference}
      AND treatment_type = ${c.treatmentType} AND status NOT IN ('recalled', 'archived')`);

export interface StartedBatch {
  readonly started: number;
  /** As many were taken as one batch takes, so that more may wait. */
  readonly isFull: boolean;
  /** Why one of them could not be started; null when all were. */
  readonly failure: unknown;
}

/**
 * Up to `limit` cases whose workflow has not been started, oldest first and those that failed last, which until the end of
 * the transaction nobody else gets from here. Their rows are anybody's: a start takes as long as Temporal does, and whoever
 * logs in meanwhile does not wait for it (docs/decisions/0132).
 */
export async function takeUnstarted(
  tx: Queries,
  limit: number,
): Promise<Pick<StartedBatch, 'isFull'> & { readonly rows: readonly CaseRow[] }> {
  for (;;) {
    // in this order, so that no more are locked than are taken
    const taken = await tx.anyFirst(sql.type(z.object({ id: textColumn<CaseId>() }))`
      SELECT id FROM (
        SELECT id FROM cases WHERE workflow_started_at IS NULL
        ORDER BY start_failed_at NULLS FIRST, created_at OFFSET 0) AS unstarted
      WHERE pg_try_advisory_xact_lock(hashtextextended('start ' || id, 0)) LIMIT ${limit}`);
    if (taken.length === 0) return { rows: [], isFull: false };
    const rows = await tx.any(sql.type(caseRow)`
      SELECT ${caseColumns} FROM cases
      WHERE id = ANY(${sql.array([...taken], 'uuid')}) AND workflow_started_at IS NULL`);
    // those that are missing were started, and let go of, after the first statement had begun
    if (rows.length > 0) return { rows, isFull: taken.length === limit };
  }
}

/**
 * Takes up to `limit` cases whose workflow has not been started, starts each with `start`, and stamps those that it started.
 * A start that throws leaves its case for the next look.
 */
export const startUnstarted = (
  database: Database,
  limit: number,
  start: (row: CaseRow) => Promise<void>,
): Promise<StartedBatch> =>
  database.transaction(async (tx) => {
    const { rows, isFull } = await takeUnstarted(tx, limit);
    const outcomes = await Promise.allSettled(rows.map(start));
    const idsOf = (status: 'fulfilled' | 'rejected') =>
      sql.array(
        rows.filter((_, i) => outcomes[i]?.status === status).map(({ id }) => id),
        'uuid',
      );
    if (rows.length > 0) {
      await tx.query(sql.type(nothing)`
        UPDATE cases SET
          workflow_started_at = CASE WHEN id = ANY(${idsOf('fulfilled')}) THEN clock_timestamp() END,
          start_failed_at = CASE WHEN id = ANY(${idsOf('rejected')}) THEN clock_timestamp() END
        WHERE (id = ANY(${idsOf('fulfilled')}) OR id = ANY(${idsOf('rejected')})) AND workflow_started_at IS NULL`);
    }
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    return {
      started: outcomes.filter(({ status }) => status === 'fulfilled').length,
      isFull,
      failure: (failed?.reason as unknown) ?? null,
    };
  });
