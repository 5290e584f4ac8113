import type { UpdateDefinition } from '@temporalio/common';
import type { UpdateRequest } from '../../../workflows/contract.ts';
import type { CaseState } from '../../domain/case-state.ts';
import { instant } from '../../domain/instant.ts';
import { permit, type Refusal } from '../../domain/permit.ts';
import type { Action } from '../../domain/transitions.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { type Answer, confirm, logged, type Operation } from '../operation.ts';
import { OperatorError } from '../operator-error.ts';
import { caseAnswer, commandFor, commandsFor, currentState } from './current-case.ts';

export interface CaseCommand<A extends UpdateRequest> {
  readonly update: UpdateDefinition<CaseState, [A]>;
  /** Its name in the table. */
  readonly action: Action;
  /** Its name in the operators' log, after `case.`. */
  readonly command: string;
  /** What the workflow is told; rows that it refers to are written here. */
  readonly wish: () => Promise<Omit<A, keyof UpdateRequest>> | Omit<A, keyof UpdateRequest>;
  /** Kept in the log. */
  readonly note?: string | undefined;
  /** For what can not be undone: what will be. */
  readonly warning?: { readonly what: string; readonly yes: true | undefined };
  readonly did: string;
}

/** Judges, asks whether it is meant, writes it down, and has the case's workflow do it. */
export async function executeCommand<A extends UpdateRequest>(
  operation: Operation,
  view: CaseView,
  { update, action, command, wish, note, warning, did }: CaseCommand<A>,
): Promise<Answer> {
  if ((await checkPermitted(operation, view, action)) === 'done') {
    const { state } = await currentState(operation, view);
    return caseAnswer(operation, view.id, state, { did: 'That is done already.', changed: false });
  }
  if (warning) await confirm(operation, { ...warning, expected: view.id.slice(0, 8) });
  const state = await logged(operation, { action: `case.${command}`, caseId: view.id, note }, async () =>
    sendCommand(operation, view, { update, wish: await wish(), action }),
  );
  return caseAnswer(operation, view.id, state, { did });
}

/**
 * Judges before anybody is asked whether they are sure. Where only the projection answers, the verdict is left to the
 * workflow.
 *
 * @returns whether it is done already
 * @throws Ending when it is not allowed
 */
export async function checkPermitted(
  operation: Operation,
  view: CaseView,
  action: Action,
): Promise<'done' | 'to do'> {
  const { state, source } = await currentState(operation, view);
  const verdict = permit(state, action, instant(operation.now()));
  if (source === 'projection' || verdict.verdict === 'allowed') return 'to do';
  if (verdict.verdict === 'done') return 'done';
  throw refused(verdict.refusal);
}

/** Has the case's workflow judge a wish of the operator's. @returns the state that came of it. @throws Ending otherwise */
export async function sendCommand<A extends UpdateRequest>(
  { caseClient, now }: Operation,
  view: CaseView,
  {
    update,
    wish,
    action,
  }: { update: UpdateDefinition<CaseState, [A]>; wish: Omit<A, keyof UpdateRequest>; action: Action },
): Promise<CaseState> {
  const answer = await caseClient.execute(view, update, wish, 'operator');
  switch (answer.outcome) {
    case 'granted':
      return answer.state;
    case 'refused':
      throw refused(answer.refusal);
    case 'ended': {
      const verdict = permit(view.state, action, instant(now()));
      if (verdict.verdict === 'refused') throw refused(verdict.refusal);
      if (verdict.verdict === 'done') return view.state;
      throw temporalUnavailable();
    }
    case 'unreachable':
      throw temporalUnavailable();
    case 'unknown':
      throw new OperatorError(
        'away',
        'OUTCOME_UNKNOWN',
        'It was asked for, and nobody answered: it may have happened, or may still. ' +
          'Look with `operator case show` before you try again; is a worker running?',
      );
  }
}

const temporalUnavailable = () =>
  new OperatorError(
    'away',
    'TEMPORARILY_UNAVAILABLE',
    'Temporal does not answer, so nothing happened. Try again in a moment.',
  );

/** A refusal, with what is possible instead. */
function refused(refusal: Refusal): OperatorError {
  switch (refusal.code) {
    case 'ACTION_NOT_ALLOWED':
    case 'APPOINTMENT_STARTED': {
      const { status } = refusal;
      const command = commandFor(refusal.action, status) ?? refusal.action;
      const possible = commandsFor(refusal.allowed, status);
      const why =
        refusal.code === 'APPOINTMENT_STARTED' ? 'The appointment has begun' : `The case is ${status}`;
      const instead =
        possible.length > 0 ? `Possible now: ${possible.join(', ')}.` : 'Nothing is possible any more.';
      return new OperatorError(
        'refused',
        refusal.code,
        `${why}, so \`case ${command}\` is not possible. ${instead}`,
        {
          status,
          possible,
        },
      );
    }
    case 'SLOT_TAKEN':
      return new OperatorError('refused', 'SLOT_TAKEN', 'Somebody else has just taken this time.');
    case 'PROVIDER_UNAVAILABLE':
      return new OperatorError(
        'away',
        'PROVIDER_UNAVAILABLE',
        "The provider's booking system does not answer, so nothing was booked. Try again in a moment.",
      );
    case 'TOO_LATE':
      return temporalUnavailable();
  }
}
