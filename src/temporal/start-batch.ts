import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';
import type { CaseId } from '../domain/ids.ts';
import type { Database } from '../postgres/database.ts';
import { failureOf, noteFailureTold, untoldFailures } from '../postgres/deliveries.ts';
import { noteSignalled, unsignalledRequests } from '../postgres/texts.ts';
import { startUnstarted, type StartedBatch } from '../postgres/unstarted.ts';
import { messageFailed, requestAssistance, workflowIdOf } from '../../workflows/contract.ts';
import { startCase } from './start-case.ts';

/** As many starts at a time as Temporal takes without its other callers noticing. */
const BATCH = 20;
const WITHIN = 5_000;

/**
 * Brings to Temporal what waits in PostgreSQL: cases without a workflow, and the requests for help and failed messages
 * that it was not told of.
 */
export const createStartBatch =
  (database: Database, client: Client, taskQueue?: string) => async (): Promise<StartedBatch> => {
    const outcome = await startUnstarted(database, BATCH, (row) =>
      client.withDeadline(Date.now() + WITHIN, () => startCase(client, row, taskQueue)),
    );
    const failure = outcome.failure ?? (await tellRequests(database, client));
    return { ...outcome, failure: failure ?? (await tellFailures(database, client)) };
  };

/** @returns why it could not go on, or null. What was told until then stays told. */
const tellRequests = (database: Database, client: Client): Promise<unknown> =>
  database.transaction(async (tx) => {
    for (const row of await unsignalledRequests(tx, BATCH)) {
      const fault = await tell(client, row.id, requestAssistance, { actor: 'customer' });
      if (fault) return fault;
      await noteSignalled(tx, row.text_id);
    }
    return null;
  });

/** As {@link tellRequests}. */
const tellFailures = (database: Database, client: Client): Promise<unknown> =>
  database.transaction(async (tx) => {
    for (const row of await untoldFailures(tx, BATCH)) {
      const fault = await tell(client, row.id, messageFailed, failureOf(row));
      if (fault) return fault;
      await noteFailureTold(tx, row.dedup_id);
    }
    return null;
  });

/** @returns what went wrong; a case that is over has nobody left to tell, and that is no fault */
async function tell<A>(
  client: Client,
  caseId: CaseId,
  signal: SignalDefinition<[A]>,
  news: A,
): Promise<unknown> {
  const handle = client.workflow.getHandle(workflowIdOf(caseId));
  try {
    await client.withDeadline(Date.now() + WITHIN, () => handle.signal(signal, news));
    return null;
  } catch (error) {
    return error instanceof WorkflowNotFoundError ? null : error;
  }
}
