import {
  bookingOf,
  type CaseState,
  hasOpenAssistance,
  hasOverlap,
  isDoubleBooked,
  isOver,
  isUndeliverable,
  problemOf,
} from './case-state.ts';
import { isDisowned } from './contactability.ts';
import type { BookingId, ProviderId } from './ids.ts';
import type { Instant } from './instant.ts';
import { bookingsToRelease, nextTransfer } from './next-steps.ts';

/** What an operator reads of each kind, in English, as the commands are. */
interface AttentionWords {
  readonly heading: string;
  /** @param of ` of <partner>`, or nothing where that is not told */
  readonly happened: (of: string) => string;
  readonly whatToDo: string;
  /** Each as `operator` is told it: ID stands for a case, CAUSE for what the cases have in common. */
  readonly commands: readonly string[];
}

/**
 * Everything that needs an operator, the most pressing first: the only list of it. What a case's state says of itself is
 * judged by its workflow ({@link attentionsOf}); what has not happened for too long, or is about more than one case, by a
 * sweep from outside (src/postgres/attention.ts).
 */
export const ATTENTION = {
  workflow_lost: {
    heading: 'The workflow of a case has ended',
    happened: (of) =>
      `A case${of} is not over, but its workflow is gone or was ended from outside: nobody is reminded, and nothing can be booked or changed, until it is started again.`,
    whatToDo:
      'Find out who ended it, and why. The second command restarts it from its record in the database; the third one all that are lost.',
    commands: ['case show ID', 'case restart ID', 'case list --attention workflow_lost'],
  },
  workflow_behind: {
    heading: 'Workflows are older than what readers saw',
    happened: (of) =>
      `The workflows of many cases${of} are older than what readers saw of them, as after an older backup of Temporal was restored. They are left as they are until somebody decides.`,
    whatToDo:
      'Find out whether Temporal was restored, and read “What can happen, and the way back” in docs/operations/recovery.md. The second command lists these cases. Either the workflows’ state is to count, bookings made since the backup included: the third command. Or what readers see is to count: terminate these workflows, and start them again with the last one.',
    commands: [
      'case show ID',
      'case list --attention workflow_behind',
      'reconcile --full --workflows-win',
      'case restart ID',
    ],
  },
  internal: {
    heading: 'A case is stopped by a fault of ours',
    happened: (of) =>
      `An appointment of a customer${of} could not be put into the clinic’s calendar because of a fault in this service. The case stands still; the customer has got no confirmation.`,
    whatToDo: 'The worker’s log says what the fault is. Once it is mended, let the case go on.',
    commands: ['case show ID', 'case retry ID'],
  },
  transfer_refused: {
    heading: 'A clinic did not take an appointment',
    happened: (of) =>
      `A customer${of} has booked a time, and the clinic’s system refuses the appointment for good. The case stands still until somebody settles it; the customer has got no confirmation.`,
    whatToDo:
      'Ask the clinic what is wrong. When it is settled, let the case go on: it tries the same slot again. If it can’t be settled, call the customer.',
    commands: ['case show ID', 'case retry ID'],
  },
  transfer_pending: {
    heading: 'A booked appointment is not in the clinic’s calendar',
    happened: (of) =>
      `A customer${of} has booked a time, and the clinic’s system has not taken the appointment for half an hour, or the appointment is within a day. The clinic does not know of it; the customer has got no confirmation.`,
    whatToDo:
      'Ask the clinic whether its system is up; the first of these tries it. The service goes on trying every minute by itself. Where the appointment is near, tell the clinic of it by phone, or call the customer.',
    commands: ['provider show CAUSE --check', 'case show ID'],
  },
  overlap: {
    heading: 'A clinic moved an appointment onto another',
    happened: (of) =>
      `A clinic has moved an appointment of a customer${of} onto a time at which the same practitioner already has a booking of ours. The customer was told of the new time.`,
    whatToDo:
      'Ask the clinic which of the two it keeps. Once one of them is moved or cancelled there, both cases follow by themselves within minutes.',
    commands: ['case show ID'],
  },
  double_booked: {
    heading: 'A clinic has two appointments at one time',
    happened: (of) =>
      `A clinic has an appointment of its own at the time of one that a customer${of} has with us: whoever made it looked before the time was taken, or paid no heed to it. Both stand, and the customer was told nothing.`,
    whatToDo:
      'Ask the clinic which of the two it keeps. Once one of them is moved or cancelled there, the case follows by itself; where the clinic keeps both, nothing is to be done.',
    commands: ['case show ID'],
  },
  release_unverified: {
    heading: 'A clinic keeps a time that was cancelled',
    happened: (of) =>
      `An appointment of a customer${of} was cancelled, but its slot is still busy in the clinic’s calendar after two minutes of attempts to release it. Nobody else can book it.`,
    whatToDo:
      'The service goes on trying every few minutes, and the case needs nobody any more once the time is free. If it stays, ask the clinic to free the time, then let the case look again.',
    commands: ['case show ID', 'case retry ID'],
  },
  release_pending: {
    heading: 'A cancelled appointment still stands at the clinic',
    happened: (of) =>
      `An appointment of a customer${of} was cancelled or moved, and the clinic’s system has not taken that for half an hour, or the appointment is within a day. The clinic may wait for somebody who does not come.`,
    whatToDo:
      'Ask the clinic whether its system is up; the first of these tries it. The service goes on trying every minute by itself. Where the appointment is near, tell the clinic by phone.',
    commands: ['provider show CAUSE --check', 'case show ID'],
  },
  disowned: {
    heading: 'A message went to somebody else',
    happened: (of) =>
      `Whoever got the booking link of a customer${of} says that it is not for them. The case gets no more messages until an address is corrected.`,
    whatToDo:
      'Find out how to reach the customer, and correct the address, which sends the link to it; or call them, and book for them. The insurer was told by an event, and can correct addresses too.',
    commands: [
      'case show ID --reveal --reason "the link went to somebody else" --ticket TICKET',
      'case correct ID --email',
      'case correct ID --phone',
    ],
  },
  undeliverable: {
    heading: 'No message reaches the customer',
    happened: (of) =>
      `A message to a customer${of} has failed for good on every address that the case has. They may know nothing of it.`,
    whatToDo:
      'Correct an address, which sends the link again to a customer who has not booked; or call them, and book for them. The insurer sees the failed messages on the case, and can correct addresses too.',
    commands: [
      'case show ID --reveal --reason "no message arrives" --ticket TICKET',
      'case correct ID --email',
      'case correct ID --phone',
      'case availability ID',
    ],
  },
  assistance: {
    heading: 'A customer asks for help',
    happened: (of) =>
      `A customer${of} has asked for help, and was told that somebody gets in touch, usually within one working day.`,
    whatToDo:
      'The first of these shows what they wrote and how to reach them; that is logged. Help them, or book for them. Then settle the request with the last one.',
    commands: [
      'case show ID --reveal --reason "the customer asked for help" --ticket TICKET',
      'case availability ID',
      'case resolve-assistance ID --note "what was done"',
    ],
  },
  deadline_unreached: {
    heading: 'The last day to book is near, and no message has arrived',
    happened: (of) =>
      `The last day to book ends within 48 hours, and no message to the customer${of} is known to have arrived. They may know nothing of it.`,
    whatToDo:
      'Call the customer and book for them, correct an address, or agree on a later last day with the insurer.',
    commands: [
      'case show ID --reveal --reason "no message has arrived, and the last day is near" --ticket TICKET',
      'case availability ID',
      'case move-deadline ID DATE',
    ],
  },
  message_stuck: {
    heading: 'Messages to customers do not leave',
    happened: (of) =>
      `A message to a customer${of} has not been taken by its channel for an hour or longer. It is tried again every ten minutes, for three days.`,
    whatToDo:
      'The channel’s answer says what is wrong: credentials and addresses are settings of the worker (SMTP_URL, TWILIO_…). Once it is mended, everything that waits leaves by itself within ten minutes.',
    commands: ['case list --attention message_stuck', 'case show ID'],
  },
  messages_held: {
    heading: 'Messages are held back',
    happened: (of) =>
      `More messages were due than may leave: to one customer${of} in a day, or for all customers of one insurer in an hour. The rest wait, and go out once there is room.`,
    whatToDo:
      'Look at what the case has been through: corrections, or bookings made and cancelled, time after time are misuse, or a fault of the insurer’s system. Where all is as it should be, raise MESSAGES_PER_RECIPIENT_DAY or MESSAGES_PER_PARTNER_HOUR of the worker.',
    commands: ['case show ID'],
  },
  changes_unseen: {
    heading: 'Changes at a clinic are not being seen',
    happened: () =>
      'The clinic’s calendar could not be compared with our appointments there for a quarter of an hour or longer. Customers are not told of what its staff moves or cancels.',
    whatToDo:
      'The first of these tries its booking system, the second shows what was found there. It is tried again every five minutes.',
    commands: ['provider show CAUSE --check', 'provider problems CAUSE'],
  },
  break_glass: {
    heading: 'Somebody works as an operator without a login',
    happened: () =>
      'Somebody has come in over the operator API’s socket, by break-glass, within the last hour: with all roles, and known by the name of the system’s user only.',
    whatToDo:
      'Find out who it is, and whether they have to: the reason that they gave, and what they do, is in the log. Whoever may open a shell where the operator API runs can do it. It is over an hour after the last time.',
    commands: ['log --by "CAUSE"'],
  },
  alerts_failing: {
    heading: 'Alerts do not get through',
    happened: () =>
      'One of the two ways by which operators are told has not taken an alert for a quarter of an hour. Nothing is lost: it is tried again, and the work list has everything.',
    whatToDo:
      'Mend the mail server’s settings (SMTP_URL, OPERATOR_EMAIL), or the receiver of the webhook (ALERT_WEBHOOK_URL, ALERT_WEBHOOK_SECRET).',
    commands: ['case list --attention'],
  },
} as const satisfies Readonly<Record<string, AttentionWords>>;

