import type { Outside, SeenEvent } from '../outside.ts';
import type { Check, Violation } from './violation.ts';

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
function gaps({ events, feeds }: Outside): Violation[] {
  return feeds.flatMap(({ partnerId, lastEvent }) => {
    const numbers = events.filter((event) => event.partnerId === partnerId).map(({ number }) => number);
    const isWhole = numbers.length === lastEvent && numbers.every((number, i) => number === i + 1);
    if (isWhole) return [];
    const expected = `events 1 to ${lastEvent} of ${partnerId}, each once and in order`;
    return [{ promise: 'P3', caseId: null, expected, seen: `${numbers.length} of them` } as const];
  });
}
