import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';
import { messageFailed, requestAssistance, workflowIdOf } from '../../workflows/contract.ts';
import type { CaseId } from '../domain/ids.ts';
import { listUnsignalledRequests, noteRequestSignalled } from '../postgres/case-texts.ts';
import { type StartedBatch, startUnstarted } from '../postgres/create-case.ts';
import type { Database } from '../postgres/database.ts';
import { failureSignalOf, listUnsignalledFailures, noteFailureSignalled } from '../postgres/messages.ts';
import { startCase } from './start-case.ts';

/** What the starter needs of the world. */
export interface StarterDeps {
  /** Starts up to a batch of unstarted cases. */
  readonly startBatch: () => Promise<{ readonly started: number; readonly failure: unknown }>;
  /** Calls `wake` when a case was created; resolves once it listens. `lost` when it does no longer. */
  readonly listen: (wake: () => void, lost: () => void) => Promise<{ close(): Promise<void> }>;
  readonly onError: (error: unknown) => void;
  /** Looks this often for what a lost notification left (milliseconds). */
  readonly pollEvery?: number;
}

/** Starts the workflow of every case that has a row and none yet (promise P1). One in every worker process. */
export function runStarter({ startBatch, listen, onError, pollEvery = 3_000 }: StarterDeps): {
  stop(): Promise<void>;
} {
  let stopped = false;
  const isStopped = () => stopped;
  let wakeUp: () => void = () => undefined;
  let isWoken = false;
  let listener: { close(): Promise<void> } | null = null;
  const wake = () => {
    isWoken = true;
    wakeUp();
  };

  const rest = async () => {
    if (!isWoken && !isStopped()) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pollEvery);
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    isWoken = false;
  };

  const work = async () => {
    while (!isStopped()) {
      try {
        listener ??= await listen(wake, () => (listener = null));
        // Full batches mean that more may wait; one in which nothing could be started has to wait for better times.
        let batch = await startBatch();
        while (!isStopped() && batch.started > 0) batch = await startBatch();
        if (batch.failure !== null) onError(batch.failure);
      } catch (error) {
        onError(error);
      }
      await rest();
    }
  };
  const running = work();

  return {
    async stop() {
      stopped = true;
      wake();
      await running;
      await listener?.close();
    },
  };
}

/** As many starts at a time as Temporal takes without its other callers noticing. */
const BATCH_SIZE = 20;
const CALL_TIMEOUT = 5_000;

/**
 * Brings to Temporal what waits in PostgreSQL: cases without a workflow, and the requests for help and failed messages
 * that it was not told of.
 */
export const createStartBatch =
  (database: Database, client: Client, taskQueue?: string) => async (): Promise<StartedBatch> => {
    const outcome = await startUnstarted(database, BATCH_SIZE, (row) =>
      client.withDeadline(Date.now() + CALL_TIMEOUT, () => startCase(client, row, taskQueue)),
    );
    const failure = outcome.failure ?? (await signalAssistanceRequests(database, client));
    return { ...outcome, failure: failure ?? (await signalFailedMessages(database, client)) };
  };

/** @returns why it could not go on, or null. What was told until then stays told. */
const signalAssistanceRequests = (database: Database, client: Client): Promise<unknown> =>
  database.transaction(async (tx) => {
    for (const row of await listUnsignalledRequests(tx, BATCH_SIZE)) {
      const fault = await signalCase(client, row.id, requestAssistance, { actor: 'customer' });
      if (fault) return fault;
      await noteRequestSignalled(tx, row.text_id);
    }
    return null;
  });

/** As {@link signalAssistanceRequests}. */
const signalFailedMessages = (database: Database, client: Client): Promise<unknown> =>
  database.transaction(async (tx) => {
    for (const row of await listUnsignalledFailures(tx, BATCH_SIZE)) {
      const fault = await signalCase(client, row.id, messageFailed, failureSignalOf(row));
      if (fault) return fault;
      await noteFailureSignalled(tx, row.dedup_id);
    }
    return null;
  });

/** @returns what went wrong; a case that is over has nobody left to tell, and that is no fault */
async function signalCase<A>(
  client: Client,
  caseId: CaseId,
  signal: SignalDefinition<[A]>,
  news: A,
): Promise<unknown> {
  const handle = client.workflow.getHandle(workflowIdOf(caseId));
  try {
    await client.withDeadline(Date.now() + CALL_TIMEOUT, () => handle.signal(signal, news));
    return null;
  } catch (error) {
    return error instanceof WorkflowNotFoundError ? null : error;
  }
}
