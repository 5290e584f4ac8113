import type { Command } from '@commander-js/extra-typings';
import { formatTimestamp } from '../../calendar/format.ts';
import { bookingOf, type CaseState, type CaseStatus } from '../../domain/case-state.ts';
import type { CaseId } from '../../domain/ids.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { describeCase } from '../../domain/next-steps.ts';
import { mayDo } from '../../domain/permit.ts';
import { type Action, ACTIONS } from '../../domain/transitions.ts';
import { type CaseView, findCases, readCase } from '../../postgres/cases.ts';
import { answer, type Answer, type Operation, type Run } from '../operation.ts';
import { notFound, wrongUsage } from '../operator-error.ts';
import { parts } from '../terminal.ts';

/** How every command says which case: for its help. */
export const CASE = [
  '<case>',
  "the case's id, at least its first 8 characters, or the partner's reference, or the hash of it that Temporal shows",
] as const;

/** A command on one case. */
export const caseCommand = (parent: Command, name: string, description: string) =>
  parent
    .command(name)
    .description(description)
    .argument(...CASE);

/** Runs a command on a case. */
export const forCase = (
  run: Run,
  text: string,
  work: (operation: Operation, view: CaseView) => Promise<Answer>,
): Promise<void> => run(async (operation) => work(operation, await findCase(operation, text)));

/** @throws OperatorError when there is no such case, or more than one */
export async function findCase({ database }: Operation, text: string): Promise<CaseView> {
  const found = await findCases(database, text);
  const [only, ...others] = found;
  if (only && others.length > 0) {
    const lines = found.map(({ id, ...c }) => `  ${id}  ${c.partner_id}, ${c.treatment_type}, ${c.status}`);
    throw wrongUsage(`${found.length} cases match, so use the id:\n${lines.join('\n')}`, {
      caseIds: found.map(({ id }) => id),
    });
  }
  const view = only && (await readCase(database, only.id));
  if (view) return view;
  throw notFound(`No case has the id or the reference "${text}". \`operator case list\` shows them.`);
}

/** A case's state, and who says so. */
export interface CurrentState {
  readonly state: CaseState;
  readonly source: 'workflow' | 'projection';
  /** The same in words. */
  readonly according: string;
}

/** What the workflow says this moment; where it does not answer at once, the projection. */
export async function currentState({ caseClient }: Operation, view: CaseView): Promise<CurrentState> {
  const { workflow_started_at, updated_at, state } = view;
  const live = workflow_started_at && (await caseClient.query(view.id));
  if (live) return { state: live, source: 'workflow', according: 'as its workflow says now' };
  const why = workflow_started_at ? 'its workflow does not answer now' : 'its workflow has not started yet';
  return { state, source: 'projection', according: `${why}; as stored ${formatTimestamp(updated_at)}` };
}

/** Where a case stands, for people; times in Norway. */
export const describeState = (state: CaseState): string =>
  describeCase(state, formatTimestamp).replaceAll('**', '');

/** What became of a case by a command. */
export function caseAnswer(
  { now }: Operation,
  caseId: CaseId,
  state: CaseState,
  { did, changed = true }: { did: string; changed?: boolean },
): Answer {
  const possible = possibleCommands(state, instant(now()));
  const booking = bookingOf(state);
  return answer(parts(did, describeState(state)), {
    caseId,
    changed,
    status: state.status,
    bookingDeadline: state.deadline.date,
    booking: booking && {
      bookingId: booking.bookingId,
      providerId: booking.providerId,
      start: booking.start,
      end: booking.end,
    },
    possible,
  });
}

/** The command for each action of the table; null where the operator has none. */
export const COMMAND_OF_ACTION: Record<Action, string | null> = {
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
  action === 'confirm' && status === 'booked' ? 'change' : COMMAND_OF_ACTION[action];

export const commandsFor = (actions: readonly Action[], status: CaseStatus): string[] =>
  actions.map((action) => commandFor(action, status)).filter((command) => command !== null);

/** All that the operator may do to the case now. */
export const possibleCommands = (state: CaseState, at: Instant): string[] =>
  commandsFor(
    ACTIONS.filter((action) => mayDo(state, action, at)),
    state.status,
  );
