import type { WorkflowHandle } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';

type Event = NonNullable<History['events']>[number];

/** What Temporal Cloud counts as an action, retries of activities apart. */
const ACTIONS: readonly (keyof Event)[] = [
  'workflowExecutionStartedEventAttributes',
  'activityTaskScheduledEventAttributes',
  'timerStartedEventAttributes',
  'workflowExecutionSignaledEventAttributes',
  'workflowExecutionUpdateAcceptedEventAttributes',
  'upsertWorkflowSearchAttributesEventAttributes',
  'markerRecordedEventAttributes',
];

/** What a workflow costs the engine, and whoever pays for it. */
export async function costOf(
  workflow: WorkflowHandle,
): Promise<{ activities: number; events: number; bytes: number; actions: number }> {
  const { historyLength: events, historySize: bytes = Number.NaN } = await workflow.describe();
  const { events: written } = await workflow.fetchHistory();
  const countOf = (...kinds: readonly (keyof Event)[]) =>
    (written ?? []).filter((event) => kinds.some((kind) => event[kind])).length;
  return {
    activities: countOf('activityTaskScheduledEventAttributes'),
    events,
    bytes,
    actions: countOf(...ACTIONS),
  };
}
