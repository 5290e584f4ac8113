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
import type { Actor, CaseState } from '../src/domain/case-state.ts';
import type { CaseInput, Command } from '../src/domain/command.ts';
import type { BookingId } from '../src/domain/ids.ts';
import { describeCase, nextTimer } from '../src/domain/next-steps.ts';
import { project } from './activity-proxies.ts';
import { type CaseAggregate, createCaseAggregate, now } from './case-aggregate.ts';
import * as contract from './contract.ts';
import { type CaseStart, searchAttributesOf } from './contract.ts';
import { messageFailure, sendAlerts, sendMessages } from './messages.ts';
import { assertValidPayload, isValidPayload } from './payloads.ts';
import { releaseBookings, secureBooking, transferBookings } from './provider-booking.ts';

/** A case, from the partner's call to the archive: the authority for what may happen to it, and when. */
export async function treatmentCase(start: CaseStart): Promise<void> {
  // A cancellation from Temporal's UI is one click away, and no way to end a case: the partner recalls it.
  await CancellationScope.nonCancellable(() => runCase(start));
}

async function runCase(start: CaseStart): Promise<void> {
  const desk = createCaseAggregate(start, createVisibility());
  registerHandlers(desk, start);

  // What goes on by itself, each as long as the case lives.
  const busyWith = new Set<BookingId>();
  void sendMessages(desk, start);
  void sendAlerts(desk, start);
  void runTimers(desk);
  void transferBookings(desk, start, busyWith);
  void releaseBookings(desk, start, busyWith);
  void projectState(desk, start);

  // Nothing ends half done: neither the case, nor a run of it whose history has grown long.
  const isAtRest = () => isIdle(desk) && busyWith.size === 0 && allHandlersFinished();
  const isOver = () => desk.state.status === 'archived';
  await condition(() => isAtRest() && (isOver() || workflowInfo().continueAsNewSuggested));
  if (isOver()) return;
  await continueAsNew<typeof treatmentCase>({
    ...start,
    isJudgedLast: true,
    carried: { state: desk.state, revision: desk.revision, alerts: desk.alerts },
  });
}

/** One line a wish. Signals are judged like updates, but nobody waits to hear that they were refused. */
function registerHandlers(desk: CaseAggregate, start: CaseStart): void {
  const answer = <A extends contract.UpdateRequest>(
    update: UpdateDefinition<CaseState, [A]>,
    wishOf: (ask: A, fresh: BookingId) => Command,
    prepare?: (ask: A, fresh: BookingId) => Promise<void>,
  ) => {
    const handler = (ask: A) => {
      const fresh = uuid4() as BookingId;
      return CancellationScope.nonCancellable(() =>
        desk.execute(wishOf(ask, fresh), ask, prepare && (() => prepare(ask, fresh))),
      );
    };
    // No random id in here: a validator must leave no trace.
    const validator = (ask: A) => {
      assertValidPayload(update.name, ask);
      desk.validate(wishOf(ask, '' as BookingId), ask);
    };
    setHandler(update, handler, { validator });
  };
  const hear = <N>(signal: SignalDefinition<[N]>, listen: (news: N) => Promise<void> | void) =>
    setHandler(signal, (news) => (isValidPayload(signal.name, news) ? listen(news) : undefined));
  const note = (command: CaseInput, actor: Actor) =>
    CancellationScope.nonCancellable(() =>
      desk.mutex.runAfterResults(() => desk.apply(command, actor)),
    ).catch(() => undefined);

  answer(
    contract.confirmBooking,
    ({ slot }, bookingId) => ({ type: 'confirm', slot, bookingId }),
    ({ slot }, bookingId) => secureBooking(desk, start, slot, bookingId),
  );
  answer(contract.cancelBooking, () => ({ type: 'cancel' }));
  answer(contract.resolveAssistance, () => ({ type: 'resolveAssistance' }));
  answer(contract.recall, ({ textId }) => ({ type: 'recall', textId }));
  answer(contract.archive, () => ({ type: 'archive' }));
  answer(contract.moveDeadline, ({ deadline }) => ({ type: 'moveDeadline', deadline }));
  answer(contract.changeContact, ({ reach, corrected, correctionId }) => ({
    type: 'changeContact',
    reach,
    corrected,
    correctionId,
  }));
  answer(contract.resendLink, ({ channel }) => ({ type: 'resendLink', channel }));
  answer(contract.retry, ({ grace }, bookingId) => ({ type: 'retry', bookingId, grace }));
  hear(contract.requestAssistance, ({ actor }) => note({ type: 'requestAssistance' }, actor));
  hear(contract.disownContact, ({ actor }) => note({ type: 'contactDisowned' }, actor));
  hear(contract.messageFailed, ({ channel, ...message }) =>
    note(messageFailure({ channels: [channel], ...message }), 'service'),
  );
  hear(contract.clinicCancelled, (news) => note({ type: 'clinicCancelled', ...news }, 'provider'));
  hear(contract.clinicMoved, (news) => note({ type: 'clinicMoved', ...news }, 'provider'));
  hear(contract.slotFreed, (news) => note({ type: 'released', verified: true, ...news }, 'service'));
  hear(contract.verificationNoted, (news) => note({ type: 'verificationNoted', ...news }, 'partner'));
  hear(contract.showAgain, ({ atLeast }) => desk.reproject(atLeast));
  setHandler(contract.caseState, () => desk.state);
  setHandler(contract.caseFile, () => ({
    state: desk.state,
    revision: desk.revision,
    isShown: desk.isProjected(),
  }));
}

