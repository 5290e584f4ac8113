import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { bookingsToRelease, nextTransfer } from '../../src/domain/next-steps.ts';
import { caseState } from '../../workflows/contract.ts';
import { inTurns } from './in-turns.ts';
import type { Outside, SeenRow } from './outside.ts';
import { seeBooks } from './outside/books.ts';

const AT_ONCE = 8;
const ANSWERS_WITHIN = 10_000;
const LOOKS_EVERY = 500;

/**
 * Waits until nothing goes on in any case, as Temporal tells it.
 *
 * @returns the cases in which something still does when the patience is at its end, and what
 */
export async function untilAtRest(
  client: Client,
  databaseUrl: string,
  patience: number,
): Promise<Outside['restless']> {
  const end = Date.now() + patience;
  let restless: Outside['restless'] = [];
  for (;;) {
    const rows = await seeBooks(databaseUrl)
      .then((books) => books.rows)
      .catch(() => null);
    if (rows) {
      const before = new Set(restless.map(({ caseId }) => caseId));
      // those that were last seen busy first, so that most looks are cheap
      const inOrder = rows.toSorted(
        (one, other) => Number(before.has(other.id)) - Number(before.has(one.id)),
      );
      restless = await lookAt(inOrder, client, Date.now() > end);
      if (restless.length === 0) return restless;
    }
    if (Date.now() > end) return restless;
    await delay(LOOKS_EVERY);
  }
}

/** @param isLast whether all are wanted: else the first busy ones will do */
async function lookAt(
  rows: readonly SeenRow[],
  client: Client,
  isLast: boolean,
): Promise<Outside['restless']> {
  const restless: { caseId: string; why: string }[] = [];
  await inTurns(rows, AT_ONCE, async (row) => {
    if (restless.length > 0 && !isLast) return;
    const why = await whatGoesOn(client, row).catch((error: unknown) => String(error));
    if (why !== null) restless.push({ caseId: row.id, why });
  });
  return restless;
}

async function whatGoesOn(client: Client, row: SeenRow): Promise<string | null> {
  const handle = client.workflow.getHandle(`case-${row.id}`);
  try {
    const { raw, status } = await client.withDeadline(Date.now() + ANSWERS_WITHIN, () => handle.describe());
    if (status.name !== 'RUNNING') return null;
    const [activity] = raw.pendingActivities ?? [];
    if (activity) {
      const why = activity.lastFailure?.message ?? 'nothing failed';
      return `${activity.activityType?.name} is under way, attempt ${activity.attempt}: ${why}`;
    }
    if (raw.pendingWorkflowTask) return `a workflow task waits, attempt ${raw.pendingWorkflowTask.attempt}`;
    const state = await client.withDeadline(Date.now() + ANSWERS_WITHIN, () => handle.query(caseState));
    if (nextTransfer(state)) return 'an appointment must be put into a calendar';
    if (bookingsToRelease(state).length > 0) return 'an appointment must be taken out of a calendar';
    return isDeepStrictEqual(state, row.state) ? null : 'its readers see an older state';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'it has no workflow';
    throw error;
  }
}
