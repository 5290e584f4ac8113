import { recallCase } from '../../cases/commands.ts';
import type { InputOf } from '../descriptions/index.ts';
import { wrongUsage } from '../operator-error.ts';
import { forCase } from './current-case.ts';
import { executeCommand } from './execute.ts';

export const cancelBooking = forCase((operation, view, input: InputOf<'case cancel'>) => {
  const { identityChecked, reason } = input;
  if (identityChecked === undefined && reason === undefined) {
    throw wrongUsage(
      'Say --identity-checked "<how>" when the customer asked for it, or --reason "<why>": it is kept in the log.',
    );
  }
  return executeCommand(operation, view, 'cancel', {
    execute: () => operation.caseClient.execute(view, 'cancel', {}, 'operator'),
    note: [identityChecked && `Identity: ${identityChecked}`, reason].filter(Boolean).join('; '),
    warning: `The appointment of case ${view.id} will be cancelled at the clinic.`,
    did: 'Cancelled.',
  });
});

export const recall = forCase((operation, view, { reason }: InputOf<'case recall'>) =>
  executeCommand(operation, view, 'recall', {
    execute: () => recallCase(operation, view, { reason, author: { actor: 'operator' } }),
    note: reason,
    warning: `Case ${view.id} of ${view.partner_name} will be recalled, and cannot be booked again.`,
    did: 'Recalled.',
  }),
);

export const archive = forCase((operation, view, _: InputOf<'case archive'>) =>
  executeCommand(operation, view, 'archive', {
    execute: () => operation.caseClient.execute(view, 'archive', {}, 'operator'),
    warning: `Case ${view.id} will be closed for good.`,
    did: 'Archived.',
  }),
);
