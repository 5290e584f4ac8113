import {
  type Client,
  type WorkflowExecutionStatusName,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure, type SignalDefinition, type UpdateDefinition } from '@temporalio/common';
import {
  caseFile,
  caseState,
  clinicCancelled,
  clinicMoved,
  REFUSAL,
  showAgain,
  slotFreed,
  type UpdateRequest,
  WORKFLOW_TYPE,
  workflowIdOf,
} from '../../workflows/contract.ts';
import type { Actor, CaseState, Deadline } from '../domain/case-state.ts';
import type { BookingId, CaseId } from '../domain/ids.ts';
import { instant, type Instant } from '../domain/instant.ts';
import type { Refusal } from '../domain/permit.ts';
import type { SlotRef } from '../domain/slot.ts';
import type { CaseRow } from '../postgres/case-row.ts';
import { isTemporalReachable } from './connection.ts';
import type { CaseToStart } from './start-case.ts';

/** What came of a wish. */
export type CommandResult =
  | { readonly outcome: 'granted'; readonly state: CaseState }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  /** The case's workflow is over, so its last projection has the last word. */
  | { readonly outcome: 'ended' }
  /** It was never sent: nothing happened. */
  | { readonly outcome: 'unreachable' }
  /** It was sent and not answered: it may still happen. */
  | { readonly outcome: 'unknown' };

export type CaseRef = CaseToStart & Pick<CaseRow, 'workflow_started_at'>;

/** The API's only way to the cases' workflows. */
export interface CaseClient {
  /** Asks the case for something and waits for the verdict. Update ids are random: one that means something would answer for ever as it did first. */
  execute<A extends UpdateRequest>(
    row: CaseRef,
    update: UpdateDefinition<CaseState, [A]>,
    wish: Omit<A, keyof UpdateRequest>,
    actor: Actor,
  ): Promise<CommandResult>;
  /** Tells the case something that it takes note of whenever it wakes. */
  signal<A>(row: CaseRef, signal: SignalDefinition<[A]>, news: A): Promise<'told' | 'ended' | 'unreachable'>;
  /** The state as it is now, a step ahead of the projection; null when it can't be had at once. */
  query(caseId: CaseId): Promise<CaseState | null>;
}

export interface CaseClientOptions {
  readonly client: Client;
  /** Starts the workflow of a case that has none yet. */
  readonly start: (row: CaseToStart) => Promise<void>;
  /** How long a caller waits for a verdict (milliseconds): longer than a provider may take to hold a slot. */
  readonly timeout?: number;
}

const SIGNAL_TIMEOUT = 1_000;
/** Temporal is there by then, and may have much to do: better to wait for it than to send a customer away. */
const START_TIMEOUT = 5_000;
const QUERY_TIMEOUT = 500;
/** A workflow takes ten updates at a time, and more wait until their deadline. */
const CONCURRENT_UPDATES = 5;

export function createCaseClient({ client, start, timeout = 15_000 }: CaseClientOptions): CaseClient {
  const turnstile = createKeyedSemaphore(CONCURRENT_UPDATES);
  const within = <T>(milliseconds: number, call: () => Promise<T>) =>
    client.withDeadline(Date.now() + milliseconds, call);
  const handleOf = (caseId: CaseId): WorkflowHandle => client.workflow.getHandle(workflowIdOf(caseId));

  /** False: whatever is asked of this case now would not arrive. */
  const isAwake = async (row: CaseRef): Promise<boolean> => {
    if (!(await isTemporalReachable(client))) return false;
    if (row.workflow_started_at !== null) return true;
    return within(START_TIMEOUT, () => start(row)).then(
      () => true,
      () => false,
    );
  };

  return {
    execute: (row, update, wish, actor) =>
      turnstile(row.id, async (): Promise<CommandResult> => {
        if (!(await isAwake(row))) return { outcome: 'unreachable' };
        const ask = { ...wish, actor, notAfter: instant(Date.now() + timeout) };
        try {
          const state = await within(timeout, () =>
            // The wish and the ask make up the update's argument, which the compiler can't see through `Omit`.
            handleOf(row.id).executeUpdate<CaseState, [UpdateRequest]>(
              update as unknown as UpdateDefinition<CaseState, [UpdateRequest]>,
              {
                args: [ask],
              },
            ),
          );
          return { outcome: 'granted', state };
        } catch (error) {
          return resultOf(error);
        }
      }),

    async signal(row, signal, news) {
      if (!(await isAwake(row))) return 'unreachable';
      try {
        await within(SIGNAL_TIMEOUT, () => handleOf(row.id).signal(signal, news));
        return 'told';
      } catch (error) {
        return error instanceof WorkflowNotFoundError ? 'ended' : 'unreachable';
      }
    },

    query: (caseId) => within(QUERY_TIMEOUT, () => handleOf(caseId).query(caseState)).catch(() => null),
  };
}

