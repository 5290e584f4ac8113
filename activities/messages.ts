import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Language } from '../src/calendar/format.ts';
import { type CaseStatus, caseTime, type Channel, type Reminder } from '../src/domain/case-state.ts';
import type { DELIVERY_STATUSES, DeliveryFault } from '../src/domain/events.ts';
import type { CalendarDate, Instant } from '../src/domain/instant.ts';
import type { Activities, MessageOutcome, MessageTask } from './contract.ts';

/** One that is held back is looked at again after so long (seconds). */
const MAX_HOLD_SECONDS = 3_600;

/** A message that could not be handed over in this long is given up (milliseconds). */
const GIVE_UP_AFTER_MS = 3 * 24 * 60 * 60 * 1000;

export interface MessageDeps {
  readonly messageRepository: MessageRepository;
  /** Sends on the task's channel. Throws AddressRefused when the address will never do; anything else is tried again. */
  readonly sendOnChannel: (
    task: MessageTask,
    dedupId: string,
    message: Message,
  ) => Promise<{ readonly reference: string }>;
  readonly isAddressRefused: (error: unknown) => error is { readonly code: DeliveryFault };
  /** What the channel answered, for the operator: a code, and nothing personal. */
  readonly reasonOf: (error: unknown) => string;
  /** Where the channel is to report what becomes of the message; null where it doesn't report. */
  readonly statusCallbackOf: (channel: Channel, dedupId: string) => string | null;
  /** The time of day, which decides on reminders: not that of a task which has lain in its queue overnight. */
  readonly now: () => Promise<Instant>;
  /** Told of each message that came to its end, so long after it was ordered. */
  readonly onEnded?: (kind: string, channel: Channel, outcome: MessageOutcome, seconds: number) => void;
}

/** What a message is made of, read when it is sent. Personal data; never leaves the activity but to its channel. */
export interface Message extends MessageData {
  /** Where the channel is to report what became of this message; null where it doesn't report. */
  readonly statusCallback: string | null;
}

interface MessageData {
  readonly status: CaseStatus;
  /** Of the addresses below. */
  readonly contactVersion: number;
  /** Whose address is not the customer's: it gets nothing more. */
  readonly disowned: readonly Channel[];
  /** Whose address was corrected since the message was ordered. */
  readonly corrected: readonly Channel[];
  readonly email: string | null;
  readonly phone: string | null;
  /** In which the customer reads. */
  readonly language: Language;
  readonly partnerName: string;
  readonly bookingDeadline: CalendarDate;
  /** `CaseState.clockAhead` */
  readonly clockAhead: number | undefined;
  /** From today to the last day to book, in Norway: 0 on the last day itself. */
  readonly daysLeft: number;
  /** Of this last day, or of the appointment. */
  readonly reminders: readonly Reminder[];
  /** The current appointment's id. */
  readonly bookingId: string | null;
  readonly appointment: { readonly start: Instant; readonly end: Instant } | null;
}

/** The record of what was sent to whom. */
export interface MessageRepository {
  read(task: MessageTask): Promise<MessageData>;
  /** The message's row, made on the first attempt: what became of it so far. */
  enter(task: MessageTask, dedupId: string): Promise<(typeof DELIVERY_STATUSES)[number]>;
  /** Takes the room for it among all that leaves, once for each message. @returns what stands in the way, if anything does */
  takeRoom(
    task: MessageTask,
    dedupId: string,
    recipient: string,
  ): Promise<{ readonly key: string; readonly retryAfter: number } | null>;
  /** `contactVersion`: of the address that it went to, which a later report is about. */
  sent(
    task: MessageTask,
    dedupId: string,
    receipt: { readonly reference: string; readonly contactVersion: number },
  ): Promise<void>;
  failed(task: MessageTask, dedupId: string, reason: DeliveryFault): Promise<void>;
  /** It waits: what its channel answered, or whose room it waits for (`held_recipient`, `held_partner`). */
  waits(dedupId: string, failure: string): Promise<void>;
  /** Takes a message back that was never sent. */
  drop(dedupId: string): Promise<void>;
}

