import { sql } from 'slonik';
import { z } from 'zod';
import { bookingOf, type CaseState } from '../domain/case-state.ts';
import type { CaseEvent } from '../domain/events.ts';
import type { CaseId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { nothing } from './case-row.ts';
import type { Database } from './database.ts';
import { applyCorrections } from './corrections.ts';
import { appendEvents } from './events.ts';

export interface CaseSnapshot {
  readonly caseId: CaseId;
  readonly revision: number;
  readonly state: CaseState;
  readonly events: readonly CaseEvent[];
  readonly at: Instant;
}

/** Shows readers the workflow's newest state, and tells its events once: an older or repeated snapshot changes nothing. */
export const projectCase = (
  database: Database,
  { caseId, revision, state, events, at }: CaseSnapshot,
): Promise<void> =>
  database.transaction(async (tx) => {
    const written = await tx.maybeOne(sql.type(z.object({ id: z.string() }))`
      UPDATE cases SET
        revision = ${revision}, status = ${state.status}, state = ${sql.jsonb(state as never)},
        booking_deadline = ${state.deadline.date}, booking_id = ${state.bookingId}, updated_at = ${at}
      WHERE id = ${caseId} AND revision < ${revision}
      RETURNING id`);
    if (!written) return;
    await applyCorrections(tx, events);
    // What is booked keeps its claim until it is released; before, the claim ends by itself.
    if (bookingOf(state)) {
      await tx.query(sql.type(nothing)`
        UPDATE slot_claims SET expires_at = NULL WHERE booking_id = ${state.bookingId} AND expires_at IS NOT NULL`);
    }
    await appendEvents(tx, caseId, events);
  });
