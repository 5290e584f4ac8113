import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseSnapshot, Overlap } from '../../activities/contract.ts';
import { attentionsOf } from '../domain/attention.ts';
import { type Booking, bookingIdOf, bookingOf } from '../domain/case-state.ts';
import type { BookingId, CaseId } from '../domain/ids.ts';
import { noteStateAttention } from './attention.ts';
import { nothing, textColumn } from './case-row.ts';
import { applyCorrections } from './customers.ts';
import type { Database, Queries } from './database.ts';
import { appendEvents } from './events.ts';

/** Whether the hour into which the clinic moved an appointment is another booking's of ours as well. */
const overlapRow = z.object({
  bookingId: textColumn<BookingId>(),
  overlaps: z.boolean(),
});
/**
 * Shows readers the workflow's newest state, and tells its events once: an older or repeated snapshot changes nothing.
 *
 * `updated_at` is the time at which it is shown, not that of the change: a snapshot that waited for an hour, because we
 * were away, would otherwise show a change that whoever asks for what is new since then never gets to see.
 */
export const projectCase = (
  database: Database,
  { caseId, revision, state, events, at }: CaseSnapshot,
): Promise<Overlap | null> =>
  database.transaction(async (tx) => {
    const booking = bookingOf(state);
    const isMoved = events.some(({ type }) => type === 'booking.moved_by_provider');
    // Also when it was written before and the answer got lost: whoever asks again has to hear the same.
    const moved = booking && (isMoved || booking.overlaps) ? booking : null;
    const written = await tx.maybeOne(sql.type(z.object({ hadAttention: z.boolean() }))`
      UPDATE cases SET
        revision = ${revision}, status = ${state.status}, state = ${sql.jsonb(state)},
        booking_deadline = ${state.deadline.date}, booking_id = ${bookingIdOf(state)},
        updated_at = greatest(${at}, now())
      WHERE id = ${caseId} AND revision < ${revision}
      RETURNING EXISTS (SELECT FROM attention WHERE case_id = ${caseId} AND over_at IS NULL) AS "hadAttention"`);
    if (!written) return moved && readOverlap(tx, moved);
    // most cases never need anybody: they cost no statement of their own
    if (written.hadAttention || attentionsOf(state).length > 0) await noteStateAttention(tx, caseId, state);
    const told = await applyCorrections(tx, caseId, events);
    // What is booked keeps its claim until it is released; before, the claim ends by itself.
    if (booking) {
      await tx.query(sql.type(nothing)`
        UPDATE slot_claims SET expires_at = NULL WHERE booking_id = ${booking.bookingId} AND expires_at IS NOT NULL`);
    }
    if (moved) await moveClaim(tx, caseId, moved);
    await appendEvents(tx, caseId, told);
    return moved && readOverlap(tx, moved);
  });

/**
 * The clinic moved the appointment: our books follow. Where another claim of ours has that hour, the clinic's word stands,
 * and the booking has no hour in our books until that claim is gone: what it left is free for others, which it is.
 */
async function moveClaim(tx: Queries, caseId: CaseId, booking: Booking): Promise<void> {
  const { bookingId, providerId, practitionerId, slot, start, end } = booking;
  const hour = sql.fragment`tstzrange(${start}, ${end})`;
  await tx.query(sql.type(nothing)`UPDATE bookings SET during = ${hour} WHERE id = ${bookingId}`);
  const others = sql.fragment`
    FROM slot_claims WHERE booking_id <> ${bookingId} AND provider_id = ${providerId}
      AND practitioner_id = ${practitionerId} AND during && ${hour}`;
  await tx.query(sql.type(nothing)`DELETE ${others} AND expires_at < now()`);
  await tx.query(sql.type(nothing)`
    INSERT INTO slot_claims (booking_id, case_id, provider_id, practitioner_id, slot, during)
    VALUES (${bookingId}, ${caseId}, ${providerId}, ${practitionerId}, ${slot},
      CASE WHEN EXISTS (SELECT ${others}) THEN 'empty' ELSE ${hour} END)
    ON CONFLICT (booking_id) DO UPDATE
      SET practitioner_id = excluded.practitioner_id, slot = excluded.slot, during = excluded.during`);
}

const readOverlap = async (queries: Queries, { bookingId }: Booking): Promise<Overlap | null> =>
  queries.maybeOne(sql.type(overlapRow)`
    SELECT booking_id AS "bookingId", isempty(during) AS overlaps FROM slot_claims WHERE booking_id = ${bookingId}`);
