import type { CaseCommandResult } from '../cases/commands.ts';
import type { CaseState } from '../domain/case-state.ts';
import type { Action } from '../domain/transitions.ts';
import { isDatabaseUnreachable } from '../postgres/database-errors.ts';
import { ApiError, outcomeUnknown, refusalError, temporarilyUnavailable } from './errors.ts';

/** What came of a command, as HTTP tells it. @returns the case's state after it. @throws ApiError where it is not done */
export function stateOrThrow(
  result: CaseCommandResult,
  audience: (allowed: readonly Action[]) => readonly string[],
): CaseState {
  switch (result.outcome) {
    case 'done':
      return result.state;
    case 'refused':
      throw refusalError(result.refusal, audience);
    case 'unavailable':
      throw temporarilyUnavailable();
    case 'unknown':
      throw outcomeUnknown();
  }
}

/**
 * Does what comes after a command was done. When something is away then, the caller must not be told that nothing
 * happened.
 *
 * @throws OUTCOME_UNKNOWN in place of what says so
 */
export async function afterCommand<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const saysNothingHappened = error instanceof ApiError && error.code === 'TEMPORARILY_UNAVAILABLE';
    throw saysNothingHappened || isDatabaseUnreachable(error) ? outcomeUnknown() : error;
  }
}
