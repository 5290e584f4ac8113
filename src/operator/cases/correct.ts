import type { Command } from '@commander-js/extra-typings';
import { z } from 'zod';
import { changeCase, changesOf } from '../../cases/commands.ts';
import { email, name, phone } from '../../http/fields.ts';
import { type CaseView, readCase } from '../../postgres/cases.ts';
import { examples } from '../arguments.ts';
import { type Answer, logged, type Operation, type Run } from '../operation.ts';
import { wrongUsage } from '../operator-error.ts';
import { caseAnswer, caseCommand, currentState, forCase } from './current-case.ts';
import { checkPermitted, stateOrThrow } from './execute.ts';

const fieldsOf = (smsCountries: readonly string[]) => ({
  email,
  phone: phone(smsCountries),
  firstName: name,
  lastName: name,
});
type Fields = ReturnType<typeof fieldsOf>;
type Field = keyof Fields;
type Given = Partial<Record<Field, string | true>>;
type Corrected = { -readonly [F in Field]?: z.output<Fields[F]> };

/** Corrects who and where the customer is. What is typed after a question is in no shell's history. */
export function correctCommand(parent: Command, run: Run): void {
  caseCommand(
    parent,
    'correct',
    "correct the customer's addresses or name; an unbooked case's link is sent to a corrected address",
  )
    .option('--email [address]', 'without the address it is asked for')
    .option('--phone [number]', 'with country prefix; without the number it is asked for')
    .option('--first-name [name]', 'until somebody has logged in; without the name it is asked for')
    .option('--last-name [name]', 'likewise')
    .addHelpText(
      'after',
      examples(
        "case correct 3f2a9c1e --email  # ask for the address, so that it stays out of the shell's history",
        'case correct 3f2a9c1e --phone +4790000000  # give it at once',
      ),
    )
    .action((text, given) =>
      forCase(run, text, async (operation, view) =>
        correct(operation, view, await readCorrections(operation, given)),
      ),
    );
}

async function readCorrections({ terminal, settings }: Operation, given: Given): Promise<Corrected> {
  const fields = fieldsOf(settings.smsCountries);
  const corrected: Corrected = {};
  const faults: string[] = [];
  for (const field of Object.keys(given) as Field[]) {
    const option = `--${field.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;
    if (given[field] === true && !terminal.canAsk)
      throw wrongUsage(`${option}: there is nobody to ask, so give it here.`);
    const typed = given[field] === true ? await terminal.ask(`${option.slice(2)}: `) : given[field];
    const result = fields[field].safeParse(typed ?? '');
    if (result.success) Object.assign(corrected, { [field]: result.data });
    else faults.push(...result.error.issues.map(({ message }) => `${option} ${message}`));
  }
  if (faults.length > 0) throw wrongUsage(faults.join('\n'));
  if (Object.keys(corrected).length === 0)
    throw wrongUsage('Say what to correct: --email, --phone, --first-name, --last-name.');
  return corrected;
}

async function correct(operation: Operation, view: CaseView, corrected: Corrected): Promise<Answer> {
  const { channels, names } = changesOf(view, corrected);
  if (channels.length > 0) checkPermitted(operation, await currentState(operation, view), 'changeContact');
  const changed = channels.length + names.length > 0;
  const apply = async () =>
    stateOrThrow(operation, await changeCase(operation, view, { ...corrected, actor: 'operator' }));
  const note = [...channels, ...(names.length > 0 ? ['name'] : [])].join(', ');
  await (changed ? logged(operation, { action: 'case.correct', caseId: view.id, note }, apply) : apply());
  const { state } = await currentState(operation, (await readCase(operation.database, view.id)) ?? view);
  const did = changed ? 'Corrected.' : 'Those are its addresses already.';
  return caseAnswer(operation, view.id, state, { did, changed });
}
