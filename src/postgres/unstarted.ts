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
 * Takes up to `limit` cases whose workflow has not been started, oldest first, starts each with `start`, and stamps
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
      ORDER BY created_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED`);
    const outcomes = await Promise.allSettled(rows.map(start));
    const started: CaseId[] = rows.filter((_, i) => outcomes[i]?.status === 'fulfilled').map(({ id }) => id);
    if (started.length > 0) {
      await tx.query(sql.type(nothing)`
        UPDATE cases SET workflow_started_at = now() WHERE id = ANY(${sql.array(started, 'uuid')})`);
    }
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    return { started: started.length, failure: (failed?.reason as unknown) ?? null };
  });
