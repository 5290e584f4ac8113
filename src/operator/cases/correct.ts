import { changeCase, changesOf } from '../../cases/commands.ts';
import { email, name, phone } from '../../http/fields.ts';
import { readCase } from '../../postgres/cases.ts';
import type { InputOf } from '../descriptions/index.ts';
import { checked } from '../input-rules.ts';
import { logged } from '../operation.ts';
import { wrongUsage } from '../operator-error.ts';
import { caseAnswer, currentState, forCase } from './current-case.ts';
import { checkPermitted, stateOrThrow } from './execute.ts';

/** Corrects who and where the customer is. */
export const correct = forCase(async (operation, view, input: InputOf<'case correct'>) => {
  const { smsCountries } = operation.settings;
  const rules = { email, phone: phone(smsCountries), firstName: name, lastName: name };
  const corrected = checked(rules, input);
  if (Object.keys(corrected).length === 0)
    throw wrongUsage('Say what to correct: --email, --phone, --first-name, --last-name.');
  const { channels, names } = changesOf(view, corrected);
  if (channels.length > 0) checkPermitted(operation, await currentState(operation, view), 'changeContact');
  if (names.length > 0) checkPermitted(operation, await currentState(operation, view), 'correctName');
  const changed = channels.length + names.length > 0;
  const apply = async () =>
    stateOrThrow(
      operation,
      await changeCase(operation, view, { ...corrected, author: { actor: 'operator' } }),
    );
  const note = [...channels, ...(names.length > 0 ? ['name'] : [])].join(', ');
  await (changed ? logged(operation, { caseId: view.id, note }, apply) : apply());
  const after = (await readCase(operation.database, view.id)) ?? view;
  const { state } = await currentState(operation, after);
  const did = changed ? 'Corrected.' : 'That is what the case has already.';
  return caseAnswer(operation, after, state, { did, changed });
});
