import type { CaseState, CaseStatus } from '../../domain/case-state.ts';
import type { Instant } from '../../domain/instant.ts';
import { mayDo } from '../../domain/permit.ts';
import { ACTIONS, type Action } from '../../domain/transitions.ts';

/** The command for each action of the table; null where the operator has none. */
const COMMAND: Record<Action, string | null> = {
  confirm: 'book',
  cancel: 'cancel',
  requestAssistance: null,
  resolveAssistance: 'resolve-assistance',
  recall: 'recall',
  expire: null,
  moveDeadline: 'move-deadline',
  archive: 'archive',
  changeContact: 'correct',
  resendLink: 'resend',
  retry: 'retry',
};

/** The action in the words of the command line: to confirm is to book, and when booked to change. */
export const commandFor = (action: Action, status: CaseStatus): string | null =>
  action === 'confirm' && status === 'booked' ? 'change' : COMMAND[action];

export const commandsFor = (actions: readonly Action[], status: CaseStatus): string[] =>
  actions.map((action) => commandFor(action, status)).filter((command) => command !== null);

/** All that the operator may do to the case now. */
export const possibleNow = (state: CaseState, at: Instant): string[] =>
  commandsFor(
    ACTIONS.filter((action) => mayDo(state, action, at)),
    state.status,
  );
