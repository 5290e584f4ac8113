import { type Account, type Attempt, hourOf, personalIn } from '../actors/account.ts';
import type { Check, Outside, SeenEvent, Violation } from '../outside.ts';
import { idOf } from './cases.ts';

/** A verdict that was not heard may be carried out until then (milliseconds): the ask's own limit, and a slow hold. */
const LATE = 40_000;
/** Clocks of servers on one machine. */
const SLACK = 250;

/**
 * P2 and P3, from the callers' side: what somebody was told is what happened. A granted command has its event, every event
 * has a command that was not refused, and the last word stands in the clinic's calendar.
 */
export const answers: Check = (outside) =>
  outside.accounts.flatMap((account) => {
    const id = idOf(account);
    if (!id) return [];
    const events = outside.events.filter(({ caseId }) => caseId === id);
    return [
      ...granted(id, account, events, outside.lost),
      ...unasked(id, account, events),
      ...lastWord(id, account, outside),
    ];
  });

const takesEffectBy = ({ outcome, sentAt, answeredAt }: Attempt): number =>
  outcome === 'unknown' ? Math.max(answeredAt, sentAt + LATE) : answeredAt;

const mayHaveHappened = ({ outcome }: Attempt): boolean => outcome === 'granted' || outcome === 'unknown';

/** The event by which each command comes true. */
const COMES_TRUE: Partial<Record<Attempt['deed'], readonly string[]>> = {
  confirm: ['booking.confirmed', 'booking.changed'],
  // a clinic that cancels first leaves nothing to cancel
  cancel: ['booking.cancelled', 'booking.cancelled_by_provider'],
  recall: ['case.recalled'],
  expire: ['case.deadline_expired'],
  askForHelp: ['assistance.requested'],
};

function granted(
  id: string,
  { attempts }: Account,
  events: readonly SeenEvent[],
  lost: Outside['lost'],
): Violation[] {
  const isLost = ({ answeredAt }: Attempt) =>
    lost !== null && answeredAt > lost.from - SLACK && answeredAt < lost.until;
  return attempts
    .filter((attempt) => attempt.outcome === 'granted' && COMES_TRUE[attempt.deed] && !isLost(attempt))
    .filter((attempt) => {
      // help is noted whoever is awake, so it may come later
      const by = attempt.deed === 'askForHelp' ? Infinity : attempt.answeredAt + SLACK;
      return !events.some(
        (event) =>
          COMES_TRUE[attempt.deed]?.includes(event.type) && event.at <= by && isAbout(event, attempt),
      );
    })
    .map((attempt) => ({
      promise: 'P3',
      caseId: id,
      expected: `what was granted: ${inWords(attempt)}`,
      seen: "no event of it in the case's timeline",
    }));
}

/** Which commands an event may come from; whatever else happens is the clock's or the clinic's doing. */
const COMES_FROM: Readonly<Record<string, readonly Attempt['deed'][]>> = {
  'case.created': ['create'],
  'booking.confirmed': ['confirm'],
  'booking.changed': ['confirm'],
  'booking.cancelled': ['cancel', 'recall'],
  'case.recalled': ['recall'],
  'case.deadline_moved': ['expire'],
};

function unasked(id: string, { attempts }: Account, events: readonly SeenEvent[]): Violation[] {
  return events
    .filter(({ type, actor }) => COMES_FROM[type] && (actor === 'customer' || actor === 'partner'))
    .filter((event) => {
      const commands = attempts.filter(
        (attempt) => COMES_FROM[event.type]?.includes(attempt.deed) && mayHaveHappened(attempt),
      );
      return !commands.some(
        (command) =>
          command.sentAt - SLACK <= event.at &&
          event.at <= takesEffectBy(command) + SLACK &&
          isAbout(event, command),
      );
    })
    .map((event) => ({
      promise: 'P3',
      caseId: id,
      expected: `somebody who asked for it then, and was not told that it did not happen`,
      seen: `${event.type} at ${new Date(event.at).toISOString()} ${JSON.stringify(event.data)}; asked: ${attempts.map(inWords).join('; ')}`,
    }));
}

