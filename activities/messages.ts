import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Language } from '../src/calendar/format.ts';
import { type CaseStatus, caseTime, type Channel, type Reminder } from '../src/domain/case-state.ts';
import type { DELIVERY_STATUSES, DeliveryFault } from '../src/domain/events.ts';
import type { CalendarDate, Instant } from '../src/domain/instant.ts';
import type { Activities, MessageOutcome, MessageTask, SendTask } from './contract.ts';

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

export interface EnteredMessage {
  readonly task: MessageTask;
  /** `<case>:<kind>:<channel>:<sequence>` */
  readonly dedupId: string;
  readonly status: (typeof DELIVERY_STATUSES)[number];
}

export interface MessageData {
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
  /**
   * The message's row on each channel, made on the first attempt, and what a message is made of.
   *
   * @returns what became of it so far, in the order of its channels
   */
  enter(task: SendTask): Promise<{ readonly entered: readonly EnteredMessage[]; readonly data: MessageData }>;
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
  async sendMessage(order) {
    const { entered, data } = await deps.messageRepository.enter(order);
    const ends = await Promise.allSettled(entered.map((one) => send(one, data, deps)));
    const outcomes: Partial<Record<Channel, MessageOutcome>> = {};
    const failures: unknown[] = [];
    for (const [i, { task }] of entered.entries()) {
      const end = ends[i];
      if (end?.status !== 'fulfilled') {
        failures.push(end?.reason);
        continue;
      }
      outcomes[task.channel] = end.value;
      deps.onEnded?.(task.kind, task.channel, end.value, (Date.now() - Date.parse(task.orderedAt)) / 1_000);
    }
    // what is known of one channel does not wait for the other, which is a step of its own from now on
    if (failures.length > 0 && failures.length === entered.length) throw soonest(failures);
    return outcomes;
  },
});

/** The failure that is tried again before the others: none that is held back holds up another channel. */
const soonest = (failures: readonly unknown[]): unknown =>
  failures.toSorted((a, b) => heldFor(a) - heldFor(b))[0];
const heldFor = (failure: unknown): number => (failure instanceof MessageHeld ? failure.seconds : 0);

/** There is no room for it now. */
class MessageHeld extends ApplicationFailure {
  readonly seconds: number;

  constructor(whose: string, seconds: number) {
    const words = `held back: too many messages to one ${whose}`;
    super(words, 'MessageHeld', false, undefined, undefined, `${seconds}s`);
    this.seconds = seconds;
  }
}

async function send(
  { task, dedupId, status }: EnteredMessage,
  data: MessageData,
  { messageRepository, sendOnChannel, isAddressRefused, statusCallbackOf, now, reasonOf }: MessageDeps,
): Promise<MessageOutcome> {
  const { channel } = task;
  if (status !== 'queued') return status === 'failed' ? 'failed' : 'sent';
  const message = { ...data, statusCallback: statusCallbackOf(channel, dedupId) };
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
    if (isGivenUp(task)) return fail('gave_up');
    const { key, retryAfter } = noRoom;
    const whose = key.split(':')[0] ?? '';
    await messageRepository.waits(dedupId, `held_${whose}`);
    // sooner than there is room, for whoever makes room by a setting
    throw new MessageHeld(whose, Math.min(retryAfter, MAX_HOLD_SECONDS));
  }
  try {
    const { reference } = await sendOnChannel(task, dedupId, message);
    await messageRepository.sent(task, dedupId, { reference, contactVersion: message.contactVersion });
    return 'sent';
  } catch (error) {
    if (isAddressRefused(error)) return fail(error.code);
    if (isGivenUp(task)) return fail('gave_up');
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

const isGivenUp = ({ orderedAt }: MessageTask): boolean =>
  Context.current().info.currentAttemptScheduledTimestampMs - Date.parse(orderedAt) > GIVE_UP_AFTER_MS;
