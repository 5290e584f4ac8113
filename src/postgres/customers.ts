import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Language } from '../calendar/format.ts';
import type { CaseEvent } from '../domain/events.ts';
import type { CaseId } from '../domain/ids.ts';
import type { CalendarDate } from '../domain/instant.ts';
import { dateColumn, nothing } from './case-row.ts';
import type { Queries } from './database.ts';

/** Who the eID says the customer is; `personKey` is a keyed hash of the eID's own stable claim. */
export interface BoundPerson {
  readonly personKey: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly birthDate: CalendarDate | null;
}

const personRow = z.object({
  person_key: z.string(),
  given_name: z.string(),
  family_name: z.string(),
  birth_date: dateColumn.nullable(),
});

export async function readBoundPerson(queries: Queries, caseId: CaseId): Promise<BoundPerson | null> {
  const row = await queries.maybeOne(sql.type(personRow)`
    SELECT person_key, given_name, family_name, birth_date FROM case_persons WHERE case_id = ${caseId}`);
  return (
    row && {
      personKey: row.person_key,
      givenName: row.given_name,
      familyName: row.family_name,
      birthDate: row.birth_date,
    }
  );
}

/** Binds the case to this person unless it is bound already. @returns the key of whoever it is bound to then */
export const bindPerson = (queries: Queries, caseId: CaseId, person: BoundPerson): Promise<string> =>
  queries.oneFirst(sql.type(z.object({ person_key: z.string() }))`
    INSERT INTO case_persons (case_id, person_key, given_name, family_name, birth_date)
    VALUES (${caseId}, ${person.personKey}, ${person.givenName}, ${person.familyName}, ${person.birthDate})
    -- the no-op update returns the row that was there first
    ON CONFLICT (case_id) DO UPDATE SET person_key = case_persons.person_key
    RETURNING person_key`);

/** Forgets whom the case is bound to. @returns false when it was bound to nobody */
export async function unbindPerson(queries: Queries, caseId: CaseId): Promise<boolean> {
  const unbound = await queries.maybeOne(sql.type(z.object({ case_id: z.string() }))`
    DELETE FROM case_persons WHERE case_id = ${caseId} RETURNING case_id`);
  return unbound !== null;
}

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

/** Notes in which language a case's customer reads, for the messages from then on. Partners see nothing of it. */
export async function setCustomerLanguage(
  queries: Queries,
  caseId: CaseId,
  language: Language,
): Promise<void> {
  await queries.query(sql.type(nothing)`
    UPDATE cases SET customer_language = ${language} WHERE id = ${caseId} AND customer_language <> ${language}`);
}
