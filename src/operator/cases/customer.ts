import type { Command } from '@commander-js/extra-typings';
import { formatTimestamp } from '../../calendar/format.ts';
import { bookingIdOf } from '../../domain/case-state.ts';
import { type CaseView, readBoundSince } from '../../postgres/cases.ts';
import { listUnboundPersons, readmitPerson, unbindPerson } from '../../postgres/customers.ts';
import { examples, note, wholeNumber } from '../arguments.ts';
import { answer, type Answer, confirm, logged, type Operation, type Run, YES } from '../operation.ts';
import { notFound, wrongUsage } from '../operator-error.ts';
import { caseCommand, forCase } from './current-case.ts';

/** Whose a case is: what the eID and the name decided, taken back (docs/contract.md §3). */
export function customerCommands(parent: Command, run: Run): void {
  caseCommand(
    parent,
    'unbind',
    'take a case from whoever logged in to it, and log them out; they stay out, and the next person whose name matches is bound',
  )
    .requiredOption('--reason <text>', "why; kept with the case and in the operators' log", note)
    .option(...YES)
    .addHelpText(
      'after',
      examples('case unbind 3f2a9c1e --reason "a namesake had opened the link"  # the wrong person'),
    )
    .action((text, options) => forCase(run, text, (operation, view) => unbind(operation, view, options)));

  caseCommand(
    parent,
    'readmit',
    'let somebody who was unbound log in to a case again; bound is whoever does first',
  )
    .requiredOption('--reason <text>', "why; kept in the operators' log", note)
    .option(
      '--person <number>',
      'which, as `case show` numbers them',
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
    )
    .addHelpText(
      'after',
      examples('case readmit 3f2a9c1e --reason "it was the right one after all"  # the only one unbound'),
    )
    .action((text, options) => forCase(run, text, (operation, view) => readmit(operation, view, options)));
}

async function unbind(
  operation: Operation,
  view: CaseView,
  { reason, yes }: { readonly reason: string; readonly yes?: true | undefined },
): Promise<Answer> {
  const { database, operator } = operation;
  const nobody = answer('Nobody is bound to the case.', { caseId: view.id, changed: false });
  if (!(await readBoundSince(database, view.id))) return nobody;
  const booked = bookingIdOf(view.state) ? ' Its appointment stays.' : '';
  await confirm(
    operation,
    `Whoever is bound to case ${view.id} will be logged out everywhere, and kept out of it.${booked}`,
    { expected: view.id.slice(0, 8), yes, undo: 'Only `case readmit` lets them in again' },
  );
  const entry = { action: 'case.unbind', caseId: view.id, note: reason };
  const unbindThem = () => unbindPerson(database, view.id, { by: operator, reason });
  if (!(await logged(operation, entry, unbindThem))) return nobody;
  return answer(
    'Unbound. They are logged out everywhere, and kept out of this case. The next person whose name matches is bound ' +
      'when they log in from now on.',
    { caseId: view.id, changed: true },
  );
}

async function readmit(
  operation: Operation,
  view: CaseView,
  { reason, person }: { readonly reason: string; readonly person?: number | undefined },
): Promise<Answer> {
  const { database, operator } = operation;
  const unbound = await listUnboundPersons(database, view.id);
  if (person !== undefined && !unbound.some(({ id }) => id === person))
    throw notFound(`Nobody with the number ${person} was unbound from case ${view.id}.`);
  const isMeant = (id: number) => person === undefined || id === person;
  const [only, ...others] = unbound.filter(({ id, readmittedAt }) => isMeant(id) && readmittedAt === null);
  const nobody = answer('Nobody is kept out of the case.', { caseId: view.id, changed: false });
  if (!only) return nobody;
  if (others.length > 0) {
    const lines = [only, ...others].map(
      ({ id, unboundAt, reason: why }) => `  ${id}  unbound ${formatTimestamp(unboundAt)}: ${why}`,
    );
    throw wrongUsage(`Several are kept out, so say which with --person:\n${lines.join('\n')}`, {
      persons: [only, ...others].map(({ id }) => id),
    });
  }
  const entry = { action: 'case.readmit', caseId: view.id, note: `Person ${only.id}: ${reason}` };
  if (!(await logged(operation, entry, () => readmitPerson(database, only.id, operator)))) return nobody;
  return answer('Readmitted. They are bound when they log in, unless somebody else is by then.', {
    caseId: view.id,
    changed: true,
    person: only.id,
  });
}
