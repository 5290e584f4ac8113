import { every } from '../main/process.ts';
import { keepAccessLog } from '../postgres/access-log.ts';
import { deleteOldAccountMails } from '../postgres/account-mails.ts';
import { deleteOldAttention } from '../postgres/attention.ts';
import { deleteOldQuotaUses } from '../postgres/case-quotas.ts';
import { deleteOldPersons, deleteOldSessions } from '../postgres/customer-sessions.ts';
import type { Queries } from '../postgres/database.ts';
import { deleteOldKeys } from '../postgres/idempotency.ts';
import { deleteOldMessageQuotas } from '../postgres/message-quotas.ts';
import { deleteOldOperatorSessions } from '../postgres/operator-sessions.ts';
import { deleteOldFindings } from '../postgres/provider-findings.ts';
import { deleteOldReconciliations } from '../postgres/reconciliation.ts';
import { deleteOldTestMessages } from '../postgres/test-environment.ts';

const RUN_EVERY = 10 * 60 * 1000;

/** What is deleted with age, personal data first. */
const DELETIONS = [
  deleteOldKeys,
  deleteOldSessions,
  deleteOldTestMessages,
  deleteOldOperatorSessions,
  deleteOldAccountMails,
  deleteOldQuotaUses,
  deleteOldMessageQuotas,
  deleteOldFindings,
  deleteOldAttention,
  deleteOldReconciliations,
];

/** Deletes what has had its time, now and every ten minutes, in any number of processes at once. */
export const startRetentionJob = (
  database: Queries,
  accessLogMonths: number,
  onFailure: (error: unknown) => void,
  runEvery = RUN_EVERY,
): { stop(): Promise<void> } =>
  every(
    runEvery,
    async () => {
      // one that fails is in no other's way
      for (const remove of DELETIONS) await remove(database).catch(onFailure);
      await keepAccessLog(database, accessLogMonths).catch(onFailure);
      await deleteOldPersons(database, accessLogMonths).catch(onFailure);
    },
    onFailure,
  );
