import { sql } from 'slonik';
import { z } from 'zod';
import { bookingOf, type Booking, type CaseState } from '../domain/case-state.ts';
import type { CaseEvent } from '../domain/events.ts';
import type { CaseId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { nothing } from './case-row.ts';
import type { Database, Queries } from './database.ts';
import { applyCorrections } from './corrections.ts';
import { appendEvents } from './events.ts';

export interface CaseSnapshot {
  readonly caseId: CaseId;
  readonly revision: number;
  readonly state: CaseState;
  readonly events: readonly CaseEvent[];
  readonly at: Instant;
}

/**
 * Shows readers the workflow's newest state, and tells its events once: an older or repeated snapshot changes nothing.
 *
 * `updated_at` is the time at which it is shown, not that of the change: a snapshot that waited for an hour, because we
 * were away, would otherwise show a change that whoever asks for what is new since then never gets to see.
 */
export const projectCase = (
  database: Database,
  { caseId, revision, state, events, at }: CaseSnapshot,
): Promise<void> =>
  database.transaction(async (tx) => {
    const written = await tx.maybeOne(sql.type(z.object({ id: z.string() }))`
      UPDATE cases SET
        revision = ${revision}, status = ${state.status}, state = ${sql.jsonb(state as never)},
        booking_deadline = ${state.deadline.date}, booking_id = ${state.bookingId},
        updated_at = greatest(${at}, now())
      WHERE id = ${caseId} AND revision < ${revision}
      RETURNING id`);
    if (!written) return;
    await applyCorrections(tx, events);
    // What is booked keeps its claim until it is released; before, the claim ends by itself.
    if (bookingOf(state)) {
      await tx.query(sql.type(nothing)`
        UPDATE slot_claims SET expires_at = NULL WHERE booking_id = ${state.bookingId} AND expires_at IS NOT NULL`);
    }
    if (events.some(({ type }) => type === 'booking.moved_by_provider')) await moveHour(tx, bookingOf(state));
    await appendEvents(tx, caseId, events);
  });

/**
 * The clinic moved the appointment: our books follow. Where another claim of ours overlaps, the clinic's word stands and
 * only the claim stays as it was.
 */
async function moveHour(tx: Queries, booking: Booking | null): Promise<void> {
  if (!booking) return;
  const { bookingId, start, end } = booking;
  await tx.query(
    sql.type(nothing)`UPDATE bookings SET during = tstzrange(${start}, ${end}) WHERE id = ${bookingId}`,
  );
  await tx.query(sql.type(nothing)`
    UPDATE slot_claims c SET during = tstzrange(${start}, ${end}) WHERE c.booking_id = ${bookingId}
      AND NOT EXISTS (SELECT FROM slot_claims o WHERE o.booking_id <> c.booking_id AND o.provider_id = c.provider_id
                        AND o.practitioner_id = c.practitioner_id AND o.during && tstzrange(${start}, ${end}))`);
}
