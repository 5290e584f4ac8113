import { type Command, Option } from '@commander-js/extra-typings';
import { dateAt } from '../../calendar/dates.ts';
import { deadlineOn, graceDeadline } from '../../calendar/deadline.ts';
import { timeInList } from '../../calendar/format.ts';
import { CHANNELS } from '../../domain/case-state.ts';
import { RESENDS_A_DAY } from '../../domain/daily-limits.ts';
import { instant } from '../../domain/instant.ts';
import { isOpen } from '../../domain/views.ts';
import { bookingDeadline } from '../../http/inputs/case-fields.ts';
import { giveTurnBack, takeTurn } from '../../postgres/case-turns.ts';
import { unbindPerson } from '../../postgres/persons.ts';
import { boundSince } from '../../postgres/operator-cases.ts';
import { moveDeadline, resendLink, resolveAssistance, retry } from '../../../workflows/contract.ts';
import { confirm, YES } from '../confirm.ts';
import { Ending } from '../ending.ts';
import { examples } from '../examples.ts';
import { by, note } from '../inputs.ts';
import { answer, logged, type Run } from '../operation.ts';
import { act } from './act.ts';
import { judge } from './ask-case.ts';
import { CASE, findCase } from './find-case.ts';
import { outcome } from './outcome.ts';
import { stateNow } from './state-now.ts';

/** What brings a case on. */
export function mendingCommands(parent: Command, run: Run, now: () => Date): void {
  parent
    .command('move-deadline')
    .description('move the last day to book; an expired case can be booked again')
    .argument(...CASE)
    .argument('<date>', 'the new last day, such as 2026-12-24', by(bookingDeadline(dateAt(now()))))
    .addHelpText('after', examples(['case move-deadline 3f2a9c1e 2026-12-24', 'to Christmas Eve']))
    .action((text, date) =>
      run(async (operation) => {
        const view = await findCase(operation, text);
        const { state } = await stateNow(operation, view);
        if (isOpen(state) && state.deadline.date === date)
          return outcome(operation, view.id, state, { did: 'That is its last day already.', changed: false });
        return act(operation, view, {
          update: moveDeadline,
          action: 'moveDeadline',
          command: 'move-deadline',
          wish: () => ({ deadline: deadlineOn(date) }),
          note: date,
          did: `The last day to book is ${date}.`,
        });
      }),
    );

  parent
    .command('resend')
    .description(`send the booking link again; ${RESENDS_A_DAY} times a day`)
    .argument(...CASE)
    .addOption(
      new Option('--channel <channel>', 'only there (default: wherever the case has an address)').choices(
        CHANNELS,
      ),
    )
    .addHelpText('after', examples(['case resend 3f2a9c1e --channel sms', 'as SMS alone']))
    .action((text, { channel = null }) =>
      run(async (operation) => {
        const view = await findCase(operation, text);
        if (channel && !view.state.reach[channel]) {
          throw new Ending(
            'refused',
            'NO_ADDRESS',
            `The case has no address for ${channel}. Add it with \`case correct\`.`,
          );
        }
        await judge(operation, view, 'resendLink');
        const turn = await takeTurn(operation.database, {
          caseId: view.id,
          kind: 'resend',
          perDay: RESENDS_A_DAY,
        });
        if (!turn.isFree) {
          const again = timeInList(instant(operation.now().getTime() + turn.retryAfter * 1000));
          const limit = `The link was sent again ${RESENDS_A_DAY} times in 24 hours; the next time may be ${again}.`;
          throw new Ending('refused', 'CASE_LIMIT_EXCEEDED', limit);
        }
        try {
          return await act(operation, view, {
            update: resendLink,
            action: 'resendLink',
            command: 'resend',
            wish: () => ({ channel }),
            note: channel ?? undefined,
            did: 'The link is on its way.',
          });
        } catch (error) {
          // what may have been sent counts
          if (error instanceof Ending && error.code !== 'OUTCOME_UNKNOWN')
            await giveTurnBack(operation.database, turn.id);
          throw error;
        }
      }),
    );

  parent
    .command('retry')
    .description('go on after an error, or look again at a slot that did not read as free')
    .argument(...CASE)
    .addHelpText('after', examples(['case retry 3f2a9c1e', 'once it is settled with the clinic']))
    .action((text) =>
      run(async (operation) =>
        act(operation, await findCase(operation, text), {
          update: retry,
          action: 'retry',
          command: 'retry',
          wish: () => ({ grace: graceDeadline(operation.now()) }),
          did: 'It goes on.',
        }),
      ),
    );

  parent
    .command('resolve-assistance')
    .description('note that a request for help is settled')
    .argument(...CASE)
    .option('--note <text>', "what was done; kept in the operators' log", note)
    .addHelpText(
      'after',
      examples(['case resolve-assistance 3f2a9c1e --note "explained by phone"', 'no booking was wanted']),
    )
    .action((text, { note: words }) =>
      run(async (operation) =>
        act(operation, await findCase(operation, text), {
          update: resolveAssistance,
          action: 'resolveAssistance',
          command: 'resolve-assistance',
          wish: () => ({}),
          note: words,
          did: 'The request is settled.',
        }),
      ),
    );

  parent
    .command('unbind')
    .description('forget who logged in to a case, so that the next person whose name matches is bound to it')
    .argument(...CASE)
    .requiredOption('--reason <text>', "why; kept in the operators' log", note)
    .option(...YES)
    .addHelpText(
      'after',
      examples(['case unbind 3f2a9c1e --reason "a namesake had opened the link"', 'the wrong person']),
    )
    .action((text, { reason, yes }) =>
      run(async (operation) => {
        const view = await findCase(operation, text);
        const { database } = operation;
        const nobody = answer('The case is bound to nobody.', { caseId: view.id, changed: false });
        if (!(await boundSince(database, view.id))) return nobody;
        const booked = view.state.bookingId ? ' Its appointment stays.' : '';
        await confirm(operation, {
          what: `Whoever is bound to case ${view.id} will be forgotten.${booked}`,
          expected: view.id.slice(0, 8),
          yes,
        });
        const entry = { action: 'case.unbind', caseId: view.id, note: reason };
        if (!(await logged(operation, entry, () => unbindPerson(database, view.id)))) return nobody;
        return answer(
          'Unbound. The next person whose name matches is bound when they log in; a session that is open now lasts up to 30 minutes.',
          { caseId: view.id, changed: true },
        );
      }),
    );
}
