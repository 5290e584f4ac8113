import {
  type Booking,
  bookingOf,
  type CaseState,
  type Channel,
  CHANNELS,
  dueInvitationOf,
  hasOpenAssistance,
  hasOverlap,
  isOver,
  isUndeliverable,
  problemOf,
  type Reminder,
} from './case-state.ts';
import { daysAfter, type Instant, instant } from './instant.ts';
import { situationOf, TRANSITIONS } from './transitions.ts';
import { VERIFICATION_KINDS } from './verification.ts';

/** Does the deadline end this case when it passes? */
export const isOpen = (state: CaseState): boolean => 'expire' in TRANSITIONS[situationOf(state)];

/** The booking that still must be put into the provider's calendar. */
export function nextTransfer(state: CaseState): Booking | null {
  const wanted = bookingOf(state);
  return wanted?.transferredAt === null && state.status === 'booked' ? wanted : null;
}

/** The bookings that still have to be taken out of their calendars, as far as that can be done without a person. */
export const bookingsToRelease = (state: CaseState): readonly Booking[] =>
  state.bookings.filter((booking) => booking.abandonedBy !== null && !booking.unverified);

/** What happens to the case by itself, and when. */
export interface Timer {
  readonly at: Instant;
  readonly action: 'invite' | 'remind' | 'tellOfEarlier' | 'expire' | 'archive';
}

/** Corrections within this time make one invitation (milliseconds). */
const CORRECTIONS_WITHIN = 60_000;

/** When corrected addresses get their invitation, and on which channels; null where none is due. */
export function nextInvitation(
  state: CaseState,
): { readonly at: Instant; readonly channels: readonly Channel[] } | null {
  const due = dueInvitationOf(state);
  return due && { at: instant(Date.parse(due.since) + CORRECTIONS_WITHIN), channels: due.channels };
}

/**
 * What the customer is reminded of: of the last day to book while they are waited for (who may be waiting for help), of
 * their appointment once it stands in the provider's calendar.
 */
export function remindersOf(state: CaseState): readonly Reminder[] {
  switch (state.status) {
    case 'pending_patient_action':
    case 'assistance_requested':
      return state.deadline.reminders;
    case 'booked': {
      const reminder = bookingOf(state)?.reminder;
      return reminder ? [reminder] : [];
    }
    case 'deadline_expired':
    case 'recalled':
    case 'archived':
    case 'error':
      return [];
  }
}

/** Those that are left; the first may be due already. */
export const pendingReminders = (state: CaseState): readonly Reminder[] =>
  remindersOf(state).filter(({ at }) => state.remindAfter === null || at > state.remindAfter);

/**
 * An invitation, a reminder or news of an earlier time; the deadline of an open case; the archive of one that has ended;
 * null where nothing is due (an error waits for people).
 */
export function nextTimer(state: CaseState): Timer | null {
  const [reminder] = pendingReminders(state);
  const invitation = nextInvitation(state);
  const earlier = state.status === 'booked' ? state.waitlist?.next : null;
  const timers: readonly (Timer | null | undefined)[] = [
    endTimer(state),
    invitation && { at: invitation.at, action: 'invite' },
    reminder && { at: reminder.at, action: 'remind' },
    earlier && { at: earlier.at, action: 'tellOfEarlier' },
  ];
  return timers.reduce<Timer | null>(
    (first, timer) => (timer && (first === null || timer.at < first.at) ? timer : first),
    null,
  );
}

function endTimer(state: CaseState): Timer | null {
  if (isOpen(state)) return { at: state.deadline.passesAt, action: 'expire' };
  const end = endOf(state);
  return end && { at: daysAfter(end, state.archiveAfterDays), action: 'archive' };
}

