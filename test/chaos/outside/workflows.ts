import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import pMap from 'p-map';
import { loadWorkflowBundle } from '../../../src/worker/workflow-bundle.ts';
import { caseState, WORKFLOW_TYPE } from '../../../workflows/contract.ts';
import { replayHistories } from '../../support/replay-histories.ts';
import type { Outside, SeenMessage } from '../outside.ts';

const QUERY_WITHIN = 20_000;
const AT_ONCE = 8;

/** Every workflow of a case, with its state by its own word and what its history holds. */
export async function seeWorkflows(client: Client): Promise<Pick<Outside, 'workflows' | 'writings'>> {
  const runs = new Map<string, WorkflowExecutionInfo[]>();
  for await (const run of client.workflow.list({ query: `WorkflowType = '${WORKFLOW_TYPE}'` })) {
    runs.set(run.workflowId, [...(runs.get(run.workflowId) ?? []), run]);
  }
  const writings: { where: string; text: string }[] = [];
  const histories: { workflowId: string; history: History }[] = [];
  const workflows = await pMap(
    [...runs],
    async ([workflowId, itsRuns]) => {
      const handle = client.workflow.getHandle(workflowId);
      const history = await handle.fetchHistory();
      histories.push({ workflowId, history });
      writings.push({ where: `the history of ${workflowId}`, text: decoded(history) });
      const { raw } = await handle.describe();
      writings.push({ where: `what Temporal shows of ${workflowId}`, text: decoded(raw) });
      return {
        workflowId,
        lives: itsRuns.filter(({ status }) => status.name !== 'CONTINUED_AS_NEW').length,
        state: await client
          .withDeadline(Date.now() + QUERY_WITHIN, () => handle.query(caseState))
          .catch(() => null),
        messages: messagesIn(history),
      };
    },
    { concurrency: AT_ONCE },
  );
  const faults =
    histories.length > 0
      ? await replayHistories(await loadWorkflowBundle(), histories)
      : new Map<string, Error>();
  return {
    workflows: workflows.map((workflow) => ({
      ...workflow,
      fault: faults.get(workflow.workflowId)?.message ?? null,
    })),
    writings,
  };
}

const SENDING = ['sendMessage', 'projectAndSend'];

function messagesIn(history: History): SeenMessage[] {
  const messages = new Map<string, SeenMessage>();
  const orders = new Map<
    string,
    { readonly channels: readonly string[]; readonly dedupIdOn: (channel: string) => string }
  >();
  const change = (dedupId: string, changeOf: (seen: SeenMessage) => Partial<SeenMessage>) => {
    const message = messages.get(dedupId);
    if (message) messages.set(dedupId, { ...message, ...changeOf(message) });
  };
  for (const event of history.events ?? []) {
    const scheduled = event.activityTaskScheduledEventAttributes;
    const started = event.activityTaskStartedEventAttributes;
    const completed = event.activityTaskCompletedEventAttributes;
    if (scheduled && SENDING.includes(scheduled.activityType?.name ?? '')) {
      const task = plain(scheduled.input?.payloads?.[0]?.data);
      const { caseId, kind, channels, sequence, bookingId } = task.message ?? task;
      const dedupIdOn = (channel: string) => `${caseId}:${kind}:${channel}:${sequence}`;
      orders.set(String(event.eventId), { channels, dedupIdOn });
      for (const channel of channels) {
        const dedupId = dedupIdOn(channel);
        const message = { dedupId, kind, channel, bookingId, outcome: null, attempts: 0 } as SeenMessage;
        if (!messages.has(dedupId)) messages.set(dedupId, message);
      }
    }
    const order = orders.get(String((started ?? completed)?.scheduledEventId));
    for (const channel of order?.channels ?? []) {
      const dedupId = order?.dedupIdOn(channel) ?? '';
      if (started) change(dedupId, ({ attempts }) => ({ attempts: attempts + (started.attempt ?? 0) }));
      const result = completed && plain(completed.result?.payloads?.[0]?.data);
      const outcome = (result?.outcomes ?? result)?.[channel];
      if (outcome) change(dedupId, () => ({ outcome }));
    }
  }
  return [...messages.values()];
}

const plain = (data: Uint8Array | null | undefined) =>
  JSON.parse(Buffer.from(data ?? []).toString('utf8') || 'null');

/** Anything of Temporal's with its payloads in plain text: what whoever may read histories can read. */
export function decoded(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (inner instanceof Uint8Array) return Buffer.from(inner).toString('utf8');
    // Buffers turn themselves into this before they get here
    if (isBuffer(inner)) return Buffer.from(inner.data).toString('utf8');
    return typeof inner === 'bigint' ? inner.toString() : inner;
  });
}

const isBuffer = (value: unknown): value is { type: 'Buffer'; data: number[] } =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  value.type === 'Buffer' &&
  'data' in value;
