import { bookingOf, CHANNELS, type CaseState, type Channel } from './case-state.ts';
import type { Instant } from './instant.ts';
import { hasOpenAssistance, hasOverlap, isOver } from './permit.ts';
import { VERIFICATION_KINDS } from './verification.ts';
import { nextAlarm, nextTransfer, type Alarm } from './views.ts';

/** How times are written: in the workflow's sandbox, which knows no time zones, as they are. */
type Clock = (time: Instant) => string;
const utc: Clock = (time) => `${time.slice(0, 16).replace('T', ' ')} UTC`;

/** Where the case stands and what happens next, in words for the operator. Ids and times only; Markdown. */
export function describeCase(state: CaseState, clock: Clock = utc): string {
  const lines = [
    `**${standing(state, clock)}**`,
    ...worries(state),
    ...verified(state),
    upcoming(state, clock),
  ];
  return lines.filter((line) => line !== null).join('\n\n');
}

function standing(state: CaseState, clock: Clock): string {
  const booking = bookingOf(state);
  const minutes = (time: Instant | undefined) => (time ? clock(time) : '');
  switch (state.status) {
    case 'pending_patient_action':
      return `Waiting for the customer to book. Last day: ${state.deadline.date}.`;
    case 'assistance_requested':
      return `The customer asked for help with booking. Last day to book: ${state.deadline.date}.`;
    case 'booked':
      return `Booked at ${booking?.providerId}, ${minutes(booking?.start)} to ${minutes(booking?.end)}.`;
    case 'deadline_expired':
      return `Nobody booked by the last day, ${state.deadline.date}.`;
    case 'recalled':
      return `Recalled by the partner ${minutes(state.recall?.at)}.`;
    case 'archived':
      return 'Archived: closed for good.';
    case 'error':
      return `Stopped by ${state.problem?.code} since ${minutes(state.problem?.since)}.`;
  }
}

function worries(state: CaseState): string[] {
  const found = [];
  if (state.problem?.code === 'UNDELIVERABLE' || state.undeliverable) {
    found.push('No message reaches the customer: correct an address, or call.');
  }
  if (!isOver(state)) found.push(...silent(state));
  if (state.problem?.code === 'TRANSFER_REFUSED') {
    found.push('The provider did not take the appointment. Settle it with the clinic, then retry.');
  }
  if (state.problem?.code === 'INTERNAL') found.push('A fault of ours. Mend it, then retry.');
  if (hasOpenAssistance(state)) found.push('A request for help is open: read it with `operator case show`.');
  if (hasOverlap(state)) {
    found.push(
      'The clinic moved the appointment into an hour that another booking of ours has. ' +
        'Ask the clinic which of the two it keeps; once one is moved or cancelled there, this settles itself.',
    );
  }
  for (const booking of state.bookings.filter((b) => b.unverified)) {
    found.push(
      `Slot ${booking.slot} at ${booking.providerId} does not read as free after its booking was cancelled. ` +
        'Look at the clinic, then retry.',
    );
  }
  return found;
}

/** The channels on which the customer hears nothing now, and why. */
function silent({ reach, failed = {}, disowned = [] }: CaseState): string[] {
  const name = { email: 'e-mail address', sms: 'telephone number' };
  const why = (channel: Channel) => {
    if (!reach[channel]) return [];
    if (disowned.includes(channel))
      return `The ${name[channel]} is not the customer's, says who is there: it gets nothing more until it is corrected.`;
    return failed[channel] === undefined ? [] : `The last message to the ${name[channel]} failed.`;
  };
  return CHANNELS.flatMap(why);
}

/** What the registries said, and when: the fact, without a number or a name. */
const verified = ({ verifications = {} }: CaseState): string[] =>
  VERIFICATION_KINDS.flatMap((kind) => {
    const note = verifications[kind];
    if (!note) return [];
    const name = { policy: 'Policy', referral: 'Referral' }[kind];
    const outcome = { verified: 'verified', not_verified: 'not verified' }[note.outcome];
    return `${name}: ${outcome} ${note.at.slice(0, 10)}.`;
  });

function upcoming(state: CaseState, clock: Clock): string | null {
  const transfer = nextTransfer(state);
  if (transfer)
    return `Next: the appointment is put into the calendar of ${transfer.providerId}, for as long as it takes.`;
  const alarm = nextAlarm(state);
  if (!alarm) return state.status === 'archived' ? null : 'Next: nothing happens until somebody acts.';
  const then = alarm.wish === 'remind' ? `, and ${WHAT_COMES.expire} ${clock(state.deadline.passesAt)}` : '';
  return `Next, by itself: ${WHAT_COMES[alarm.wish]} ${clock(alarm.at)}${then}.`;
}

const WHAT_COMES: Record<Alarm['wish'], string> = {
  remind: 'the customer is reminded',
  expire: 'the case expires',
  archive: 'the case is archived',
};
