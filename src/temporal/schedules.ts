import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
} from '@temporalio/client';
import { WATCH_TYPE } from '../../workflows/contract.ts';

/** What is done again and again, whoever is awake: one entry each. */
const REGULAR = [
  {
    name: 'watch-providers',
    workflowType: WATCH_TYPE,
    every: '5 minutes',
    /** A run that got stuck is in nobody's way for longer. */
    endsWithin: '10 minutes',
    summary: "Hold the providers' calendars against the cases",
  },
] as const;

const WITHIN = 5_000;

/** Each deployment has schedules of its own on a Temporal server that several share, as it has its own queue. */
export const scheduleIdOf = (taskQueue: string, name: (typeof REGULAR)[number]['name']): string =>
  `${taskQueue}/${name}`;

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
  { workflowType, every, endsWithin, summary }: (typeof REGULAR)[number],
  workflowId: string,
  taskQueue: string,
): Omit<
  ScheduleOptions<ScheduleOptionsStartWorkflowAction<() => Promise<void>>>,
  'scheduleId' | 'state'
> => ({
  spec: { intervals: [{ every }] },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
  action: {
    type: 'startWorkflow',
    workflowType,
    workflowId,
    taskQueue,
    args: [],
    workflowExecutionTimeout: endsWithin,
    staticSummary: summary,
  },
});

/** Takes them away: a deployment that is gone for good is nobody's to watch. */
export const deleteSchedules = (client: Client, taskQueue: string): Promise<void> =>
  client.withDeadline(Date.now() + WITHIN, async () => {
    for (const { name } of REGULAR) await client.schedule.getHandle(scheduleIdOf(taskQueue, name)).delete();
  });
