import type { CaseState, Channel } from './case-state.ts';
import { addAlert, addEvent, type Change, orderMessage, patchState, pauseReminders } from './change.ts';
import type { DecisionContext, ExternalEvent } from './command.ts';
import { isAboutAddress, openChannels, workingChannels } from './contactability.ts';
import type { MessageOrder } from './events.ts';
import { pendingReminders } from './next-steps.ts';
import { isOver } from './permit.ts';

type MessageFailure = Extract<ExternalEvent, { type: 'messageFailed' }>;

/** The channel is noted, the message goes out on the other where it has not been, and with none left a person has to act. */
export function messageFailed(change: Change, failure: MessageFailure, judged: DecisionContext): Change {
  const { state } = change;
  const isNews = (channel: Channel) =>
    openChannels(state).includes(channel) &&
    isAboutAddress(state, channel, failure.reachVersion) &&
    state.failed?.[channel] !== failure.sequence;
  const news = failure.channels.filter(isNews);
  if (isOver(state) || news.length === 0) return change;
  const failed = Object.fromEntries(news.map((channel) => [channel, failure.sequence]));
  const noted = patchState(change, { failed: { ...state.failed, ...failed } });
  const left = workingChannels(noted.state);
  if (left.length === 0) return noChannelLeft(noted, judged);
  return sendAgain(noted, failure, left, judged);
}

/** The very same message on the channels that are left, at most once each: its row there is found by its dedup id. */
function sendAgain(
  change: Change,
  failure: MessageFailure,
  left: readonly Channel[],
  judged: DecisionContext,
): Change {
  const { kind, sequence, bookingId, tried, quiet } = failure;
  const channels = left.filter((channel) => !tried.includes(channel));
  const until = kind === 'reminder' ? reminderDueAt(change.state, judged.at)?.until : undefined;
  if (channels.length === 0 || (kind === 'reminder' && !until)) return change;
  const { version: reachVersion } = change.state.reach;
  const message: MessageOrder = { kind, channels, sequence, bookingId, reachVersion, failedOn: tried };
  const told = { ...change, messages: [...change.messages, until ? { ...message, until } : message] };
  return quiet ? pauseReminders(told, kind, judged) : told;
}

const reminderDueAt = ({ deadline }: CaseState, at: DecisionContext['at']) =>
  deadline.reminders?.find((reminder) => reminder.at <= at && at <= reminder.until);

/** What left on a channel that had failed shows that it works again. */
export function messageSent(change: Change, sent: Extract<ExternalEvent, { type: 'messageSent' }>): Change {
  const { failed = {} } = change.state;
  const isMended = (channel: Channel) => (failed[channel] ?? Infinity) < sent.sequence;
  const mended = sent.channels.filter(isMended);
  if (mended.length === 0) return change;
  const rest = Object.entries(failed).filter(([channel]) => !mended.includes(channel as Channel));
  return patchState(change, { failed: Object.fromEntries(rest), undeliverable: false });
}

/** No channel is left. A customer who is waited for is waited for in vain; in any other status the operator looks. */
export function noChannelLeft(change: Change, judged: DecisionContext): Change {
  const { status, undeliverable, problem } = change.state;
  const isKnown = undeliverable || problem?.code === 'UNDELIVERABLE';
  const called = isKnown ? change : addAlert(change, 'undeliverable', judged);
  if (status !== 'pending_patient_action')
    return isKnown ? change : patchState(called, { undeliverable: true });
  const found = { code: 'UNDELIVERABLE', since: judged.at, from: status, slot: null } as const;
  return addEvent(patchState(called, { status: 'error', problem: found }), 'case.failed', judged, {
    problem: found.code,
  });
}

/**
 * The link says nothing of the channel that it came by, so all are closed until they are corrected, and the case stays as
 * it is. Whoever has an appointment goes on hearing of it: it was made with a name and an eID, so the link was not lost.
 */
export function contactDisowned(change: Change, judged: DecisionContext): Change {
  const { state } = change;
  const channels = openChannels(state);
  if (isOver(state) || state.bookingId !== null || channels.length === 0) return change;
  const closed = patchState(change, { disowned: [...(state.disowned ?? []), ...channels] });
  return addAlert(addEvent(closed, 'contact.disowned', judged, { channels }), 'disowned', judged);
}

/** Once for each reminder of the deadline; what was missed is not made up for, but for that of the same day. */
export function remind(change: Change, judged: DecisionContext): Change {
  const due = pendingReminders(change.state).findLast(({ at }) => at <= judged.at);
  if (!due) return change;
  const noted = patchState(change, { remindAfter: due.at });
  return judged.at <= due.until ? orderMessage(noted, 'reminder', judged, null, { until: due.until }) : noted;
}
