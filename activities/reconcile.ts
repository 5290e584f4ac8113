import { compareProjection } from '../src/domain/compare-projection.ts';
import type { CaseId } from '../src/domain/ids.ts';
import type { Instant } from '../src/domain/instant.ts';
import type { CaseClient } from '../src/temporal/case-client.ts';
import type { ReconcileResult, ReconciliationKind } from '../workflows/contract.ts';
import type { CheckedCase, ReconcileActivities, WorkflowLoss } from './contract.ts';
import { guard } from './failures.ts';
import type { ProjectionDeps } from './index.ts';
import { createSettleDiscrepancies, runBounded } from './settle-discrepancies.ts';

export interface ReconcileDeps extends ProjectionDeps {
  readonly reconcileRepository: ReconcileRepository;
  readonly caseClient: Pick<
    CaseClient,
    'describe' | 'readSnapshot' | 'reproject' | 'listRunning' | 'workflowIdOf'
  >;
  readonly now: () => Promise<Instant>;
}

/** The cases as PostgreSQL has them. */
export interface ReconcileRepository {
  /** Open cases, those that were checked longest ago first; stamped at once, so that nobody else takes them. */
  takeDue(limit: number): Promise<readonly CheckedCase[]>;
  /** All open cases in the order of their ids. */
  page(after: CaseId | null, limit: number): Promise<readonly CheckedCase[]>;
  read(ids: readonly CaseId[]): Promise<readonly CheckedCase[]>;
  noteChecked(seen: readonly { readonly caseId: CaseId; readonly as: string }[]): Promise<void>;
  noteLost(caseId: CaseId, lost: WorkflowLoss | null): Promise<void>;
  /** Lost cases that the operator was not alerted of, stamped as told; few in an hour, since all may be lost at once. */
  takeUntold(): Promise<
    readonly { readonly caseId: CaseId; readonly at: Instant; readonly lost: WorkflowLoss }[]
  >;
  /** Where the last regular comparison stopped among the workflows. */
  workflowsBefore(): Promise<Instant | null>;
  note(kind: ReconciliationKind, counts: ReconcileResult, workflowsBefore: Instant | null): Promise<void>;
}

const PAGE_SIZE = 500;

export function createReconcileActivities(deps: ReconcileDeps): ReconcileActivities {
  const { reconcileRepository, caseClient } = deps;

  const readOne = async (caseId: CaseId) => (await reconcileRepository.read([caseId]))[0] ?? null;

  /** @returns what it was seen as, `differs`, or `lost` as is known already */
  const compareOne = async (row: CheckedCase, anyway: boolean) => {
    const { status, history } = await caseClient.describe(row.caseId);
    if (status !== 'running') return status === row.lost ? 'lost' : 'differs';
    if (row.lost) return 'differs';
    const as = `${history} ${row.revision}`;
    if (!anyway && row.checkedAs === as) return null;
    const file = await caseClient.readSnapshot(row.caseId);
    const after = await readOne(row.caseId);
    if (after && compareProjection(row, file, after)) return 'differs';
    return file.isShown ? { caseId: row.caseId, as } : null;
  };

  return guard({
    async compareCases({ full, after }) {
      const rows = full
        ? await reconcileRepository.page(after, PAGE_SIZE)
        : await reconcileRepository.takeDue(PAGE_SIZE);
      const seen: { caseId: CaseId; as: string }[] = [];
      const discrepancies: CaseId[] = [];
      let withoutWorkflow = 0;
      const unanswered = await runBounded(rows, async (row) => {
        const found = await compareOne(row, full);
        if (found === 'lost') withoutWorkflow += 1;
        else if (found === 'differs') discrepancies.push(row.caseId);
        else if (found) seen.push(found);
      });
      await reconcileRepository.noteChecked(seen);
      const next = full && rows.length === PAGE_SIZE ? (rows.at(-1)?.caseId ?? null) : null;
      return {
        counts: { checked: rows.length - unanswered, withoutWorkflow, unanswered },
        discrepancies,
        next,
      };
    },

    async compareWorkflows({ full, before }) {
      const from = full ? before : await reconcileRepository.workflowsBefore();
      const page = await caseClient.listRunning({ before: from, limit: PAGE_SIZE });
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
