import type { Command } from '@commander-js/extra-typings';
import { recallCase } from '../../cases/commands.ts';
import { examples, note } from '../arguments.ts';
import { type Run, YES } from '../operation.ts';
import { wrongUsage } from '../operator-error.ts';
import { caseCommand, findCase, forCase } from './current-case.ts';
import { executeCommand } from './execute.ts';

/** What cannot be undone: each asks for the beginning of the case's id. */
export function endingCommands(parent: Command, run: Run): void {
  caseCommand(
    parent,
    'cancel',
    'cancel the appointment at the clinic; the customer is told, and may book again',
  )
    .option('--identity-checked <how>', 'when the customer asked: how you made sure who it is', note)
    .option('--reason <text>', 'otherwise: why', note)
    .option(...YES)
    .addHelpText(
      'after',
      examples(
        'case cancel 3f2a9c1e --identity-checked "called back"  # the customer asked for it by phone',
        'case cancel 3f2a9c1e --reason "the practitioner is ill" --yes  # in a script',
      ),
    )
    .action((text, { identityChecked, reason, yes }) =>
      run(async (operation) => {
        if (identityChecked === undefined && reason === undefined) {
          throw wrongUsage(
            'Say --identity-checked "<how>" when the customer asked for it, or --reason "<why>": it is kept in the log.',
          );
        }
        const view = await findCase(operation, text);
        return executeCommand(operation, view, 'cancel', {
          execute: () => operation.caseClient.execute(view, 'cancel', {}, 'operator'),
          note: [identityChecked && `Identity: ${identityChecked}`, reason].filter(Boolean).join('; '),
          warning: { what: `The appointment of case ${view.id} will be cancelled at the clinic.`, yes },
          did: 'Cancelled.',
        });
      }),
    );

  caseCommand(
    parent,
    'recall',
    'end a case for its partner; an appointment is cancelled, and the customer told',
  )
    .requiredOption('--reason <text>', 'why; the partner reads it on the case', note)
    .option(...YES)
    .addHelpText(
      'after',
      examples('case recall 3f2a9c1e --reason "Settled otherwise"  # as the partner asked'),
    )
    .action((text, { reason, yes }) =>
      forCase(run, text, (operation, view) => {
        const what = `Case ${view.id} of ${view.partner_name} will be recalled, and cannot be booked again.`;
        return executeCommand(operation, view, 'recall', {
          execute: () => recallCase(operation, view, { reason, actor: 'operator' }),
          note: reason,
          warning: { what, yes },
          did: 'Recalled.',
        });
      }),
    );

  caseCommand(parent, 'archive', 'close a case for good')
    .option(...YES)
    .addHelpText('after', examples('case archive 3f2a9c1e  # one that is over'))
    .action((text, { yes }) =>
      forCase(run, text, (operation, view) =>
        executeCommand(operation, view, 'archive', {
          execute: () => operation.caseClient.execute(view, 'archive', {}, 'operator'),
          warning: { what: `Case ${view.id} will be closed for good.`, yes },
          did: 'Archived.',
        }),
      ),
    );
}
