import { sql } from 'slonik';
import type { CaseId } from '../domain/ids.ts';
import { nothing } from './case-row.ts';
import type { Queries } from './database.ts';

/** What a partner may correct about the customer; what is left out stays. */
export interface Correction {
  readonly patientFirstName?: string | undefined;
  readonly patientLastName?: string | undefined;
  readonly patientEmail?: string | undefined;
  readonly patientPhone?: string | undefined;
}

export async function correctPatient(
  queries: Queries,
  caseId: CaseId,
  correction: Correction,
): Promise<void> {
  await queries.query(sql.type(nothing)`
    UPDATE cases SET
      patient_first_name = coalesce(${correction.patientFirstName ?? null}, patient_first_name),
      patient_last_name = coalesce(${correction.patientLastName ?? null}, patient_last_name),
      patient_email = coalesce(${correction.patientEmail ?? null}, patient_email),
      patient_phone = coalesce(${correction.patientPhone ?? null}, patient_phone)
    WHERE id = ${caseId}`);
}
