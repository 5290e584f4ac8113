import type { SignalDefinition, UpdateDefinition } from '@temporalio/common';
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type { Instant } from '../src/domain/instant.ts';
import { whyOf } from '../src/domain/attention.ts';
import type { Actor, CaseState } from '../src/domain/case-state.ts';
import type { CaseInput, Command } from '../src/domain/command.ts';
import type { BookingId } from '../src/domain/ids.ts';
import { describeCase, nextTimer, nextTransfer } from '../src/domain/next-steps.ts';
import { project } from './activity-proxies.ts';
import { CaseAggregate } from './case-aggregate.ts';
import * as contract from './contract.ts';
import { type CaseStart, searchAttributesOf } from './contract.ts';
import { sendMessages } from './messages.ts';
import { assertValidPayload, isValidPayload } from './payloads.ts';
import { releaseBookings, secureBooking, transferBookings } from './provider-booking.ts';

/** A case, from the partner's call to the archive: the authority for what may happen to it, and when. */
export async function treatmentCase(start: CaseStart): Promise<void> {
  // A cancellation from Temporal's UI is one click away, and no way to end a case: the partner recalls it.
  await CancellationScope.nonCancellable(() => runCase(start));
}

async function runCase(start: CaseStart): Promise<void> {
  const aggregate = new CaseAggregate(start, createVisibility());
  registerHandlers(aggregate, start);

  // What goes on by itself, each as long as the case lives.
  const busyWith = new Set<BookingId>();
  void sendMessages(aggregate, start);
  void runTimers(aggregate);
  if (start.sandbox) void runClock(aggregate);
  void transferBookings(aggregate, start, busyWith);
  void releaseBookings(aggregate, start, busyWith);
  void projectState(aggregate, start);

  // Nothing ends half done: neither the case, nor a run of it whose history has grown long.
  const isAtRest = () => isIdle(aggregate) && busyWith.size === 0 && allHandlersFinished();
  const isOver = () => aggregate.state.status === 'archived';
  const isLong = () => workflowInfo().continueAsNewSuggested && !aggregate.isClockBehind();
  await condition(() => isAtRest() && (isOver() || isLong()));
  if (isOver()) return;
  await continueAsNew<typeof treatmentCase>({
    ...start,
    carried: { state: aggregate.state, revision: aggregate.revision, noticed: aggregate.noticed },
  });
}

