import { formatTimestamp } from '../../calendar/format.ts';
import type { CaseCommandRefusal, CaseCommandResult } from '../../cases/commands.ts';
import type { CaseState } from '../../domain/case-state.ts';
import { instant } from '../../domain/instant.ts';
import { RESENDS_A_DAY } from '../../domain/limits.ts';
import { permit } from '../../domain/permit.ts';
import type { CaseView } from '../../postgres/cases.ts';
import type { CommandName } from '../../temporal/case-client.ts';
import { type Answer, confirm, logged, type Operation } from '../operation.ts';
import { OperatorError, wrongUsage } from '../operator-error.ts';
import { caseAnswer, commandFor, commandsFor, currentState } from './current-case.ts';

export interface CaseCommand {
  /** Its name in the table. */
  readonly action: CommandName;
  /** Its name in the operators' log, after `case.`. */
  readonly command: string;
  readonly execute: () => Promise<CaseCommandResult>;
  /** Kept in the log. */
  readonly note?: string | undefined;
  /** For what can not be undone: what will be. */
  readonly warning?: { readonly what: string; readonly yes: true | undefined };
  readonly did: string;
}

/** Judges, asks whether it is meant, writes it down, and has the case's workflow do it. */
export async function executeCommand(
  operation: Operation,
  view: CaseView,
  { action, command, execute, note, warning, did }: CaseCommand,
): Promise<Answer> {
  if ((await checkPermitted(operation, view, action)) === 'done') {
    const { state } = await currentState(operation, view);
    return caseAnswer(operation, view.id, state, { did: 'That is done already.', changed: false });
  }
  if (warning) await confirm(operation, { ...warning, expected: view.id.slice(0, 8) });
  const state = await logged(operation, { action: `case.${command}`, caseId: view.id, note }, async () =>
    stateOrThrow(operation, await execute()),
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
  action: CommandName,
): Promise<'done' | 'to do'> {
  const { state, source } = await currentState(operation, view);
  const verdict = permit(state, action, instant(operation.now()));
  if (source === 'projection' || verdict.verdict === 'allowed') return 'to do';
  if (verdict.verdict === 'done') return 'done';
  throw refused(operation, verdict.refusal);
}

/** What came of a command, as the command line tells it. @returns the case's state after it. @throws Ending otherwise */
export function stateOrThrow(operation: Operation, result: CaseCommandResult): CaseState {
  switch (result.outcome) {
    case 'done':
      return result.state;
    case 'refused':
      throw refused(operation, result.refusal);
    case 'unavailable':
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
function refused({ now }: Operation, refusal: CaseCommandRefusal): OperatorError {
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
    case 'NO_ADDRESS':
      return new OperatorError(
        'refused',
        refusal.code,
        `The case has no address for ${refusal.channel}. Add it with \`case correct\`.`,
      );
    case 'CASE_LIMIT_EXCEEDED': {
      const again = formatTimestamp(instant(now().getTime() + refusal.retryAfter * 1000));
      const limit = `The link was sent again ${RESENDS_A_DAY} times in 24 hours; the next time may be ${again}.`;
      return new OperatorError('refused', refusal.code, limit);
    }
    case 'NO_WAY_TO_REACH':
      return wrongUsage('--phone can not get SMS, and the case has no e-mail address.');
    case 'IDENTITY_BOUND':
      return new OperatorError(
        'refused',
        refusal.code,
        'Somebody has logged in to this case, so its name stays. `case unbind` forgets who that was.',
      );
  }
}
