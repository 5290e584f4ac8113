import { sql } from 'slonik';
import type { CaseId } from '../domain/ids.ts';
import { caseColumns, caseRow, nothing, type CaseRow } from './case-row.ts';
import type { Database } from './database.ts';

export interface StartedBatch {
  readonly started: number;
  /** Why one of them could not be started; null when all were. */
  readonly failure: unknown;
}

/**
 * Takes up to `limit` cases whose workflow has not been started, oldest first and those that failed last, starts each with `start`, and stamps
 * those that it started. While it works on them no other starter gets them.
 *
 * A start that throws leaves its case for the next look.
 */
export const startUnstarted = (
  database: Database,
  limit: number,
  start: (row: CaseRow) => Promise<void>,
): Promise<StartedBatch> =>
  database.transaction(async (tx) => {
    const rows = await tx.any(sql.type(caseRow)`
      SELECT ${caseColumns} FROM cases WHERE workflow_started_at IS NULL
      ORDER BY start_failed_at NULLS FIRST, created_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED`);
    const outcomes = await Promise.allSettled(rows.map(start));
    const idsOf = (status: 'fulfilled' | 'rejected'): CaseId[] =>
      rows.filter((_, i) => outcomes[i]?.status === status).map(({ id }) => id);
    const started = idsOf('fulfilled');
    if (rows.length > 0) {
      await tx.query(sql.type(nothing)`
        UPDATE cases SET
          workflow_started_at = CASE WHEN id = ANY(${sql.array(started, 'uuid')}) THEN clock_timestamp() END,
          start_failed_at = CASE WHEN id = ANY(${sql.array(idsOf('rejected'), 'uuid')}) THEN clock_timestamp() END
        WHERE id = ANY(${sql.array(
          rows.map(({ id }) => id),
          'uuid',
        )})`);
    }
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    return { started: started.length, failure: (failed?.reason as unknown) ?? null };
  });
