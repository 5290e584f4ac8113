import { Context } from '@temporalio/activity';
import { differenceOf, type OnFile, type Shown } from '../src/domain/compare-projection.ts';
import type { CaseId } from '../src/domain/ids.ts';
import type { Instant } from '../src/domain/instant.ts';
import type { Reconciled, ReconciliationKind } from '../workflows/contract.ts';
import { guard } from './failures.ts';
import type { OperatorCall } from './index.ts';
import type { ProjectionDeps } from './projection.ts';

export interface ReconcileActivities {
  /** Holds a page of open cases against their workflows: those that were looked at longest ago, or when full each. */
  compareCases(page: { readonly full: boolean; readonly after: CaseId | null }): Promise<Comparison<CaseId>>;
  /** Looks at a page of running workflows, the newest first, for those without a case. */
  compareWorkflows(page: {
    readonly full: boolean;
    readonly before: Instant | null;
  }): Promise<Comparison<Instant>>;
  /** Looks again at what was doubted, and has mended what is as wrong as before. */
  settleDoubts(task: { readonly doubted: readonly CaseId[] }): Promise<Settled>;
  noteReconciled(outcome: {
    readonly kind: ReconciliationKind;
    readonly counts: Reconciled;
    readonly workflowsBefore: Instant | null;
  }): Promise<void>;
}

interface Comparison<Place> {
  readonly counts: Partial<Reconciled>;
  /** To be looked at once more: a projection lags behind by design. */
  readonly doubted: readonly CaseId[];
  /** Where to go on; null at the end. */
  readonly next: Place | null;
}

interface Settled {
  readonly counts: Partial<Reconciled>;
  readonly calls: readonly OperatorCall[];
}

export interface ReconcileDeps extends ProjectionDeps {
  readonly caseBooks: CaseBooks;
  readonly workflows: CaseWorkflows;
  readonly now: () => Promise<Instant>;
}

/** How a workflow has ended that should not have. */
export type Lost = 'missing' | 'terminated' | 'failed' | 'timed_out' | 'cancelled';

export interface CheckedCase extends Shown {
  readonly caseId: CaseId;
  readonly checkedAs: string | null;
  readonly lost: Lost | null;
}

/** The cases as PostgreSQL has them. */
export interface CaseBooks {
  /** Open cases, those that were checked longest ago first; stamped at once, so that nobody else takes them. */
  takeDue(limit: number): Promise<readonly CheckedCase[]>;
  /** All open cases in the order of their ids. */
  page(after: CaseId | null, limit: number): Promise<readonly CheckedCase[]>;
  read(ids: readonly CaseId[]): Promise<readonly CheckedCase[]>;
  noteChecked(seen: readonly { readonly caseId: CaseId; readonly as: string }[]): Promise<void>;
  noteLost(caseId: CaseId, lost: Lost | null): Promise<void>;
  /** Lost cases that the operator was not told of, stamped as told; few in an hour, since all may be lost at once. */
  takeUntold(): Promise<readonly { readonly caseId: CaseId; readonly at: Instant }[]>;
  /** Where the last regular comparison stopped among the workflows. */
  workflowsBefore(): Promise<Instant | null>;
  note(kind: ReconciliationKind, counts: Reconciled, workflowsBefore: Instant | null): Promise<void>;
}

/** The cases' workflows as Temporal has them. Each call throws when it does not answer. */
export interface CaseWorkflows {
  /** `history`: which run, and how long it is. */
  describe(
    caseId: CaseId,
  ): Promise<{ readonly status: 'running' | 'completed' | Lost; readonly history: string }>;
  file(caseId: CaseId): Promise<OnFile>;
  showAgain(caseId: CaseId, atLeast: number): Promise<void>;
  /** From visibility, which lags, the newest first. `caseId`: null where the id is none of ours. */
  running(page: { readonly before: Instant | null; readonly limit: number }): Promise<{
    readonly workflows: readonly { readonly workflowId: string; readonly caseId: CaseId | null }[];
    readonly next: Instant | null;
  }>;
  idOf(caseId: CaseId): string;
}

const PAGE = 500;
/** They share Temporal with customers who wait for a confirmation. */
const AT_ONCE = 10;
/** Less than the step's own time-out, so that it ends in words (milliseconds). */
const ENOUGH_AFTER = 60_000;
const FOLLOWS_WITHIN = 10_000;

