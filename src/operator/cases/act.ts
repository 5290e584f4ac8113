import type { UpdateDefinition } from '@temporalio/common';
import type { CaseState } from '../../domain/case-state.ts';
import type { Action } from '../../domain/transitions.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import type { Ask } from '../../../workflows/contract.ts';
import { confirm } from '../confirm.ts';
import { logged, type Answer, type Operation } from '../operation.ts';
import { askCase, judge } from './ask-case.ts';
import { outcome } from './outcome.ts';
import { stateNow } from './state-now.ts';

export interface Deed<A extends Ask> {
  readonly update: UpdateDefinition<CaseState, [A]>;
  /** Its name in the table. */
  readonly action: Action;
  /** Its name in the operators' log, after `case.`. */
  readonly command: string;
  /** What the workflow is told; rows that it refers to are written here. */
  readonly wish: () => Promise<Omit<A, keyof Ask>> | Omit<A, keyof Ask>;
  /** Kept in the log. */
  readonly note?: string | undefined;
  /** For what can not be undone: what will be. */
  readonly warning?: { readonly what: string; readonly yes: true | undefined };
  readonly did: string;
}

/** Judges, asks whether it is meant, writes it down, and has the case's workflow do it. */
export async function act<A extends Ask>(
  operation: Operation,
  view: CaseView,
  { update, action, command, wish, note, warning, did }: Deed<A>,
): Promise<Answer> {
  if ((await judge(operation, view, action)) === 'done') {
    const { state } = await stateNow(operation, view);
    return outcome(operation, view.id, state, { did: 'That is done already.', changed: false });
  }
  if (warning) await confirm(operation, { ...warning, expected: view.id.slice(0, 8) });
  const state = await logged(operation, { action: `case.${command}`, caseId: view.id, note }, async () =>
    askCase(operation, view, { update, wish: await wish(), action }),
  );
  return outcome(operation, view.id, state, { did });
}
