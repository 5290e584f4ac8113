import {
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  type Client,
  type WorkflowHandle,
} from '@temporalio/client';
import { ApplicationFailure, type SignalDefinition, type UpdateDefinition } from '@temporalio/common';
import type { Actor, CaseState } from '../domain/case-state.ts';
import type { CaseId } from '../domain/ids.ts';
import { instant } from '../domain/instant.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { CaseRow } from '../postgres/case-row.ts';
import { caseState, REFUSAL, workflowIdOf, type Ask } from '../../workflows/contract.ts';
import { isReachable } from './connect.ts';
import { createTurnstile } from './turnstile.ts';
import type { CaseToStart } from './start-case.ts';

/** What came of a wish. */
export type Answer =
  | { readonly outcome: 'granted'; readonly state: CaseState }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  /** The case's workflow is over, so its last projection has the last word. */
  | { readonly outcome: 'ended' }
  /** It was never sent: nothing happened. */
  | { readonly outcome: 'unreachable' }
  /** It was sent and not answered: it may still happen. */
  | { readonly outcome: 'unknown' };

export type CaseAtDoor = CaseToStart & Pick<CaseRow, 'workflow_started_at'>;

/** The API's only way to the cases' workflows. */
export interface Door {
  /** Asks the case for something and waits for the verdict. Update ids are random: one that means something would answer for ever as it did first. */
  ask<A extends Ask>(
    row: CaseAtDoor,
    update: UpdateDefinition<CaseState, [A]>,
    wish: Omit<A, keyof Ask>,
    actor: Actor,
  ): Promise<Answer>;
  /** Tells the case something that it takes note of whenever it wakes. */
  tell<A>(row: CaseAtDoor, signal: SignalDefinition<[A]>, news: A): Promise<'told' | 'ended' | 'unreachable'>;
  /** The state as it is now, a step ahead of the projection; null when it can't be had at once. */
  look(caseId: CaseId): Promise<CaseState | null>;
}

export interface DoorOptions {
  readonly client: Client;
  /** Starts the workflow of a case that has none yet. */
  readonly start: (row: CaseToStart) => Promise<void>;
  /** How long a caller waits for a verdict (milliseconds): longer than a provider may take to hold a slot. */
  readonly patience?: number;
}

const REACH_WITHIN = 1_000;
/** Temporal is there by then, and may have much to do: better to wait for it than to send a customer away. */
const START_WITHIN = 5_000;
const LOOK_WITHIN = 500;
/** A workflow takes ten updates at a time, and more wait until their deadline. */
const AT_ONCE = 5;

export function createDoor({ client, start, patience = 15_000 }: DoorOptions): Door {
  const turnstile = createTurnstile(AT_ONCE);
  const within = <T>(milliseconds: number, call: () => Promise<T>) =>
    client.withDeadline(Date.now() + milliseconds, call);
  const handleOf = (caseId: CaseId): WorkflowHandle => client.workflow.getHandle(workflowIdOf(caseId));

  /** False: whatever is asked of this case now would not arrive. */
  const isAwake = async (row: CaseAtDoor): Promise<boolean> => {
    if (!(await isReachable(client))) return false;
    if (row.workflow_started_at !== null) return true;
    return within(START_WITHIN, () => start(row)).then(
      () => true,
      () => false,
    );
  };

  return {
    ask: (row, update, wish, actor) =>
      turnstile(row.id, async (): Promise<Answer> => {
        if (!(await isAwake(row))) return { outcome: 'unreachable' };
        const ask = { ...wish, actor, notAfter: instant(Date.now() + patience) };
        try {
          const state = await within(patience, () =>
            // The wish and the ask make up the update's argument, which the compiler can't see through `Omit`.
            handleOf(row.id).executeUpdate<CaseState, [Ask]>(
              update as unknown as UpdateDefinition<CaseState, [Ask]>,
              {
                args: [ask],
              },
            ),
          );
          return { outcome: 'granted', state };
        } catch (error) {
          return answerOf(error);
        }
      }),

    async tell(row, signal, news) {
      if (!(await isAwake(row))) return 'unreachable';
      try {
        await within(REACH_WITHIN, () => handleOf(row.id).signal(signal, news));
        return 'told';
      } catch (error) {
        return error instanceof WorkflowNotFoundError ? 'ended' : 'unreachable';
      }
    },

    look: (caseId) => within(LOOK_WITHIN, () => handleOf(caseId).query(caseState)).catch(() => null),
  };
}

function answerOf(error: unknown): Answer {
  if (error instanceof WorkflowNotFoundError) return { outcome: 'ended' };
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : null;
  if (cause instanceof ApplicationFailure && cause.type === REFUSAL) {
    return { outcome: 'refused', refusal: cause.details?.[0] as Refusal };
  }
  // The workflow ended while the update waited for its turn.
  if (cause instanceof ApplicationFailure && cause.type === 'AcceptedUpdateCompletedWorkflow')
    return { outcome: 'ended' };
  return { outcome: 'unknown' };
}
