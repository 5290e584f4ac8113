import type { Command } from '@commander-js/extra-typings';
import { timeInList } from '../../calendar/format.ts';
import { confirm, YES } from '../confirm.ts';
import { Ending } from '../ending.ts';
import { examples } from '../examples.ts';
import { note } from '../inputs.ts';
import { answer, logged, type Run } from '../operation.ts';
import { CASE, findCase } from './find-case.ts';

/** The way back for a case whose workflow is gone. */
export function restartCommand(parent: Command, run: Run): void {
  parent
    .command('restart')
    .description('start the workflow of an open case again, after it was terminated, has failed or is gone')
    .argument(...CASE)
    .option('--note <text>', "why; kept in the operators' log", note)
    .option(...YES)
    .addHelpText(
      'after',
      examples(
        ['case list --attention workflow_lost', 'the cases that it is for'],
        ['case restart 3f2a9c1e --note "terminated by mistake"', 'bring one back'],
      ),
    )
    .action((text, { note: words, yes }) =>
      run(async (operation) => {
        const view = await findCase(operation, text);
        const { workflows } = operation;
        if (view.status === 'archived') {
          throw new Ending(
            'refused',
            'CASE_IS_OVER',
            'The case is archived: there is nothing to start again.',
          );
        }
        if (view.workflow_started_at === null) {
          throw new Ending(
            'refused',
            'NOT_STARTED_YET',
            'Its workflow was never started: a worker does that within seconds of Temporal being there.',
          );
        }
        const status = await workflows.statusOf(view.id).catch(() => {
          throw away();
        });
        if (status === 'running')
          return answer('Its workflow is running.', { caseId: view.id, changed: false, workflow: status });
        await confirm(operation, {
          what:
            `The workflow of case ${view.id} is ${status}. It will be started again as the case is written down ` +
            `(${view.status}, ${timeInList(view.updated_at)}); a message that was on its way may be lost.`,
          expected: view.id.slice(0, 8),
          yes,
        });
        const entry = { action: 'case.restart', caseId: view.id, note: words };
        const runs = await logged(operation, entry, () =>
          workflows.restart(view).catch(() => {
            throw away();
          }),
        );
        if (!runs) {
          throw new Ending(
            'refused',
            'WORKFLOW_IS_OVER',
            'Its workflow has come to its end, so the case is over: `operator reconcile --full` writes that down.',
          );
        }
        return answer('Its workflow runs again.', { caseId: view.id, changed: true, workflow: 'running' });
      }),
    );
}

const away = () =>
  new Ending(
    'away',
    'TEMPORARILY_UNAVAILABLE',
    'Temporal does not answer. Look with `operator case show` before you try again.',
  );