export function createReconcileActivities(deps: ReconcileDeps): ReconcileActivities {
  const { caseBooks, workflows, writeSnapshot } = deps;

  const readOne = async (caseId: CaseId) => (await caseBooks.read([caseId]))[0] ?? null;

  /** @returns what it was seen as, `doubted`, or `lost` as is known already */
  const compareOne = async (row: CheckedCase, anyway: boolean) => {
    const { status, history } = await workflows.describe(row.caseId);
    if (status !== 'running') return status === row.lost ? 'lost' : 'doubted';
    if (row.lost) return 'doubted';
    const as = `${history} ${row.revision}`;
    if (!anyway && row.checkedAs === as) return null;
    const file = await workflows.file(row.caseId);
    const after = await readOne(row.caseId);
    if (after && differenceOf(row, file, after)) return 'doubted';
    return file.isShown ? { caseId: row.caseId, as } : null;
  };

  /** @returns the revision that readers have to come to, when it was wrong */
  const mendOne = async (row: CheckedCase, isOver: boolean): Promise<number | null> => {
    const { caseId } = row;
    const file = await workflows.file(caseId);
    const after = await readOne(caseId);
    if (!after || !differenceOf(row, file, after)) return null;
    const atLeast = Math.max(row.revision, after.revision);
    if (!isOver) await workflows.showAgain(caseId, atLeast);
    else {
      // It can not show itself any more; what it was when it ended is in its history.
      const revision = Math.max(file.revision, atLeast) + 1;
      await writeSnapshot({ caseId, revision, state: file.state, events: [], at: await deps.now() });
    }
    return atLeast + 1;
  };

  const settleOne = async (caseId: CaseId, tally: Tally) => {
    const { status } = await workflows.describe(caseId);
    const row = await readOne(caseId);
    if (!row) {
      if (status === 'running') tally.strays.push(workflows.idOf(caseId));
      return;
    }
    const isOver = status === 'completed';
    if (status !== 'running' && !isOver) {
      if (row.status === 'archived') return;
      if (row.lost !== status) await caseBooks.noteLost(caseId, status);
      tally.lost += 1;
      return;
    }
    if (row.lost) await caseBooks.noteLost(caseId, null);
    const target = await mendOne(row, isOver);
    if (target !== null) tally.targets.set(caseId, target);
  };

  /** How many of them readers see as they should, once their workflows have had the time to write. */
  const followed = async (targets: ReadonlyMap<CaseId, number>): Promise<number> => {
    const end = Date.now() + FOLLOWS_WITHIN;
    for (;;) {
      const rows = targets.size > 0 ? await caseBooks.read([...targets.keys()]) : [];
      const there = rows.filter(({ caseId, revision }) => revision >= (targets.get(caseId) ?? 0)).length;
      if (there === targets.size || Date.now() > end) return there;
      Context.current().heartbeat();
      await Context.current().sleep(250);
    }
  };

  return guard({
    async compareCases({ full, after }) {
      const rows = full ? await caseBooks.page(after, PAGE) : await caseBooks.takeDue(PAGE);
      const seen: { caseId: CaseId; as: string }[] = [];
      const doubted: CaseId[] = [];
      let withoutWorkflow = 0;
      const unanswered = await each(rows, async (row) => {
        const found = await compareOne(row, full);
        if (found === 'lost') withoutWorkflow += 1;
        else if (found === 'doubted') doubted.push(row.caseId);
        else if (found) seen.push(found);
      });
      await caseBooks.noteChecked(seen);
      const next = full && rows.length === PAGE ? (rows.at(-1)?.caseId ?? null) : null;
      return {
        counts: { checked: rows.length - unanswered, withoutWorkflow, unanswered },
        doubted,
        next,
      };
    },

    async compareWorkflows({ full, before }) {
      const from = full ? before : await caseBooks.workflowsBefore();
      const page = await workflows.running({ before: from, limit: PAGE });
      const ours = page.workflows.flatMap(({ caseId }) => caseId ?? []);
      const open = new Set(
        (await caseBooks.read(ours)).filter((row) => row.status !== 'archived').map(({ caseId }) => caseId),
      );
      const strays = page.workflows.flatMap(({ workflowId, caseId }) => (caseId ? [] : workflowId));
      return {
        counts: { withoutCase: strays.length, strays },
        doubted: ours.filter((caseId) => !open.has(caseId)),
        next: page.next,
      };
    },

    async settleDoubts({ doubted }) {
      const tally: Tally = { targets: new Map(), strays: [], lost: 0 };
      const unanswered = await each(doubted, (caseId) => settleOne(caseId, tally));
      const mended = await followed(tally.targets);
      const untold = tally.lost > 0 ? await caseBooks.takeUntold() : [];
      return {
        counts: {
          differing: tally.targets.size,
          mended,
          withoutWorkflow: tally.lost,
          withoutCase: tally.strays.length,
          strays: tally.strays,
          unanswered,
        },
        calls: untold.map((one) => ({ ...one, kind: 'workflow_lost' })),
      };
    },

    noteReconciled: ({ kind, counts, workflowsBefore }) => caseBooks.note(kind, counts, workflowsBefore),
  } satisfies ReconcileActivities);
}

interface Tally {
  /** What was shown again, and the revision that readers have to come to. */
  readonly targets: Map<CaseId, number>;
  readonly strays: string[];
  lost: number;
}

/** Some at a time, as long as there is time. @returns how many could not be done */
async function each<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<number> {
  const end = Date.now() + ENOUGH_AFTER;
  const left = [...all];
  let failed = 0;
  const takeTurns = async () => {
    for (let one = left.shift(); one !== undefined && Date.now() < end; one = left.shift()) {
      await work(one).catch(() => (failed += 1));
      Context.current().heartbeat();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
  return failed + left.length;
}
