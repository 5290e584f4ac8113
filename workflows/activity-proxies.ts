import {
  ActivityCancellationType,
  type ActivityOptions,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities, ReconcileActivities, RetentionActivities } from '../activities/contract.ts';
import { messageQueueOf } from './contract.ts';

/** Every activity, with its timeouts. Which failures no retry mends is decided in activities/failures.ts. */

/** The customer waits for this one, so it is bounded; what it may have left behind is released below. */
export const { secureSlot } = proxyActivities<Activities>({
  summary: 'Claim and hold the slot',
  startToCloseTimeout: '6s',
  scheduleToCloseTimeout: '10s',
  retry: { initialInterval: '300ms', maximumAttempts: 2 },
});

/** For as long as it takes. Cancelled only between attempts, so that none can still succeed behind a release. */
export const { transferBooking } = proxyActivities<Activities>({
  summary: "Put the appointment into the provider's calendar",
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/** As long as the provider is away. While the slot is still busy, the activity itself says when it is enough. */
export const { releaseBooking } = proxyActivities<Activities>({
  summary: 'Cancel at the provider and verify the slot is free',
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/** What partners read must follow, however long PostgreSQL is away. */
const UNTIL_PROJECTED = { initialInterval: '200ms', maximumInterval: '15s' } as const;

/**
 * The activity itself gives up in time, so that the message's row says so. One that is lost on its way to a worker
 * (docs/decisions/0122) is tried again as soon as it is missed, and not only when it had to be done.
 */
const onMessageQueue = (options: ActivityOptions) =>
  proxyActivities<Activities>({
    taskQueue: messageQueueOf(workflowInfo().taskQueue),
    startToCloseTimeout: '40s',
    heartbeatTimeout: '10s',
    ...options,
  });
export const sendMessage: Activities['sendMessage'] = (task) =>
  onMessageQueue({
    summary: 'Send a message to the customer',
    retry: { initialInterval: '1s', maximumInterval: '10m' },
  }).sendMessage(task);

/**
 * In front of most that waits there, for readers wait for it. It fails only where PostgreSQL is away, and is tried again as
 * {@link project} is.
 */
export const projectAndSend: Activities['projectAndSend'] = (task) =>
  onMessageQueue({
    summary: 'Update the projection, and send a message to the customer',
    retry: UNTIL_PROJECTED,
    priority: { priorityKey: 1 },
  }).projectAndSend(task);

export const { project } = proxyActivities<Activities>({
  summary: 'Update the projection',
  startToCloseTimeout: '10s',
  retry: UNTIL_PROJECTED,
});

export const { providersToWatch } = proxyActivities<Activities>({
  summary: 'List providers',
  startToCloseTimeout: '10s',
  retry: { maximumAttempts: 3 },
});

/**
 * Once: what fails now is checked by the next run, a few minutes later. A provider which hangs
 * costs a run three minutes, so that the others are checked at each interval of the schedule.
 */
const providerCheckOptions = {
  startToCloseTimeout: '90s',
  heartbeatTimeout: '45s',
  retry: { maximumAttempts: 1 },
} as const;
export const watchAppointments: Activities['watchAppointments'] = (task) =>
  proxyActivities<Activities>({
    ...providerCheckOptions,
    summary: `Check appointments: ${task.providerId}`,
  }).watchAppointments(task);
export const sweepSlots: Activities['sweepSlots'] = (task) =>
  proxyActivities<Activities>({
    ...providerCheckOptions,
    summary: `Release orphaned slots: ${task.providerId}`,
  }).sweepSlots(task);

/** A page of cases at a time. A run ends with its schedule's timeout, and not because a worker or PostgreSQL was away. */
const reconcileOptions = {
  startToCloseTimeout: '90s',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '5s', maximumInterval: '1m' },
} as const;
export const { compareCases } = proxyActivities<ReconcileActivities>({
  ...reconcileOptions,
  summary: 'Compare cases with workflows',
});
export const { compareWorkflows } = proxyActivities<ReconcileActivities>({
  ...reconcileOptions,
  summary: 'Look for workflows without a case',
});
export const { settleDiscrepancies } = proxyActivities<ReconcileActivities>({
  ...reconcileOptions,
  summary: 'Recheck and repair discrepancies',
});
export const { noteReconciled } = proxyActivities<ReconcileActivities>({
  summary: 'Record the result',
  startToCloseTimeout: '10s',
  retry: { maximumAttempts: 3 },
});

export const { eraseOverdue } = proxyActivities<RetentionActivities>({
  summary: 'Erase cases whose time is over',
  startToCloseTimeout: '90s',
  retry: { maximumAttempts: 3 },
});
