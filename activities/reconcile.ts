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
  /**
   * Looks again at what was doubted, and has mended what is as wrong as before.
   *
   * @param task `checked`: among how many cases; `workflowsWin`: also where many of them know less than readers do
   */
  settleDoubts(task: {
    readonly doubted: readonly CaseId[];
    readonly checked: number;
    readonly workflowsWin?: boolean | undefined;
  }): Promise<Settled>;
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

/** How a workflow has ended that should not have; `behind`: it runs, and knows less than readers were shown. */
export type Lost = 'missing' | 'terminated' | 'failed' | 'timed_out' | 'cancelled' | 'behind';

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
  takeUntold(): Promise<readonly { readonly caseId: CaseId; readonly at: Instant; readonly lost: Lost }[]>;
  /** Where the last regular comparison stopped among the workflows. */
  workflowsBefore(): Promise<Instant | null>;
  note(kind: ReconciliationKind, counts: Reconciled, workflowsBefore: Instant | null): Promise<void>;
}

/** The cases' workflows as Temporal has them. Each call throws when it does not answer. */
export interface CaseWorkflows {
  /** `history`: which run, and how long it is. */
  describe(caseId: CaseId): Promise<{
    readonly status: 'running' | 'completed' | Exclude<Lost, 'behind'>;
    readonly history: string;
  }>;
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
/** More than these ahead of their workflows at once, and more than one in five: rather an older backup of Temporal. */
const FEW = 2;
const ONE_IN = 5;

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

  /** @returns what is wrong with it, as it is read now */
  const doubtOf = async (row: CheckedCase, isOver: boolean): Promise<Wrong | null> => {
    const file = await workflows.file(row.caseId);
    const after = await readOne(row.caseId);
    const difference = after && differenceOf(row, file, after);
    if (!after || !difference) return null;
    return { row, isOver, file, difference, atLeast: Math.max(row.revision, after.revision) };
  };

  const mendOne = async ({ row: { caseId, lost }, isOver, file, atLeast }: Wrong, tally: Tally) => {
    if (lost) await caseBooks.noteLost(caseId, null);
    if (!isOver) await workflows.showAgain(caseId, atLeast);
    else {
      // It can not show itself any more; what it was when it ended is in its history.
      const revision = Math.max(file.revision, atLeast) + 1;
      await writeSnapshot({ caseId, revision, state: file.state, events: [], at: await deps.now() });
    }
    tally.targets.set(caseId, atLeast + 1);
  };

  /** Nobody has taken back so much at once. What was held back before stays so until an operator decides. */
  const holdBack = async (tally: Tally, checked: number) => {
    const ahead = tally.wrong.filter(({ difference, isOver }) => difference === 'ahead' && !isOver);
    const isMany = ahead.length > FEW && ahead.length * ONE_IN > checked;
    const held = ahead.filter(({ row }) => isMany || row.lost === 'behind');
    for (const { row } of held) if (row.lost !== 'behind') await caseBooks.noteLost(row.caseId, 'behind');
    tally.wrong = tally.wrong.filter((one) => !held.includes(one));
    tally.heldBack = held.length;
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
    const wrong = await doubtOf(row, isOver);
    if (wrong) tally.wrong.push(wrong);
    else if (row.lost) await caseBooks.noteLost(caseId, null);
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

    async settleDoubts({ doubted, checked, workflowsWin = false }) {
      const tally: Tally = { wrong: [], targets: new Map(), strays: [], lost: 0, heldBack: 0 };
      const end = Date.now() + ENOUGH_AFTER;
      const unsettled = await each(doubted, (caseId) => settleOne(caseId, tally), end);
      if (!workflowsWin) await holdBack(tally, checked);
      const unanswered = unsettled + (await each(tally.wrong, (wrong) => mendOne(wrong, tally), end));
      const mended = await followed(tally.targets);
      const untold = tally.lost + tally.heldBack > 0 ? await caseBooks.takeUntold() : [];
      return {
        counts: {
          differing: tally.targets.size + tally.heldBack,
          mended,
          heldBack: tally.heldBack,
          withoutWorkflow: tally.lost,
          withoutCase: tally.strays.length,
          strays: tally.strays,
          unanswered,
        },
        calls: untold.map(({ caseId, at, lost }) => ({
          caseId,
          at,
          kind: lost === 'behind' ? 'workflow_behind' : 'workflow_lost',
        })),
      };
    },

    noteReconciled: ({ kind, counts, workflowsBefore }) => caseBooks.note(kind, counts, workflowsBefore),
  } satisfies ReconcileActivities);
}

/** A projection that is not as its workflow has it. */
interface Wrong {
  readonly row: CheckedCase;
  readonly isOver: boolean;
  readonly file: OnFile;
  readonly difference: NonNullable<ReturnType<typeof differenceOf>>;
  /** The revision that readers see. */
  readonly atLeast: number;
}

interface Tally {
  wrong: Wrong[];
  /** What was shown again, and the revision that readers have to come to. */
  readonly targets: Map<CaseId, number>;
  readonly strays: string[];
  lost: number;
  heldBack: number;
}

/** Some at a time, as long as there is time. @returns how many could not be done */
async function each<T>(
  all: readonly T[],
  work: (one: T) => Promise<unknown>,
  end = Date.now() + ENOUGH_AFTER,
): Promise<number> {
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
