import { deleteOldQuotaUses } from '../postgres/case-quotas.ts';
import type { Queries } from '../postgres/database.ts';
import { deleteOldKeys } from '../postgres/idempotency.ts';
import { deleteOldFindings } from '../postgres/provider-findings.ts';
import { deleteOldReconciliations } from '../postgres/reconciliation.ts';

const RUN_EVERY = 10 * 60 * 1000;

/** What is deleted with age, personal data first. */
const DELETIONS = [deleteOldKeys, deleteOldQuotaUses, deleteOldFindings, deleteOldReconciliations];

/** Deletes what has had its time, now and every ten minutes, in any number of processes at once. */
export function startRetentionJob(
  database: Queries,
  onFailure: (error: unknown) => void,
  every = RUN_EVERY,
): { stop(): Promise<void> } {
  let working = Promise.resolve();
  const work = () => {
    working = working.then(async () => {
      for (const chore of DELETIONS) await chore(database).catch(onFailure);
    });
  };
  work();
  const timer = setInterval(work, every);
  return {
    async stop() {
      clearInterval(timer);
      await working;
    },
  };
}
