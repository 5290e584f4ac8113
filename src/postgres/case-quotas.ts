import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId } from '../domain/ids.ts';
import { nothing } from './case-row.ts';
import type { Database, Queries } from './database.ts';

export interface QuotaRequest {
  readonly caseId: CaseId;
  readonly kind: 'resend' | 'assistance';
  readonly perDay: number;
}

export type QuotaGrant =
  | { readonly isGranted: true; readonly id: string }
  | { readonly isGranted: false; /** Seconds until the next one. */ readonly retryAfter: number };

const usedRow = z.object({ used: z.number(), free_in: z.number().nullable() });

/** Takes one of the turns that a case has in 24 hours, before it is used; however many ask at once, no more are given. */
export const takeQuota = (database: Database, { caseId, kind, perDay }: QuotaRequest): Promise<QuotaGrant> =>
  database.transaction(async (tx) => {
    await tx.query(sql.type(nothing)`
      SELECT pg_advisory_xact_lock(hashtextextended(${`${caseId} ${kind}`}, 0))::text AS locked`);
    const { used, free_in } = await tx.one(sql.type(usedRow)`
      SELECT count(*) AS used, ceil(extract(epoch FROM min(at) + interval '24 hours' - now()))::integer AS free_in
      FROM case_quotas WHERE case_id = ${caseId} AND kind = ${kind} AND at > now() - interval '24 hours'`);
    if (used >= perDay) return { isGranted: false, retryAfter: Math.max(1, free_in ?? 1) };
    const id = randomUUID();
    await tx.query(sql.type(nothing)`
      INSERT INTO case_quotas (id, case_id, kind) VALUES (${id}, ${caseId}, ${kind})`);
    return { isGranted: true, id };
  });

/** The turn was not used after all. */
export async function returnQuota(queries: Queries, id: string): Promise<void> {
  await queries.query(sql.type(nothing)`DELETE FROM case_quotas WHERE id = ${id}`);
}

/** Deletes what counts no longer. */
export async function deleteOldQuotaUses(queries: Queries): Promise<void> {
  await queries.query(sql.type(nothing)`DELETE FROM case_quotas WHERE at < now() - interval '24 hours'`);
}
