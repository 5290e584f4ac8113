import { bookingIdOf } from '../../domain/case-state.ts';
import { listUnboundPersons, readBoundSince, readmitPerson, unbindPerson } from '../../postgres/customers.ts';
import type { InputOf } from '../descriptions/index.ts';
import { answer, confirm, logged } from '../operation.ts';
import { choiceRequired, notFound } from '../operator-error.ts';
import { table } from '../view.ts';
import { forCase } from './current-case.ts';

// Whose a case is: what the eID and the name decided, taken back (docs/contract.md §3).

export const unbind = forCase(async (operation, view, { reason }: InputOf<'case unbind'>) => {
  const { database, actor } = operation;
  const nobody = answer('Nobody is bound to the case.', { caseId: view.id, changed: false });
  if (!(await readBoundSince(database, view.id))) return nobody;
  const booked = bookingIdOf(view.state) ? ' Its appointment stays.' : '';
  confirm(
    operation,
    `Whoever is bound to case ${view.id} will be logged out everywhere, and kept out of it.${booked}`,
    { expected: view.id.slice(0, 8), undo: 'Only `case readmit` lets them in again' },
  );
  const unbindThem = () => unbindPerson(database, view.id, { by: actor.name, reason });
  if (!(await logged(operation, { caseId: view.id, note: reason }, unbindThem))) return nobody;
  return answer(
    'Unbound. They are logged out everywhere, and kept out of this case. The next person whose name matches is bound ' +
      'when they log in from now on.',
    { caseId: view.id, changed: true },
  );
});

export const readmit = forCase(async (operation, view, { reason, person }: InputOf<'case readmit'>) => {
  const { database, actor } = operation;
  const unbound = await listUnboundPersons(database, view.id);
  if (person !== undefined && !unbound.some(({ id }) => id === person))
    throw notFound(`Nobody with the number ${person} was unbound from case ${view.id}.`);
  const isMeant = (id: number) => person === undefined || id === person;
  const kept = unbound.filter(({ id, readmittedAt }) => isMeant(id) && readmittedAt === null);
  const nobody = answer('Nobody is kept out of the case.', { caseId: view.id, changed: false });
  const [only, ...others] = kept;
  if (!only) return nobody;
  if (others.length > 0) {
    const persons = kept.map(({ id }) => id);
    const columns = {
      Person: 'id',
      Unbound: 'unboundAt',
      Why: 'reason',
    } as const;
    const message = 'Several are kept out, so say which with --person:';
    throw choiceRequired('person', persons, message, table(columns, kept, ''), { persons });
  }
  const entry = { caseId: view.id, note: `Person ${only.id}: ${reason}` };
  if (!(await logged(operation, entry, () => readmitPerson(database, only.id, actor.name)))) return nobody;
  return answer('Readmitted. They are bound when they log in, unless somebody else is by then.', {
    caseId: view.id,
    changed: true,
    person: only.id,
  });
});
