import { setTimeout as delay } from 'node:timers/promises';
import type { CaseId } from '../domain/ids.ts';
import { listUnsignalledAttention, noteAttentionSignalled } from '../postgres/attention.ts';
import { listUnsignalledRequests, noteRequestSignalled } from '../postgres/case-texts.ts';
import { type StartedBatch, startUnstarted } from '../postgres/create-case.ts';
import type { Database, Queries } from '../postgres/database.ts';
import {
  failureSignalOf,
  listTold,
  listUnsignalledFailures,
  noteFailureSignalled,
} from '../postgres/messages.ts';
import type { CaseClient } from './case-client.ts';

/** What the starter needs of the world. */
export interface StarterDeps {
  /** Whether cases are this process's to start now; when left out, they are. */
  readonly mayStart?: () => boolean;
  /** Whether the workers keep up with what was started. */
  readonly hasRoom: () => Promise<boolean>;
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
/** How soon it is looked again whether there is room (milliseconds). */
const ROOM_EVERY = 250;

/** Starts the workflow of every case that has a row and none yet (P1). One in every worker process. */
export function runStarter({
  mayStart = () => true,
  hasRoom,
  startBatch,
  tellWaiting,
  listen,
  onError,
  pollEvery = 3_000,
}: StarterDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  let isWoken = false;
  let isWaitingForRoom = false;
  let listener: { close(): Promise<void> } | null = null;

  const look = () => {
    if (stopping.signal.aborted || isWaitingForRoom || !mayStart()) return;
    isWoken = underWay.size === BATCHES_AT_ONCE;
    if (isWoken) return;
    const batch = hasRoom()
      .then((room) => (room ? startBatch() : null))
      .catch((failure: unknown) => ({ started: 0, isFull: false, failure }))
      .then((outcome) => {
        underWay.delete(batch);
        if (outcome === null) {
          awaitRoom();
          return;
        }
        const { started, isFull, failure } = outcome;
        if (failure !== null) onError(failure);
        // more may wait; a batch of which nothing could be started has to wait for better times
        if (isFull && started > 0) Array.from({ length: BATCHES_AT_ONCE }).forEach(look);
        else if (isWoken) look();
      });
    underWay.add(batch);
  };
  const awaitRoom = () => {
    if (isWaitingForRoom) return;
    isWaitingForRoom = true;
    const lookAgain = () => {
      isWaitingForRoom = false;
      look();
    };
    void delay(ROOM_EVERY, null, { signal: stopping.signal }).then(lookAgain, () => undefined);
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
 * So many of a process's cases are on their way to their first message at a time. Temporal hands tasks out in the order in
 * which they came, so whatever a customer waits for stands behind those of all that was started and not begun; and of as
 * many its workers keep the workflows, so that none has to be replayed on its way (docs/decisions/0128).
 */
const UNDER_WAY = 200;
/** One that has come to no message by then is waited for no longer: none holds up the others for good (milliseconds). */
const WAITED_FOR = 30_000;

/**
 * What brings to Temporal what waits in PostgreSQL: cases without a workflow; and requests for help, failed messages and
 * overdue work that it was not told of.
 */
export function createStarts(
  database: Database,
  { start, deliver }: Pick<CaseClient, 'start' | 'deliver'>,
  {
    onStarted = () => undefined,
    mostUnderWay = UNDER_WAY,
  }: {
    /** Told of each that was started: so long after its case was created. */
    readonly onStarted?: (seconds: number) => void;
    readonly mostUnderWay?: number;
  } = {},
): Pick<StarterDeps, 'hasRoom' | 'startBatch' | 'tellWaiting'> {
  /** When each was started. */
  const underWay = new Map<CaseId, number>();
  return {
    async hasRoom() {
      if (underWay.size < mostUnderWay) return true;
      const told = new Set(await listTold(database, [...underWay.keys()]));
      const longAgo = Date.now() - WAITED_FOR;
      for (const [id, since] of underWay) if (told.has(id) || since < longAgo) underWay.delete(id);
      return underWay.size < mostUnderWay;
    },
    startBatch: () =>
      startUnstarted(database, BATCH_SIZE, async (row) => {
        await start(row);
        underWay.set(row.id, Date.now());
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
  };
}

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
