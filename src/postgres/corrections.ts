import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseEvent } from '../domain/events.ts';
import type { CaseId } from '../domain/ids.ts';
import { nothing } from './case-row.ts';
import type { Queries } from './database.ts';

/** Corrected addresses; null where one stays as it is. */
export interface Correction {
  readonly patientEmail: string | null;
  readonly patientPhone: string | null;
}

/** Lays corrected addresses by, until the workflow has judged them. @returns the id that travels to the workflow */
export const layByCorrection = (queries: Queries, caseId: CaseId, correction: Correction): Promise<string> =>
  queries.oneFirst(sql.type(z.object({ id: z.string() }))`
    INSERT INTO case_corrections (id, case_id, patient_email, patient_phone)
    VALUES (${randomUUID()}, ${caseId}, ${correction.patientEmail}, ${correction.patientPhone})
    RETURNING id`);

/** Applies the corrections that the workflow granted, in the order in which it did. */
export async function applyCorrections(queries: Queries, events: readonly CaseEvent[]): Promise<void> {
  for (const { type, data } of events) {
    const { correctionId } = data;
    if (type !== 'case.contact_changed' || typeof correctionId !== 'string') continue;
    await queries.query(sql.type(nothing)`
      UPDATE cases SET
        patient_email = coalesce(k.patient_email, cases.patient_email),
        patient_phone = coalesce(k.patient_phone, cases.patient_phone)
      FROM case_corrections k WHERE k.id = ${correctionId} AND cases.id = k.case_id`);
    await queries.query(sql.type(nothing)`DELETE FROM case_corrections WHERE id = ${correctionId}`);
  }
}

/**
 * Corrects the names, as long as nobody was bound to the case by them (contract §3).
 *
 * @returns false when somebody was, and nothing is changed
 */
export const correctNames = async (
  queries: Queries,
  caseId: CaseId,
  names: { readonly first: string | null; readonly last: string | null },
): Promise<boolean> => {
  const { rowCount } = await queries.query(sql.type(nothing)`
    UPDATE cases SET
      patient_first_name = coalesce(${names.first}, patient_first_name),
      patient_last_name = coalesce(${names.last}, patient_last_name),
      updated_at = now()
    WHERE id = ${caseId} AND NOT EXISTS (SELECT FROM case_persons WHERE case_id = ${caseId})`);
  return rowCount === 1;
};
