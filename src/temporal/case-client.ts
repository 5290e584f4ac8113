import {
  type Client,
  isGrpcServiceError as isServiceError,
  type WorkflowExecutionStatusName,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure, type SignalDefinition, type UpdateDefinition } from '@temporalio/common';
import pLimit, { type LimitFunction } from 'p-limit';
import {
  advanceClock,
  archive,
  attentionNoticed,
  cancelBooking,
  caseSnapshot,
  caseState,
  changeContact,
  clinicCancelled,
  clinicDoubleBooked,
  clinicMoved,
  confirmBooking,
  correctName,
  disownContact,
  messageFailed,
  moveDeadline,
  recall,
  REFUSAL,
  requestAssistance,
  reproject,
  resendLink,
  resolveAssistance,
  retry,
  searchAttributes,
  type Expected,
  earlierTimeFreed,
  setWaitlist,
  slotFreed,
  TASK_QUEUE,
  type UpdateRequest,
  verificationNoted,
  WORKFLOW_TYPE,
  workflowIdOf,
} from '../../workflows/contract.ts';
import type { Actor, CaseState } from '../domain/case-state.ts';
import type { Author } from '../domain/command.ts';
import type { WorkflowSnapshot } from '../domain/compare-projection.ts';
import type { CaseId } from '../domain/ids.ts';
import { instant, type Instant } from '../domain/instant.ts';
import { type CommandRefusal, permit, type Refusal } from '../domain/permit.ts';
import type { CaseRow } from '../postgres/case-row.ts';
import { inSpan } from '../tracing/spans.ts';
import { isTemporalReachable } from './connection.ts';
import {
  type CaseToRestart,
  type CaseToStart,
  restartCase,
  startCase,
  type StartedWhere,
} from './start-case.ts';

/** What a case is asked to do, under the name that the transition table has for it. */
const COMMANDS = {
  confirm: confirmBooking,
  cancel: cancelBooking,
  resolveAssistance,
  recall,
  archive,
  moveDeadline,
  changeContact,
  correctName,
  resendLink,
  retry,
} as const;
export type CommandName = keyof typeof COMMANDS;
export type CommandInput<N extends CommandName> =
  (typeof COMMANDS)[N] extends UpdateDefinition<CaseState, [infer A]> ? Omit<A, keyof UpdateRequest> : never;

/** What a case is told. It takes note of it whenever it wakes. */
const SIGNALS = {
  requestAssistance,
  disownContact,
  messageFailed,
  clinicCancelled,
  clinicMoved,
  clinicDoubleBooked,
  slotFreed,
  setWaitlist,
  earlierTimeFreed,
  verificationNoted,
  attentionNoticed,
  advanceClock,
} as const;
export type SignalName = keyof typeof SIGNALS;
export type SignalInput<N extends SignalName> =
  (typeof SIGNALS)[N] extends SignalDefinition<[infer A]> ? A : never;

/** What came of a command. */
export type CommandResult =
  | { readonly outcome: 'done'; readonly state: CaseState }
  | { readonly outcome: 'refused'; readonly refusal: CommandRefusal }
  /** Nothing happened. */
  | { readonly outcome: 'unavailable' }
  /** It was sent and not answered: it may have happened, or may still happen. */
  | { readonly outcome: 'unknown' };

export type CaseRef = CaseToStart &
  Pick<CaseRow, 'workflow_started_at'> & {
    /** What whoever asks has seen: where the case is otherwise by now, the command is refused. */
    readonly expected?: Expected | undefined;
  } & Pick<UpdateRequest, 'isShownLater'>;

/** The only way to a case's workflow, for everybody. */
export interface CaseClient {
  /** Has the case do something, and waits for the verdict; done means that its readers see it, unless `row.isShownLater`. A case whose workflow is over is judged by `row.state`. */
  execute<N extends CommandName>(
    row: CaseRef,
    command: N,
    input: CommandInput<N>,
    by: Actor | Author,
  ): Promise<CommandResult>;
  /** Tells the case something while somebody waits: starts its workflow first, gives up soon, and never throws. */
  signal<N extends SignalName>(
    row: CaseRef,
    signal: N,
    input: SignalInput<N>,
  ): Promise<'delivered' | 'ended' | 'unreachable'>;
  /** The state as it is now, a step ahead of the projection; null when it can't be had at once. */
  query(caseId: CaseId): Promise<CaseState | null>;

