import { sql } from 'slonik';
import { z } from 'zod';
import { affects, type Queries } from './database.ts';

const treatmentRow = z.object({
  code: z.string(),
  name_nb: z.string(),
  name_en: z.string(),
  minimum_minutes: z.number().nullable(),
  providers: z.array(z.string()),
});
/** A kind of treatment, and the ids of those who offer it. */
export type TreatmentRow = z.infer<typeof treatmentRow>;

/** All kinds, those that nobody offers included. */
export const listTreatments = (queries: Queries): Promise<readonly TreatmentRow[]> =>
  queries.any(sql.type(treatmentRow)`
    SELECT t.code, t.name_nb, t.name_en, t.minimum_minutes,
      (SELECT coalesce(jsonb_agg(o.provider_id ORDER BY o.provider_id), '[]')
         FROM provider_treatments o WHERE o.treatment_type = t.code) AS providers
    FROM treatment_types t ORDER BY t.code`);

export interface NewTreatment {
  readonly code: string;
  /** Norwegian bokmål. */
  readonly nb: string;
  readonly en: string;
  /** A free time that is shorter is not offered; null where any length will do. */
  readonly minimumMinutes: number | null;
}

/** @returns false when the code is taken, and nothing is changed */
export const addTreatment = (
  queries: Queries,
  { code, nb, en, minimumMinutes }: NewTreatment,
): Promise<boolean> =>
  affects(
    queries,
    sql.fragment`
      INSERT INTO treatment_types (code, name_nb, name_en, minimum_minutes)
      VALUES (${code}, ${nb}, ${en}, ${minimumMinutes}) ON CONFLICT (code) DO NOTHING`,
  );

/** @returns false when there is no such kind */
export const setMinimumMinutes = (queries: Queries, code: string, minutes: number | null): Promise<boolean> =>
  affects(
    queries,
    sql.fragment`UPDATE treatment_types SET minimum_minutes = ${minutes} WHERE code = ${code}`,
  );
