import { formatTimestamp } from '../../calendar/format.ts';
import { bookingOf, type CaseState, type CaseStatus } from '../../domain/case-state.ts';
import { type CaseId, parseCaseId } from '../../domain/ids.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { describeCase } from '../../domain/next-steps.ts';
import { type CaseChanged, mayDo } from '../../domain/permit.ts';
import { type Action, ACTIONS } from '../../domain/transitions.ts';
import { type CaseView, findCases, readCase } from '../../postgres/cases.ts';
import { type Erasure, listErasures } from '../../postgres/personal-data.ts';
import type { CaseRef } from '../../temporal/case-client.ts';
import type { OperationName } from '../descriptions/index.ts';
import { answer, type Answer, type Operation } from '../operation.ts';
import { choiceRequired, notFound, refusal } from '../operator-error.ts';
import { type Columns, parts, table, type View } from '../view.ts';

/** What each operation that changes a case is given beside its own. */
export interface OnCase {
  readonly case: string;
  readonly expectedStatus?: CaseStatus | undefined;
  readonly revision?: number | undefined;
}

/** Does something to a case, if it still is as whoever asks has seen it. */
export const forCase =
  <Input extends OnCase>(
    work: (operation: Operation, view: CaseView & CaseRef, input: Input) => Promise<Answer>,
  ) =>
  async (operation: Operation, input: Input): Promise<Answer> => {
    const view = await findCase(operation, input.case);
    const { expectedStatus: status, revision } = input;
    if (status === undefined && revision === undefined) return work(operation, view, input);
    await requireUnchanged(operation, view, input);
    // the workflow judges it again, when the command's turn has come
    return work(operation, { ...view, expected: { status, revision } }, input);
  };

async function requireUnchanged(
  operation: Operation,
  view: CaseView,
  { expectedStatus, revision }: OnCase,
): Promise<void> {
  const { state } = await currentState(operation, view);
  const isOther = expectedStatus !== undefined && state.status !== expectedStatus;
  if (!isOther && (revision === undefined || revision === view.revision)) return;
  throw caseChanged({ status: state.status, revision: view.revision }, describeState(state));
}

export const caseChanged = (
  { status, revision }: Pick<CaseChanged, 'status' | 'revision'>,
  view: View | null = null,
) =>
  refusal(
    'CASE_CHANGED',
    `The case has changed meanwhile, so nothing was done: it is ${status} now. Look at it again.`,
    { details: { status, revision }, view },
  );

/** @throws OperatorError when there is no such case, or more than one */
export async function findCase(operation: Operation, given: string): Promise<CaseView> {
  const { database } = operation;
  const found = await findCases(database, given);
  const [only, ...others] = found;
  if (only && others.length > 0) {
    const columns = {
      Id: 'id',
      Partner: 'partner_id',
      Treatment: 'treatment_type',
      Status: 'status',
    } as const satisfies Columns<(typeof found)[number]>;
    const caseIds = found.map(({ id }) => id);
    throw choiceRequired(
      'case',
      caseIds,
      `${found.length} cases match, so use the id:`,
      table(columns, found, ''),
      { caseIds },
    );
  }
  const view = only && (await readCase(database, only.id));
  if (view) return view;
  const erased = await readErasure(operation, given);
  if (erased) {
    const { caseId, at, why } = erased;
    throw refusal(
      'CASE_ERASED',
      `Case ${caseId} was erased ${formatTimestamp(at)} (${why}): nothing is left of it.`,
    );
  }
  throw notFound(`No case has the id or the reference "${given}". \`operator case list\` shows them.`);
}

/** The same of what logs tell of it, which stays when it is erased. */
export const findCaseId = async (operation: Operation, given: string): Promise<CaseId> =>
  (await readErasure(operation, given))?.caseId ?? (await findCase(operation, given)).id;

async function readErasure({ database }: Operation, given: string): Promise<Erasure | null> {
  const caseId = parseCaseId(given);
  return (caseId && (await listErasures(database, { caseId, limit: 1 }))[0]) ?? null;
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
  { id: caseId }: Pick<CaseView, 'id'>,
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

/** Of `case retry`, `retry`. */
type VerbOf<Name> = Name extends `case ${infer Verb}` ? Verb : never;

/** The command for each action of the table; null where the operator has none. */
const COMMAND_OF_ACTION: Record<Action, VerbOf<OperationName> | null> = {
  confirm: 'book',
  cancel: 'cancel',
  requestAssistance: null,
  resolveAssistance: 'resolve-assistance',
  recall: 'recall',
  expire: null,
  moveDeadline: 'move-deadline',
  archive: 'archive',
  changeContact: 'correct',
  correctName: 'correct',
  resendLink: 'resend',
  retry: 'retry',
};

/** The action in the words of the command line: to confirm is to book, and when booked to change. */
export const commandFor = (action: Action, status: CaseStatus): string | null =>
  action === 'confirm' && status === 'booked' ? 'change' : COMMAND_OF_ACTION[action];

export const commandsFor = (actions: readonly Action[], status: CaseStatus): string[] => [
  ...new Set(actions.map((action) => commandFor(action, status)).filter((command) => command !== null)),
];

/** All that the operator may do to the case now. */
export const possibleCommands = (state: CaseState, at: Instant): string[] =>
  commandsFor(
    ACTIONS.filter((action) => mayDo(state, action, at)),
    state.status,
  );
