import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Language } from '../calendar/format.ts';
import type { CaseEvent } from '../domain/events.ts';
import type { CaseId } from '../domain/ids.ts';
import { dateColumn, nothing } from './case-row.ts';
import { affects, type Queries } from './database.ts';

const personRow = z.object({
  personKey: z.string(),
  givenName: z.string(),
  familyName: z.string(),
  birthDate: dateColumn.nullable(),
});
/** Who the eID says the customer is; `personKey` is a keyed hash of the eID's own stable claim. */
export type BoundPerson = z.infer<typeof personRow>;

export const readBoundPerson = (queries: Queries, caseId: CaseId): Promise<BoundPerson | null> =>
  queries.maybeOne(sql.type(personRow)`
    SELECT person_key AS "personKey", given_name AS "givenName", family_name AS "familyName",
           birth_date AS "birthDate"
    FROM case_persons WHERE case_id = ${caseId}`);

/** Binds the case to this person unless it is bound already. @returns the key of whoever it is bound to then */
export const bindPerson = (queries: Queries, caseId: CaseId, person: BoundPerson): Promise<string> =>
  queries.oneFirst(sql.type(z.object({ person_key: z.string() }))`
    INSERT INTO case_persons (case_id, person_key, given_name, family_name, birth_date)
    VALUES (${caseId}, ${person.personKey}, ${person.givenName}, ${person.familyName}, ${person.birthDate})
    -- the no-op update returns the row that was there first
    ON CONFLICT (case_id) DO UPDATE SET person_key = case_persons.person_key
    RETURNING person_key`);

/** Forgets whom the case is bound to. @returns false when it was bound to nobody */
export const unbindPerson = (queries: Queries, caseId: CaseId): Promise<boolean> =>
  affects(queries, sql.fragment`DELETE FROM case_persons WHERE case_id = ${caseId}`);

/** Corrected addresses; null where one stays as it is. */
export interface Correction {
  readonly patientEmail: string | null;
  readonly patientPhone: string | null;
}

/** Lays corrected addresses by, until the workflow has judged them. @returns the id that travels to the workflow */
export const stageCorrection = (queries: Queries, caseId: CaseId, correction: Correction): Promise<string> =>
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
 * Corrects the names, as long as nobody was bound to the case by them (docs/contract.md §3).
 *
 * @returns false when somebody was, and nothing is changed
 */
export const correctNames = (
  queries: Queries,
  caseId: CaseId,
  names: { readonly first: string | null; readonly last: string | null },
): Promise<boolean> =>
  affects(
    queries,
    sql.fragment`
      UPDATE cases SET
        patient_first_name = coalesce(${names.first}, patient_first_name),
        patient_last_name = coalesce(${names.last}, patient_last_name),
        updated_at = now()
      WHERE id = ${caseId} AND NOT EXISTS (SELECT FROM case_persons WHERE case_id = ${caseId})`,
  );

/** Notes in which language a case's customer reads, for the messages from then on. Partners see nothing of it. */
export async function setCustomerLanguage(
  queries: Queries,
  caseId: CaseId,
  language: Language,
): Promise<void> {
  await queries.query(sql.type(nothing)`
    UPDATE cases SET customer_language = ${language} WHERE id = ${caseId} AND customer_language <> ${language}`);
}
