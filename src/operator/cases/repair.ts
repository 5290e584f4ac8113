import { type Command, Option } from '@commander-js/extra-typings';
import { dateAt, graceDeadline } from '../../calendar/dates.ts';
import { formatTimestamp } from '../../calendar/format.ts';
import { changeCase, resendLink } from '../../cases/commands.ts';
import { CHANNELS } from '../../domain/case-state.ts';
import { isOpen } from '../../domain/next-steps.ts';
import { RESENDS_A_DAY } from '../../domain/limits.ts';
import { bookingDeadline } from '../../http/fields.ts';
import { readBoundSince } from '../../postgres/cases.ts';
import { unbindPerson } from '../../postgres/customers.ts';
import { createReconciliationRepository } from '../../postgres/reconciliation.ts';
import { examples, note, parsedBy } from '../arguments.ts';
import { answer, confirm, logged, type Run, YES } from '../operation.ts';
import { OperatorError } from '../operator-error.ts';
import { CASE, caseAnswer, currentState, findCase } from './current-case.ts';
import { executeCommand } from './execute.ts';

/** What brings a case on. */
export function repairCommands(parent: Command, run: Run, now: () => Date): void {
  parent
    .command('move-deadline')
    .description('move the last day to book; an expired case can be booked again')
    .argument(...CASE)
    .argument('<date>', 'the new last day, such as 2026-12-24', parsedBy(bookingDeadline(dateAt(now()))))
    .addHelpText('after', examples(['case move-deadline 3f2a9c1e 2026-12-24', 'to Christmas Eve']))
    .action((text, date) =>
      run(async (operation) => {
        const view = await findCase(operation, text);
        const { state } = await currentState(operation, view);
        if (isOpen(state) && state.deadline.date === date)
          return caseAnswer(operation, view.id, state, {
            did: 'That is its last day already.',
            changed: false,
          });
        return executeCommand(operation, view, {
          action: 'moveDeadline',
          command: 'move-deadline',
          execute: () => changeCase(operation, view, { bookingDeadline: date, actor: 'operator' }),
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
        return executeCommand(operation, view, {
          action: 'resendLink',
          command: 'resend',
          execute: () => resendLink(operation, view, { channel, actor: 'operator' }),
          note: channel ?? undefined,
          did: 'The link is on its way.',
        });
      }),
    );

  parent
    .command('retry')
    .description('go on after an error, or look again at a slot that did not read as free')
    .argument(...CASE)
    .addHelpText('after', examples(['case retry 3f2a9c1e', 'once it is settled with the clinic']))
    .action((text) =>
      run(async (operation) => {
        const view = await findCase(operation, text);
        const grace = graceDeadline(operation.now());
        return executeCommand(operation, view, {
          action: 'retry',
          command: 'retry',
          execute: () => operation.caseClient.execute(view, 'retry', { grace }, 'operator'),
          did: 'It goes on.',
        });
      }),
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
      run(async (operation) => {
        const view = await findCase(operation, text);
        return executeCommand(operation, view, {
          action: 'resolveAssistance',
          command: 'resolve-assistance',
          execute: () => operation.caseClient.execute(view, 'resolveAssistance', {}, 'operator'),
          note: words,
          did: 'The request is settled.',
        });
      }),
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
        if (!(await readBoundSince(database, view.id))) return nobody;
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

/** The way back for a case whose workflow is gone. */
export function restartCommand(parent: Command, run: Run): void {
  parent
    .command('restart')
    .description('start the workflow of an open case again, after it was terminated, has failed or is gone')
    .argument(...CASE)
    .option('--note <text>', "why; kept in the operators' log", note)
    .option(...YES)
    .addHelpText(
      'after',
      examples(
        ['case list --attention workflow_lost', 'the cases that it is for'],
        ['case restart 3f2a9c1e --note "terminated by mistake"', 'bring one back'],
      ),
    )
    .action((text, { note: words, yes }) =>
      run(async (operation) => {
        const view = await findCase(operation, text);
        const { caseClient, database } = operation;
        if (view.status === 'archived') {
          throw new OperatorError(
            'refused',
            'CASE_IS_OVER',
            'The case is archived: there is nothing to start again.',
          );
        }
        if (view.workflow_started_at === null) {
          throw new OperatorError(
            'refused',
            'NOT_STARTED_YET',
            'Its workflow was never started: a worker does that within seconds of Temporal being there.',
          );
        }
        const { status } = await caseClient.describe(view.id).catch(() => {
          throw temporalUnavailable();
        });
        if (status === 'running')
          return answer('Its workflow is running.', { caseId: view.id, changed: false, workflow: status });
        await confirm(operation, {
          what:
            `The workflow of case ${view.id} is ${status}. It will be started again as the case is written down ` +
            `(${view.status}, ${formatTimestamp(view.updated_at)}); a message that was on its way may be lost.`,
          expected: view.id.slice(0, 8),
          yes,
        });
        const entry = { action: 'case.restart', caseId: view.id, note: words };
        const runs = await logged(operation, entry, async () => {
          const isRunning = await caseClient.restart(view).catch(() => {
            throw temporalUnavailable();
          });
          if (isRunning) await createReconciliationRepository(database).noteLost(view.id, null);
          return isRunning;
        });
        if (!runs) {
          throw new OperatorError(
            'refused',
            'WORKFLOW_IS_OVER',
            'Its workflow has come to its end, so the case is over: `operator reconcile --full` writes that down.',
          );
        }
        return answer('Its workflow runs again.', { caseId: view.id, changed: true, workflow: 'running' });
      }),
    );
}

const temporalUnavailable = () =>
  new OperatorError(
    'away',
    'TEMPORARILY_UNAVAILABLE',
    'Temporal does not answer. Look with `operator case show` before you try again.',
  );
