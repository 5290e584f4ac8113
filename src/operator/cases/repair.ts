import { caseTime } from '../../domain/case-state.ts';
import { dateAt, graceDeadline } from '../../calendar/dates.ts';
import { formatTimestamp } from '../../calendar/format.ts';
import { changeCase, resendLink } from '../../cases/commands.ts';
import { isOpen } from '../../domain/next-steps.ts';
import { bookingDeadline } from '../../http/fields.ts';
import { createReconciliationRepository } from '../../postgres/reconciliation.ts';
import type { InputOf } from '../descriptions/index.ts';
import { checked } from '../input-rules.ts';
import { answer, confirm, logged } from '../operation.ts';
import { refusal, temporalUnavailable, wrongUsage } from '../operator-error.ts';
import { caseAnswer, currentState, forCase, type OnCase } from './current-case.ts';
import { executeCommand } from './execute.ts';

export const moveDeadline = forCase(async (operation, view, input: InputOf<'case move-deadline'>) => {
  const { date } = checked({ date: bookingDeadline(dateAt(operation.now())) }, input);
  if (date === undefined) throw wrongUsage('Say the new last day.');
  const { state } = await currentState(operation, view);
  if (isOpen(state) && state.deadline.date === date) {
    const did = 'That is its last day already.';
    return caseAnswer(operation, view, state, { did, changed: false });
  }
  return executeCommand(operation, view, 'moveDeadline', {
    execute: () => changeCase(operation, view, { bookingDeadline: date, author: { actor: 'operator' } }),
    note: date,
    did: `The last day to book is ${date}.`,
  });
});

export const resend = forCase((operation, view, { channel }: InputOf<'case resend'>) =>
  executeCommand(operation, view, 'resendLink', {
    execute: () => resendLink(operation, view, { channel: channel ?? null, author: { actor: 'operator' } }),
    note: channel,
    did: 'The link is being sent.',
  }),
);

export const retry = forCase((operation, view, _: InputOf<'case retry'>) => {
  const grace = graceDeadline(caseTime(view.state, operation.now()));
  return executeCommand(operation, view, 'retry', {
    execute: () => operation.caseClient.execute(view, 'retry', { grace }, 'operator'),
    did: 'It is being tried again.',
  });
});

export const resolveAssistance = forCase((operation, view, { note }: InputOf<'case resolve-assistance'>) =>
  executeCommand(operation, view, 'resolveAssistance', {
    execute: () => operation.caseClient.execute(view, 'resolveAssistance', {}, 'operator'),
    note,
    did: 'The request is settled.',
  }),
);

/** The way back for a case whose workflow is gone. */
export const restartOne = forCase(
  async (operation, view, { note }: OnCase & { note?: string | undefined }) => {
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
    confirm(
      operation,
      `The workflow of case ${view.id} is ${status}. It will be started again from the stored case ` +
        `(${view.status}, ${formatTimestamp(view.updated_at)}); a message that was being sent may be lost.`,
      { expected: view.id.slice(0, 8) },
    );
    const isRunning = await logged(operation, { caseId: view.id, note }, async () => {
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
  },
);

const unavailable = () => {
  throw temporalUnavailable('Temporal unreachable. Look with `operator case show` before you try again.');
};
