import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { CaseSnapshot, Overlap } from '../../activities/contract.ts';
import { attentionsOf } from '../domain/attention.ts';
import { type Booking, bookingIdOf, bookingOf, type CaseState } from '../domain/case-state.ts';
import { type CaseEvent, LOST_FIELDS, type LostField } from '../domain/events.ts';
import type { BookingId, CaseId } from '../domain/ids.ts';
import { NO_DETAILS } from '../domain/slot.ts';
import { noteStateAttention } from './attention.ts';
import { nothing, sealedCase, textColumn } from './case-row.ts';
import { applyCorrections } from './customers.ts';
import { affects, type Database, type Queries } from './database.ts';
import { appendEvents, eventsAppended } from './events.ts';
import { keyOf, sealed } from './sealing.ts';

/** Whether the hour into which the clinic moved an appointment is another booking's of ours as well. */
const overlapRow = z.object({
  bookingId: textColumn<BookingId>(),
  overlaps: z.boolean(),
});
/**
 * Shows readers the workflow's newest state, and tells its events once: an older or repeated snapshot changes nothing, and
 * of those that two snapshots have in common the later one tells none again.
 *
 * `updated_at` is the time at which it is shown, not that of the change: a snapshot that waited for an hour, because we
 * were away, would otherwise show a change that whoever asks for what is new since then never gets to see.
 */
export const projectCase = async (database: Database, snapshot: CaseSnapshot): Promise<Overlap | null> =>
  isPlain(snapshot) && (await affects(database, writtenAtOnce(snapshot)))
    ? null
    : database.transaction((tx) => writeAll(tx, snapshot));

/** Most need no more than the case's row, its claim and its events, as far as the state and its events say. */
const isPlain = ({ state, events }: CaseSnapshot): boolean =>
  attentionsOf(state).length === 0 &&
  !bookingOf(state)?.overlaps &&
  events.every(({ type, correctionId }) => !correctionId && !NEEDING_MORE.includes(type));
const NEEDING_MORE: readonly CaseEvent['type'][] = [
  'case.name_corrected',
  'booking.moved_by_provider',
  'case.restored',
];

/** Nothing where the case has something that an operator sees, which may be over with this state. */
const writtenAtOnce = (snapshot: CaseSnapshot): FragmentSqlToken => {
  const { caseId, state, events } = snapshot;
  const shown = sql.fragment`
    ${stateWritten(snapshot)} AND NOT ${hasAttention(caseId)}
    RETURNING partner_id, status, booking_id, old.revision AS before`;
  const isNews = sql.fragment`(event ->> 'revision')::int > shown.before`;
  return sql.fragment`
    WITH ${eventsAppended(shown, caseId, events, isNews)}, kept AS (
      ${claimKept(bookingIdOf(state))} AND EXISTS (SELECT FROM shown))
    SELECT FROM shown`;
};

const stateWritten = ({ caseId, revision, state, at }: CaseSnapshot): FragmentSqlToken => sql.fragment`
  UPDATE cases SET
    revision = ${revision}, status = ${state.status}, state = ${sql.jsonb(state)},
    booking_deadline = ${state.deadline.date}, booking_id = ${bookingIdOf(state)},
    updated_at = greatest(${at}, now())
  WHERE id = ${caseId} AND revision < ${revision}`;

const hasAttention = (caseId: CaseId): FragmentSqlToken =>
  sql.fragment`EXISTS (SELECT FROM attention WHERE case_id = ${caseId} AND over_at IS NULL)`;

/** What is booked keeps its claim until it is released; before, the claim ends by itself. */
const claimKept = (bookingId: BookingId | null): FragmentSqlToken => sql.fragment`
  UPDATE slot_claims SET expires_at = NULL WHERE booking_id = ${bookingId} AND expires_at IS NOT NULL`;

