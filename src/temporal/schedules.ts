import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
  type ScheduleSpec,
} from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import { RECONCILE_TYPE, WATCH_TYPE, type ReconcileTask } from '../../workflows/contract.ts';

interface Regular {
  readonly name: 'watch-providers' | 'reconcile' | 'reconcile-nightly';
  readonly workflowType: string;
  readonly args: ReconcileTask[];
  readonly spec: ScheduleSpec;
  /** A run that got stuck is in nobody's way for longer. */
  readonly endsWithin: Duration;
  readonly summary: string;
}

/** What is done again and again, whoever is awake: one entry each. */
const REGULAR: readonly Regular[] = [
  {
    name: 'watch-providers',
    workflowType: WATCH_TYPE,
    args: [],
    spec: { intervals: [{ every: '5 minutes' }] },
    endsWithin: '10 minutes',
    summary: "Hold the providers' calendars against the cases",
  },
  {
    name: 'reconcile',
    workflowType: RECONCILE_TYPE,
    args: [{ kind: 'regular', full: false }],
    spec: { intervals: [{ every: '1 minute' }] },
    endsWithin: '10 minutes',
    summary: 'Hold the cases against their workflows: those that were looked at longest ago',
  },
  {
    name: 'reconcile-nightly',
    workflowType: RECONCILE_TYPE,
    args: [{ kind: 'nightly', full: true }],
    spec: { calendars: [{ hour: 2, minute: 15 }], timezone: 'Europe/Oslo' },
    endsWithin: '3 hours',
    summary: 'Hold all cases against their workflows',
  },
];

const WITHIN = 5_000;

/** Each deployment has schedules of its own on a Temporal server that several share, as it has its own queue. */
export const scheduleIdOf = (taskQueue: string, name: Regular['name']): string => `${taskQueue}/${name}`;

/**
 * Makes the schedules, or brings them up to date: any number of workers may do so at once. One that an operator has
 * paused stays paused.
 *
 * A run never overlaps the one before it (`SKIP`), and what was missed while Temporal was away is not made up for.
 */
export const makeSchedules = (client: Client, taskQueue: string): Promise<void> =>
  client.withDeadline(Date.now() + WITHIN, async () => {
    for (const regular of REGULAR) {
      const scheduleId = scheduleIdOf(taskQueue, regular.name);
      const wanted = scheduleOf(regular, scheduleId, taskQueue);
      try {
        await client.schedule.create({ scheduleId, ...wanted });
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
        await client.schedule.getHandle(scheduleId).update(({ state }) => ({ ...wanted, state }));
      }
    }
  });

const scheduleOf = (
  { workflowType, args, spec, endsWithin, summary }: Regular,
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
    workflowExecutionTimeout: endsWithin,
    staticSummary: summary,
  },
});

/** Takes them away: a deployment that is gone for good is nobody's to watch. */
export const deleteSchedules = (client: Client, taskQueue: string): Promise<void> =>
  client.withDeadline(Date.now() + WITHIN, async () => {
    for (const { name } of REGULAR) await client.schedule.getHandle(scheduleIdOf(taskQueue, name)).delete();
  });