/** One line a command. Signals are decided like updates, but nobody waits to hear that they were refused. */
function registerHandlers(aggregate: CaseAggregate, start: CaseStart): void {
  const onUpdate = <A extends contract.UpdateRequest>(
    update: UpdateDefinition<CaseState, [A]>,
    commandOf: (request: A, fresh: BookingId) => Command,
    prepare?: (request: A, fresh: BookingId) => Promise<void>,
  ) => {
    const handler = (request: A) => {
      const fresh = uuid4() as BookingId;
      return CancellationScope.nonCancellable(() =>
        aggregate.execute(commandOf(request, fresh), request, prepare && (() => prepare(request, fresh))),
      );
    };
    // No random id in here: a validator must leave no trace.
    const validator = (request: A) => {
      assertValidPayload(update.name, request);
      aggregate.validate(commandOf(request, '' as BookingId), request);
    };
    setHandler(update, handler, { validator });
  };
  const onSignal = <P>(signal: SignalDefinition<[P]>, handle: (payload: P) => Promise<void> | void) =>
    setHandler(signal, (payload) => (isValidPayload(signal.name, payload) ? handle(payload) : undefined));
  const apply = (input: CaseInput, actor: Actor) =>
    CancellationScope.nonCancellable(() =>
      aggregate.mutex.runAfterResults(() => aggregate.apply(input, actor)),
    ).catch(() => undefined);

  onUpdate(
    contract.confirmBooking,
    ({ slot }, bookingId) => ({ type: 'confirm', slot, bookingId }),
    ({ slot }, bookingId) => secureBooking(aggregate, start, slot, bookingId),
  );
  onUpdate(contract.cancelBooking, () => ({ type: 'cancel' }));
  onUpdate(contract.resolveAssistance, () => ({ type: 'resolveAssistance' }));
  onUpdate(contract.recall, ({ textId }) => ({ type: 'recall', textId }));
  onUpdate(contract.archive, () => ({ type: 'archive' }));
  onUpdate(contract.moveDeadline, ({ deadline }) => ({ type: 'moveDeadline', deadline }));
  onUpdate(contract.changeContact, ({ hasAddress, corrected, correctionId }) => ({
    type: 'changeContact',
    hasAddress,
    corrected,
    correctionId,
  }));
  onUpdate(contract.correctName, ({ fields, correctionId }) => ({
    type: 'correctName',
    fields,
    correctionId,
  }));
  onUpdate(contract.resendLink, ({ channel }) => ({ type: 'resendLink', channel }));
  onUpdate(contract.retry, ({ grace }, bookingId) => ({ type: 'retry', bookingId, grace }));
  onSignal(contract.requestAssistance, ({ actor }) => apply({ type: 'requestAssistance' }, actor));
  onSignal(contract.disownContact, ({ actor }) => apply({ type: 'contactDisowned' }, actor));
  onSignal(contract.messageFailed, ({ channel, ...message }) =>
    apply({ type: 'messageFailed', channels: [channel], ...message }, 'service'),
  );
  onSignal(contract.clinicCancelled, (payload) => apply({ type: 'clinicCancelled', ...payload }, 'provider'));
  onSignal(contract.clinicMoved, (payload) => apply({ type: 'clinicMoved', ...payload }, 'provider'));
  onSignal(contract.clinicDoubleBooked, (payload) =>
    apply({ type: 'clinicDoubleBooked', ...payload }, 'provider'),
  );
  onSignal(contract.setWaitlist, ({ wanted }) => apply({ type: 'waitlistSet', wanted }, 'customer'));
  onSignal(contract.earlierTimeFreed, (payload) =>
    apply({ type: 'earlierTimeFreed', ...payload }, 'service'),
  );
  onSignal(contract.slotFreed, (payload) =>
    apply({ type: 'released', verified: true, ...payload }, 'service'),
  );
  onSignal(contract.verificationNoted, (payload) =>
    apply({ type: 'verificationNoted', ...payload }, 'partner'),
  );
  onSignal(contract.attentionNoticed, ({ kind, isOpen }) => aggregate.notice(kind, isOpen));
  onSignal(contract.reproject, ({ atLeast }) => aggregate.reproject(atLeast));
  if (start.sandbox)
    onSignal(contract.advanceClock, ({ ahead }) => {
      aggregate.clockTarget = Math.max(aggregate.clockTarget, ahead);
    });
  setHandler(contract.caseState, () => aggregate.state);
  setHandler(contract.caseSnapshot, () => ({
    state: aggregate.state,
    revision: aggregate.revision,
    isShown: aggregate.isProjected(),
  }));
}

const isIdle = (aggregate: CaseAggregate): boolean => {
  const leaving = aggregate.state.bookings.some((booking) => booking.abandonedBy !== null);
  return aggregate.mutex.isIdle() && aggregate.outbox.length === 0 && aggregate.isProjected() && !leaving;
};

const TIMER_SUMMARIES = {
  invite: 'More corrections',
  remind: 'Next reminder',
  tellOfEarlier: 'Tell of an earlier time',
  expire: 'Booking deadline',
  archive: 'Archive',
};

/**
 * Has the customer invited to corrected addresses and reminded, lets the deadline pass, and the case archive itself, when it is
 * time. Whatever moves the time starts the timer anew; but not to a later one that holds only until the booking is in the
 * clinic's calendar, for what comes next is known then.
 */
