import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CaseState, Deadline } from '../../src/domain/case-state.ts';
import type { CaseInput } from '../../src/domain/command.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { customerActions, partnerActions } from '../../src/domain/permit.ts';
import * as live from './lives.ts';

const { DEADLINE, START, END, after, hoursAfter, lived, when } = live;
const LATE = hoursAfter(DEADLINE.passesAt, 1);
const eventsOf = (decision: ReturnType<typeof when>) =>
  decision.outcome === 'changed' ? decision.events.map(({ type }) => type) : [];
const stateOf = (decision: ReturnType<typeof when>): CaseState | null =>
  decision.outcome === 'changed' ? decision.state : null;

describe('the last day to book', () => {
  const open = {
    pending: lived(),
    'asked for help': lived(live.ask),
    'reached by no message': lived(live.undeliverable),
  };

  describe.each(Object.entries(open))('of a case that is %s', (_, state) => {
    it('does not end it a millisecond early', () => {
      const early = instant(Date.parse(DEADLINE.passesAt) - 1);
      expect(when(state, live.expire, early)).toEqual({ outcome: 'unchanged' });
      expect(after(state, live.confirm(), early).status).toBe('booked');
    });

    it('ends it on the millisecond', () => {
      expect(stateOf(when(state, live.expire, DEADLINE.passesAt))).toMatchObject({
        status: 'deadline_expired',
        endedAt: DEADLINE.passesAt,
      });
    });

    it('is settled before a confirm that comes after it, timer or no timer', () => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 1000 }), (hours) => {
          const decision = when(state, live.confirm(), hoursAfter(DEADLINE.passesAt, hours));
          expect(decision).toMatchObject({
            outcome: 'refused',
            refusal: { code: 'ACTION_NOT_ALLOWED', status: 'deadline_expired' },
          });
        }),
      );
    });

    it('is settled before it is moved: the case opens again and the customer is invited', () => {
      const moved = when(state, live.moveDeadline(live.graceAt(LATE)), LATE, 'partner');
      expect(moved).toMatchObject({ state: { status: 'pending_patient_action' } });
      expect(eventsOf(moved)).toEqual(['case.deadline_expired', 'case.deadline_moved', 'case.reopened']);
      expect(moved).toMatchObject({ messages: [{ kind: 'invitation' }] });
    });

    it('is settled before what merely happens is noted', () => {
      const noted = when(state, live.policyVerified, LATE, 'service');
      expect(eventsOf(noted)).toEqual(['case.deadline_expired']);
      expect(stateOf(noted)).toMatchObject({ verifications: { policy: { outcome: 'verified' } } });
    });
  });

  it('does not end what is booked', () => {
    expect(when(lived(live.confirm()), live.expire, LATE)).toEqual({ outcome: 'unchanged' });
  });

  it('has passed for whoever cancels after it', () => {
    const cancelled = when(lived(live.confirm()), live.cancel, LATE);
    expect(stateOf(cancelled)).toMatchObject({ status: 'deadline_expired', endedAt: LATE });
    expect(eventsOf(cancelled)).toEqual(['booking.cancelled', 'case.deadline_expired']);
  });

  it('of an expired case can move to another day that has passed, which neither opens it nor invites anybody', () => {
    const expired = after(lived(), live.expire, DEADLINE.passesAt);
    const yesterday = live.graceAt(daysAfter(LATE, -5));
    const moved = when(expired, live.moveDeadline(yesterday), LATE, 'partner');
    expect(moved).toMatchObject({ state: { status: 'deadline_expired', deadline: yesterday }, messages: [] });
    expect(eventsOf(moved)).toEqual(['case.deadline_moved']);
    expect(when(expired, live.moveDeadline(DEADLINE), LATE, 'partner')).toEqual({ outcome: 'unchanged' });
  });

  it('when moved to the same day changes nothing', () => {
    expect(when(lived(), live.moveDeadline(DEADLINE), live.OPENED)).toEqual({ outcome: 'unchanged' });
  });
});

