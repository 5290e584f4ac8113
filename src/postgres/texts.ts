import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId } from '../domain/ids.ts';
import type { Queries } from './database.ts';

export interface NewText {
  readonly kind: 'recall_reason' | 'assistance_request';
  readonly body: string | null;
  readonly preferredContact?: 'phone' | 'email' | null;
}

/** Free text gets a row, so that the workflow can be told its id instead. @returns the id */
export const writeText = (queries: Queries, caseId: CaseId, text: NewText): Promise<string> =>
  queries.oneFirst(sql.type(z.object({ id: z.string() }))`
    INSERT INTO case_texts (id, case_id, kind, body, preferred_contact)
    VALUES (${randomUUID()}, ${caseId}, ${text.kind}, ${text.body}, ${text.preferredContact ?? null})
    RETURNING id`);

/** How many texts of the kind the case got in the last 24 hours. */
export const countTexts = (queries: Queries, caseId: CaseId, kind: NewText['kind']): Promise<number> =>
  queries.oneFirst(sql.type(z.object({ count: z.number() }))`
    SELECT count(*) FROM case_texts
    WHERE case_id = ${caseId} AND kind = ${kind} AND created_at > now() - interval '24 hours'`);
