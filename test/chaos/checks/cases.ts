import { isDeepStrictEqual } from 'node:util';
import { bookingIdOf, problemOf } from '../../../src/domain/case-state.ts';
import type { Account } from '../actors/account.ts';
import type { Check, Outside, SeenEvent, Violation } from '../outside.ts';

/** P1: a 201 means the case lives. And P7, as far as one version goes: its history replays. */
export const lives: Check = ({ accounts, rows, workflows, restless }) => {
  const violations: Violation[] = [];
  const violate = (caseId: string | null, expected: string, seen: string) =>
    violations.push({ promise: 'P1', caseId, expected, seen });

  for (const account of accounts) {
    const ids = [...new Set(account.created)];
    const [id = null] = ids;
    if (ids.length > 1)
      violate(id, 'one case, however often one create is repeated with its key', ids.join(', '));
    const refused = account.attempts.find(({ deed, outcome }) => deed === 'create' && outcome === 'refused');
    if (refused)
      violate(id, 'a valid create is taken', `${account.partnerCaseId} was refused: ${refused.code}`);
    const its = rows.filter(({ partnerCaseId }) => partnerCaseId === account.partnerCaseId);
    if (its.length > 1) violate(id, 'one row a case', its.map((row) => row.id).join(', '));
    if (its.length === 0 && id) violate(id, 'its row', 'none');
  }

  const answered = accounts.flatMap(({ created }) => created);
  const living = new Map(workflows.map((workflow) => [workflow.workflowId, workflow]));
  for (const id of new Set([...answered, ...rows.map((row) => row.id)])) {
    const workflow = living.get(`case-${id}`);
    if (workflow?.lives !== 1) violate(id, 'exactly one workflow', String(workflow?.lives ?? 0));
  }
  const known = new Set(rows.map(({ id }) => `case-${id}`));
  for (const { workflowId } of workflows.filter((workflow) => !known.has(workflow.workflowId)))
    violate(workflowId.replace('case-', ''), 'a row for each workflow', 'none');

  for (const { caseId, why } of restless) violate(caseId, 'that it comes to rest', why);
  for (const { id, status, state } of rows) {
    if (status === 'error')
      violate(id, 'that troubles which end stop no case', `error: ${problemOf(state)?.code}`);
  }
  for (const { workflowId, fault } of workflows) {
    const caseId = workflowId.replace('case-', '');
    if (fault !== null)
      violations.push({ promise: 'P7', caseId, expected: 'a history that replays', seen: fault });
  }
  return violations;
};

/** The case of an account, where there is one. */
export const idOf = ({ created }: Account): string | null => created[0] ?? null;

const OPEN = ['pending_patient_action', 'assistance_requested'];
const ANY_BUT_OVER = [...OPEN, 'booked', 'deadline_expired', 'error'];

/** The contract's table once more, by events: in which statuses each may happen, and where it leads (null: it stays). */
const LEGAL: Readonly<Record<string, { readonly from: readonly string[]; readonly to: string | null }>> = {
  'booking.confirmed': { from: [...OPEN, 'error'], to: 'booked' },
  'booking.changed': { from: ['booked'], to: 'booked' },
  'booking.transferred': { from: ['booked'], to: null },
  'booking.cancelled': { from: ['booked'], to: 'pending_patient_action' },
  'booking.cancelled_by_provider': { from: ['booked'], to: 'pending_patient_action' },
  // no clinic of the run gives an hour to anybody else, or refuses a booking for good
  'booking.transfer_refused': { from: [], to: null },
  'assistance.requested': { from: ANY_BUT_OVER, to: null },
  'case.deadline_moved': { from: [...OPEN, 'error', 'booked', 'deadline_expired'], to: null },
  'case.deadline_expired': { from: [...OPEN, 'error'], to: 'deadline_expired' },
  'case.reopened': { from: ['deadline_expired', 'error'], to: 'pending_patient_action' },
  'case.recalled': { from: ANY_BUT_OVER, to: 'recalled' },
  'case.failed': { from: ANY_BUT_OVER, to: 'error' },
  'case.archived': { from: ['booked', 'deadline_expired', 'error', 'recalled'], to: 'archived' },
};

