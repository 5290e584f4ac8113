import type { Command } from '@commander-js/extra-typings';
import type { ReconcileResult } from '../../workflows/contract.ts';
import { countReconciledToday, readLastReconciliations } from '../postgres/reconciliation.ts';
import { examples } from './arguments.ts';
import { answer, type Answer, logged, type Operation, type Run } from './operation.ts';
import { temporalUnavailable, wrongUsage } from './operator-error.ts';
import { facts, parts, table, titled } from './terminal.ts';

/** Compares cases with their workflows on demand; workers do it every minute, and in full at night. */
export function reconcileCommand(program: Command, run: Run): void {
  program
    .command('reconcile')
    .description('compare cases with their workflows, and repair the projection that readers see')
    .option('--full', 'all of them, however long it takes; else the 500 least recently compared')
    .option('--workflows-win', 'the workflows count also where many are behind what readers were shown')
    .option('--last', 'compare nothing: show the last results')
    .addHelpText(
      'after',
      examples(
        'reconcile --last  # what the workers found',
        'reconcile --full  # after a backup was restored',
        'reconcile --full --workflows-win  # where that was an older Temporal, and its state is to count',
      ),
    )
    .action(({ full = false, workflowsWin = false, last }) =>
      run(async (operation) => {
        if (last && (full || workflowsWin))
          throw wrongUsage('--last compares nothing, so it takes no other option.');
        if (last) return lastResults(operation);
        operation.terminal.say('A worker compares; differences are checked again after ten seconds.');
        const note = [full && 'full', workflowsWin && 'workflows win'].filter(Boolean).join(', ');
        const entry = { action: 'reconcile', note: note || undefined };
        const counts = await logged(operation, entry, () =>
          operation.reconcile({ full, workflowsWin }).catch(() => {
            throw temporalUnavailable(
              'No worker finished in time: are Temporal and a worker running? It may go on; `reconcile --last` shows its end.',
            );
          }),
        );
        return answer(parts(countsText(counts), advice(counts)), counts);
      }),
    );
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
      orphans.length > 0 ? titled('Workflows without a case', () => orphans.join('\n')) : null,
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
        '`operator case list --attention workflow_lost` shows them; `operator reconcile --full --workflows-win` lets the workflows count. docs/operations/recovery.md has the other way.',
    ],
    [
      withoutWorkflow,
      '`operator case list --attention workflow_lost` shows those without a workflow; `operator case restart` starts one again.',
    ],
    [
      withoutCase,
      'A workflow without a case is left alone: PostgreSQL may be an older backup. docs/operations/recovery.md says what to do.',
    ],
    [unanswered, 'What did not answer is compared again next time.'],
  ];
  return lines.flatMap(([count, line]) => (count > 0 ? [line] : [])).join('\n') || null;
}
