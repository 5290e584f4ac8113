import type { UpdateDefinition } from '@temporalio/common';
import type { Actor, CaseState } from '../domain/case-state.ts';
import { instant } from '../domain/instant.ts';
import { permit } from '../domain/permit.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Action } from '../domain/transitions.ts';
import type { CaseView } from '../postgres/read-cases.ts';
import type { Ask } from '../../workflows/contract.ts';
import { outcomeUnknown, temporarilyUnavailable } from './api-error.ts';
import type { Dependencies } from './dependencies.ts';

export interface Wished<A extends Ask> {
  readonly update: UpdateDefinition<CaseState, [A]>;
  readonly wish: Omit<A, keyof Ask>;
  /** The wish's name in the table, by which a case whose workflow is over is judged. */
  readonly action: Action;
  readonly actor: Actor;
}

/** Has the case's workflow judge a wish. `null`: granted, and the projection shows it. @throws ApiError when nobody knows */
export async function act<A extends Ask>(
  { door, now }: Dependencies,
  view: CaseView,
  { update, wish, action, actor }: Wished<A>,
): Promise<Refusal | null> {
  const answer = await door.ask(view, update, wish, actor);
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