/** P3: a case's transitions are in one order, and each is legal in the status that it finds. */
export const transitions: Check = (outside) => [
  ...outside.rows.flatMap(({ id, status }) => ofCase(id, status, outside.events)),
  ...gaps(outside),
];

function ofCase(id: string, shown: string, all: readonly SeenEvent[]): Violation[] {
  const violations: Violation[] = [];
  let status = 'pending_patient_action';
  for (const event of all.filter(({ caseId }) => caseId === id)) {
    // whatever was told before
    if (event.type === 'case.restored') status = event.status;
    const rule = LEGAL[event.type];
    if (rule && !rule.from.includes(status)) {
      const expected = `${event.type} ${rule.from.length === 0 ? 'never' : `in ${rule.from.join(', ')} only`}`;
      violations.push({
        promise: 'P3',
        caseId: id,
        expected,
        seen: `event ${event.number} found it ${status}`,
      });
    }
    const isAskedWhenOpen = event.type === 'assistance.requested' && OPEN.includes(status);
    status = isAskedWhenOpen ? 'assistance_requested' : (rule?.to ?? status);
  }
  if (status !== shown)
    violations.push({ promise: 'P3', caseId: id, expected: `${status}, by its events`, seen: shown });
  return violations;
}

/** Each partner's events are numbered without a gap, or a partner who polls would miss one. */
function gaps({ events, feeds, lost }: Outside): Violation[] {
  return feeds.flatMap(({ partnerId, lastEvent }) => {
    const numbers = events.filter((event) => event.partnerId === partnerId).map(({ number }) => number);
    const isNext = (number: number, i: number) => {
      const before = numbers[i - 1] ?? 0;
      return number === before + 1 || (number - 1 === lost?.numbersAbove && before < number);
    };
    const isLast = [numbers.at(-1) ?? 0, lost?.numbersAbove].includes(lastEvent);
    if (isLast && numbers.every(isNext)) return [];
    const expected = `events 1 to ${lastEvent} of ${partnerId}, each once and in order`;
    return [{ promise: 'P3', caseId: null, expected, seen: `${numbers.length} of them` } as const];
  });
}

/** P5: what a partner reads is the workflow's state; at once for whoever had a command granted. */
export const readers: Check = ({ accounts, rows, workflows, shown }) => {
  const violations: Violation[] = [];
  const violate = (caseId: string, expected: string, seen: string) =>
    violations.push({ promise: 'P5', caseId, expected, seen });
  const states = new Map(workflows.map(({ workflowId, state }) => [workflowId, state]));
  const shownOf = new Map(shown.map((one) => [one.caseId, one]));

  for (const { id, status, bookingDeadline, bookingId, state } of rows) {
    const own = states.get(`case-${id}`) ?? null;
    if (own === null) {
      violate(id, "its workflow's state", 'the workflow does not answer');
      continue;
    }
    if (!isDeepStrictEqual(own, state)) violate(id, JSON.stringify(own), JSON.stringify(state));
    const columns = { status, date: bookingDeadline, bookingId };
    const expected = { status: own.status, date: own.deadline.date, bookingId: bookingIdOf(own) };
    if (!isDeepStrictEqual(columns, expected)) violate(id, JSON.stringify(expected), JSON.stringify(columns));
    const read = shownOf.get(id);
    if (read && (read.status !== own.status || read.bookingId !== bookingIdOf(own)))
      violate(
        id,
        `${own.status}, booking ${bookingIdOf(own)}`,
        `the partner reads ${read.status}, ${read.bookingId}`,
      );
  }
  for (const account of accounts) {
    for (const { deed, outcome, status } of account.attempts) {
      if (deed === 'recall' && outcome === 'granted' && status !== 'recalled')
        violate(idOf(account) ?? '', 'recalled, in the answer that grants it', String(status));
    }
  }
  return violations;
};
