import type { UpdateDefinition } from '@temporalio/common';
import type { UpdateRequest } from '../../workflows/contract.ts';
import type { Actor, CaseState } from '../domain/case-state.ts';
import { instant } from '../domain/instant.ts';
import { permit, type Refusal } from '../domain/permit.ts';
import type { Action } from '../domain/transitions.ts';
import type { CaseView } from '../postgres/cases.ts';
import { isDatabaseUnreachable } from '../postgres/database-errors.ts';
import type { Dependencies } from './dependencies.ts';
import { ApiError, outcomeUnknown, temporarilyUnavailable } from './errors.ts';

export interface CaseCommand<A extends UpdateRequest> {
  readonly update: UpdateDefinition<CaseState, [A]>;
  readonly wish: Omit<A, keyof UpdateRequest>;
  /** The wish's name in the table, by which a case whose workflow is over is judged. */
  readonly action: Action;
  readonly actor: Actor;
}

/** Has the case's workflow judge a wish. `null`: granted, and the projection shows it. @throws ApiError when nobody knows */
export async function executeCommand<A extends UpdateRequest>(
  { caseClient, now }: Dependencies,
  view: CaseView,
  { update, wish, action, actor }: CaseCommand<A>,
): Promise<Refusal | null> {
  const answer = await caseClient.execute(view, update, wish, actor);
  switch (answer.outcome) {
    case 'granted':
      return null;
    case 'refused':
      return answer.refusal;
    case 'ended': {
      const verdict = permit(view.state, action, instant(now()));
      if (verdict.verdict === 'allowed') throw temporarilyUnavailable();
      return verdict.verdict === 'refused' ? verdict.refusal : null;
    }
    case 'unreachable':
      throw temporarilyUnavailable();
    case 'unknown':
      throw outcomeUnknown();
  }
}

/**
 * Does what comes after a wish was granted. When something is away then, the caller must not be told that nothing
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
