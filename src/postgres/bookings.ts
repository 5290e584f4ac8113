import { sql } from 'slonik';
import { z } from 'zod';
import type { BookingId, CaseId, ProviderId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { Slot } from '../domain/slot.ts';
import type { BookingRequest } from '../providers/port.ts';
import { caseRow, instantColumn, nothing, textColumn } from './case-row.ts';
import { readCase } from './cases.ts';
import { readBoundPerson } from './customers.ts';
import { allOf, type Database, type Queries } from './database.ts';

const comingRow = z.object({
  caseId: caseRow.shape.id,
  bookingId: textColumn<BookingId>(),
  state: caseRow.shape.state,
  ends: instantColumn,
  isDescribed: z.boolean(),
});
type ComingRow = z.infer<typeof comingRow>;

/** The appointments that stand in the providers' calendars, as readers know of them. */
export const createAppointments = (queries: Queries) => ({
  /** The customers' own that were transferred and are not over, the next ones first. */
  coming(
    providerId: ProviderId,
    {
      limit,
      after,
      only,
    }: {
      readonly limit: number;
      readonly after: { readonly ends: Instant; readonly bookingId: BookingId } | null;
      readonly only: readonly BookingId[] | null;
    },
  ): Promise<readonly ComingRow[]> {
    const further = allOf(
      after && sql.fragment`(upper(b.during), b.id) > (${after.ends}::timestamptz, ${after.bookingId}::uuid)`,
      only && sql.fragment`b.id = ANY(${sql.array(only, 'uuid')})`,
    );
    return queries.any(sql.type(comingRow)`
      SELECT c.id AS "caseId", b.id AS "bookingId", c.state, upper(b.during) AS ends,
             b.practitioner <> '' AS "isDescribed"
      FROM bookings b JOIN cases c ON c.id = b.case_id AND c.booking_id = b.id
      WHERE b.provider_id = ${providerId} AND upper(b.during) > now() AND c.status <> 'archived'
        AND EXISTS (SELECT FROM jsonb_array_elements(c.state -> 'bookings') AS one
                    WHERE one ->> 'bookingId' = b.id::text AND one ->> 'transferredAt' IS NOT NULL)
        AND ${further}
      ORDER BY upper(b.during), b.id LIMIT ${limit}`);
  },

  /** With whom and where; the hour follows once its case has judged the move. */
  async moved(id: BookingId, { practitioner, location, mode, details }: Slot): Promise<void> {
    await queries.query(sql.type(nothing)`
      UPDATE bookings SET practitioner = ${practitioner}, location = ${location}, mode = ${mode},
        details = ${sql.jsonb({ ...details })} WHERE id = ${id}`);
  },
});

/**
 * What the clinic gets to know of a case (docs/contract.md §7). The name is the eID's; the partner's, where the operator booked
 * for a customer without eID.
 */
export async function readBookingDetails(
  database: Database,
  caseId: CaseId,
): Promise<Omit<BookingRequest, 'bookingId' | 'slot'>> {
  const [row, person] = await Promise.all([readCase(database, caseId), readBoundPerson(database, caseId)]);
  if (!row) throw new Error('no case row for this booking');
  return {
    caseId,
    treatmentType: row.treatment_type,
    patient: {
      givenName: person?.givenName ?? row.patient_first_name,
      familyName: person?.familyName ?? row.patient_last_name,
      birthDate: person?.birthDate ?? null,
      email: row.patient_email,
      phone: row.patient_phone,
    },
    injuryDate: row.injury_date,
    injuryDescription: row.injury_description,
    partnerName: row.partner_name,
    partnerCaseId: row.partner_case_id,
  };
}

/**
 * What a clinic's system does not take at the moment: putting an appointment into its calendar, or taking it out.
 * `refusal`: it never will.
 */
type BookingTask = 'transfer' | 'refusal' | 'release';

/** Since when a booking's task fails, and what was answered last. Succeeding ends it. */
export const createBookingFailures = (queries: Queries) => ({
  /** @param answer nothing personal */
  async failed(
    task: BookingTask,
    { caseId, bookingId }: { readonly caseId: CaseId; readonly bookingId: BookingId },
    answer: string,
  ): Promise<void> {
    await queries.query(sql.type(nothing)`
      INSERT INTO booking_failures (booking_id, task, case_id, answer)
      VALUES (${bookingId}, ${task}, ${caseId}, ${answer})
      ON CONFLICT (booking_id, task) DO UPDATE SET answer = excluded.answer
        WHERE booking_failures.answer <> excluded.answer`);
  },

  async succeeded(task: BookingTask, bookingId: BookingId): Promise<void> {
    await queries.query(sql.type(nothing)`
      DELETE FROM booking_failures WHERE booking_id = ${bookingId} AND task = ${task}`);
  },
});

/** How many are told of one time: only one of them can have it. */
const MOST_WAITING = 25;
/** Of those who wait for a treatment. */
const MOST_LOOKED_AT = 10_000;

/**
 * Whose customers wait for an earlier time, and may like the one that this booking has left: the same treatment, in the
 * same town or by video as theirs, at least a week before theirs. Those who have waited longest, first.
 */
export const readWaiting = (queries: Queries, freed: BookingId): Promise<readonly CaseId[]> =>
  queries.anyFirst(sql.type(z.object({ id: caseRow.shape.id }))`
    SELECT c.id
    FROM bookings f JOIN cases k ON k.id = f.case_id
      JOIN LATERAL (
        SELECT id, booking_id, state -> 'waitlist' ->> 'since' AS since FROM cases
        WHERE treatment_type = k.treatment_type AND state -> 'waitlist' ->> 'since' IS NOT NULL
        ORDER BY since LIMIT ${MOST_LOOKED_AT}
      ) c ON c.id <> k.id
      -- each by itself, until there are enough
      JOIN LATERAL (SELECT mode, details, during FROM bookings WHERE id = c.booking_id OFFSET 0) b ON true
    WHERE f.id = ${freed} AND b.mode = f.mode AND (f.mode = 'video' OR b.details ->> 'town' = f.details ->> 'town')
      AND lower(f.during) > now() AND lower(f.during) <= lower(b.during) - interval '7 days'
    ORDER BY c.since LIMIT ${MOST_WAITING}`);