  // From here on: for whoever tries again by itself. Each call throws when Temporal does not answer.

  /** Starts the workflow, unless it runs or has run. */
  start(row: CaseToStart): Promise<void>;
  /** Starts a lost workflow again. @returns false where it has come to its end */
  restart(row: CaseToRestart): Promise<boolean>;
  /** As `signal`, to a workflow that was started. A case that is over takes no note of it, and that is no fault. */
  deliver<N extends SignalName>(
    caseId: CaseId,
    signal: N,
    input: SignalInput<N>,
  ): Promise<'delivered' | 'ended'>;
  /**
   * Has its steps of this kind that wait for their next attempt tried at once, as after their counterpart was away.
   *
   * @returns false where none waits
   */
  tryNow(caseId: CaseId, step: RetriedStep): Promise<boolean>;
  /** The state as the workflow has it this moment; null where there is none any more. */
  readState(caseId: CaseId): Promise<CaseState | null>;
  /** `history`: which run, and how long it is. */
  describe(caseId: CaseId): Promise<{ readonly status: WorkflowStatus; readonly history: string }>;
  /** What its projection is compared with. */
  readSnapshot(caseId: CaseId): Promise<WorkflowSnapshot>;
  /** Has it write its projection again, above this revision. */
  reproject(caseId: CaseId, atLeast: number): Promise<void>;
  /** From visibility, which lags, the newest first. `caseId`: null where the id is none of ours. */
  listRunning(page: { readonly before: Instant | null; readonly limit: number }): Promise<{
    readonly workflows: readonly { readonly workflowId: string; readonly caseId: CaseId | null }[];
    readonly next: Instant | null;
  }>;
  /** Every workflow of a case that was started since and runs, or has come to its end; from visibility, which lags. */
  listStarted(since: Instant | null): AsyncIterable<StartedCase>;
  workflowIdOf(caseId: CaseId): string;
}

/** A case as Temporal's list has it. */
export interface StartedCase {
  readonly caseId: CaseId;
  readonly isRunning: boolean;
  readonly startedAt: Instant;
  readonly partnerId: string;
  /** The partner's, or the hash that is shown in its stead. */
  readonly reference: string;
  readonly treatmentType: string;
}

/** What is tried again and again, with longer and longer pauses. */
export type RetriedStep = 'sendMessage' | 'transferBooking' | 'releaseBooking';

export interface CaseClientOptions extends StartedWhere {
  readonly client: Client;
  /** How long a caller waits for a verdict (milliseconds): longer than a provider may take to hold a slot. */
  readonly timeout?: number | undefined;
  readonly now?: () => Date;
  /** Told of each command that was executed. */
  readonly onAsked?: (command: CommandName, outcome: CommandResult['outcome'], seconds: number) => void;
}

const SIGNAL_TIMEOUT = 1_000;
const QUERY_TIMEOUT = 500;
/** Temporal is there by then, and may have much to do: better to wait for it than to send a customer away. */
const CALL_TIMEOUT = 5_000;
/** A workflow takes ten updates at a time, and more wait until their deadline. */
const CONCURRENT_UPDATES = 5;
/** gRPC's NOT_FOUND and INVALID_ARGUMENT: there is no such workflow that runs, or no such activity in it. */
const NOTHING_WAITS: readonly number[] = [5, 3];
const CASE_WORKFLOW_ID = /^case-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** How a workflow that is not running has ended. */
const CLOSED_STATUSES = {
  COMPLETED: 'completed',
  TERMINATED: 'terminated',
  FAILED: 'failed',
  TIMED_OUT: 'timed_out',
  CANCELLED: 'cancelled',
} as const satisfies Partial<Record<WorkflowExecutionStatusName, string>>;
type ClosedStatus = (typeof CLOSED_STATUSES)[keyof typeof CLOSED_STATUSES];
export type WorkflowStatus = 'running' | 'missing' | ClosedStatus;

