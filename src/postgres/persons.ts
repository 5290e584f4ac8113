import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId } from '../domain/ids.ts';
import type { CalendarDate } from '../domain/instant.ts';
import { dateColumn } from './case-row.ts';
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

export async function boundPerson(queries: Queries, caseId: CaseId): Promise<BoundPerson | null> {
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
