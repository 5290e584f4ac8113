import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Language } from '../calendar/format.ts';
import type { CaseEvent } from '../domain/events.ts';
import type { CaseId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { dateColumn, instantColumn, nothing, type SealedCase, sealedCase } from './case-row.ts';
import { endSessionsOf } from './customer-sessions.ts';
import { affects, type Database, type Queries } from './database.ts';
import { keyOf, readDataKey, seal, sealed } from './sealing.ts';

const sealedPerson = z.object({
  givenName: z.string(),
  familyName: z.string(),
  birthDate: dateColumn.nullable(),
});
const personRow = sealedPerson.extend({ personId: z.string() });
const sealedPersonAndKey = sql.fragment`
  ${sealed(sql.fragment`p.sealed`, 'case_persons.sealed')}, ${keyOf(sql.fragment`p.case_id`)}`;
/** Who the eID says the customer is; `personId` is the same at each login of theirs. */
export type BoundPerson = z.infer<typeof personRow>;

export const readBoundPerson = (queries: Queries, caseId: CaseId): Promise<BoundPerson | null> =>
  queries.maybeOne(sql.type(personRow)`
    SELECT p.person_id AS "personId", ${sealedPersonAndKey}
    FROM case_persons p WHERE p.case_id = ${caseId} AND p.unbound_at IS NULL`);

/** Since when the case is bound to a person; null while it is not. */
export const readBoundSince = (queries: Queries, caseId: CaseId): Promise<Instant | null> =>
  queries.maybeOneFirst(
    sql.type(
      z.object({ bound_at: instantColumn }),
    )`SELECT bound_at FROM case_persons WHERE case_id = ${caseId} AND unbound_at IS NULL`,
  );

/** The customer's names as the case has them. */
export interface Names {
  readonly first: string;
  readonly last: string;
}

/** Who binds, unbinds or readmits, or corrects the names, goes through here one after the other, and sees what the one before did. */
export const lockCase = (tx: Queries, caseId: CaseId): Promise<SealedCase | null> =>
  tx.maybeOne(sql.type(sealedCase)`
    SELECT ${sealed(sql.fragment`sealed`, 'cases.sealed')}, ${keyOf(sql.fragment`cases.id`)}
    FROM cases WHERE id = ${caseId} AND erased_at IS NULL FOR NO KEY UPDATE`);

/** Whether the case's names are these. */
export const hasNames = (
  { patient_first_name, patient_last_name }: Pick<SealedCase, 'patient_first_name' | 'patient_last_name'>,
  { first, last }: Names,
): boolean => patient_first_name === first && patient_last_name === last;

/**
 * Binds the case to whoever logged in, unless it is bound already. Nobody is bound by a session from before somebody
 * was unbound, nor one who was unbound and not readmitted, nor by names that were corrected since they were compared.
 *
 * @param matched the case's names, which are the person's own
 * @param sessionId the person's own session
 * @returns the id of whoever the case is bound to then; null when that is nobody
 */
export const bindPerson = (
  database: Database,
  caseId: CaseId,
  matched: Names,
  { personId, givenName, familyName, birthDate, sessionId }: BoundPerson & { readonly sessionId: string },
): Promise<string | null> =>
  database.transaction(async (tx) => {
    const current = await lockCase(tx, caseId);
    if (!current) return null;
    const person = seal(await readDataKey(tx, caseId), 'case_persons.sealed', {
      givenName,
      familyName,
      birthDate,
    });
    return tx.maybeOneFirst(sql.type(z.object({ person_id: z.string() }))`
      WITH bound AS (
        INSERT INTO case_persons (case_id, person_id, sealed)
        SELECT ${caseId}, ${personId}, ${person}
        FROM customer_sessions s
        WHERE s.id = ${sessionId} AND ${hasNames(current, matched)} AND NOT EXISTS (
          SELECT FROM case_persons p
          WHERE p.case_id = ${caseId} AND (
            p.unbound_at >= s.started_at
            OR p.person_id = ${personId} AND p.unbound_at IS NOT NULL AND p.readmitted_at IS NULL))
        ON CONFLICT (case_id) WHERE unbound_at IS NULL DO NOTHING
        RETURNING person_id
      )
      SELECT person_id FROM bound
      UNION ALL SELECT person_id FROM case_persons WHERE case_id = ${caseId} AND unbound_at IS NULL`);
  });

/** By whom, and in their own words. */
interface Unbinding {
  readonly by: string;
  readonly reason: string;
}

/**
 * Unbinds whoever the case is bound to, ends all their sessions, and keeps them out from then on.
 *
 * @returns false when it was bound to nobody
 */
export const unbindPerson = (
  database: Database,
  caseId: CaseId,
  { by, reason }: Unbinding,
): Promise<boolean> =>
  database.transaction(async (tx) => {
    await lockCase(tx, caseId);
    const why = seal(await readDataKey(tx, caseId), 'case_persons.sealed_reason', { reason });
    const personId = await tx.maybeOneFirst(sql.type(z.object({ person_id: z.string() }))`
      UPDATE case_persons SET unbound_at = clock_timestamp(), unbound_by = ${by}, sealed_reason = ${why}
      WHERE case_id = ${caseId} AND unbound_at IS NULL RETURNING person_id`);
    if (personId === null) return false;
    await endSessionsOf(tx, personId);
    return true;
  });

/** Lets somebody who was unbound be bound again at a login. @returns false when they were readmitted already */
export const readmitPerson = (queries: Queries, id: number, by: string): Promise<boolean> =>
  affects(
    queries,
    sql.fragment`
      UPDATE case_persons SET readmitted_at = now(), readmitted_by = ${by}
      WHERE id = ${id} AND unbound_at IS NOT NULL AND readmitted_at IS NULL`,
  );

const unboundRow = sealedPerson.extend({
  id: z.number(),
  boundAt: instantColumn,
  unboundAt: instantColumn,
  unboundBy: z.string(),
  reason: z.string(),
  /** Null while they are kept out. */
  readmittedAt: instantColumn.nullable(),
  readmittedBy: z.string().nullable(),
});

/** Who the case was bound to before, the first one first. */
export const listUnboundPersons = (queries: Queries, caseId: CaseId) =>
  queries.any(sql.type(unboundRow)`
    SELECT p.id, ${sealedPersonAndKey}, ${sealed(sql.fragment`p.sealed_reason`, 'case_persons.sealed_reason')},
           p.bound_at AS "boundAt", p.unbound_at AS "unboundAt", p.unbound_by AS "unboundBy",
           p.readmitted_at AS "readmittedAt", p.readmitted_by AS "readmittedBy"
    FROM case_persons p WHERE p.case_id = ${caseId} AND p.unbound_at IS NOT NULL ORDER BY p.id`);

/** Corrected addresses and names; what is left out stays as it is. */
export interface Correction {
  readonly patientEmail?: string | undefined;
  readonly patientPhone?: string | undefined;
  readonly patientFirstName?: string | undefined;
  readonly patientLastName?: string | undefined;
}

const sealedCorrection = sealedCase
  .pick({
    patient_email: true,
    patient_phone: true,
    patient_first_name: true,
    patient_last_name: true,
  })
  .partial();

/** Lays a correction by, until the workflow has judged it. @returns the id that travels to the workflow */
export async function stageCorrection(queries: Queries, caseId: CaseId, given: Correction): Promise<string> {
  const corrected = {
    ...(given.patientEmail !== undefined && { patient_email: given.patientEmail }),
    ...(given.patientPhone !== undefined && { patient_phone: given.patientPhone }),
    ...(given.patientFirstName !== undefined && { patient_first_name: given.patientFirstName }),
    ...(given.patientLastName !== undefined && { patient_last_name: given.patientLastName }),
  } satisfies z.infer<typeof sealedCorrection>;
  const key = await readDataKey(queries, caseId);
  return queries.oneFirst(sql.type(z.object({ id: z.string() }))`
    INSERT INTO case_corrections (id, case_id, sealed)
    VALUES (${randomUUID()}, ${caseId}, ${seal(key, 'case_corrections.sealed', corrected)}) RETURNING id`);
}

/** Takes a correction back that was not applied. @returns false where it was */
export const withdrawCorrection = (queries: Queries, id: string): Promise<boolean> =>
  affects(queries, sql.fragment`DELETE FROM case_corrections WHERE id = ${id}`);

/**
 * Applies the corrections that the workflow granted, in the order in which it did. What only PostgreSQL knows is judged
 * here: names stay once a person was bound to the case by them (docs/contract.md §3), and then their correction is not
 * told, and its row left for whoever staged it. Corrected names have not been verified.
 *
 * @returns what is to be told
 */
export async function applyCorrections(
  tx: Queries,
  caseId: CaseId,
  events: readonly CaseEvent[],
): Promise<readonly CaseEvent[]> {
  const told: CaseEvent[] = [];
  for (const event of events) {
    const isOfNames = event.type === 'case.name_corrected';
    const isApplied = event.correctionId ? await applyCorrection(tx, caseId, event.correctionId) : !isOfNames;
    if (isApplied && isOfNames)
      await tx.query(sql.type(nothing)`DELETE FROM case_verifications WHERE case_id = ${caseId}`);
    if (isApplied || !isOfNames) told.push(event);
  }
  return told;
}

/** The case's row is locked by its projection already, as it is by whoever binds a person. */
async function applyCorrection(tx: Queries, caseId: CaseId, id: string): Promise<boolean> {
  const current = await lockCase(tx, caseId);
  const corrected = await tx.maybeOne(sql.type(sealedCorrection)`
    SELECT ${sealed(sql.fragment`k.sealed`, 'case_corrections.sealed')}, ${keyOf(sql.fragment`k.case_id`)}
    FROM case_corrections k WHERE k.id = ${id} AND k.case_id = ${caseId}`);
  if (!current || !corrected) return false;
  const isOfNames = 'patient_first_name' in corrected || 'patient_last_name' in corrected;
  if (isOfNames && (await readBoundSince(tx, caseId))) return false;
  const fields = { ...current, ...corrected };
  await tx.query(sql.type(nothing)`
    UPDATE cases SET sealed = ${seal(await readDataKey(tx, caseId), 'cases.sealed', fields)} WHERE id = ${caseId}`);
  return withdrawCorrection(tx, id);
}

/** Notes in which language a case's customer reads, for the messages from then on. Partners see nothing of it. */
export async function setCustomerLanguage(
  queries: Queries,
  caseId: CaseId,
  language: Language,
): Promise<void> {
  await queries.query(sql.type(nothing)`
    UPDATE cases SET customer_language = ${language} WHERE id = ${caseId} AND customer_language <> ${language}`);
}
