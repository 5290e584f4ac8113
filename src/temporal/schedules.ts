import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
  ScheduleOverlapPolicy,
  type ScheduleSpec,
} from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import {
  ERASE_TYPE,
  RECONCILE_TYPE,
  type ReconcileResult,
  type ReconcileTask,
  TASK_QUEUE,
  WATCH_TYPE,
} from '../../workflows/contract.ts';

interface ScheduledWorkflow {
  readonly name: 'watch-providers' | 'reconcile' | 'reconcile-nightly' | 'erase-overdue';
  readonly workflowType: string;
  readonly args: ReconcileTask[];
  readonly spec: ScheduleSpec;
  /** A run that got stuck is in nobody's way for longer. */
  readonly timeout: Duration;
  readonly summary: string;
}

/** A million cases take some hours, and more where each workflow is asked (docs/scale.md); milliseconds. */
export const FULL_COMPARISON_TIMEOUT = 20 * 3_600_000;

/** What is done again and again, whoever is awake: one entry each. */
const SCHEDULES: readonly ScheduledWorkflow[] = [
  {
    name: 'watch-providers',
    workflowType: WATCH_TYPE,
    args: [],
    spec: { intervals: [{ every: '5 minutes' }] },
    timeout: '10 minutes',
    summary: "Compare the providers' calendars with the cases",
  },
  {
    name: 'reconcile',
    workflowType: RECONCILE_TYPE,
    args: [{ kind: 'regular', full: false }],
    spec: { intervals: [{ every: '1 minute' }] },
    timeout: '10 minutes',
    summary: 'Compare cases with their workflows: the next ones of the round',
  },
  {
    name: 'reconcile-nightly',
    workflowType: RECONCILE_TYPE,
    args: [{ kind: 'nightly', full: true }],
    spec: { calendars: [{ hour: 2, minute: 15 }], timezone: 'Europe/Oslo' },
    timeout: FULL_COMPARISON_TIMEOUT,
    summary: 'Compare all cases with their workflows',
  },
  {
    name: 'erase-overdue',
    workflowType: ERASE_TYPE,
    args: [],
    spec: { calendars: [{ hour: 3, minute: 45 }], timezone: 'Europe/Oslo' },
    timeout: '3 hours',
    summary: 'Erase cases whose time is over',
  },
];

const SCHEDULE_CALL_TIMEOUT = 5_000;

/** Each deployment has schedules of its own on a Temporal server that several share, as it has its own queue. */
export const scheduleIdOf = (taskQueue: string, name: ScheduledWorkflow['name']): string =>
  `${taskQueue}/${name}`;

/**
 * Makes the schedules, or brings them up to date: any number of workers may do so at once. One that an operator has
 * paused stays paused.
 *
 * A run never overlaps the one before it (`SKIP`), and what was missed while Temporal was away is not made up for.
 */
export const upsertSchedules = (client: Client, taskQueue: string): Promise<void> =>
  client.withDeadline(Date.now() + SCHEDULE_CALL_TIMEOUT, async () => {
    for (const regular of SCHEDULES) {
      const scheduleId = scheduleIdOf(taskQueue, regular.name);
      const wanted = scheduleOptions(regular, scheduleId, taskQueue);
      try {
        await client.schedule.create({ scheduleId, ...wanted });
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
        await client.schedule.getHandle(scheduleId).update(({ state }) => ({ ...wanted, state }));
      }
    }
  });

const scheduleOptions = (
  { workflowType, args, spec, timeout, summary }: ScheduledWorkflow,
  workflowId: string,
  taskQueue: string,
): Omit<
  ScheduleOptions<ScheduleOptionsStartWorkflowAction<(...args: ReconcileTask[]) => Promise<unknown>>>,
  'scheduleId' | 'state'
> => ({
  spec,
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
  action: {
    type: 'startWorkflow',
    workflowType,
    workflowId,
    taskQueue,
    args,
    workflowExecutionTimeout: timeout,
    staticSummary: summary,
  },
});

/** When each last ran, by the clock of Temporal (milliseconds since 1970; null where it never did). */
export const readSchedules = (client: Client, taskQueue: string) =>
  client.withDeadline(Date.now() + SCHEDULE_CALL_TIMEOUT, () =>
    Promise.all(
      SCHEDULES.map(async ({ name }) => {
        const { info, state } = await client.schedule.getHandle(scheduleIdOf(taskQueue, name)).describe();
        return {
          name,
          lastRunAt: info.recentActions.at(-1)?.takenAt.getTime() ?? null,
          paused: state.paused,
        };
      }),
    ),
  );

/** Takes them away: a deployment that is gone for good is nobody's to watch. */
export const deleteSchedules = (client: Client, taskQueue: string): Promise<void> =>
  client.withDeadline(Date.now() + SCHEDULE_CALL_TIMEOUT, async () => {
    for (const { name } of SCHEDULES) await client.schedule.getHandle(scheduleIdOf(taskQueue, name)).delete();
  });

const REQUEST_TIMEOUT = 5_000;
/** A page takes seconds, and a look again ten. */
const PAGE_RUN_TIMEOUT = 120_000;

/** Has a worker hold the cases against their workflows, and waits for what it finds; who asks meanwhile gets the same. */
export async function runReconciliation(
  client: Client,
  { full, ...more }: Pick<ReconcileTask, 'full' | 'workflowsWin' | 'recheckAfter'>,
  taskQueue = TASK_QUEUE,
): Promise<ReconcileResult> {
  const task: ReconcileTask = { kind: 'by_hand', full, ...more };
  const timeout = full ? FULL_COMPARISON_TIMEOUT : PAGE_RUN_TIMEOUT;
  const handle = await client.withDeadline(Date.now() + REQUEST_TIMEOUT, () =>
    client.workflow.start<(task: ReconcileTask) => Promise<ReconcileResult>>(RECONCILE_TYPE, {
      workflowId: `${taskQueue}/reconcile-by-hand${full ? '-full' : ''}`,
      taskQueue,
      args: [task],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowExecutionTimeout: timeout,
      staticSummary: 'Compare cases with their workflows, as an operator asked',
    }),
  );
  return client.withDeadline(Date.now() + timeout, () => handle.result());
}
