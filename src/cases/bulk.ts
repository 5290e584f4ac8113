import pMap from 'p-map';
import { graceDeadline } from '../calendar/dates.ts';
import { BULK_ACTIONS, type BulkKind } from '../domain/attention.ts';
import { caseTime } from '../domain/case-state.ts';
import type { CaseId, PartnerId } from '../domain/ids.ts';
import { type Attention, listAttention } from '../postgres/attention.ts';
import { type CaseView, readCase } from '../postgres/cases.ts';
import type { Database } from '../postgres/database.ts';
import type { CaseClient } from '../temporal/case-client.ts';
import { type CaseCommandDeps, type CaseCommandResult, resendLink, restartLost } from './commands.ts';

export interface BulkDeps extends CaseCommandDeps {
  readonly database: Database;
  readonly caseClient: Pick<CaseClient, 'execute' | 'restart' | 'tryNow'>;
}

export interface BulkScope {
  readonly kind: BulkKind;
  /** A clinic, where the kind has one; all when left out. */
  readonly cause?: string | undefined;
  readonly partnerId?: PartnerId | undefined;
}

export interface BulkProgress {
  /** How many there were at the beginning, and how many of them are through. */
  readonly total: number;
  readonly through: number;
  readonly done: number;
  /** How many were not, by the code of what stood in the way. */
  readonly refused: Readonly<Record<string, number>>;
  /** Temporal did not answer, or whoever asked has gone, so the rest was left as it is. */
  readonly isBrokenOff: boolean;
}

/** `done`, or the code of what stood in the way of one case. */
export type BulkOutcome = string;
/** Nobody knows, or nobody was there to ask. */
const UNANSWERED: readonly BulkOutcome[] = ['UNKNOWN', 'UNAVAILABLE'];

export interface BulkOptions {
  /** Told of each case that is through. */
  readonly onProgress?: (progress: BulkProgress) => void;
  /** Does one case's work, with what has to be written before it and after. */
  readonly around?: (caseId: CaseId, work: () => Promise<BulkOutcome>) => Promise<BulkOutcome>;
  readonly concurrency?: number;
  /** Once it is aborted, no further case is begun. */
  readonly signal?: AbortSignal;
}

/** They share Temporal and the database with customers who wait for a confirmation. */
const CONCURRENCY = 12;
const PAGE = 1_000;
/** So many that were not answered are no accident. */
const UNANSWERED_AT_MOST = 10;

/** Whom it is about now, what has waited longest first: each case once. */
export async function listBulk(database: Database, scope: BulkScope): Promise<readonly CaseId[]> {
  const { kind, cause, partnerId } = scope;
  const ids = new Set<CaseId>();
  for (let after: Attention | undefined; ;) {
    const page: readonly Attention[] = await listAttention(database, {
      ...{ kinds: [kind], cause, partnerId, after, limit: PAGE },
    });
    for (const { caseId } of page) if (caseId) ids.add(caseId);
    after = page.at(-1);
    if (page.length < PAGE || !after) return [...ids];
  }
}

/**
 * Does the kind's action for all of them, some at a time. What it settles is not listed again, so one that was broken off
 * goes on where it was when it is begun again.
 */
export async function runBulk(
  deps: BulkDeps,
  scope: BulkScope,
  { onProgress, around = (_, work) => work(), concurrency = CONCURRENCY, signal }: BulkOptions = {},
): Promise<BulkProgress> {
  const ids = await listBulk(deps.database, scope);
  const refused: Record<string, number> = {};
  let [through, done, unanswered] = [0, 0, 0];
  const progress = (): BulkProgress => ({
    ...{ total: ids.length, through, done, refused: { ...refused } },
    isBrokenOff: unanswered >= UNANSWERED_AT_MOST || signal?.aborted === true,
  });
  await pMap(
    ids,
    async (caseId) => {
      if (progress().isBrokenOff) return;
      const view = await readCase(deps.database, caseId);
      if (!view) return;
      const outcome = await around(caseId, () => actOn(deps, scope.kind, view));
      through += 1;
      if (outcome === 'done') done += 1;
      else refused[outcome] = (refused[outcome] ?? 0) + 1;
      if (UNANSWERED.includes(outcome)) unanswered += 1;
      onProgress?.(progress());
    },
    { concurrency },
  );
  return progress();
}

async function actOn(deps: BulkDeps, kind: BulkKind, view: CaseView): Promise<BulkOutcome> {
  const action = BULK_ACTIONS[kind];
  switch (action) {
    case 'restart': {
      const runs = await restartLost(deps, view).catch(() => null);
      if (runs === null) return 'UNKNOWN';
      // what has come to its end is written down by the next comparison
      return runs ? 'done' : 'WORKFLOW_IS_OVER';
    }
    case 'retry':
      return outcomeOf(
        await deps.caseClient.execute(
          view,
          'retry',
          { grace: graceDeadline(caseTime(view.state, deps.now())) },
          'operator',
        ),
      );
    case 'resend': {
      // Until readers see what was ordered, it is listed again: whoever begins again meanwhile sends nothing twice.
      const { revision } = view;
      const seen = { ...view, expected: { revision }, isShownLater: true };
      return outcomeOf(await resendLink(deps, seen, { channel: null, author: { actor: 'operator' } }));
    }
    case 'sendMessage':
    case 'transferBooking':
    case 'releaseBooking': {
      const waited = await deps.caseClient.tryNow(view.id, action).catch(() => null);
      if (waited === null) return 'UNAVAILABLE';
      return waited ? 'done' : 'NOTHING_WAITS';
    }
  }
}

function outcomeOf(result: CaseCommandResult): BulkOutcome {
  if (result.outcome === 'refused') return result.refusal.code;
  return result.outcome === 'done' ? 'done' : result.outcome.toUpperCase();
}
