import { sql } from 'slonik';
import { z } from 'zod';
import type { BookingId, ProviderId } from '../domain/ids.ts';
import { caseRow, instantColumn, nothing } from './case-row.ts';
import type { Queries } from './database.ts';

const bookingId = z.custom<BookingId>((id) => typeof id === 'string');
const idRow = z.object({ booking_id: bookingId });
const caseOf = { caseId: caseRow.shape.id, state: caseRow.shape.state };
const ownerRow = z.object({ ...caseOf, bookingId });
const endedRow = z.object({
  ...caseOf,
  bookingId,
  slot: z.string().nullable(),
  practitionerId: z.string(),
  start: instantColumn,
  end: instantColumn,
});

/** How many ended claims are let go in one go. */
const AT_ONCE = 100;

/** What may have been left behind at a provider, as our own books have it. */
export const createLeftovers = (queries: Queries) => ({
  async claimed(ids: readonly BookingId[]): Promise<readonly BookingId[]> {
    const known = uuids(ids);
    if (known.length === 0) return [];
    const rows = await queries.any(sql.type(idRow)`
      SELECT booking_id FROM slot_claims WHERE booking_id = ANY(${sql.array(known, 'uuid')})`);
    return rows.map(({ booking_id }) => booking_id);
  },

  async ownersOf(ids: readonly BookingId[]): Promise<readonly z.infer<typeof ownerRow>[]> {
    const known = uuids(ids);
    if (known.length === 0) return [];
    return queries.any(sql.type(ownerRow)`
      SELECT b.id AS "bookingId", c.id AS "caseId", c.state
      FROM bookings b JOIN cases c ON c.id = b.case_id WHERE b.id = ANY(${sql.array(known, 'uuid')})`);
  },

  async endedClaims(providerId: ProviderId) {
    const rows = await queries.any(sql.type(endedRow)`
      SELECT k.booking_id AS "bookingId", c.id AS "caseId", c.state, k.slot,
             k.practitioner_id AS "practitionerId", lower(k.during) AS start, upper(k.during) AS "end"
      FROM slot_claims k JOIN cases c ON c.id = k.case_id
      WHERE k.provider_id = ${providerId} AND k.expires_at < now() ORDER BY k.expires_at LIMIT ${AT_ONCE}`);
    return rows.map(({ slot, practitionerId, start, end, ...owner }) => ({
      ...owner,
      slot: slot === null ? null : { providerId, slot, practitionerId, start, end },
    }));
  },

  async deleteEnded(id: BookingId): Promise<void> {
    await queries.query(sql.type(nothing)`
      DELETE FROM slot_claims WHERE booking_id = ${id} AND expires_at < now()`);
  },

  notFree: (providerId: ProviderId) =>
    queries.any(sql.type(z.object(caseOf))`
      SELECT id AS "caseId", state FROM cases
      WHERE state -> 'bookings' @> '[{"unverified": true}]'
        AND state -> 'bookings' @> ${sql.jsonb([{ unverified: true, providerId }])}`),

  async free(id: BookingId): Promise<void> {
    await queries.query(sql.type(nothing)`DELETE FROM slot_claims WHERE booking_id = ${id}`);
  },
});

/** Marks are read from another's system: what is no id of ours is in no book of ours. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const uuids = (ids: readonly BookingId[]): readonly BookingId[] => ids.filter((id) => UUID.test(id));