export type AttentionKind = keyof typeof ATTENTION;
export const ATTENTION_KINDS = Object.keys(ATTENTION) as readonly AttentionKind[];

/** Told by a case's own state. */
export const STATE_KINDS = [
  'internal',
  'transfer_refused',
  'overlap',
  'double_booked',
  'release_unverified',
  'disowned',
  'undeliverable',
  'assistance',
] as const satisfies readonly AttentionKind[];

/** Noticed from outside, and told to the case's workflow, so that Temporal's list shows it. */
export const NOTICED_KINDS = [
  'transfer_pending',
  'release_pending',
  'deadline_unreached',
  'message_stuck',
  'messages_held',
] as const satisfies readonly AttentionKind[];
export type NoticedKind = (typeof NOTICED_KINDS)[number];

type BulkAction = 'restart' | 'retry' | 'resend' | 'sendMessage' | 'transferBooking' | 'releaseBooking';

/**
 * What is done at once to all cases that one cause stopped, by the kind of what they need. Kinds that are not here need a
 * person for each case.
 */
export const BULK_ACTIONS = {
  workflow_lost: 'restart',
  internal: 'retry',
  transfer_refused: 'retry',
  release_unverified: 'retry',
  undeliverable: 'resend',
  // these go on by themselves, after a pause of up to ten minutes
  message_stuck: 'sendMessage',
  transfer_pending: 'transferBooking',
  release_pending: 'releaseBooking',
} as const satisfies Partial<Record<AttentionKind, BulkAction>>;
export type BulkKind = keyof typeof BULK_ACTIONS;
export const BULK_KINDS = Object.keys(BULK_ACTIONS) as readonly BulkKind[];

