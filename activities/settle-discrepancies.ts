import { Context } from '@temporalio/activity';
import pMap from 'p-map';
import { compareProjection, restored, type WorkflowSnapshot } from '../src/domain/compare-projection.ts';
import type { CaseId } from '../src/domain/ids.ts';
import { isImplausible } from '../src/domain/findings.ts';
import type { CheckedCase, ReconcileActivities, ReconcileDeps } from './contract.ts';

const PROJECTION_TIMEOUT_MS = 10_000;
/** A projection that is not as its workflow has it. */
interface Discrepancy {
  readonly row: CheckedCase;
  readonly isOver: boolean;
  readonly file: WorkflowSnapshot;
  readonly difference: NonNullable<ReturnType<typeof compareProjection>>;
  /** The revision that readers see. */
  readonly atLeast: number;
}

interface Tally {
  wrong: Discrepancy[];
  /** What is projected again, and the revision that readers have to come to. */
  readonly targets: Map<CaseId, number>;
  readonly orphans: string[];
  lost: number;
  heldBack: number;
}

/** The second check of what a comparison found different, and what is done about it. */
export function createSettleDiscrepancies(deps: ReconcileDeps): ReconcileActivities['settleDiscrepancies'] {
  const { reconcileRepository, caseClient, writeSnapshot } = deps;

  const readOne = async (caseId: CaseId) => (await reconcileRepository.read([caseId]))[0] ?? null;

  /** @returns what is wrong with it, as it is read now */
  const discrepancyOf = async (row: CheckedCase, isOver: boolean): Promise<Discrepancy | null> => {
    const file = await caseClient.readSnapshot(row.caseId);
    const after = await readOne(row.caseId);
    const difference = after && compareProjection(row, file, after);
    if (!after || !difference) return null;
    return { row, isOver, file, difference, atLeast: Math.max(row.revision, after.revision) };
  };

  const mendOne = async ({ row: { caseId, lost }, isOver, file, atLeast }: Discrepancy, tally: Tally) => {
    if (lost) await reconcileRepository.noteLost(caseId, null);
    if (!isOver) await caseClient.reproject(caseId, atLeast);
    else {
      // It can not write its projection any more; what it was when it ended is in its history.
      const revision = Math.max(file.revision, atLeast) + 1;
      const [{ state }, at] = [file, await deps.now()];
      const events = [{ ...restored(state, at), revision }];
      await writeSnapshot({ caseId, revision, state, events, at });
    }
    tally.targets.set(caseId, atLeast + 1);
  };

  /** Nobody has taken back so much at once. What was held back before stays so until an operator decides. */
  const holdBack = async (tally: Tally, checked: number) => {
    const ahead = tally.wrong.filter(({ difference, isOver }) => difference === 'ahead' && !isOver);
    // rather an older backup of Temporal
    const isMany = isImplausible(ahead.length, checked);
    const held = ahead.filter(({ row }) => isMany || row.lost === 'behind');
    for (const { row } of held)
      if (row.lost !== 'behind') await reconcileRepository.noteLost(row.caseId, 'behind');
    tally.wrong = tally.wrong.filter((one) => !held.includes(one));
    tally.heldBack = held.length;
  };

  const settleOne = async (caseId: CaseId, tally: Tally) => {
    const { status } = await caseClient.describe(caseId);
    const row = await readOne(caseId);
    if (!row) {
      if (status === 'running') tally.orphans.push(caseClient.workflowIdOf(caseId));
      return;
    }
    const isOver = status === 'completed';
    if (status !== 'running' && !isOver) {
      if (row.status === 'archived') return;
      if (row.lost !== status) await reconcileRepository.noteLost(caseId, status);
      tally.lost += 1;
      return;
    }
    const wrong = await discrepancyOf(row, isOver);
    if (wrong) tally.wrong.push(wrong);
    else if (row.lost) await reconcileRepository.noteLost(caseId, null);
  };

  /** How many of them readers see as they should, once their workflows have had the time to write. */
  const followed = async (targets: ReadonlyMap<CaseId, number>): Promise<number> => {
    const end = Date.now() + PROJECTION_TIMEOUT_MS;
    for (;;) {
      const rows = targets.size > 0 ? await reconcileRepository.read([...targets.keys()]) : [];
      const there = rows.filter(({ caseId, revision }) => revision >= (targets.get(caseId) ?? 0)).length;
      if (there === targets.size || Date.now() > end) return there;
      Context.current().heartbeat();
      await Context.current().sleep(250);
    }
  };

  return async ({ discrepancies, checked, workflowsWin = false }) => {
    const tally: Tally = { wrong: [], targets: new Map(), orphans: [], lost: 0, heldBack: 0 };
    const end = endOfStep(deps);
    const settled = await runBounded(discrepancies, (caseId) => settleOne(caseId, tally), end);
    if (!workflowsWin) await holdBack(tally, checked);
    const repaired = await runBounded(tally.wrong, (wrong) => mendOne(wrong, tally), end);
    const mended = await followed(tally.targets);
    return {
      counts: {
        differing: tally.targets.size + tally.heldBack,
        mended,
        heldBack: tally.heldBack,
        withoutWorkflow: tally.lost,
        withoutCase: tally.orphans.length,
        orphans: tally.orphans,
        unanswered: discrepancies.length - done(settled) + tally.wrong.length - done(repaired),
      },
    };
  };
}

const done = ({ tried, failed }: { readonly tried: number; readonly failed: number }): number =>
  tried - failed;

/** They share Temporal with customers who wait for a confirmation. */
const CONCURRENCY = 10;
/** Less than the activity's own timeout, so that it ends in words (milliseconds). */
const TIME_LIMIT_MS = 60_000;

/** Until when a step has time that begins now (milliseconds since 1970). */
export const endOfStep = ({ timeLimitMs = TIME_LIMIT_MS }: Pick<ReconcileDeps, 'timeLimitMs'>): number =>
  Date.now() + timeLimitMs;

/**
 * Some at a time, in their order, as long as there is time; the first one in any case, so that whoever goes on behind those
 * that were tried comes to an end.
 */
export async function runBounded<T>(
  all: readonly T[],
  work: (one: T) => Promise<unknown>,
  end: number,
): Promise<{ readonly tried: number; readonly failed: number }> {
  let tried = 0;
  let failed = 0;
  await pMap(
    all,
    async (one) => {
      if (tried > 0 && Date.now() >= end) return;
      tried += 1;
      await work(one).catch(() => {
        failed += 1;
      });
      Context.current().heartbeat();
    },
    { concurrency: CONCURRENCY },
  );
  return { tried, failed };
}
