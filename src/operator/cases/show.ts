import type { Command } from '@commander-js/extra-typings';
import { enterLog, noteOutcome } from '../../postgres/operator-log.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import { wrongUsage } from '../ending.ts';
import { examples } from '../examples.ts';
import { note } from '../inputs.ts';
import { answer, type Operation, type Run } from '../operation.ts';
import { parts } from '../text.ts';
import { CASE, findCase } from './find-case.ts';
import { personalView, type PersonalView } from './personal-view.ts';
import { plainView } from './plain-view.ts';
import { personalText, plainText } from './show-text.ts';
import { stateNow } from './state-now.ts';

/** A case: everything that is not personal; with `--reveal`, and a reason that is logged, the rest. */
export function showCommand(parent: Command, run: Run): void {
  parent
    .command('show')
    .description('where a case stands, what happens next, and all that has happened; nothing personal')
    .argument(...CASE)
    .option(
      '--reveal',
      'names, addresses, the injury and what was written too; needs --reason, and is logged',
    )
    .option('--reason <text>', 'why you have to see it', note)
    .addHelpText(
      'after',
      examples(
        ['case show 3f2a9c1e', 'by the beginning of its id'],
        ['case show TF-2026-000123', "by the partner's reference"],
        ['case show 3f2a9c1e --reveal --reason "the customer asked to be called"', 'whom to call'],
      ),
    )
    .action((text, { reveal, reason }) =>
      run(async (operation) => {
        if (reveal && reason === undefined)
          throw wrongUsage('--reveal shows personal data, so say why: --reason "<text>". It is logged.');
        if (!reveal && reason !== undefined) throw wrongUsage('--reason goes with --reveal.');
        const view = await findCase(operation, text);
        const plain = await plainView(operation, view, await stateNow(operation, view));
        const personal = reason === undefined ? null : await reveals(operation, view, reason);
        return answer(parts(plainText(plain), personal && personalText(personal)), {
          ...plain,
          ...(personal ? { personal } : {}),
        });
      }),
    );
}

/** Written down before anything is shown: where that fails, nothing is. */
async function reveals(operation: Operation, view: CaseView, reason: string): Promise<PersonalView> {
  const { database, operator, terminal } = operation;
  const id = await enterLog(database, { operator, action: 'case.reveal', caseId: view.id, note: reason });
  await noteOutcome(database, id, 'done');
  terminal.say(`Logged: ${operator} sees the personal data of this case.`);
  return personalView(operation, view);
}