/** One thing that a case needs somebody for. */
export interface CaseAttention {
  readonly kind: AttentionKind;
  /** Null: it is not about a clinic. */
  readonly providerId: ProviderId | null;
  /** Null: since it was noticed. */
  readonly since: Instant | null;
}

/** All that the state says, the most pressing first. */
export function attentionsOf(state: CaseState): readonly CaseAttention[] {
  const found: CaseAttention[] = [];
  const problem = problemOf(state);
  const add = (kind: AttentionKind, since: Instant | null = null, providerId: ProviderId | null = null) =>
    found.push({ kind, since, providerId });
  if (problem?.code === 'INTERNAL') add('internal', problem.since, bookingOf(state)?.providerId ?? null);
  if (problem?.code === 'TRANSFER_REFUSED') add('transfer_refused', problem.since, problem.slot.providerId);
  if (hasOverlap(state)) add('overlap', null, bookingOf(state)?.providerId ?? null);
  if (isDoubleBooked(state)) add('double_booked', null, bookingOf(state)?.providerId ?? null);
  const unverified = state.bookings.filter((booking) => booking.unverified);
  for (const providerId of new Set(unverified.map((booking) => booking.providerId)))
    add('release_unverified', null, providerId);
  if (isDisowned(state) && !isOver(state)) add('disowned');
  if (isUndeliverable(state)) add('undeliverable', problem?.since ?? null);
  if (hasOpenAssistance(state)) add('assistance', state.assistance?.requestedAt ?? null);
  return found;
}

