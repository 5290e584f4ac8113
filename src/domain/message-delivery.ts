import { bookingIdOf, type CaseState, type Channel, isOver, isUndeliverable } from './case-state.ts';
import {
  addEvent,
  type Change,
  closeInvitation,
  noteOrder,
  orderMessage,
  patchState,
  stop,
} from './change.ts';
import type { DecisionContext, ExternalEvent } from './command.ts';
import { isAboutAddress, openChannels, patchChannels, workingChannels } from './contactability.ts';
import type { MessageOrder } from './events.ts';
import type { Instant } from './instant.ts';
import { nextInvitation, pendingReminders, remindersOf } from './next-steps.ts';

type MessageFailure = Extract<ExternalEvent, { type: 'messageFailed' }>;

/** The channel is noted, the message goes out on the other where it has not been, and with none left a person has to act. */
export function messageFailed(change: Change, failure: MessageFailure, context: DecisionContext): Change {
  const { state } = change;
  const { channels } = state.contactability;
  const isNews = (channel: Channel) =>
    openChannels(state).includes(channel) &&
    isAboutAddress(state, channel, failure.contactVersion) &&
    channels[channel].failed !== failure.sequence;
  const news = failure.channels.filter(isNews);
  if (isOver(state) || news.length === 0) return change;
  const contactability = patchChannels(state.contactability, news, { failed: failure.sequence });
  const noted = patchState(change, { contactability });
  const left = workingChannels(noted.state);
  if (left.length === 0) return noChannelLeft(noted, context);
  return sendAgain(noted, failure, left, context);
}

/**
 * The very same message on the channels that are left, at most once each: its row there is found by its dedup id. Whoever
 * gets it now is not reminded for a day.
 */
function sendAgain(
  change: Change,
  failure: MessageFailure,
  left: readonly Channel[],
  context: DecisionContext,
): Change {
  const { kind, sequence, bookingId, tried } = failure;
  const channels = left.filter((channel) => !tried.includes(channel));
  const isReminder = kind === 'reminder' || kind === 'appointment_reminder';
  const until = isReminder ? reminderEndAt(change.state, context.at) : null;
  if (channels.length === 0 || (isReminder && !until)) return change;
  const { version: contactVersion } = change.state.contactability;
  const message: MessageOrder = {
    kind,
    channels,
    sequence,
    bookingId,
    contactVersion,
    until,
    failedOn: tried,
  };
  return noteOrder({ ...change, messages: [...change.messages, message] }, kind, channels, context);
}

const reminderEndAt = (state: CaseState, at: Instant): Instant | null =>
  remindersOf(state).find((reminder) => reminder.at <= at && at <= reminder.until)?.until ?? null;

/** What left on a channel that had failed shows that it works again. */
export function messageSent(change: Change, sent: Extract<ExternalEvent, { type: 'messageSent' }>): Change {
  const { contactability } = change.state;
  const working = sent.channels.filter((channel) => {
    const { failed } = contactability.channels[channel];
    return failed !== null && failed < sent.sequence;
  });
  if (working.length === 0) return change;
  return patchState(change, {
    contactability: { ...patchChannels(contactability, working, { failed: null }), undeliverable: false },
  });
}

/** No channel is left. A customer who is waited for is waited for in vain; in any other status the operator looks. */
function noChannelLeft(change: Change, context: DecisionContext): Change {
  const { state } = change;
  if (state.status !== 'pending_patient_action') {
    const contactability = { ...state.contactability, undeliverable: true };
    return isUndeliverable(state) ? change : patchState(change, { contactability });
  }
  return stop(change, { code: 'UNDELIVERABLE', since: context.at, cancelled: state.cancelled }, context);
}

/**
 * The link says nothing of the channel that it came by, so all are closed until they are corrected, and the case stays as
 * it is. Whoever has an appointment goes on hearing of it: it was made with a name and an eID, so the link was not lost.
 */
export function contactDisowned(change: Change, context: DecisionContext): Change {
  const { state } = change;
  const channels = openChannels(state);
  if (isOver(state) || bookingIdOf(state) !== null || channels.length === 0) return change;
  const contactability = patchChannels(state.contactability, channels, { disowned: true });
  const closed = closeInvitation(patchState(change, { contactability }), channels);
  return addEvent(closed, 'contact.disowned', context, { channels });
}

/** The one invitation of all corrections since the first of them, a minute ago. */
export function invite(change: Change, context: DecisionContext): Change {
  const due = nextInvitation(change.state);
  if (!due || context.at < due.at) return change;
  return orderMessage(change, 'invitation', context, null, { only: due.channels });
}

/** Once for each reminder; what was missed is not made up for, but for that of the same day. */
export function remind(change: Change, context: DecisionContext): Change {
  const { state } = change;
  const { at } = context;
  const due = pendingReminders(state).findLast((reminder) => reminder.at <= at);
  if (!due) return change;
  const { until } = due;
  const noted = patchState(change, { remindAfter: due.at });
  if (at > until) return noted;
  const kind = state.status === 'booked' ? 'appointment_reminder' : 'reminder';
  return orderMessage(noted, kind, context, bookingIdOf(state), { until });
}