async function runTimers(aggregate: CaseAggregate): Promise<never> {
  for (;;) {
    await condition(() => nextTimer(aggregate.state) !== null);
    const timer = nextTimer(aggregate.state);
    if (!timer) continue;
    const { clockAhead } = aggregate.state;
    const isOvertaken = () => {
      const next = nextTimer(aggregate.state);
      const isMoved = next?.at !== timer.at || next.action !== timer.action;
      return isMoved || aggregate.state.clockAhead !== clockAhead;
    };
    const isEarlyEnough = () =>
      aggregate.state.clockAhead === clockAhead && timer.at <= (nextTimer(aggregate.state)?.at ?? '');
    const isReplaced = () => isOvertaken() && !(nextTransfer(aggregate.state) !== null && isEarlyEnough());
    const left = Date.parse(timer.at) - Date.parse(aggregate.now());
    const overtaken =
      left > 0
        ? await condition(isReplaced, left, { summary: TIMER_SUMMARIES[timer.action] })
        : isOvertaken();
    if (overtaken) continue;
    // Under the mutex, so that a confirm which the case accepted in time is finished first.
    await aggregate.mutex.run(() => {
      if (!isOvertaken()) aggregate.apply({ type: timer.action }, 'service');
    });
  }
}

/**
 * Has the case's clock go on, in the sandbox: to the time of what the case does next by itself, and once that is done, told
 * and sent, to the next, as days pass.
 */
async function runClock(aggregate: CaseAggregate): Promise<never> {
  const isDue = () => (nextTimer(aggregate.state)?.at ?? FAR_AHEAD) <= aggregate.now();
  const isSettled = () => aggregate.mutex.isIdle() && aggregate.isProjected() && !isDue();
  for (;;) {
    await condition(() => aggregate.isClockBehind() && isSettled());
    // what is held back for longer than that is late, as it would be
    await condition(() => aggregate.outbox.length === 0, '10s', { summary: 'Messages of this day' });
    if (!isSettled()) continue;
    const next = nextTimer(aggregate.state);
    const untilNext = next ? Date.parse(next.at) - Date.now() : Infinity;
    const ahead = Math.min(aggregate.clockTarget, untilNext);
    await aggregate.mutex.run(() => aggregate.apply({ type: 'clockAdvanced', ahead }, 'partner'));
  }
}
const FAR_AHEAD = '9999';

/**
 * Writes each new state to the projection, for ever, but where a message takes it along. While one write runs only the
 * newest state waits.
 */
async function projectState(aggregate: CaseAggregate, { caseId }: CaseStart): Promise<never> {
  for (;;) {
    await condition(() => !aggregate.isProjected() && aggregate.carrier === null);
    const snapshot = aggregate.beginProjection(caseId);
    aggregate.markProjected(snapshot, await project(snapshot));
  }
}

/** Made once: to make one takes longer than all else that a workflow does with a new state. */
// oxlint-disable-next-line workflows/keeps-nothing -- it knows of no case
const IN_NORWAY = new Intl.DateTimeFormat('sv-SE', {
  ...{ timeZone: 'Europe/Oslo', dateStyle: 'short', timeStyle: 'short' },
});

/**
 * `2026-11-24 09:00 in Norway (08:00 UTC)`. For the Web UI only: what is computed by a table of time zones must not become
 * part of a history.
 */
function inBothZones(time: Instant): string {
  const local = IN_NORWAY.format(new Date(time));
  const [day, clock] = [time.slice(0, 10), time.slice(11, 16)];
  return `${local} in Norway (${local.startsWith(day) ? '' : `${day} `}${clock} UTC)`;
}

/** Keeps what the operator sees up to date; costs a history event only where an attribute changes. */
function createVisibility(): (aggregate: CaseAggregate) => void {
  let before: readonly string[] | null = null;
  return ({ state, noticed }) => {
    const attributes = searchAttributesOf(state, noticed);
    const changed = attributes.filter(({ value }, i) => before && before[i] !== value.toString());
    if (changed.length > 0) upsertSearchAttributes(changed);
    const words = noticed.map((kind) => whyOf(kind, null));
    setCurrentDetails(describeCase(state, inBothZones, words));
    before = attributes.map(({ value }) => value.toString());
  };
}
