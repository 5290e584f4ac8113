import type { SignalDefinition, UpdateDefinition } from '@temporalio/common';
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  setHandler,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type { Actor, CaseState } from '../src/domain/case-state.ts';
import type { Command, Wish } from '../src/domain/command.ts';
import type { BookingId } from '../src/domain/ids.ts';
import { keepBoard } from './board.ts';
import { keepTime } from './clock.ts';
import * as contract from './contract.ts';
import type { CaseStart } from './contract.ts';
import { openDesk, type Desk } from './desk.ts';
import { messageFailure, keepCustomerTold, keepOperatorTold } from './notify.ts';
import { keepProjected } from './projection.ts';
import { keepReleasing, keepTransferring, secure } from './provider-booking.ts';
import { isWellFormed, requireWellFormed } from './well-formed.ts';

/** A case, from the partner's call to the archive: the authority for what may happen to it, and when. */
export async function treatmentCase(start: CaseStart): Promise<void> {
  // A cancellation from Temporal's UI is one click away, and no way to end a case: the partner recalls it.
  await CancellationScope.nonCancellable(() => live(start));
}

async function live(start: CaseStart): Promise<void> {
  const desk = openDesk(start, keepBoard());
  answerCallers(desk, start);

  // What goes on by itself, each as long as the case lives.
  const busyWith = new Set<BookingId>();
  void keepCustomerTold(desk, start);
  void keepOperatorTold(desk, start);
  void keepTime(desk);
  void keepTransferring(desk, start, busyWith);
  void keepReleasing(desk, start, busyWith);
  void keepProjected(desk, start);

  // Nothing ends half done: neither the case, nor a run of it whose history has grown long.
  const isAtRest = () => isSettled(desk) && busyWith.size === 0 && allHandlersFinished();
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
function answerCallers(desk: Desk, start: CaseStart): void {
  const answer = <A extends contract.Ask>(
    update: UpdateDefinition<CaseState, [A]>,
    wishOf: (ask: A, fresh: BookingId) => Wish,
    prepare?: (ask: A, fresh: BookingId) => Promise<void>,
  ) => {
    const handler = (ask: A) => {
      const fresh = uuid4() as BookingId;
      return CancellationScope.nonCancellable(() =>
        desk.grant(wishOf(ask, fresh), ask, prepare && (() => prepare(ask, fresh))),
      );
    };
    // No random id in here: a validator must leave no trace.
    const validator = (ask: A) => {
      requireWellFormed(update.name, ask);
      desk.preview(wishOf(ask, '' as BookingId), ask);
    };
    setHandler(update, handler, { validator });
  };
  const hear = <N>(signal: SignalDefinition<[N]>, listen: (news: N) => Promise<void> | void) =>
    setHandler(signal, (news) => (isWellFormed(signal.name, news) ? listen(news) : undefined));
  const note = (command: Command, actor: Actor) =>
    CancellationScope.nonCancellable(() => desk.lane.admit(() => desk.file(command, actor))).catch(
      () => undefined,
    );

  answer(
    contract.confirmBooking,
    ({ slot }, bookingId) => ({ type: 'confirm', slot, bookingId }),
    ({ slot }, bookingId) => secure(desk, start, slot, bookingId),
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
  hear(contract.showAgain, ({ atLeast }) => desk.showAgain(atLeast));
  setHandler(contract.caseState, () => desk.state);
  setHandler(contract.caseFile, () => ({
    state: desk.state,
    revision: desk.revision,
    isShown: desk.allWritten(),
  }));
}

const isSettled = (desk: Desk): boolean => {
  const leaving = desk.state.bookings.some((booking) => booking.abandonedBy !== null);
  return desk.lane.isIdle() && desk.outbox.length === 0 && desk.allWritten() && !leaving;
};