export function createCaseClient({
  client,
  taskQueue = TASK_QUEUE,
  isSandbox,
  timeout = 15_000,
  now = () => new Date(),
  onAsked,
}: CaseClientOptions): CaseClient {
  const limitFor = createLimits();
  const call = <T>(milliseconds: number, work: () => Promise<T>) =>
    client.withDeadline(Date.now() + milliseconds, work);
  const handleOf = (caseId: CaseId): WorkflowHandle => client.workflow.getHandle(workflowIdOf(caseId));
  /** What `work` resolves to where there is no such workflow, or none that runs. */
  const callOr = <T, Else>(ended: Else, work: () => Promise<T>): Promise<T | Else> =>
    call(CALL_TIMEOUT, work).catch((error: unknown) => {
      if (error instanceof WorkflowNotFoundError) return ended;
      throw error;
    });
  const send = (caseId: CaseId, name: SignalName, input: unknown) => {
    const definition: SignalDefinition<[unknown]> = SIGNALS[name];
    return handleOf(caseId).signal(definition, input);
  };
  /** A step of the case's own trace, whoever asks for it. */
  const traced = <T>(
    row: Pick<CaseRow, 'id' | 'traceparent'>,
    name: string,
    work: Parameters<typeof inSpan<T>>[2],
  ) =>
    inSpan(
      `case ${name}`,
      { kind: 'client', trace: row.traceparent, attributes: { 'booking.case_id': row.id } },
      work,
    );
  const start = (row: CaseToStart) =>
    traced(row, 'start', () => call(CALL_TIMEOUT, () => startCase(client, row, { taskQueue, isSandbox })));

  /** False: whatever is asked of this case now would not arrive. */
  const isReady = async (row: CaseRef): Promise<boolean> => {
    if (!(await isTemporalReachable(client))) return false;
    if (row.workflow_started_at !== null) return true;
    return start(row).then(
      () => true,
      () => false,
    );
  };

  /** Update ids are random: one that means something would answer for ever as it did first. */
  const update = async (row: CaseRef, name: CommandName, input: object, by: Actor | Author) => {
    if (!(await isReady(row))) return { outcome: 'unavailable' } as const;
    const definition: UpdateDefinition<CaseState, [UpdateRequest]> = COMMANDS[name];
    const author = typeof by === 'string' ? { actor: by } : by;
    const notAfter = instant(Date.now() + timeout);
    const { expected, isShownLater } = row;
    const args: [UpdateRequest] = [{ ...input, ...author, notAfter, expected, isShownLater }];
    try {
      const state = await call(timeout, () => handleOf(row.id).executeUpdate(definition, { args }));
      return { outcome: 'done', state } as const;
    } catch (error) {
      return failureOf(error);
    }
  };

  /** The workflow is over, so its last projection has the last word. */
  const judgeEnded = (row: CaseRef, name: CommandName): CommandResult => {
    const verdict = permit(row.state, name, instant(now()));
    if (verdict.verdict === 'refused') return { outcome: 'refused', refusal: verdict.refusal };
    return verdict.verdict === 'done' ? { outcome: 'done', state: row.state } : { outcome: 'unavailable' };
  };

  return {
    execute: (row, name, input, by) =>
      traced(row, name, (say) =>
        limitFor(row.id, async () => {
          const begun = performance.now();
          const updated = await update(row, name, input, by);
          const result = updated.outcome === 'ended' ? judgeEnded(row, name) : updated;
          onAsked?.(name, result.outcome, (performance.now() - begun) / 1_000);
          say({ 'booking.outcome': result.outcome });
          return result;
        }),
      ),

    signal: (row, name, input) =>
      traced(row, name, async () => {
        if (!(await isReady(row))) return 'unreachable';
        try {
          await call(SIGNAL_TIMEOUT, () => send(row.id, name, input));
          return 'delivered';
        } catch (error) {
          return error instanceof WorkflowNotFoundError ? 'ended' : 'unreachable';
        }
      }),

    query: (caseId) => call(QUERY_TIMEOUT, () => handleOf(caseId).query(caseState)).catch(() => null),

    start,
    restart: (row) => call(CALL_TIMEOUT, () => restartCase(client, row, { taskQueue, isSandbox })),
    deliver: (caseId, name, input) =>
      callOr('ended', async () => {
        await send(caseId, name, input);
        return 'delivered' as const;
      }),
    tryNow: (caseId, type) =>
      call(CALL_TIMEOUT, () => {
        const { namespace } = client.options;
        const execution = { workflowId: workflowIdOf(caseId) };
        return client.workflowService.resetActivity({ namespace, execution, type });
      }).then(
        () => true,
        (error: unknown) => {
          if (isServiceError(error) && NOTHING_WAITS.includes(error.code)) return false;
          throw error;
        },
      ),
    readState: (caseId) => callOr(null, () => handleOf(caseId).query(caseState)),
    describe: (caseId) =>
      callOr({ status: 'missing', history: '' } as const, async () => {
        const { status, runId, historyLength } = await handleOf(caseId).describe();
        const closed = (CLOSED_STATUSES as Partial<Record<string, ClosedStatus>>)[status.name];
        return { status: closed ?? 'running', history: `${runId} ${historyLength}` };
      }),
    readSnapshot: (caseId) => call(CALL_TIMEOUT, () => handleOf(caseId).query(caseSnapshot)),
    reproject: (caseId, atLeast) => call(CALL_TIMEOUT, () => handleOf(caseId).signal(reproject, { atLeast })),
    workflowIdOf,

    /** A page ends at a time of start, at which the next one begins. */
    async listRunning({ before, limit }) {
      const until = before === null ? '' : ` AND StartTime <= '${before}'`;
      const query = `WorkflowType = '${WORKFLOW_TYPE}' AND TaskQueue = '${taskQueue}' AND ExecutionStatus = 'Running'${until}`;
      const { namespace } = client.options;
      const { executions } = await call(CALL_TIMEOUT, () =>
        client.workflowService.listWorkflowExecutions({ namespace, pageSize: limit, query }),
      );
      const workflows = executions.map(({ execution }) => {
        const workflowId = execution?.workflowId ?? '';
        return { workflowId, caseId: (CASE_WORKFLOW_ID.exec(workflowId)?.[1] ?? null) as CaseId | null };
      });
      const startTime = executions.at(-1)?.startTime;
      const last = startTime
        ? Number(startTime.seconds) * 1000 + Math.ceil((startTime.nanos ?? 0) / 1e6)
        : null;
      if (executions.length < limit || last === null) return { workflows, next: null };
      const next = instant(last);
      // more in one millisecond than fit on a page
      return { workflows, next: next === before ? instant(last - 1) : next };
    },

    async *listStarted(since) {
      const from = since === null ? '' : ` AND StartTime >= '${since}'`;
      const lives = `(ExecutionStatus = 'Running' OR ExecutionStatus = 'Completed')`;
      const query = `WorkflowType = '${WORKFLOW_TYPE}' AND TaskQueue = '${taskQueue}' AND ${lives}${from}`;
      for await (const found of client.workflow.list({ query })) {
        const { workflowId, status, startTime, typedSearchAttributes: attributes } = found;
        const caseId = CASE_WORKFLOW_ID.exec(workflowId)?.[1];
        if (caseId === undefined) continue;
        yield {
          caseId: caseId as CaseId,
          isRunning: status.name === 'RUNNING',
          startedAt: instant(startTime),
          partnerId: attributes.get(searchAttributes.partnerId) ?? '',
          reference: attributes.get(searchAttributes.partnerCaseId) ?? '',
          treatmentType: attributes.get(searchAttributes.treatmentType) ?? '',
        };
      }
    },
  };
}

function failureOf(error: unknown): Exclude<CommandResult, { outcome: 'done' }> | { outcome: 'ended' } {
  if (error instanceof WorkflowNotFoundError) return { outcome: 'ended' };
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : null;
  if (cause instanceof ApplicationFailure && cause.type === REFUSAL) {
    const refusal = cause.details?.[0] as Refusal;
    return refusal.code === 'TOO_LATE' ? { outcome: 'unavailable' } : { outcome: 'refused', refusal };
  }
  // The workflow ended while the update waited for its turn.
  const hasEnded = cause instanceof ApplicationFailure && cause.type === 'AcceptedUpdateCompletedWorkflow';
  return { outcome: hasEnded ? 'ended' : 'unknown' };
}

/** Lets at most so many pieces of work for one case run at a time; the others wait in line. */
function createLimits() {
  const limits = new Map<CaseId, LimitFunction>();
  return async <T>(caseId: CaseId, work: () => Promise<T>): Promise<T> => {
    const limit = limits.get(caseId) ?? pLimit(CONCURRENT_UPDATES);
    limits.set(caseId, limit);
    try {
      return await limit(work);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(caseId);
    }
  };
}