function resultOf(error: unknown): CommandResult {
  if (error instanceof WorkflowNotFoundError) return { outcome: 'ended' };
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : null;
  if (cause instanceof ApplicationFailure && cause.type === REFUSAL) {
    return { outcome: 'refused', refusal: cause.details?.[0] as Refusal };
  }
  // The workflow ended while the update waited for its turn.
  if (cause instanceof ApplicationFailure && cause.type === 'AcceptedUpdateCompletedWorkflow')
    return { outcome: 'ended' };
  return { outcome: 'unknown' };
}

const CALL_TIMEOUT = 5_000;

/** How what is seen at a clinic reaches the cases. Each call throws when Temporal does not answer. */
export function createCaseSignals(client: Client) {
  const within = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + CALL_TIMEOUT, call);
  const handleOf = (caseId: CaseId) => client.workflow.getHandle(workflowIdOf(caseId));
  /** A case that is over has nobody left to tell. */
  const tell = async <A>(caseId: CaseId, signal: SignalDefinition<[A]>, news: A): Promise<void> => {
    try {
      await within(() => handleOf(caseId).signal(signal, news));
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  };
  return {
    clinicCancelled: (caseId: CaseId, news: { bookingId: BookingId; grace: Deadline }) =>
      tell(caseId, clinicCancelled, news),
    clinicMoved: (
      caseId: CaseId,
      news: { bookingId: BookingId; slot: SlotRef } & Pick<SlotRef, 'start' | 'end'>,
    ) => tell(caseId, clinicMoved, news),
    slotFreed: (caseId: CaseId, news: { bookingId: BookingId }) => tell(caseId, slotFreed, news),
    /** @returns null where there is no workflow (any more) */
    async look(caseId: CaseId): Promise<CaseState | null> {
      try {
        return await within(() => handleOf(caseId).query(caseState));
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return null;
        throw error;
      }
    },
  };
}

const INSPECTION_TIMEOUT = 5_000;
const CASE_WORKFLOW_ID = /^case-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** How a workflow that is not running has ended. */
const CLOSED_STATUSES = {
  COMPLETED: 'completed',
  TERMINATED: 'terminated',
  FAILED: 'failed',
  TIMED_OUT: 'timed_out',
  CANCELLED: 'cancelled',
} as const satisfies Partial<Record<WorkflowExecutionStatusName, string>>;

/** The cases' workflows, for whoever holds them against the cases. Each call throws when Temporal does not answer. */
export function createCaseInspection(client: Client, taskQueue: string) {
  const within = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + INSPECTION_TIMEOUT, call);
  const handleOf = (caseId: CaseId) => client.workflow.getHandle(workflowIdOf(caseId));
  return {
    async describe(caseId: CaseId) {
      try {
        const { status, runId, historyLength } = await within(() => handleOf(caseId).describe());
        const ended = (
          CLOSED_STATUSES as Partial<Record<string, (typeof CLOSED_STATUSES)[keyof typeof CLOSED_STATUSES]>>
        )[status.name];
        return { status: ended ?? ('running' as const), history: `${runId} ${historyLength}` };
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return { status: 'missing' as const, history: '' };
        throw error;
      }
    },
    file: (caseId: CaseId) => within(() => handleOf(caseId).query(caseFile)),
    showAgain: (caseId: CaseId, atLeast: number) =>
      within(() => handleOf(caseId).signal(showAgain, { atLeast })),
    idOf: workflowIdOf,

    /** The newest first: a page ends at a time of start, at which the next one begins. */
    async running({ before, limit }: { before: Instant | null; limit: number }) {
      const until = before === null ? '' : ` AND StartTime <= '${before}'`;
      const query = `WorkflowType = '${WORKFLOW_TYPE}' AND TaskQueue = '${taskQueue}' AND ExecutionStatus = 'Running'${until}`;
      const { executions } = await within(() =>
        client.workflowService.listWorkflowExecutions({
          namespace: client.options.namespace,
          pageSize: limit,
          query,
        }),
      );
      const workflows = executions.map(({ execution }) => {
        const workflowId = execution?.workflowId ?? '';
        return { workflowId, caseId: (CASE_WORKFLOW_ID.exec(workflowId)?.[1] ?? null) as CaseId | null };
      });
      const start = executions.at(-1)?.startTime;
      const last = start ? Number(start.seconds) * 1000 + Math.ceil((start.nanos ?? 0) / 1e6) : null;
      if (executions.length < limit || last === null) return { workflows, next: null };
      const next = instant(last);
      // more in one millisecond than fit on a page
      return { workflows, next: next === before ? instant(last - 1) : next };
    },
  };
}

/** Lets at most `atOnce` pieces of work for the same key run at a time; the others wait in line. */
function createKeyedSemaphore(atOnce: number) {
  const lines = new Map<string, { inside: number; waiting: (() => void)[] }>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(key) ?? { inside: 0, waiting: [] };
    lines.set(key, line);
    if (line.inside >= atOnce) await new Promise<void>((enter) => line.waiting.push(enter));
    else line.inside += 1;
    try {
      return await work();
    } finally {
      // Whoever is next takes the place over, so that nobody slips in between.
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.inside === 0) lines.delete(key);
    }
  };
}
