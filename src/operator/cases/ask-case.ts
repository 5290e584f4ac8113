import type { UpdateDefinition } from '@temporalio/common';
import type { CaseState } from '../../domain/case-state.ts';
import { instant } from '../../domain/instant.ts';
import { permit } from '../../domain/permit.ts';
import type { Refusal } from '../../domain/refusal.ts';
import type { Action } from '../../domain/transitions.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import type { Ask } from '../../../workflows/contract.ts';
import { Ending } from '../ending.ts';
import type { Operation } from '../operation.ts';
import { commandFor, commandsFor } from './possible.ts';
import { stateNow } from './state-now.ts';

/**
 * Judges before anybody is asked whether they are sure. Where only the projection answers, the verdict is left to the
 * workflow.
 *
 * @returns whether it is done already
 * @throws Ending when it is not allowed
 */
export async function judge(operation: Operation, view: CaseView, action: Action): Promise<'done' | 'to do'> {
  const { state, source } = await stateNow(operation, view);
  const verdict = permit(state, action, instant(operation.now()));
  if (source === 'projection' || verdict.verdict === 'allowed') return 'to do';
  if (verdict.verdict === 'done') return 'done';
  throw refused(verdict.refusal);
}

/** Has the case's workflow judge a wish of the operator's. @returns the state that came of it. @throws Ending otherwise */
export async function askCase<A extends Ask>(
  { door, now }: Operation,
  view: CaseView,
  {
    update,
    wish,
    action,
  }: { update: UpdateDefinition<CaseState, [A]>; wish: Omit<A, keyof Ask>; action: Action },
): Promise<CaseState> {
  const answer = await door.ask(view, update, wish, 'operator');
  switch (answer.outcome) {
    case 'granted':
      return answer.state;
    case 'refused':
      throw refused(answer.refusal);
    case 'ended': {
      const verdict = permit(view.state, action, instant(now()));
      if (verdict.verdict === 'refused') throw refused(verdict.refusal);
      if (verdict.verdict === 'done') return view.state;
      throw unreachable();
    }
    case 'unreachable':
      throw unreachable();
    case 'unknown':
      throw new Ending(
        'away',
        'OUTCOME_UNKNOWN',
        'It was asked for, and nobody answered: it may have happened, or may still. ' +
          'Look with `operator case show` before you try again; is a worker running?',
      );
  }
}

const unreachable = () =>
  new Ending(
    'away',
    'TEMPORARILY_UNAVAILABLE',
    'Temporal does not answer, so nothing happened. Try again in a moment.',
  );

/** A refusal, with what is possible instead. */
function refused(refusal: Refusal): Ending {
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
      return new Ending(
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
      return new Ending('refused', 'SLOT_TAKEN', 'Somebody else has just taken this time.');
    case 'PROVIDER_UNAVAILABLE':
      return new Ending(
        'away',
        'PROVIDER_UNAVAILABLE',
        "The provider's booking system does not answer, so nothing was booked. Try again in a moment.",
      );
    case 'TOO_LATE':
      return unreachable();
  }
}
