import { sql, UniqueIntegrityConstraintViolationError } from 'slonik';
import { z } from 'zod';
import type { CaseState } from '../domain/case-state.ts';
import type { CaseId, PartnerId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { instantColumn, nothing, type SealedCase, textColumn } from './case-row.ts';
import { affects, type Database, type Queries } from './database.ts';
import { newDataKey, readDataKey, seal, searchHash } from './sealing.ts';

// What becomes of the database after it was put back from a backup (docs/decisions/0110).

const restoreRow = z.object({
  id: z.number(),
  begunAt: instantColumn,
  numbersAbove: z.number(),
  finishedAt: instantColumn.nullable(),
  /** It was put back since. */
  isOther: z.boolean(),
});
export type Restore = z.infer<typeof restoreRow>;

const columns = sql.fragment`
  id, begun_at AS "begunAt", numbers_above AS "numbersAbove", finished_at AS "finishedAt",
  database <> database_identity() AS "isOther"`;

/** More than all partners' events together between two restores, where a clock was put back. */
const LEAST_JUMP = 1_000_000;

/**
 * The restore that is to be followed up, or was last. Where the database is another than then, or `again`, one is begun: all
 * events get places and numbers above whatever was given before. These grow by one an event, and jump to the milliseconds
 * since 1970: nobody had a thousand events in each second since, so no partner holds a cursor beyond.
 */
export const beginRestore = (database: Database, again: boolean): Promise<Restore> =>
  database.transaction(async (tx) => {
    // whoever else begins one waits
    await tx.query(sql.type(z.object({}))`SELECT pg_advisory_xact_lock(hashtextextended('restores', 0))`);
    const last = await tx.one(sql.type(restoreRow)`SELECT ${columns} FROM restores ORDER BY id DESC LIMIT 1`);
    if (!last.isOther && !(again && last.finishedAt)) return last;
    const begun = await tx.one(sql.type(restoreRow)`
      INSERT INTO restores (database, numbers_above)
      SELECT database_identity(), greatest(
        (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
        greatest(max(last_event), (SELECT last_value FROM events_place_seq)) + ${LEAST_JUMP})
      FROM partners
      RETURNING ${columns}`);
    await tx.query(sql.type(nothing)`UPDATE partners SET last_event = ${begun.numbersAbove}`);
    await tx.query(sql.type(z.object({ above: z.number() }))`
      SELECT setval('events_place_seq', ${begun.numbersAbove}) AS above`);
    return begun;
  });

/** Nothing of it is left to be done. */
export const finishRestore = (queries: Queries, { id }: Restore): Promise<boolean> =>
  affects(queries, sql.fragment`UPDATE restores SET finished_at = now() WHERE id = ${id}`);

const idRow = z.object({ id: textColumn<CaseId>() });

/** Which of these there is no row of, and which nobody has erased. */
export const listForgotten = (queries: Queries, ids: readonly CaseId[]): Promise<readonly CaseId[]> =>
  queries.anyFirst(sql.type(idRow)`
    SELECT id FROM unnest(${sql.array(ids, 'uuid')}) AS asked (id)
    WHERE NOT EXISTS (SELECT FROM cases WHERE cases.id = asked.id)
      AND NOT EXISTS (SELECT FROM keys.erasures WHERE case_id = asked.id)`);

export interface ForgottenCase {
  readonly caseId: CaseId;
  readonly partnerId: PartnerId;
  readonly reference: string;
  readonly treatmentType: string;
  readonly startedAt: Instant;
  readonly state: CaseState;
}

/** Its partner or kind of treatment is not there; or the partner handed the same over again. */
export type NotAdopted = 'partner_unknown' | 'treatment_unknown' | 'handed_over_again';

/** A hash in place of the reference: `hashedReference` of src/postgres/create-case.ts. */
const HASHED = /^h-[0-9a-f]{32}$/;

/**
 * Takes a case over that there is no row of, with what its workflow knows: what is personal is empty. At revision 0, so that
 * whatever its workflow writes is newer.
 */
export async function adoptCase(database: Database, found: ForgottenCase): Promise<'adopted' | NotAdopted> {
  const { caseId, partnerId, reference, treatmentType, startedAt, state } = found;
  const known = await database.one(sql.type(z.object({ partner: z.boolean(), treatment: z.boolean() }))`
    SELECT EXISTS (SELECT FROM partners WHERE id = ${partnerId}) AS partner,
      EXISTS (SELECT FROM treatment_types WHERE code = ${treatmentType}) AS treatment`);
  if (!known.partner) return 'partner_unknown';
  if (!known.treatment) return 'treatment_unknown';
  const isHashed = HASHED.test(reference);
  const fields: SealedCase = {
    partner_case_id: isHashed ? '' : reference,
    patient_first_name: '',
    patient_last_name: '',
    patient_email: null,
    patient_phone: null,
    injury_date: null,
    injury_description: null,
  };
  // open until the comparison, which looks at no case that is over, writes it down from its history
  const status = state.status === 'archived' ? 'recalled' : state.status;
  const made = await newDataKey(database, caseId);
  const hash = sql.binary(await searchHash(database, 'reference', reference));
  try {
    await database.transaction(async (tx) => {
      // newer keys may have been put back than the rest
      await tx.query(sql.type(nothing)`
        INSERT INTO keys.data_keys (case_id, partner_id, wrapped) VALUES (${caseId}, ${partnerId}, ${made.wrapped})
        ON CONFLICT DO NOTHING`);
      const key = await readDataKey(tx, caseId);
      await tx.query(sql.type(nothing)`
        INSERT INTO cases (
          id, partner_id, reference_hash, hashed_reference, sealed, treatment_type, created_at, updated_at,
          workflow_started_at, status, booking_deadline, state
        ) VALUES (
          ${caseId}, ${partnerId}, ${hash}, ${isHashed ? reference : null}, ${seal(key, 'cases.sealed', fields)},
          ${treatmentType}, ${startedAt}, now(), ${startedAt}, ${status}, ${state.deadline.date},
          ${sql.jsonb(state as never)}
        )`);
    });
    return 'adopted';
  } catch (error) {
    if (error instanceof UniqueIntegrityConstraintViolationError) return 'handed_over_again';
    throw error;
  }
}

const shownRow = idRow.extend({ revision: z.number() });

/**
 * Cases of which something was told since the numbers jumped, and not how they stand: their workflows went on by themselves,
 * so that a comparison does not see what was lost of them.
 */
export const listToldSince = (queries: Queries, { numbersAbove }: Restore) =>
  queries.any(sql.type(shownRow)`
    SELECT id, revision FROM cases WHERE id IN (
      SELECT case_id FROM events WHERE place > ${numbersAbove}
      GROUP BY case_id HAVING NOT bool_or(type IN ('case.created', 'case.restored', 'case.erased')))`);

const tolds = z.object({
  caseId: textColumn<CaseId>(),
  partnerId: textColumn<PartnerId>(),
  status: z.string(),
  lost: z.array(z.string()),
});

/** What partners were told anew since the numbers jumped. */
export const listRestored = (queries: Queries, { numbersAbove }: Restore) =>
  queries.any(sql.type(tolds)`
    SELECT DISTINCT ON (case_id) case_id AS "caseId", partner_id AS "partnerId", status, data -> 'lost' AS lost
    FROM events WHERE place > ${numbersAbove} AND type = 'case.restored' ORDER BY case_id, place DESC`);
