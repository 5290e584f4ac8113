import type { ReconcileResult } from '../../workflows/contract.ts';
import { countReconciledToday, readLastReconciliations } from '../postgres/reconciliation.ts';
import type { InputOf } from './descriptions/index.ts';
import { answer, type Answer, logged, type Operation } from './operation.ts';
import { temporalUnavailable, wrongUsage } from './operator-error.ts';
import { facts, parts, table, titled } from './view.ts';

/** Compares cases with their workflows on demand; workers do it every minute, and in full at night. */
export async function reconcile(
  operation: Operation,
  { full = false, workflowsWin = false, last }: InputOf<'reconcile'>,
): Promise<Answer> {
  if (last && (full || workflowsWin))
    throw wrongUsage('--last compares nothing, so it takes no other option.');
  if (last) return lastResults(operation);
  operation.say('A worker compares; differences are checked again after ten seconds.');
  const note = [full && 'full', workflowsWin && 'workflows win'].filter(Boolean).join(', ');
  const counts = await logged(operation, { note: note || undefined }, () =>
    operation.reconcile({ full, workflowsWin }).catch(() => {
      throw temporalUnavailable(
        'No worker finished in time: are Temporal and a worker running? It may go on; `reconcile --last` shows its end.',
      );
    }),
  );
  return answer(parts(countsText(counts), advice(counts)), counts);
}

async function lastResults({ database }: Operation): Promise<Answer> {
  const rows = await readLastReconciliations(database);
  const today = await countReconciledToday(database);
  const orphans = [...new Set(rows.flatMap((row) => row.orphans))];
  return answer(
    parts(
      table(
        { Kind: ({ kind }) => kind.replace('_', ' '), When: 'at', ...COUNTS },
        rows,
        'Nothing was compared yet.',
      ),
      `Within 24 hours: ${today.differing} differing, ${today.mended} repaired.`,
      orphans.length > 0 ? titled('Workflows without a case', orphans.join('\n')) : null,
    ),
    { data: rows, today },
  );
}

const COUNTS = {
  Checked: 'checked',
  Differing: 'differing',
  Repaired: 'mended',
  'Without workflow': 'withoutWorkflow',
  'Without case': 'withoutCase',
  Unanswered: 'unanswered',
} as const satisfies Record<string, keyof ReconcileResult>;

const countsText = (counts: ReconcileResult) =>
  facts([
    ...Object.entries(COUNTS).map(([name, key]) => [name, counts[key]] as const),
    ['Held back', counts.heldBack || null],
    ['Orphans', counts.orphans],
  ]);

function advice({ heldBack, withoutWorkflow, withoutCase, unanswered }: ReconcileResult): string | null {
  const lines: [count: number, advice: string][] = [
    [
      heldBack,
      'Many workflows are behind what readers were shown: was an older Temporal restored? They were left alone. ' +
        '`operator case list --attention workflow_behind` shows them; `operator reconcile --full --workflows-win` lets the workflows count. docs/operations/recovery.md has the other way.',
    ],
    [
      withoutWorkflow,
      '`operator case list --attention workflow_lost` shows those without a workflow; `operator case restart` starts one again, with --all-lost all of them.',
    ],
    [
      withoutCase,
      'A workflow without a case is left alone: PostgreSQL may be an older backup. docs/operations/recovery.md says what to do.',
    ],
    [unanswered, 'What did not answer is compared again next time.'],
  ];
  return lines.flatMap(([count, line]) => (count > 0 ? [line] : [])).join('\n') || null;
}