export const createMessageActivities = (deps: MessageDeps): Pick<Activities, 'sendMessage'> => ({
  async sendMessage(task) {
    const outcome = await send(task, deps);
    const seconds = (Date.now() - Context.current().info.scheduledTimestampMs) / 1_000;
    deps.onEnded?.(task.kind, task.channel, outcome, seconds);
    return outcome;
  },
});

async function send(
  task: MessageTask,
  { messageRepository, sendOnChannel, isAddressRefused, statusCallbackOf, now, reasonOf }: MessageDeps,
): Promise<MessageOutcome> {
  const { caseId, kind, channel, sequence } = task;
  const dedupId = `${caseId}:${kind}:${channel}:${sequence}`;
  const before = await messageRepository.enter(task, dedupId);
  if (before !== 'queued') return before === 'failed' ? 'failed' : 'sent';
  const message = {
    ...(await messageRepository.read(task)),
    statusCallback: statusCallbackOf(channel, dedupId),
  };
  if (message.disowned.includes(channel) || !isStillTrue(task, message, caseTime(message, await now()))) {
    await messageRepository.drop(dedupId);
    return 'dropped';
  }
  const fail = async (reason: DeliveryFault): Promise<MessageOutcome> => {
    await messageRepository.failed(task, dedupId, reason);
    return 'failed';
  };
  const recipient = message[channel === 'email' ? 'email' : 'phone'];
  if (recipient === null) return fail('no_address');
  const noRoom = await messageRepository.takeRoom(task, dedupId, recipient);
  if (noRoom !== null) {
    if (isGivenUp()) return fail('gave_up');
    const { key, retryAfter } = noRoom;
    const whose = key.split(':')[0] ?? '';
    await messageRepository.waits(dedupId, `held_${whose}`);
    throw ApplicationFailure.create({
      message: `held back: too many messages to one ${whose}`,
      type: 'MessageHeld',
      // sooner than there is room, for whoever makes room by a setting
      nextRetryDelay: `${Math.min(retryAfter, MAX_HOLD_SECONDS)}s`,
    });
  }
  try {
    const { reference } = await sendOnChannel(task, dedupId, message);
    await messageRepository.sent(task, dedupId, { reference, contactVersion: message.contactVersion });
    return 'sent';
  } catch (error) {
    if (isAddressRefused(error)) return fail(error.code);
    if (isGivenUp()) return fail('gave_up');
    await messageRepository.waits(dedupId, reasonOf(error));
    throw error;
  }
}

/**
 * No message about a booking that was given up since, or to do what is done. Where an address was corrected since, the
 * message has the new one, and the old one gets nothing more.
 */
function isStillTrue(
  { kind, channel, bookingId, until }: MessageTask,
  message: MessageData,
  at: Instant,
): boolean {
  // only of what holds now, on the day that is meant, and by daylight
  const isReminderDue = message.reminders.some((one) => one.until === until && at <= one.until);
  switch (kind) {
    case 'reminder':
      return ['pending_patient_action', 'assistance_requested'].includes(message.status) && isReminderDue;
    case 'appointment_reminder':
      return message.bookingId === bookingId && isReminderDue;
    case 'earlier_time':
      return message.bookingId === bookingId && until !== null && at <= until;
    case 'receipt':
    case 'changed':
      return message.bookingId === bookingId;
    case 'invitation':
      // a corrected address gets one of its own
      return isUnbooked(message) && !message.corrected.includes(channel);
    case 'choose_again':
      return isUnbooked(message);
    default:
      return true;
  }
}

const isUnbooked = ({ status }: MessageData): boolean =>
  ['pending_patient_action', 'assistance_requested', 'error'].includes(status);

function isGivenUp(): boolean {
  const { scheduledTimestampMs, currentAttemptScheduledTimestampMs } = Context.current().info;
  return currentAttemptScheduledTimestampMs - scheduledTimestampMs > GIVE_UP_AFTER_MS;
}
