import { caseTime } from '../../domain/case-state.ts';
import { dateAt, graceDeadline } from '../../calendar/dates.ts';
import { formatTimestamp } from '../../calendar/format.ts';
import { changeCase, changesOf, recallCase, resendLink, restartLost } from '../../cases/commands.ts';
import { isOpen } from '../../domain/next-steps.ts';
import { bookingDeadline, email, name, phone } from '../../http/fields.ts';
import { readCase } from '../../postgres/cases.ts';
import type { InputOf } from '../descriptions/index.ts';
import { checked } from '../input-rules.ts';
import { answer, confirm, logged } from '../operation.ts';
import { refusal, temporalUnavailable, wrongUsage } from '../operator-error.ts';
import { caseAnswer, currentState, forCase, type OnCase } from './current-case.ts';
import { checkPermitted, executeCommand, stateOrThrow } from './execute.ts';

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
    if (view.status === 'archived')
      throw refusal('CASE_IS_OVER', 'The case is archived: there is nothing to start again.');
    if (view.workflow_started_at === null)
      throw refusal(
        'NOT_STARTED_YET',
        'Its workflow was never started: a worker does that within seconds once Temporal is reachable.',
      );
    const { status } = await operation.caseClient.describe(view.id).catch(unavailable);
    if (status === 'running')
      return answer('Its workflow is running.', { caseId: view.id, changed: false, workflow: status });
    confirm(
      operation,
      `The workflow of case ${view.id} is ${status}. It will be started again from the stored case ` +
        `(${view.status}, ${formatTimestamp(view.updated_at)}); a message that was being sent may be lost.`,
      { expected: view.id.slice(0, 8) },
    );
    const isRunning = await logged(operation, { caseId: view.id, note }, () =>
      restartLost(operation, view).catch(unavailable),
    );
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

export const cancelBooking = forCase((operation, view, input: InputOf<'case cancel'>) => {
  const { identityChecked, reason } = input;
  if (identityChecked === undefined && reason === undefined) {
    throw wrongUsage(
      'Say --identity-checked "<how>" when the customer asked for it, or --reason "<why>": it is kept in the log.',
    );
  }
  return executeCommand(operation, view, 'cancel', {
    execute: () => operation.caseClient.execute(view, 'cancel', {}, 'operator'),
    note: [identityChecked && `Identity: ${identityChecked}`, reason].filter(Boolean).join('; '),
    warning: `The appointment of case ${view.id} will be cancelled at the clinic.`,
    did: 'Cancelled.',
  });
});

export const recall = forCase((operation, view, { reason }: InputOf<'case recall'>) =>
  executeCommand(operation, view, 'recall', {
    execute: () => recallCase(operation, view, { reason, author: { actor: 'operator' } }),
    note: reason,
    warning: `Case ${view.id} of ${view.partner_name} will be recalled, and cannot be booked again.`,
    did: 'Recalled.',
  }),
);

export const archive = forCase((operation, view, _: InputOf<'case archive'>) =>
  executeCommand(operation, view, 'archive', {
    execute: () => operation.caseClient.execute(view, 'archive', {}, 'operator'),
    warning: `Case ${view.id} will be closed for good.`,
    did: 'Archived.',
  }),
);

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