describe('whom the clinic lets down', () => {
  const letDown: [string, (at: Deadline) => CaseInput][] = [
    ['clinicCancelled', (grace) => ({ type: 'clinicCancelled', bookingId: live.id('first'), grace })],
    [
      'transferRefused',
      (grace) => ({ type: 'transferRefused', bookingId: live.id('first'), gone: true, grace }),
    ],
  ];

  it.each(letDown)('has three days at least to choose again (%s)', (_, commandOf) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 18 * 24 }), (hours) => {
        const at = hoursAfter(live.OPENED, hours);
        const grace = live.graceAt(at);
        const decision = when(lived(live.confirm()), commandOf(grace), at, 'provider');
        const deadline = DEADLINE.date < grace.date ? grace : DEADLINE;
        expect(stateOf(decision)).toMatchObject({
          status: 'pending_patient_action',
          deadline,
        });
        // about the lost one: the message takes it out of the customer's calendar
        const message = { kind: 'choose_again', bookingId: live.id('first') };
        expect(decision).toMatchObject({ messages: [message] });
        if (decision.outcome !== 'changed') return;
        const moves = decision.events.filter(({ type }) => type === 'case.deadline_moved');
        expect(moves.map(({ actor }) => actor)).toEqual(deadline === grace ? ['service'] : []);
      }),
    );
  });

  it('has them too when a retry finds that the refused slot has begun', () => {
    const refused = lived(live.confirm(), live.transferRefused());
    const at = hoursAfter(START, 1);
    const decision = when(refused, live.retry(at), at, 'operator');
    expect(stateOf(decision)).toMatchObject({ status: 'pending_patient_action', deadline: live.graceAt(at) });
  });
});

describe("from the appointment's start", () => {
  const booked = lived(live.confirm(), live.transferred());
  const stopped = lived(live.confirm(), live.transferred(), live.failed());
  const begun = { code: 'APPOINTMENT_STARTED', status: 'booked' };

  it.each<CaseInput>([live.confirm('second', live.slotAt(hoursAfter(END, 48))), live.cancel, live.recall])(
    '$type comes too late',
    (command) => {
      expect(when(booked, command, instant(Date.parse(START) - 1)).outcome).toBe('changed');
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 1000 }), (hours) => {
          const at = hoursAfter(START, hours);
          expect(when(booked, command, at)).toMatchObject({ outcome: 'refused', refusal: begun });
          expect(when(stopped, command, at)).toMatchObject({ refusal: { code: 'APPOINTMENT_STARTED' } });
        }),
      );
    },
  );

  it('the case may be archived, and the appointment stays', () => {
    const early = instant(Date.parse(START) - 1);
    expect(when(booked, live.archive, early)).toMatchObject({ refusal: { code: 'ACTION_NOT_ALLOWED' } });
    for (const state of [booked, stopped]) {
      expect(after(state, live.archive, START)).toMatchObject({
        status: 'archived',
        bookingId: 'first',
        bookings: [{ abandonedBy: null }],
      });
    }
  });

  it('callers are offered what is left', () => {
    expect([partnerActions(booked, START), customerActions(booked, START)]).toEqual([
      ['archive', 'changeContact'],
      ['requestAssistance'],
    ]);
    const before = daysAfter(START, -1);
    expect([partnerActions(booked, before), customerActions(booked, before)]).toEqual([
      ['recall', 'changeContact'],
      ['change', 'cancel', 'requestAssistance'],
    ]);
  });

  it('the slot can no longer be had by anybody', () => {
    const at = hoursAfter(live.OPENED, 10);
    expect(when(lived(), live.confirm('late', live.slotAt(at)), at)).toEqual({
      outcome: 'refused',
      refusal: { code: 'SLOT_TAKEN' },
    });
  });
});