/** Bookings are told apart by clinic and time: events name nobody. */
function isAbout({ type, data }: SeenEvent, { deed, hour }: Attempt): boolean {
  if (deed !== 'confirm' || hour === null || !type.startsWith('booking.')) return true;
  return hour.startsWith(`${String(data['providerId'])} `) && hour.endsWith(String(data['start']));
}

/** Where nothing overlaps the last command about the appointment, what it was answered is what the clinic has. */
function lastWord(id: string, { attempts }: Account, { appointments }: Outside): Violation[] {
  const live = appointments.filter((one) => one.caseId === id && one.isLive);
  const hours = live.map((one) =>
    hourOf({
      providerId: one.clinic,
      practitioner: one.practitioner,
      start: new Date(one.start).toISOString(),
    }),
  );
  const seen = hours.length === 0 ? 'none' : hours.join('; ');
  const about = attempts.filter(
    (attempt) => ['confirm', 'cancel', 'recall'].includes(attempt.deed) && mayHaveHappened(attempt),
  );
  const violations: Violation[] = [];
  if (about.some(({ deed, outcome }) => deed === 'recall' && outcome === 'granted') && live.length > 0) {
    violations.push({ promise: 'P2', caseId: id, expected: 'no appointment of a recalled case', seen });
  }
  const last = about.findLast(({ outcome }) => outcome === 'granted');
  const isAlone = about.every(
    (other) => other === last || isSameCommand(other, last) || takesEffectBy(other) < (last?.sentAt ?? 0),
  );
  if (last && isAlone) {
    const expected = last.deed === 'confirm' ? [last.hour] : [];
    if (hours.join() !== expected.join())
      violations.push({
        promise: 'P2',
        caseId: id,
        expected: `what was granted last: ${inWords(last)}`,
        seen,
      });
  }
  const confirmed = about.filter(({ deed }) => deed === 'confirm').map(({ hour }) => hour);
  if (hours.some((hour) => !confirmed.includes(hour)))
    violations.push({ promise: 'P2', caseId: id, expected: 'a time that was confirmed', seen });
  return violations;
}

const isSameCommand = (one: Attempt, other: Attempt | undefined): boolean =>
  one.deed === other?.deed && one.hour === other.hour;

const inWords = ({ deed, hour, sentAt, answeredAt, outcome, code }: Attempt): string =>
  `${deed}${hour === null ? '' : ` ${hour}`} (${clock(sentAt)} to ${clock(answeredAt)}: ${code ?? outcome})`;

const clock = (time: number): string => new Date(time).toISOString().slice(11);

const STATUSES = [200, 201, 400, 401, 403, 404, 429, 500];
/** 500s that say what is away, and what the caller may do. */
const TELLING = ['TEMPORARILY_UNAVAILABLE', 'PROVIDER_UNAVAILABLE', 'OUTCOME_UNKNOWN'];

/** P8: whatever is away, an answer is one of the contract's, and a 500 says which thing failed. */
export const errors: Check = ({ answers }) => {
  const wrong = answers.filter(
    ({ status, code }) => !STATUSES.includes(status) || (status === 500 && !TELLING.includes(code ?? '')),
  );
  const kinds = Map.groupBy(wrong, ({ call, status, code }) => `${call}: ${status} ${code}`);
  return [...kinds].map(([kind, its]) => ({
    promise: 'P8',
    caseId: null,
    expected: `${STATUSES.join(', ')}; a 500 with ${TELLING.join(', ')}`,
    seen: `${kind}, ${its.length} times`,
  }));
};

/** P6: nothing personal in histories, in what Temporal shows, in logs and in error bodies. */
export const privacy: Check = ({ writings, answers }) => [
  ...writings.flatMap(({ where, text }) => {
    const found = personalIn(text);
    if (found === null) return [];
    const caseId = /case-([0-9a-f-]{36})/.exec(where)?.[1] ?? null;
    return [{ promise: 'P6', caseId, expected: `nothing personal in ${where}`, seen: found } as const];
  }),
  ...answers.flatMap(({ call, status, body }) => {
    const found = personalIn(body);
    if (found === null) return [];
    const expected = `nothing personal in an error of ${call}`;
    return [{ promise: 'P6', caseId: null, expected, seen: `${status}: ${found}` } as const];
  }),
];