/** What an operator filters for (the search attribute `NeedsAttention`); the most pressing one. */
export function attentionOf(
  state: CaseState,
  noticed: readonly AttentionKind[] = [],
): AttentionKind | 'none' {
  const kinds = [...attentionsOf(state).map(({ kind }) => kind), ...noticed];
  return ATTENTION_KINDS.find((kind) => kinds.includes(kind)) ?? 'none';
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** So long a clinic may be away before somebody has to know what waits for it. */
const PENDING_MS = 30 * MINUTE_MS;
/** Of an appointment that is near, somebody has to know at once; a healthy clinic takes it within seconds. */
const NEAR_MS = 24 * HOUR_MS;
const NEAR_PENDING_MS = 2 * MINUTE_MS;
/** A message that was just ordered has not failed. */
const REACH_MS = HOUR_MS;
/** So long before the deadline somebody can still call. */
const UNREACHED_MS = 48 * HOUR_MS;

const isPendingTooLong = (since: Instant, start: Instant, now: Instant): boolean => {
  const age = Date.parse(now) - Date.parse(since);
  const isNear = Date.parse(start) - Date.parse(now) <= NEAR_MS;
  return age >= PENDING_MS || (isNear && age >= NEAR_PENDING_MS);
};

/**
 * What has not happened for too long, as far as the clock and the state tell.
 *
 * @param failing since when releases fail, by booking: one that was not tried yet is not overdue
 */
export function overdueWork(
  state: CaseState,
  now: Instant,
  failing: ReadonlyMap<BookingId, Instant>,
): readonly CaseAttention[] {
  const found: CaseAttention[] = [];
  const transfer = nextTransfer(state);
  if (transfer && isPendingTooLong(transfer.confirmedAt, transfer.start, now)) {
    const { providerId, confirmedAt: since } = transfer;
    found.push({ kind: 'transfer_pending', providerId, since });
  }
  for (const { bookingId, providerId, start } of bookingsToRelease(state)) {
    const since = failing.get(bookingId);
    const isFound = found.some((one) => one.kind === 'release_pending' && one.providerId === providerId);
    if (since && !isFound && isPendingTooLong(since, start, now))
      found.push({ kind: 'release_pending', providerId, since });
  }
  return found;
}

/** Whether the last day to book is so near that a customer whom no message has reached has to be called. */
export const isDeadlineNear = (state: CaseState, createdAt: Instant, now: Instant): boolean => {
  const left = Date.parse(state.deadline.passesAt) - Date.parse(now);
  return left > 0 && left <= UNREACHED_MS && Date.parse(now) - Date.parse(createdAt) >= REACH_MS;
};

/** Which of what was noticed from outside this state still has room for. */
export const stillPossible = (state: CaseState): readonly NoticedKind[] => [
  ...(nextTransfer(state) ? (['transfer_pending'] as const) : []),
  ...(bookingsToRelease(state).length > 0 ? (['release_pending'] as const) : []),
  ...(state.status === 'pending_patient_action' ? (['deadline_unreached'] as const) : []),
  'message_stuck',
  'messages_held',
];

/** What one is about besides its kind: with it all of the same cause are settled, and told of together. */
export const causeOf = ({ kind, providerId }: CaseAttention, caseId: string): string =>
  kind === 'internal' ? '' : (providerId ?? caseId);

/** Why it needs somebody, with the counterpart's answer where there is one; nothing personal. */
export function whyOf(kind: AttentionKind, answer: string | null, partnerName: string | null = null): string {
  const said = ATTENTION[kind].happened(partnerName === null ? '' : ` of ${partnerName}`);
  return answer === null ? said : `${said} The last answer was: ${answer}.`;
}
