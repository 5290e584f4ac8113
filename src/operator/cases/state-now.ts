import { timeInList } from '../../calendar/format.ts';
import type { CaseState } from '../../domain/case-state.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import type { Operation } from '../operation.ts';

/** A case's state, and who says so. */
export interface StateNow {
  readonly state: CaseState;
  readonly source: 'workflow' | 'projection';
  /** The same in words. */
  readonly according: string;
}

/** What the workflow says this moment; where it does not answer at once, what it wrote down last. */
export async function stateNow({ door }: Operation, view: CaseView): Promise<StateNow> {
  const { workflow_started_at, updated_at, state } = view;
  const live = workflow_started_at && (await door.look(view.id));
  if (live) return { state: live, source: 'workflow', according: 'as its workflow says now' };
  const why = workflow_started_at ? 'its workflow does not answer now' : 'its workflow is not started yet';
  return { state, source: 'projection', according: `${why}; as written down ${timeInList(updated_at)}` };
}