/** From when the days until the archive count; null where they do not. A booked case ends with its appointment. */
function endOf(state: CaseState): Instant | null {
  switch (state.status) {
    case 'booked':
      return bookingOf(state)?.end ?? null;
    case 'deadline_expired':
    case 'recalled':
      return state.endedAt;
    case 'pending_patient_action':
    case 'assistance_requested':
    case 'error':
    case 'archived':
      return null;
  }
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How times are written: as they are, where nobody says how. */
type FormatTime = (time: Instant) => string;
const formatUtc: FormatTime = (time) => `${time.slice(0, 16).replace('T', ' ')} UTC`;

/**
 * Where the case stands and what happens next, in words for the operator. Ids and times only; Markdown.
 *
 * @param noticed what was noticed from outside, in words
 */
export function describeCase(
  state: CaseState,
  format: FormatTime = formatUtc,
  noticed: readonly string[] = [],
): string {
  const lines = [
    `**${describeStatus(state, format)}**`,
    ...describeProblems(state),
    ...noticed,
    ...describeVerifications(state),
    describeNext(state, format),
    state.clockAhead === undefined
      ? null
      : `In the sandbox: its clock is ${Math.round(state.clockAhead / DAY_MS)} days ahead of ours, and these times are by it.`,
  ];
  return lines.filter((line) => line !== null).join('\n\n');
}

function describeStatus(state: CaseState, format: FormatTime): string {
  switch (state.status) {
    case 'pending_patient_action':
      return `Waiting for the customer to book. Last day: ${state.deadline.date}.`;
    case 'assistance_requested':
      return `The customer asked for help with booking. Last day to book: ${state.deadline.date}.`;
    case 'booked': {
      const booking = bookingOf(state);
      if (!booking) return 'Booked.';
      return `Booked at ${booking.providerId}, ${format(booking.start)} to ${format(booking.end)}.`;
    }
    case 'deadline_expired':
      return `Nobody booked by the last day, ${state.deadline.date}.`;
    case 'recalled':
      return `Recalled by the partner ${format(state.recall.at)}.`;
    case 'archived':
      return 'Archived: closed for good.';
    case 'error':
      return `Stopped by ${state.problem.code} since ${format(state.problem.since)}.`;
  }
}

function describeProblems(state: CaseState): string[] {
  const found = [];
  const problem = problemOf(state)?.code;
  if (isUndeliverable(state)) {
    found.push('No message reaches the customer: correct an address, or call.');
  }
  if (!isOver(state)) found.push(...describeSilentChannels(state));
  if (problem === 'TRANSFER_REFUSED') {
    found.push('The provider did not take the appointment. Settle it with the clinic, then retry.');
  }
  if (problem === 'INTERNAL') found.push('Internal error. Fix it, then retry.');
  if (hasOpenAssistance(state)) found.push('A request for help is open: read it with `operator case show`.');
  if (hasOverlap(state)) {
    found.push(
      'The clinic moved the appointment to a time that another booking of ours has. ' +
        'Ask the clinic which of the two it keeps; once one is moved or cancelled there, this settles itself.',
    );
  }
  for (const booking of state.bookings.filter((b) => b.unverified)) {
    found.push(
      `Slot ${booking.slot} at ${booking.providerId} is still busy after its booking was cancelled. ` +
        'Check with the clinic, then retry.',
    );
  }
  return found;
}

/** The channels on which the customer hears nothing now, and why. */
function describeSilentChannels({ contactability }: CaseState): string[] {
  const name = { email: 'e-mail address', sms: 'telephone number' };
  const why = (channel: Channel) => {
    const { hasAddress, failed, disowned } = contactability.channels[channel];
    if (!hasAddress) return [];
    if (disowned)
      return `The ${name[channel]} is not the customer's, says who is there: it gets nothing more until it is corrected.`;
    return failed === null ? [] : `The last message to the ${name[channel]} failed.`;
  };
  return CHANNELS.flatMap(why);
}

/** What the registries said, and when: the fact, without a number or a name. */
const describeVerifications = ({ verifications }: CaseState): string[] =>
  VERIFICATION_KINDS.flatMap((kind) => {
    const note = verifications[kind];
    if (!note) return [];
    const name = { policy: 'Policy', referral: 'Referral' }[kind];
    const outcome = { verified: 'verified', not_verified: 'not verified' }[note.outcome];
    return `${name}: ${outcome} ${note.at.slice(0, 10)}.`;
  });

function describeNext(state: CaseState, format: FormatTime): string | null {
  const transfer = nextTransfer(state);
  if (transfer)
    return `Next: the appointment is put into the calendar of ${transfer.providerId}, for as long as it takes.`;
  const timer = nextTimer(state);
  if (!timer) return state.status === 'archived' ? null : 'Next: nothing happens until somebody acts.';
  const end = endTimer(state);
  const then = end && end.action !== timer.action ? `, and ${TIMER_TEXTS[end.action]} ${format(end.at)}` : '';
  return `Next, by itself: ${TIMER_TEXTS[timer.action]} ${format(timer.at)}${then}.`;
}

const TIMER_TEXTS: Record<Timer['action'], string> = {
  invite: 'the booking link is sent to the corrected address',
  remind: 'the customer is reminded',
  tellOfEarlier: 'the customer is told of an earlier time',
  expire: 'the case expires',
  archive: 'the case is archived',
};
