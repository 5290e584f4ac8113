import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId } from '../domain/ids.ts';
import { nothing } from './case-row.ts';
import type { Queries } from './database.ts';

const alertRow = z.object({ partner_name: z.string(), is_told: z.boolean() });

/** The record of what the operator was told, so that a repeated attempt tells it no second time. */
export const createAlertBook = (queries: Queries) => ({
  async read(caseId: CaseId, dedupId: string) {
    const row = await queries.one(sql.type(alertRow)`
      SELECT partners.name AS partner_name,
             EXISTS (SELECT FROM operator_alerts WHERE dedup_id = ${dedupId}) AS is_told
      FROM cases JOIN partners ON partners.id = cases.partner_id WHERE cases.id = ${caseId}`);
    return { partnerName: row.partner_name, isTold: row.is_told };
  },

  async told(caseId: CaseId, dedupId: string): Promise<void> {
    await queries.query(sql.type(nothing)`
      INSERT INTO operator_alerts (dedup_id, case_id) VALUES (${dedupId}, ${caseId}) ON CONFLICT DO NOTHING`);
  },
});
