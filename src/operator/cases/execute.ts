import { formatTimestamp } from '../../calendar/format.ts';
import type { CaseCommandRefusal, CaseCommandResult } from '../../cases/commands.ts';
import type { CaseState } from '../../domain/case-state.ts';
import { instant } from '../../domain/instant.ts';
import { RESENDS_A_DAY } from '../../domain/limits.ts';
import { permit } from '../../domain/permit.ts';
import type { CaseView } from '../../postgres/cases.ts';
import type { CommandName } from '../../temporal/case-client.ts';
import { type Answer, confirm, logged, type Operation } from '../operation.ts';
import { OperatorError, refusal, temporalUnavailable, wrongUsage } from '../operator-error.ts';
import {
  caseAnswer,
  caseChanged,
  commandFor,
  commandsFor,
  type CurrentState,
  currentState,
} from './current-case.ts';

export interface CaseCommand {
  readonly execute: () => Promise<CaseCommandResult>;
  /** Kept in the log. */
  readonly note?: string | undefined;
  /** For what cannot be undone: what will be. */
  readonly warning?: string;
  readonly did: string;
}

/** Judges, asks for confirmation, logs it, and has the case's workflow do it. */
export async function executeCommand(
  operation: Operation,
  view: CaseView,
  name: CommandName,
  { execute, note, warning, did }: CaseCommand,
): Promise<Answer> {
  const current = await currentState(operation, view);
  if (checkPermitted(operation, current, name) === 'done')
    return caseAnswer(operation, view, current.state, { did: 'That is done already.', changed: false });
  if (warning) confirm(operation, warning, { expected: view.id.slice(0, 8) });
  const state = await logged(operation, { caseId: view.id, note }, async () =>
    stateOrThrow(operation, await execute()),
  );
  return caseAnswer(operation, view, state, { did });
}

/**
 * Judges before anybody is asked whether they are sure. Where only the projection answers, the verdict is left to the
 * workflow.
 *
 * @returns whether it is done already
 * @throws OperatorError when it is not allowed
 */
export function checkPermitted(
  operation: Operation,
  { state, source }: CurrentState,
  name: CommandName,
): 'done' | 'to do' {
  const verdict = permit(state, name, instant(operation.now()));
  if (source === 'projection' || verdict.verdict === 'allowed') return 'to do';
  if (verdict.verdict === 'done') return 'done';
  throw refused(operation, verdict.refusal);
}

/** @returns the case's state after a command. @throws OperatorError when it was not done, or nobody knows */
export function stateOrThrow(operation: Operation, result: CaseCommandResult): CaseState {
  switch (result.outcome) {
    case 'done':
      return result.state;
    case 'refused':
      throw refused(operation, result.refusal);
    case 'unavailable':
      throw temporalUnavailable('Temporal unreachable; nothing was changed. Try again in a moment.');
    case 'unknown':
      throw new OperatorError(
        'unavailable',
        'OUTCOME_UNKNOWN',
        'Sent, no reply: outcome unknown. It may have happened or still happen. ' +
          'Look with `operator case show` before you try again; is a worker running?',
      );
  }
}

/** A refusal, with what is possible instead. */
function refused({ now }: Operation, why: CaseCommandRefusal): OperatorError {
  switch (why.code) {
    case 'ACTION_NOT_ALLOWED':
    case 'APPOINTMENT_STARTED': {
      const { code, status } = why;
      const command = commandFor(why.action, status) ?? why.action;
      const possible = commandsFor(why.allowed, status);
      const reason = code === 'APPOINTMENT_STARTED' ? 'The appointment has begun' : `The case is ${status}`;
      const instead =
        possible.length > 0 ? `Possible now: ${possible.join(', ')}.` : 'Nothing is possible any more.';
      return refusal(code, `${reason}, so \`case ${command}\` is not possible. ${instead}`, {
        details: { status, possible },
      });
    }
    case 'CASE_CHANGED':
      return caseChanged(why);
    case 'SLOT_TAKEN':
      return refusal('SLOT_TAKEN', 'Somebody else has just taken this time.');
    case 'PROVIDER_UNAVAILABLE':
      return new OperatorError(
        'unavailable',
        'PROVIDER_UNAVAILABLE',
        "The provider's booking system does not answer, so nothing was booked. Try again in a moment.",
      );
    case 'NO_ADDRESS':
      return refusal(why.code, `The case has no address for ${why.channel}. Add it with \`case correct\`.`);
    case 'CASE_LIMIT_EXCEEDED': {
      const again = formatTimestamp(instant(now().getTime() + why.retryAfter * 1000));
      const limit = `The link was already sent again ${RESENDS_A_DAY} times in 24 hours. Possible again: ${again}.`;
      return refusal(why.code, limit);
    }
    case 'NO_WAY_TO_REACH':
      return wrongUsage('--phone cannot get SMS, and the case has no e-mail address.');
    case 'IDENTITY_BOUND':
      return refusal(
        why.code,
        'Somebody has logged in to this case, so its name stays. `case unbind` forgets who that was.',
      );
  }
}
