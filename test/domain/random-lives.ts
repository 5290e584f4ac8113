import fc from 'fast-check';
import type { CaseState } from '../../src/domain/case-state.ts';
import type { CaseInput, DecisionContext } from '../../src/domain/command.ts';
import { decide, type Decision } from '../../src/domain/decide.ts';
import type { BookingId } from '../../src/domain/ids.ts';
import * as live from './lives.ts';

/** One thing that befell a case. */
export interface Step {
  readonly before: CaseState;
  readonly command: CaseInput;
  readonly context: DecisionContext;
  readonly decision: Decision;
  readonly after: CaseState;
}

const actors = fc.constantFrom('customer', 'partner', 'operator', 'provider', 'service');

/** Any command, about bookings that exist (by their number), a while after the last one. */
const moves = fc.record({
  hours: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 200 })),
  actor: actors,
  kind: fc.nat({ max: 32 }),
  pick: fc.nat({ max: 5 }),
  flag: fc.boolean(),
});
type Move = typeof moves extends fc.Arbitrary<infer M> ? M : never;

function commandOf(
  { kind, pick, flag }: Move,
  state: CaseState,
  at: DecisionContext['at'],
  fresh: BookingId,
): CaseInput {
  const { bookings } = state;
  const bookingId = bookings[pick % Math.max(1, bookings.length)]?.bookingId ?? live.id('unknown');
  const leaving = bookings.find((b) => b.abandonedBy !== null)?.bookingId ?? live.id('unknown');
  const slot = live.slotAt(live.hoursAfter(live.START, pick * 24 - 48), `slot ${pick}`);
  const grace = live.graceAt(at);
  const commands: CaseInput[] = [
    live.confirm(fresh, slot),
    live.confirm(fresh, slot),
    live.cancel,
    live.ask,
    live.resolve,
    live.recall,
    live.expire,
    live.moveDeadline(live.graceAt(live.hoursAfter(at, pick * 24))),
    live.archive,
    {
      type: 'changeContact',
      hasAddress: { email: true, sms: flag },
      corrected: ['email'],
      correctionId: null,
    },
    { type: 'resendLink', channel: flag ? 'email' : null },
    { type: 'retry', bookingId: fresh, grace },
    { type: 'transferFailed', bookingId },
    live.transferred(bookingId),
    { type: 'transferRefused', bookingId, gone: flag, grace },
    { type: 'holdInDoubt', slot, bookingId: fresh },
    { type: 'released', bookingId: leaving, verified: flag },
    { type: 'clinicCancelled', bookingId, grace },
    { type: 'verificationNoted', kind: 'policy', outcome: flag ? 'verified' : 'not_verified', at },
    live.failed(),
    live.disown,
    live.remind,
    live.remind,
    {
      type: 'messageFailed',
      kind: flag ? 'invitation' : state.status === 'booked' ? 'appointment_reminder' : 'reminder',
      sequence: pick,
      bookingId: null,
      contactVersion: state.contactability.version - (pick === 0 ? 1 : 0),
      channels: flag ? ['sms'] : ['email'],
      tried: pick % 2 === 0 ? ['email', 'sms'] : flag ? ['sms'] : ['email'],
    },
    { type: 'messageSent', channels: flag ? ['email'] : ['sms'], sequence: pick },
    { type: 'clinicMoved', bookingId, slot, reminder: live.reminderOf(slot.start) },
    { type: 'overlapChecked', bookingId, overlaps: flag },
    { type: 'clinicDoubleBooked', bookingId, doubleBooked: flag },
    { type: 'released', bookingId, verified: flag },
    live.invite,
    { type: 'waitlistSet', wanted: flag },
    { type: 'earlierTimeFreed', slot: live.slotAt(live.hoursAfter(at, pick * 48)), tell: live.daytimeAt(at) },
    { type: 'tellOfEarlier' },
    live.correctName,
  ];
  return commands[kind] ?? live.failed();
}

/** What befalls a case, of up to 25 things. */
export const stories = fc.array(moves, { maxLength: 25 });

/** @param newId of the booking that the i-th thing may make */
export function lifeOf(chosen: readonly Move[], newId = (i: number) => live.id(`booking ${i}`)): Step[] {
  let [state, at] = [live.opened(), live.OPENED];
  return chosen.map((move, i): Step => {
    at = live.hoursAfter(at, move.hours);
    const context = { at, actor: move.actor };
    const before = state;
    const command = commandOf(move, before, at, newId(i));
    const decision = decide(before, command, context);
    if (decision.outcome === 'changed') state = decision.state;
    return { before, command, context, decision, after: state };
  });
}
