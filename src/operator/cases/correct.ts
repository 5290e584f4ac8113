import type { Command } from '@commander-js/extra-typings';
import { z } from 'zod';
import { type Channel, CHANNELS } from '../../domain/case-state.ts';
import { isCorrection } from '../../domain/contactability.ts';
import { email, name, phone } from '../../http/fields.ts';
import { type CaseView, readBoundSince, readCase } from '../../postgres/cases.ts';
import { correctNames, stageCorrection } from '../../postgres/customers.ts';
import { examples } from '../arguments.ts';
import { type Answer, logged, type Operation, type Run } from '../operation.ts';
import { OperatorError, wrongUsage } from '../operator-error.ts';
import { CASE, caseAnswer, currentState, findCase } from './current-case.ts';
import { checkPermitted, executeCommand } from './execute.ts';

const FIELDS = { email, phone, firstName: name, lastName: name } as const;
type Field = keyof typeof FIELDS;
type Given = Partial<Record<Field, string | true>>;
type Corrected = { -readonly [F in Field]?: z.output<(typeof FIELDS)[F]> };

/** Corrects who and where the customer is. What is typed after a question is in no shell's history. */
export function correctCommand(parent: Command, run: Run): void {
  parent
    .command('correct')
    .description(
      "correct the customer's addresses or name; an unbooked case's link is sent to a corrected address",
    )
    .argument(...CASE)
    .option('--email [address]', 'without the address it is asked for')
    .option('--phone [number]', 'with country prefix; without the number it is asked for')
    .option('--first-name [name]', 'until somebody has logged in; without the name it is asked for')
    .option('--last-name [name]', 'likewise')
    .addHelpText(
      'after',
      examples(
        ['case correct 3f2a9c1e --email', "ask for the address, so that it stays out of the shell's history"],
        ['case correct 3f2a9c1e --phone +4790000000', 'say it at once'],
      ),
    )
    .action((text, given) =>
      run(async (operation) => {
        const view = await findCase(operation, text);
        return correct(operation, view, await readCorrections(operation, given));
      }),
    );
}

async function readCorrections({ terminal }: Operation, given: Given): Promise<Corrected> {
  const corrected: Corrected = {};
  const faults: string[] = [];
  for (const field of Object.keys(given) as Field[]) {
    const option = `--${field.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;
    if (given[field] === true && !terminal.canAsk)
      throw wrongUsage(`${option}: there is nobody to ask, so say it here.`);
    const typed = given[field] === true ? await terminal.ask(`${option.slice(2)}: `) : given[field];
    const result = FIELDS[field].safeParse(typed ?? '');
    if (result.success) Object.assign(corrected, { [field]: result.data });
    else faults.push(...result.error.issues.map(({ message }) => `${option} ${message}`));
  }
  if (faults.length > 0) throw wrongUsage(faults.join('\n'));
  if (Object.keys(corrected).length === 0)
    throw wrongUsage('Say what to correct: --email, --phone, --first-name, --last-name.');
  return corrected;
}

/** All or nothing, so everything is judged before anything is asked for. */
async function correct(operation: Operation, view: CaseView, given: Corrected): Promise<Answer> {
  const { database } = operation;
  const { email: address, phone: number, firstName, lastName } = given;
  if (number?.takesSms === false && !(address ?? view.patient_email))
    throw wrongUsage('--phone can not get SMS, and the case has no e-mail address.');
  const channels = CHANNELS.filter((channel) =>
    channel === 'email'
      ? isCorrection(view.state, channel, address, view.patient_email)
      : isCorrection(view.state, channel, number?.e164, view.patient_phone),
  );
  const hasNames = firstName !== undefined || lastName !== undefined;
  if (channels.length > 0) await checkPermitted(operation, view, 'changeContact');
  if (hasNames && (await readBoundSince(database, view.id))) throw namesAreBound();

  if (hasNames) {
    const entry = { action: 'case.correct', caseId: view.id, note: 'name' };
    await logged(operation, entry, async () => {
      const names = { first: firstName ?? null, last: lastName ?? null };
      if (!(await correctNames(database, view.id, names))) throw namesAreBound();
    });
  }
  if (channels.length > 0) return correctAddresses(operation, view, given, channels);
  const { state } = await currentState(operation, (await readCase(database, view.id)) ?? view);
  return caseAnswer(operation, view.id, state, {
    did: hasNames ? 'The name is corrected.' : 'Those are its addresses already.',
    changed: hasNames,
  });
}

function correctAddresses(
  operation: Operation,
  view: CaseView,
  { email: address, phone: number }: Corrected,
  channels: readonly Channel[],
): Promise<Answer> {
  const { email: hasEmail, sms } = view.state.reach;
  return executeCommand(operation, view, {
    action: 'changeContact',
    command: 'correct',
    input: async () => ({
      reach: { email: address !== undefined || hasEmail, sms: number?.takesSms ?? sms },
      corrected: channels,
      correctionId: await stageCorrection(operation.database, view.id, {
        patientEmail: address ?? null,
        patientPhone: number?.e164 ?? null,
      }),
    }),
    note: channels.join(', '),
    did: 'Corrected.',
  });
}

const namesAreBound = () =>
  new OperatorError(
    'refused',
    'IDENTITY_BOUND',
    'Somebody has logged in to this case, so its name stays. `case unbind` forgets who that was.',
  );
