import { compareProjection } from '../src/domain/compare-projection.ts';
import type { CaseId } from '../src/domain/ids.ts';
import type { CheckedCase, ReconcileActivities, ReconcileDeps } from './contract.ts';
import { guard } from './failures.ts';
import { createSettleDiscrepancies, endOfStep, runBounded } from './settle-discrepancies.ts';

/** A page each minute is a million cases in eight hours. */
const CASES = 2_000;
/** As many as Temporal tells of at once. */
const WORKFLOWS = 1_000;

export function createReconcileActivities(deps: ReconcileDeps): ReconcileActivities {
  const { reconcileRepository, caseClient } = deps;

  const readOne = async (caseId: CaseId) => (await reconcileRepository.read([caseId]))[0] ?? null;

  /** @returns what it was seen as, `differs`, or `lost` as is known already */
  const compareOne = async (row: CheckedCase, anyway: boolean) => {
    const { status, history } = await caseClient.describe(row.caseId);
    if (status !== 'running') return status === row.lost ? 'lost' : 'differs';
    if (row.lost) return 'differs';
    const as = `${history} ${row.revision} ${row.fingerprint}`;
    if (!anyway && row.checkedAs === as) return null;
    const file = await caseClient.readSnapshot(row.caseId);
    const after = await readOne(row.caseId);
    if (after && compareProjection(row, file, after)) return 'differs';
    return file.isShown ? { caseId: row.caseId, as } : null;
  };

  return guard({
    async compareCases({ full, asksEach, after }) {
      const rows = full
        ? await reconcileRepository.page(after, CASES)
        : await reconcileRepository.takeDue(CASES);
      const seen: { caseId: CaseId; as: string }[] = [];
      const discrepancies: CaseId[] = [];
      let withoutWorkflow = 0;
      const compare = async (row: CheckedCase) => {
        const found = await compareOne(row, asksEach);
        if (found === 'lost') withoutWorkflow += 1;
        else if (found === 'differs') discrepancies.push(row.caseId);
        else if (found) seen.push(found);
      };
      const { tried, failed } = await runBounded(rows, compare, endOfStep(deps));
      await reconcileRepository.noteChecked(seen);
      const last = rows[tried - 1]?.caseId ?? null;
      // what there was no time for is the next page's
      const isCutOff = tried < rows.length;
      if (isCutOff && last && !full) await reconcileRepository.goOnBehind(last);
      const next = full && (isCutOff || rows.length === CASES) ? last : null;
      return {
        counts: { checked: tried - failed, withoutWorkflow, unanswered: failed },
        discrepancies,
        next,
      };
    },

    async compareWorkflows({ full, before }) {
      const from = full ? before : await reconcileRepository.workflowsBefore();
      const page = await caseClient.listRunning({ before: from, limit: WORKFLOWS });
      const ours = page.workflows.flatMap(({ caseId }) => caseId ?? []);
      const open = new Set(
        (await reconcileRepository.read(ours))
          .filter((row) => row.status !== 'archived')
          .map(({ caseId }) => caseId),
      );
      const orphans = page.workflows.flatMap(({ workflowId, caseId }) => (caseId ? [] : workflowId));
      return {
        counts: { withoutCase: orphans.length, orphans },
        discrepancies: ours.filter((caseId) => !open.has(caseId)),
        next: page.next,
      };
    },

    settleDiscrepancies: createSettleDiscrepancies(deps),

    noteReconciled: ({ kind, counts, workflowsBefore }) =>
      reconcileRepository.note(kind, counts, workflowsBefore),
  } satisfies ReconcileActivities);
}
