import { isDeepStrictEqual } from 'node:util';
import { bookingIdOf } from '../../../src/domain/case-state.ts';
import { idOf } from './lives.ts';
import type { Check, Violation } from './violation.ts';

/** P5: what a partner reads is the workflow's state; at once for whoever's wish was granted. */
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
