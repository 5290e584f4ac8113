import type { Queries } from './postgres/database.ts';
import { deleteOldTurns } from './postgres/case-turns.ts';
import { deleteOldKeys } from './postgres/idempotency.ts';
import { deleteOldFindings } from './postgres/provider-findings.ts';
import { deleteOldReconciliations } from './postgres/reconciling.ts';

const EVERY = 10 * 60 * 1000;

/** What is deleted with age, personal data first. */
const CHORES = [deleteOldKeys, deleteOldTurns, deleteOldFindings, deleteOldReconciliations];

/** Deletes what has had its time, now and every ten minutes, in any number of processes at once. */
export function keepHouse(
  database: Queries,
  onFailure: (error: unknown) => void,
  every = EVERY,
): { stop(): Promise<void> } {
  let working = Promise.resolve();
  const work = () => {
    working = working.then(async () => {
      for (const chore of CHORES) await chore(database).catch(onFailure);
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
