import { type Command, Option } from '@commander-js/extra-typings';
import { dateAt, graceDeadline } from '../../calendar/dates.ts';
import { formatTimestamp } from '../../calendar/format.ts';
import { changeCase, resendLink } from '../../cases/commands.ts';
import { CHANNELS } from '../../domain/case-state.ts';
import { isOpen } from '../../domain/next-steps.ts';
import { RESENDS_A_DAY } from '../../domain/limits.ts';
import { bookingDeadline } from '../../http/fields.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { createReconciliationRepository } from '../../postgres/reconciliation.ts';
import { examples, note, parsedBy } from '../arguments.ts';
import { answer, type Answer, confirm, logged, type Operation, type Run, YES } from '../operation.ts';
import { refusal, temporalUnavailable } from '../operator-error.ts';
import { caseAnswer, caseCommand, currentState, forCase } from './current-case.ts';
import { executeCommand } from './execute.ts';

/** What brings a case on. */
export function repairCommands(parent: Command, run: Run, now: () => Date): void {
  caseCommand(parent, 'move-deadline', 'move the last day to book; an expired case can be booked again')
    .argument('<date>', 'the new last day, such as 2026-12-24', parsedBy(bookingDeadline(dateAt(now()))))
    .addHelpText('after', examples('case move-deadline 3f2a9c1e 2026-12-24  # to Christmas Eve'))
    .action((text, date) =>
      forCase(run, text, async (operation, view) => {
        const { state } = await currentState(operation, view);
        if (isOpen(state) && state.deadline.date === date) {
          const did = 'That is its last day already.';
          return caseAnswer(operation, view.id, state, { did, changed: false });
        }
        return executeCommand(operation, view, 'moveDeadline', {
          execute: () => changeCase(operation, view, { bookingDeadline: date, actor: 'operator' }),
          note: date,
          did: `The last day to book is ${date}.`,
        });
      }),
    );

  caseCommand(parent, 'resend', `send the booking link again; ${RESENDS_A_DAY} times a day`)
    .addOption(
      new Option('--channel <channel>', 'only there (default: wherever the case has an address)').choices(
        CHANNELS,
      ),
    )
    .addHelpText('after', examples('case resend 3f2a9c1e --channel sms  # as SMS only'))
    .action((text, { channel = null }) =>
      forCase(run, text, (operation, view) =>
        executeCommand(operation, view, 'resendLink', {
          execute: () => resendLink(operation, view, { channel, actor: 'operator' }),
          note: channel ?? undefined,
          did: 'The link is being sent.',
        }),
      ),
    );

  caseCommand(parent, 'retry', 'go on after an error, or recheck a slot still busy after release')
    .addHelpText('after', examples('case retry 3f2a9c1e  # once it is settled with the clinic'))
    .action((text) =>
      forCase(run, text, (operation, view) => {
        const grace = graceDeadline(operation.now());
        return executeCommand(operation, view, 'retry', {
          execute: () => operation.caseClient.execute(view, 'retry', { grace }, 'operator'),
          did: 'It is being tried again.',
        });
      }),
    );

  caseCommand(parent, 'resolve-assistance', 'note that a request for help is settled')
    .option('--note <text>', "what was done; kept in the operators' log", note)
    .addHelpText(
      'after',
      examples('case resolve-assistance 3f2a9c1e --note "explained by phone"  # no booking was wanted'),
    )
    .action((text, { note: words }) =>
      forCase(run, text, (operation, view) =>
        executeCommand(operation, view, 'resolveAssistance', {
          execute: () => operation.caseClient.execute(view, 'resolveAssistance', {}, 'operator'),
          note: words,
          did: 'The request is settled.',
        }),
      ),
    );

  caseCommand(
    parent,
    'restart',
    'start the workflow of an open case again, after it was terminated, has failed or is gone',
  )
    .option('--note <text>', "why; kept in the operators' log", note)
    .option(...YES)
    .addHelpText(
      'after',
      examples(
        'case list --attention workflow_lost  # the cases that it is for',
        'case restart 3f2a9c1e --note "terminated by mistake"  # bring one back',
      ),
    )
    .action((text, options) => forCase(run, text, (operation, view) => restart(operation, view, options)));
}

/** The way back for a case whose workflow is gone. */
async function restart(
  operation: Operation,
  view: CaseView,
  { note: words, yes }: { note?: string | undefined; yes?: true | undefined },
): Promise<Answer> {
  const { caseClient, database } = operation;
  if (view.status === 'archived')
    throw refusal('CASE_IS_OVER', 'The case is archived: there is nothing to start again.');
  if (view.workflow_started_at === null)
    throw refusal(
      'NOT_STARTED_YET',
      'Its workflow was never started: a worker does that within seconds once Temporal is reachable.',
    );
  const { status } = await caseClient.describe(view.id).catch(unavailable);
  if (status === 'running')
    return answer('Its workflow is running.', { caseId: view.id, changed: false, workflow: status });
  await confirm(
    operation,
    `The workflow of case ${view.id} is ${status}. It will be started again from the stored case ` +
      `(${view.status}, ${formatTimestamp(view.updated_at)}); a message that was being sent may be lost.`,
    { expected: view.id.slice(0, 8), yes },
  );
  const entry = { action: 'case.restart', caseId: view.id, note: words };
  const isRunning = await logged(operation, entry, async () => {
    const runs = await caseClient.restart(view).catch(unavailable);
    if (runs) await createReconciliationRepository(database).noteLost(view.id, null);
    return runs;
  });
  if (!isRunning)
    throw refusal(
      'WORKFLOW_IS_OVER',
      'Its workflow has completed, so the case is over: `operator reconcile --full` stores that.',
    );
  return answer('Its workflow runs again.', { caseId: view.id, changed: true, workflow: 'running' });
}

const unavailable = () => {
  throw temporalUnavailable('Temporal unreachable. Look with `operator case show` before you try again.');
};
