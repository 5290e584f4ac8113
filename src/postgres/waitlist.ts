import { sql } from 'slonik';
import { caseRow } from './case-row.ts';
import type { Queries } from './database.ts';
import type { BookingId, CaseId } from '../domain/ids.ts';
import { z } from 'zod';

/** How many are told of one time: only one of them can have it. */
const MOST = 25;

/**
 * Whose customers wait for an earlier time, and may like the one that this booking has left: the same treatment, in the
 * same town or by video as theirs, at least a week before theirs. Those who have waited longest, first.
 */
export const readWaiting = (queries: Queries, freed: BookingId): Promise<readonly CaseId[]> =>
  queries.anyFirst(sql.type(z.object({ id: caseRow.shape.id }))`
    SELECT c.id
    FROM bookings f JOIN cases k ON k.id = f.case_id
      JOIN cases c ON c.treatment_type = k.treatment_type AND c.state -> 'waitlist' ->> 'since' IS NOT NULL AND c.id <> k.id
      JOIN bookings b ON b.id = c.booking_id
    WHERE f.id = ${freed} AND b.mode = f.mode AND (f.mode = 'video' OR b.details ->> 'town' = f.details ->> 'town')
      AND lower(f.during) > now() AND lower(f.during) <= lower(b.during) - interval '7 days'
    ORDER BY c.state -> 'waitlist' ->> 'since' LIMIT ${MOST}`);
