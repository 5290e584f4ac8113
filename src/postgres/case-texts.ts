import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId } from '../domain/ids.ts';
import { caseColumns, caseRow, instantColumn, nothing } from './case-row.ts';
import { affects, type Queries } from './database.ts';
import { keyOf, readDataKey, seal, sealed } from './sealing.ts';

export interface NewText {
  readonly kind: 'recall_reason' | 'assistance_request';
  readonly body: string | null;
  /** Of a request for help. */
  readonly answer?: AnswerWanted;
}

/** How a request for help is to be answered, and whom; null for what was not said. */
export interface AnswerWanted {
  readonly preferredContact: 'phone' | 'email' | null;
  /** E.164: whom to call, where it is another number than the case's. */
  readonly phone: string | null;
  /** Before noon or after it. */
  readonly bestTime: 'morning' | 'afternoon' | null;
  /** The language that an interpreter is needed for. */
  readonly interpreter: string | null;
  /** Who asks for the customer. */
  readonly helper: { readonly name: string; readonly relation: (typeof HELPER_RELATIONS)[number] } | null;
}

/** What who asks for another is to that person. */
export const HELPER_RELATIONS = ['parent', 'guardian', 'helper'] as const;

/** Free text gets a row, so that the workflow can be told its id instead. @returns the id */
export async function writeText(queries: Queries, caseId: CaseId, text: NewText): Promise<string> {
  const id = randomUUID();
  await writeTextOnce(queries, caseId, { id, ...text });
  return id;
}

/** The same under an id that says which text it is. @returns whether it was not there yet */
export async function writeTextOnce(
  queries: Queries,
  caseId: CaseId,
  { id, kind, body, answer }: NewText & { readonly id: string },
): Promise<boolean> {
  const text = seal(await readDataKey(queries, caseId), 'case_texts.sealed', {
    body,
    preferred_contact: answer?.preferredContact ?? null,
    phone: answer?.phone ?? null,
    best_time: answer?.bestTime ?? null,
    interpreter: answer?.interpreter ?? null,
    helper_name: answer?.helper?.name ?? null,
    helper_relation: answer?.helper?.relation ?? null,
  } satisfies Omit<TextRow, 'kind' | 'created_at'>);
  return affects(
    queries,
    sql.fragment`
      INSERT INTO case_texts (id, case_id, kind, sealed) VALUES (${id}, ${caseId}, ${kind}, ${text})
      ON CONFLICT (id) DO NOTHING`,
  );
}

export const hasText = (queries: Queries, id: string): Promise<boolean> =>
  queries.exists(sql.type(nothing)`SELECT FROM case_texts WHERE id = ${id}`);

const textRow = z.object({
  kind: z.enum(['recall_reason', 'assistance_request']),
  body: z.string().nullable(),
  preferred_contact: z.enum(['phone', 'email']).nullable(),
  phone: z.string().nullable(),
  best_time: z.enum(['morning', 'afternoon']).nullable(),
  interpreter: z.string().nullable(),
  helper_name: z.string().nullable(),
  helper_relation: z.enum(HELPER_RELATIONS).nullable(),
  created_at: instantColumn,
});
export type TextRow = z.infer<typeof textRow>;

/** Everything that was written to or about the case, oldest first. */
export const readTexts = (queries: Queries, caseId: CaseId): Promise<readonly TextRow[]> =>
  queries.any(sql.type(textRow)`
    SELECT kind, created_at, ${sealed(sql.fragment`sealed`, 'case_texts.sealed')}, ${keyOf(sql.fragment`case_texts.case_id`)}
    FROM case_texts WHERE case_id = ${caseId} ORDER BY created_at`);

/** The workflow knows of the text. */
export async function noteRequestSignalled(queries: Queries, textId: string): Promise<void> {
  await queries.query(sql.type(nothing)`UPDATE case_texts SET signalled_at = now() WHERE id = ${textId}`);
}

const waitingRow = caseRow.extend({ text_id: z.string() });
export type WaitingRequest = z.infer<typeof waitingRow>;

/** Requests for help that the workflow was not told of when they were made, oldest first. One that is yet to be started waits. */
export const listUnsignalledRequests = (
  queries: Queries,
  limit: number,
): Promise<readonly WaitingRequest[]> =>
  queries.any(sql.type(waitingRow)`
    SELECT ${caseColumns}, t.id AS text_id FROM case_texts t JOIN cases ON cases.id = t.case_id
    WHERE t.kind = 'assistance_request' AND t.signalled_at IS NULL AND t.created_at < now() - interval '5 seconds'
      AND cases.workflow_started_at IS NOT NULL
    ORDER BY t.created_at LIMIT ${limit} FOR UPDATE OF t SKIP LOCKED`);
