import { setTimeout as delay } from 'node:timers/promises';
import { listUnsignalledAttention, noteAttentionSignalled } from '../postgres/attention.ts';
import { listUnsignalledRequests, noteRequestSignalled } from '../postgres/case-texts.ts';
import { type StartedBatch, startUnstarted } from '../postgres/create-case.ts';
import type { Database, Queries } from '../postgres/database.ts';
import { failureSignalOf, listUnsignalledFailures, noteFailureSignalled } from '../postgres/messages.ts';
import type { CaseClient } from './case-client.ts';

/** What the starter needs of the world. */
export interface StarterDeps {
  /** Whether cases are this process's to start now; when left out, they are. */
  readonly mayStart?: () => boolean;
  readonly startBatch: () => Promise<StartedBatch>;
  /** Brings the workflows what else waits for them. @returns why it could not go on, or null */
  readonly tellWaiting: () => Promise<unknown>;
  /** Calls `wake` when a case was created; resolves once it listens. `lost` when it does no longer. */
  readonly listen: (wake: () => void, lost: () => void) => Promise<{ close(): Promise<void> }>;
  readonly onError: (error: unknown) => void;
  /** Looks this often for what a lost notification left (milliseconds). */
  readonly pollEvery?: number;
}

/** While one batch waits for the slowest of its starts, another goes on. */
const BATCHES_AT_ONCE = 2;

/** Starts the workflow of every case that has a row and none yet (P1). One in every worker process. */
export function runStarter({
  mayStart = () => true,
  startBatch,
  tellWaiting,
  listen,
  onError,
  pollEvery = 3_000,
}: StarterDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  let isWoken = false;
  let listener: { close(): Promise<void> } | null = null;

  const look = () => {
    if (stopping.signal.aborted || !mayStart()) return;
    isWoken = underWay.size === BATCHES_AT_ONCE;
    if (isWoken) return;
    const batch = startBatch()
      .catch((failure: unknown) => ({ started: 0, isFull: false, failure }))
      .then(({ started, isFull, failure }) => {
        underWay.delete(batch);
        if (failure !== null) onError(failure);
        // more may wait; a batch of which nothing could be started has to wait for better times
        if (isFull && started > 0) Array.from({ length: BATCHES_AT_ONCE }).forEach(look);
        else if (isWoken) look();
      });
    underWay.add(batch);
  };

  const work = async () => {
    while (!stopping.signal.aborted) {
      try {
        listener ??= await listen(look, () => (listener = null));
        look();
        const failure = mayStart() ? await tellWaiting() : null;
        if (failure !== null) onError(failure);
      } catch (error) {
        onError(error);
      }
      await delay(pollEvery, null, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const working = work();

  return {
    async stop() {
      stopping.abort();
      await Promise.all([working, ...underWay]);
      await listener?.close();
    },
  };
}

/** With those of the other batch, as many starts at a time as Temporal takes without its other callers noticing. */
const BATCH_SIZE = 10;

/**
 * What brings to Temporal what waits in PostgreSQL: cases without a workflow; and requests for help, failed messages and
 * overdue work that it was not told of.
 */
export const createStarts = (
  database: Database,
  { start, deliver }: Pick<CaseClient, 'start' | 'deliver'>,
  /** Told of each that was started: so long after its case was created. */
  onStarted: (seconds: number) => void = () => undefined,
): Pick<StarterDeps, 'startBatch' | 'tellWaiting'> => ({
  startBatch: () =>
    startUnstarted(database, BATCH_SIZE, async (row) => {
      await start(row);
      onStarted((Date.now() - Date.parse(row.created_at)) / 1_000);
    }),
  tellWaiting: async () =>
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
    )),
});

const SIGNALS_AT_ONCE = 20;

/** @returns why it could not go on, or null. What was signalled until then stays so. */
const signalWaiting = <Row>(
  database: Database,
  list: (tx: Queries, limit: number) => Promise<readonly Row[]>,
  signal: (row: Row) => Promise<unknown>,
  note: (tx: Queries, row: Row) => Promise<void>,
): Promise<unknown> =>
  database.transaction(async (tx) => {
    for (const row of await list(tx, SIGNALS_AT_ONCE)) {
      try {
        await signal(row);
      } catch (error) {
        return error;
      }
      await note(tx, row);
    }
    return null;
  });
