import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { formatTimestamp } from '../../calendar/format.ts';
import { slotOf } from '../../domain/slot.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { examples, note, time } from '../arguments.ts';
import { type Answer, logged, type Operation, type Run } from '../operation.ts';
import { OperatorError } from '../operator-error.ts';
import { type Choice, chooseTime, refusalWithAlternatives } from './availability.ts';
import { CASE, caseAnswer, currentState, findCase } from './current-case.ts';
import { checkPermitted, stateOrThrow } from './execute.ts';
import { parseToken, type SlotToken, whereOf } from './free-times.ts';

function token(typed: string): SlotToken {
  const parsed = parseToken(typed);
  if (!parsed) throw new InvalidArgumentError('It has to be a slot of `operator case availability`.');
  return parsed;
}

/** A customer without eID is booked by phone. */
export function bookingCommands(parent: Command, run: Run): void {
  const withTime = (command: Command<[string]>) =>
    command
      .requiredOption(
        '--identity-checked <how>',
        "how you made sure who the customer is; kept in the operators' log",
        note,
      )
      .option('--slot <slot>', 'a slot of `case availability`', token)
      .option('--start <time>', 'or when it begins, in Norway: "2026-11-24 09:00"', time)
      .option('--provider <id>', 'together with --start: at which provider')
      .option('--practitioner <name>', 'together with --start: with whom (a part of the name will do)');

  withTime(
    parent
      .command('book')
      .description('book a time for a customer without eID; without --slot or --start it lists them and asks')
      .argument(...CASE),
  )
    .addHelpText(
      'after',
      examples(
        [
          'case book 3f2a9c1e --identity-checked "called back on the number of the case"',
          'list, and choose by number',
        ],
        [
          'case book 3f2a9c1e --start "2026-11-24 09:00" --provider nordlys --identity-checked "called back"',
          'a time that was agreed on',
        ],
      ),
    )
    .action((text, { identityChecked, ...choice }) =>
      run(async (operation) => {
        const view = await findCase(operation, text);
        if ((await currentState(operation, view)).state.status === 'booked') {
          throw new OperatorError(
            'refused',
            'ACTION_NOT_ALLOWED',
            'The case is booked already. Use `case change` for another time.',
          );
        }
        return book(operation, view, {
          did: 'Booked',
          action: 'case.book',
          choice,
          checked: identityChecked,
        });
      }),
    );

  withTime(
    parent
      .command('change')
      .description('book another time instead; the old one is let go once the new one is secured')
      .argument(...CASE),
  )
    .addHelpText(
      'after',
      examples([
        'case change 3f2a9c1e --start "2026-11-25 13:00" --identity-checked "called back"',
        'another time for a booked customer',
      ]),
    )
    .action((text, { identityChecked, ...choice }) =>
      run(async (operation) => {
        const view = await findCase(operation, text);
        if ((await currentState(operation, view)).state.status !== 'booked') {
          throw new OperatorError(
            'refused',
            'ACTION_NOT_ALLOWED',
            'Nothing is booked in this case. Use `case book`.',
          );
        }
        return book(operation, view, {
          did: 'Changed to',
          action: 'case.change',
          choice,
          checked: identityChecked,
        });
      }),
    );
}

async function book(
  operation: Operation,
  view: CaseView,
  { did, action, choice, checked }: { did: string; action: string; choice: Choice; checked: string },
): Promise<Answer> {
  await checkPermitted(operation, view, 'confirm');
  const slot = await chooseTime(operation, view, choice);
  const state = await logged(
    operation,
    { action, caseId: view.id, subject: slot.token, note: checked },
    async () => {
      try {
        const input = { slot: slotOf(slot) };
        return stateOrThrow(
          operation,
          await operation.caseClient.execute(view, 'confirm', input, 'operator'),
        );
      } catch (error) {
        if (!(error instanceof OperatorError) || error.code !== 'SLOT_TAKEN') throw error;
        throw await refusalWithAlternatives(operation, view, slot.start, error.code, error.message);
      }
    },
  );
  return caseAnswer(operation, view.id, state, {
    did: `${did} ${formatTimestamp(slot.start)}: ${slot.practitioner}, ${whereOf(slot)}.`,
  });
}
