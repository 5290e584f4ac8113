import type { Command } from '@commander-js/extra-typings';
import type { ReconcileResult } from '../../workflows/contract.ts';
import { formatTimestamp } from '../calendar/format.ts';
import {
  countReconciledToday,
  readLastReconciliations,
  type ReconciliationRow,
} from '../postgres/reconciliation.ts';
import { examples } from './arguments.ts';
import { answer, type Answer, logged, type Operation, type Run } from './operation.ts';
import { OperatorError, wrongUsage } from './operator-error.ts';
import { facts, parts, table, titled } from './terminal.ts';

/** Holds cases and workflows against each other, by hand; workers do it every minute, and in full at night. */
export function reconcileCommand(program: Command, run: Run): void {
  program
    .command('reconcile')
    .description('hold the cases against their workflows, and mend what readers see of them')
    .option('--full', 'all of them, however long it takes; else the 500 that were looked at longest ago')
    .option('--workflows-win', 'their word counts also where many know less than readers were shown')
    .option('--last', 'do nothing: show what was found by the last ones')
    .addHelpText(
      'after',
      examples(
        ['reconcile --last', 'what the workers found'],
        ['reconcile --full', 'after a backup was restored'],
        ['reconcile --full --workflows-win', 'where that was an older Temporal, and its word is to count'],
      ),
    )
    .action(({ full, workflowsWin, last }) =>
      run(async (operation) => {
        if (last && (full || workflowsWin))
          throw wrongUsage('--last does nothing, so it goes with nothing else.');
        if (last) return lastResults(operation);
        operation.terminal.say('A worker looks; what differs is looked at again after ten seconds.');
        const task = { full: full === true, workflowsWin: workflowsWin === true };
        const words = [task.full && 'full', task.workflowsWin && 'workflows win'].filter(Boolean).join(', ');
        const entry = { action: 'reconcile', note: words === '' ? undefined : words };
        const counts = await logged(operation, entry, () =>
          operation.reconcile(task).catch(() => {
            throw new OperatorError(
              'away',
              'TEMPORARILY_UNAVAILABLE',
              'Nobody has finished it: is Temporal there, and a worker? It may go on; `reconcile --last` shows its end.',
            );
          }),
        );
        return answer(parts(countsText(counts), advice(counts)), counts);
      }),
    );
}

async function lastResults({ database }: Operation): Promise<Answer> {
  const [rows, today] = [await readLastReconciliations(database), await countReconciledToday(database)];
  const strays = [...new Set(rows.flatMap((row) => row.strays))];
  return answer(
    parts(
      table(
        ['Kind', 'When', ...COUNTS.map(([name]) => name)],
        rows.map((row) => [
          row.kind.replace('_', ' '),
          formatTimestamp(row.at),
          ...COUNTS.map(([, key]) => String(row[key])),
        ]),
        'Nothing was compared yet.',
      ),
      `Within 24 hours: ${today.differing} differing, ${today.mended} mended.`,
      strays.length > 0 ? titled('Workflows without a case', () => strays.join('\n')) : null,
    ),
    { data: rows satisfies readonly ReconciliationRow[], today },
  );
}

const COUNTS = [
  ['Checked', 'checked'],
  ['Differing', 'differing'],
  ['Mended', 'mended'],
  ['Without workflow', 'withoutWorkflow'],
  ['Without case', 'withoutCase'],
  ['Unanswered', 'unanswered'],
] as const satisfies [string, keyof ReconcileResult][];

const countsText = (counts: ReconcileResult) =>
  facts([
    ...COUNTS.map(([name, key]) => [name, String(counts[key])] as const),
    ['Held back', counts.heldBack > 0 ? String(counts.heldBack) : null],
    ['Those', counts.strays.length > 0 ? counts.strays.join(', ') : null],
  ]);

const advice = ({ heldBack, withoutWorkflow, withoutCase, unanswered }: ReconcileResult): string | null => {
  const lines = [
    heldBack > 0 &&
      'Many workflows know less than readers were shown: was an older Temporal restored? Nothing was done about them. ' +
        '`operator case list --attention workflow_lost` shows them; `operator reconcile --full --workflows-win` has their word count. docs/operations/recovery.md has the other way.',
    withoutWorkflow > 0 &&
      '`operator case list --attention workflow_lost` shows those without a workflow; `operator case restart` starts one again.',
    withoutCase > 0 &&
      'A workflow without a case is left alone: PostgreSQL may be an older backup. docs/operations/recovery.md says what to do.',
    unanswered > 0 && 'What gave no answer is looked at again by the next comparison.',
  ].filter((line) => line !== false);
  return lines.length > 0 ? lines.join('\n') : null;
};