const isIdle = (desk: CaseAggregate): boolean => {
  const leaving = desk.state.bookings.some((booking) => booking.abandonedBy !== null);
  return desk.mutex.isIdle() && desk.outbox.length === 0 && desk.isProjected() && !leaving;
};

const TIMER_SUMMARIES = {
  remind: 'Time to remind the customer',
  expire: 'The last day to book is over',
  archive: 'The case archives itself',
};

/** Has the customer reminded, lets the deadline pass, and the case archive itself, when it is time. Whatever moves the time sets the clock anew. */
async function runTimers(desk: CaseAggregate): Promise<never> {
  for (;;) {
    await condition(() => nextTimer(desk.state) !== null);
    const alarm = nextTimer(desk.state);
    if (!alarm) continue;
    const isOvertaken = () => {
      const next = nextTimer(desk.state);
      return next?.at !== alarm.at || next.action !== alarm.action;
    };
    const left = Date.parse(alarm.at) - Date.parse(now());
    const overtaken =
      left > 0
        ? await condition(isOvertaken, left, { summary: TIMER_SUMMARIES[alarm.action] })
        : isOvertaken();
    if (overtaken) continue;
    // In the lane, so that a confirm which the case accepted in time is finished first.
    await desk.mutex.run(() => {
      if (!isOvertaken()) desk.apply({ type: alarm.action }, 'service');
    });
  }
}

/** Writes each new state down for its readers, for ever. While one write runs only the newest state waits. */
async function projectState(desk: CaseAggregate, { caseId }: CaseStart): Promise<never> {
  for (;;) {
    await condition(() => !desk.isProjected());
    const { state, revision, unprojected } = desk;
    const overlap = await project({ caseId, revision, state, events: unprojected, at: now() });
    desk.markProjected(revision, unprojected.length);
    // What earlier versions wrote down was answered by nothing.
    if (overlap) desk.apply({ type: 'overlapJudged', ...overlap }, 'service');
  }
}

/** Keeps what the operator sees up to date; costs a history event only where an attribute changes. */
function createVisibility(): (state: CaseState) => void {
  let shown: CaseState | null = null;
  return (state) => {
    const before = shown && searchAttributesOf(shown).map(({ value }) => value.toString());
    const changed = searchAttributesOf(state).filter(
      ({ value }, i) => before && before[i] !== value.toString(),
    );
    if (changed.length > 0) upsertSearchAttributes(changed);
    setCurrentDetails(describeCase(state));
    shown = state;
  };
}
