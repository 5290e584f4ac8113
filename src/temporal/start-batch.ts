import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Database } from '../postgres/database.ts';
import { noteSignalled, unsignalledRequests } from '../postgres/texts.ts';
import { startUnstarted, type StartedBatch } from '../postgres/unstarted.ts';
import { requestAssistance, workflowIdOf } from '../../workflows/contract.ts';
import { startCase } from './start-case.ts';

/** As many starts at a time as Temporal takes without its other callers noticing. */
const BATCH = 20;
const WITHIN = 5_000;

/** Brings to Temporal what waits in PostgreSQL: cases without a workflow, and requests for help that it was not told. */
export const createStartBatch =
  (database: Database, client: Client, taskQueue?: string) => async (): Promise<StartedBatch> => {
    const outcome = await startUnstarted(database, BATCH, (row) =>
      client.withDeadline(Date.now() + WITHIN, () => startCase(client, row, taskQueue)),
    );
    const failure = await tellRequests(database, client);
    return { ...outcome, failure: outcome.failure ?? failure };
  };

/** @returns why it could not go on, or null. What was told until then stays told. */
const tellRequests = (database: Database, client: Client): Promise<unknown> =>
  database.transaction(async (tx) => {
    for (const row of await unsignalledRequests(tx, BATCH)) {
      const handle = client.workflow.getHandle(workflowIdOf(row.id));
      try {
        await client.withDeadline(Date.now() + WITHIN, () =>
          handle.signal(requestAssistance, { actor: 'customer' }),
        );
      } catch (error) {
        // a case that is over has nobody left to tell
        if (!(error instanceof WorkflowNotFoundError)) return error;
      }
      await noteSignalled(tx, row.text_id);
    }
    return null;
  });