async function writeAll(tx: Queries, snapshot: CaseSnapshot): Promise<Overlap | null> {
  const { caseId, state, events } = snapshot;
  const booking = bookingOf(state);
  const isMoved = events.some(({ type }) => type === 'booking.moved_by_provider');
  const isRestored = events.some(({ type }) => type === 'case.restored');
  // Also when it was written before and the answer got lost: whoever asks again has to hear the same.
  const moved = booking && (isMoved || booking.overlaps) ? booking : null;
  const before = isRestored ? await readRestored(tx, caseId) : null;
  const written = await tx.maybeOne(sql.type(z.object({ hadAttention: z.boolean(), before: z.number() }))`
    ${stateWritten(snapshot)} RETURNING ${hasAttention(caseId)} AS "hadAttention", old.revision AS before`);
  if (!written) return moved && readOverlap(tx, moved);
  const news = events.filter(({ revision }) => revision > written.before);
  // most cases never need anybody: they cost no statement of their own
  if (written.hadAttention || attentionsOf(state).length > 0) await noteStateAttention(tx, caseId, state);
  const told = await applyCorrections(tx, caseId, news);
  if (booking) await tx.query(sql.type(nothing)`${claimKept(booking.bookingId)}`);
  if (moved) await moveClaim(tx, caseId, moved);
  if (before) await restoreClaims(tx, caseId, state.bookings);
  await appendEvents(tx, caseId, before ? told.map((event) => withLost(event, before, state)) : told);
  return moved && readOverlap(tx, moved);
}

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

/** What of a case a restore has lost is judged by: its row as it was put back. */
const restoredRow = sealedCase.extend({ contactVersion: z.number() });
type RestoredRow = z.infer<typeof restoredRow>;

const readRestored = (tx: Queries, caseId: CaseId): Promise<RestoredRow | null> =>
  tx.maybeOne(sql.type(restoredRow)`
    SELECT ${sealed(sql.fragment`sealed`, 'cases.sealed')}, ${keyOf(sql.fragment`cases.id`)},
           (state -> 'contactability' ->> 'version')::int AS "contactVersion"
    FROM cases WHERE id = ${caseId} AND erased_at IS NULL FOR NO KEY UPDATE`);

/** Says in the event what its partner has to send again. */
function withLost(event: CaseEvent, before: RestoredRow, { contactability }: CaseState): CaseEvent {
  if (event.type !== 'case.restored') return event;
  const { email, sms } = contactability.channels;
  // it was taken over from its workflow, which holds nothing personal
  const isBare = before.injury_date === null;
  const isCorrected = before.contactVersion < contactability.version;
  const isLost: Record<LostField, boolean> = {
    partnerCaseId: before.partner_case_id === '',
    patientFirstName: before.patient_first_name === '',
    patientLastName: before.patient_last_name === '',
    patientEmail: email.hasAddress && (isCorrected || before.patient_email === null),
    patientPhone: isBare ? before.patient_phone === null : sms.hasAddress && isCorrected,
    injuryDate: isBare,
    injuryDescription: isBare,
  };
  return { ...event, data: { ...event.data, lost: LOST_FIELDS.filter((field) => isLost[field]) } };
}

/** Our books have the hours that the workflow says, and no others: what was claimed or let go meanwhile is not in a backup. */
async function restoreClaims(tx: Queries, caseId: CaseId, bookings: readonly Booking[]): Promise<void> {
  const ids = sql.array(
    bookings.map(({ bookingId }) => bookingId),
    'uuid',
  );
  // one that is being secured ends by itself
  await tx.query(sql.type(nothing)`
    DELETE FROM slot_claims WHERE case_id = ${caseId} AND booking_id <> ALL(${ids}) AND expires_at IS NULL`);
  for (const booking of bookings) {
    const { bookingId, providerId, start, end } = booking;
    // with whom and where, the next look into the clinic's calendar says
    await tx.query(sql.type(nothing)`
      INSERT INTO bookings (id, case_id, provider_id, practitioner, location, mode, details, during)
      SELECT ${bookingId}, ${caseId}, id, '', '', 'in_person', ${sql.jsonb({ ...NO_DETAILS })}, tstzrange(${start}, ${end})
      FROM providers WHERE id = ${providerId}
      ON CONFLICT (id) DO NOTHING`);
    await moveClaim(tx, caseId, booking);
  }
}

const readOverlap = async (queries: Queries, { bookingId }: Booking): Promise<Overlap | null> =>
  queries.maybeOne(sql.type(overlapRow)`
    SELECT booking_id AS "bookingId", isempty(during) AS overlaps FROM slot_claims WHERE booking_id = ${bookingId}`);
