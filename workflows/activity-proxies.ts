import { ActivityCancellationType, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { ReconcileActivities } from '../activities/reconcile.ts';
import { messageQueueOf } from './contract.ts';

/** Every step out of the workflow, with its patience. Failures that no retry mends are decided in activities/failures.ts. */

/** The customer waits for this one, so it is bounded; what it may have left behind is let go by the release below. */
export const { secureSlot } = proxyActivities<Activities>({
  summary: 'Secure the slot: claim it here, hold it at the provider',
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

/** As long as the provider is away. While the slot does not read as free, the activity itself says when it is enough. */
export const { releaseBooking } = proxyActivities<Activities>({
  summary: "Take the appointment out of the provider's calendar, and see that the slot is free",
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/** The activity itself gives up in time, so that the message's row says so. */
export const sendMessage: Activities['sendMessage'] = (task) =>
  proxyActivities<Activities>({
    summary: 'Send a message to the customer',
    taskQueue: messageQueueOf(workflowInfo().taskQueue),
    startToCloseTimeout: '40s',
    retry: { initialInterval: '1s', maximumInterval: '10m' },
  }).sendMessage(task);

/** Bounded, since whoever looks finds the case among those that need attention. */
export const alertOperator: Activities['alertOperator'] = (call) =>
  proxyActivities<Activities>({
    summary: 'Call the operator',
    taskQueue: messageQueueOf(workflowInfo().taskQueue),
    startToCloseTimeout: '40s',
    scheduleToCloseTimeout: '1 day',
    retry: { initialInterval: '5s', maximumInterval: '10m' },
  }).alertOperator(call);

/** What partners read must follow, however long PostgreSQL is away. */
export const { project } = proxyActivities<Activities>({
  summary: 'Write the case down for its readers',
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', maximumInterval: '15s' },
});

export const { providersToWatch } = proxyActivities<Activities>({
  summary: 'See which providers there are',
  startToCloseTimeout: '10s',
  retry: { maximumAttempts: 3 },
});

/**
 * Once: what fails now is looked at by the next run, a few minutes later. Two looks and the pause between them are
 * shorter than the schedule's interval, so that a provider which hangs keeps no other from being looked at.
 */
const providerCheckOptions = {
  startToCloseTimeout: '90s',
  heartbeatTimeout: '45s',
  retry: { maximumAttempts: 1 },
} as const;
export const watchAppointments: Activities['watchAppointments'] = (task) =>
  proxyActivities<Activities>({
    ...providerCheckOptions,
    summary: `See what the clinic changed: ${task.providerId}`,
  }).watchAppointments(task);
export const sweepSlots: Activities['sweepSlots'] = (task) =>
  proxyActivities<Activities>({
    ...providerCheckOptions,
    summary: `Let go what no case wants: ${task.providerId}`,
  }).sweepSlots(task);

/** A look at a page of cases: what fails is looked at by the next run. */
const reconcileOptions = {
  startToCloseTimeout: '90s',
  heartbeatTimeout: '30s',
  retry: { maximumAttempts: 2 },
} as const;
export const { compareCases } = proxyActivities<ReconcileActivities>({
  ...reconcileOptions,
  summary: 'Hold cases against their workflows',
});
export const { compareWorkflows } = proxyActivities<ReconcileActivities>({
  ...reconcileOptions,
  summary: 'Look for workflows without a case',
});
export const { settleDoubts } = proxyActivities<ReconcileActivities>({
  ...reconcileOptions,
  summary: 'Look again, and have what differs shown again',
});
export const { noteReconciled } = proxyActivities<ReconcileActivities>({
  summary: 'Write down what was found',
  startToCloseTimeout: '10s',
  retry: { maximumAttempts: 3 },
});
export const alertOperatorSoon: Activities['alertOperator'] = (call) =>
  proxyActivities<Activities>({
    summary: 'Call the operator',
    taskQueue: messageQueueOf(workflowInfo().taskQueue),
    startToCloseTimeout: '40s',
    scheduleToCloseTimeout: '5 minutes',
    retry: { initialInterval: '5s' },
  }).alertOperator(call);
