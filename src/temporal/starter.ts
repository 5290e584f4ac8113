import { listUnsignalledAttention, noteAttentionSignalled } from '../postgres/attention.ts';
import { listUnsignalledRequests, noteRequestSignalled } from '../postgres/case-texts.ts';
import { type StartedBatch, startUnstarted } from '../postgres/create-case.ts';
import type { Database, Queries } from '../postgres/database.ts';
import { failureSignalOf, listUnsignalledFailures, noteFailureSignalled } from '../postgres/messages.ts';
import type { CaseClient } from './case-client.ts';

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

/** Starts the workflow of every case that has a row and none yet (P1). One in every worker process. */
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

/**
 * Brings to Temporal what waits in PostgreSQL: cases without a workflow, and the requests for help, failed messages and
 * overdue work that it was not told of.
 */
export const createStartBatch =
  (
    database: Database,
    { start, deliver }: Pick<CaseClient, 'start' | 'deliver'>,
    /** Told of each that was started: so long after its case was created. */
    onStarted: (seconds: number) => void = () => undefined,
  ) =>
  async (): Promise<StartedBatch> => {
    const outcome = await startUnstarted(database, BATCH_SIZE, async (row) => {
      await start(row);
      onStarted((Date.now() - Date.parse(row.created_at)) / 1_000);
    });
    if (outcome.failure !== null) return outcome;
    const failure =
      (await signalWaiting(
        database,
        listUnsignalledRequests,
        ({ id }) => deliver(id, 'requestAssistance', { actor: 'customer' }),
        (tx, { text_id }) => noteRequestSignalled(tx, text_id),
      )) ??
      (await signalWaiting(
        database,
        listUnsignalledFailures,
        (row) => deliver(row.id, 'messageFailed', failureSignalOf(row)),
        (tx, { dedup_id }) => noteFailureSignalled(tx, dedup_id),
      )) ??
      (await signalWaiting(
        database,
        listUnsignalledAttention,
        ({ id, kind, isOpen }) => deliver(id, 'attentionNoticed', { kind, isOpen }),
        (tx, { rowId }) => noteAttentionSignalled(tx, rowId),
      ));
    return { ...outcome, failure };
  };

/** @returns why it could not go on, or null. What was signalled until then stays so. */
const signalWaiting = <Row>(
  database: Database,
  list: (tx: Queries, limit: number) => Promise<readonly Row[]>,
  signal: (row: Row) => Promise<unknown>,
  note: (tx: Queries, row: Row) => Promise<void>,
): Promise<unknown> =>
  database.transaction(async (tx) => {
    for (const row of await list(tx, BATCH_SIZE)) {
      try {
        await signal(row);
      } catch (error) {
        return error;
      }
      await note(tx, row);
    }
    return null;
  });
