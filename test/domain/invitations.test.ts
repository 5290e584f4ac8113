import { describe, expect, it } from '@jest/globals';
import type { CaseState } from '../../src/domain/case-state.ts';
import type { CaseInput } from '../../src/domain/command.ts';
import { daysAfter, instant, type Instant } from '../../src/domain/instant.ts';
import { nextInvitation, nextTimer } from '../../src/domain/next-steps.ts';
import * as live from './lives.ts';

const { DEADLINE, OPENED, after, when } = live;
const seconds = (s: number, from = OPENED): Instant => instant(Date.parse(from) + s * 1000);
const MINUTE = seconds(60);

const ordersOf = (decision: ReturnType<typeof when>) =>
  decision.outcome === 'changed'
    ? decision.messages.map(({ kind, channels, sequence }) => [kind, ...channels, sequence])
    : [];
/** A case that lives through these, a second apart. */
const quickly = (...inputs: readonly CaseInput[]): CaseState =>
  inputs.reduce((state, input, i) => after(state, input, seconds(i)), live.opened());
const resend = (channel: 'email' | 'sms'): CaseInput => ({ type: 'resendLink', channel });

describe('the invitation of corrected addresses', () => {
  it('waits for a minute, which is what the case waits for next', () => {
    const decision = when(live.opened(), live.correct('email'), OPENED, 'partner');
    expect(ordersOf(decision)).toEqual([]);
    const state = quickly(live.correct('email'));
    expect(nextTimer(state)).toEqual({ at: MINUTE, action: 'invite' });
    expect(when(state, live.invite, seconds(59.999))).toEqual({ outcome: 'unchanged' });
    expect(ordersOf(when(state, live.invite, MINUTE))).toEqual([['invitation', 'email', 2]]);
  });

  it('is one for all corrections since the first, on every channel that was corrected', () => {
    const to = ['email', 'email', 'sms', 'email', 'email', 'email', 'email', 'email'] as const;
    const state = quickly(...to.map((channel) => live.correct(channel)));
    expect(nextTimer(state)).toEqual({ at: MINUTE, action: 'invite' });
    expect(ordersOf(when(state, live.invite, MINUTE))).toEqual([['invitation', 'email', 'sms', 2]]);
    const invited = after(state, live.invite, MINUTE);
    expect(nextInvitation(invited)).toBeNull();
    expect(when(invited, live.invite, seconds(120))).toEqual({ outcome: 'unchanged' });
    const again = after(invited, live.correct('sms'), seconds(61));
    expect(nextInvitation(again)).toEqual({ at: seconds(121), channels: ['sms'] });
  });

  it('waits as long when a correction puts right what reached nobody', () => {
    const state = quickly(live.undeliverable, live.correct('email'));
    expect([state.status, nextInvitation(state)]).toEqual([
      'pending_patient_action',
      { at: seconds(61), channels: ['email'] },
    ]);
  });

  it.each<[string, CaseInput[]]>([
    ['books', [live.confirm()]],
    ['books and cancels, which has the link in its message', [live.confirm(), live.cancel]],
    ['is recalled', [live.recall]],
    ['gets the link again there', [resend('email')]],
    ['says that it is not for them', [live.disown]],
  ])('is none if the customer %s meanwhile', (_, inputs) => {
    const state = quickly(live.correct('email'), ...inputs);
    expect(nextInvitation(state)).toBeNull();
    expect(nextTimer(state)?.action).not.toBe('invite');
    expect(ordersOf(when(state, live.invite, seconds(120)))).toEqual([]);
  });

  it.each<[string, CaseInput[]]>([
    ['asks for help', [live.ask]],
    ['asks for help and gets it', [live.ask, live.resolve]],
    ['gets the link again elsewhere', [resend('sms')]],
    ['has another day to book', [live.moveDeadline(live.graceAt(daysAfter(OPENED, 30)))]],
  ])('still comes if the customer %s meanwhile', (_, inputs) => {
    const state = quickly(live.correct('email'), ...inputs);
    expect(nextTimer(state)).toEqual({ at: MINUTE, action: 'invite' });
    expect(ordersOf(when(state, live.invite, MINUTE))).toEqual([
      ['invitation', 'email', state.messagesOrdered + 1],
    ]);
  });

  it('goes nowhere else when the corrected address is taken away again', () => {
    const without = { ...live.correct('sms'), hasAddress: { email: true, sms: false } } as CaseInput;
    expect(nextInvitation(quickly(live.correct('sms'), without))).toBeNull();
    const both = quickly(live.correct('email', 'sms'), without);
    expect(ordersOf(when(both, live.invite, MINUTE))).toEqual([['invitation', 'email', 2]]);
  });

  it('comes no more once the last day is over', () => {
    const late = seconds(-30, DEADLINE.passesAt);
    const state = after(live.opened(), live.correct('email'), late);
    expect(nextTimer(state)).toEqual({ at: DEADLINE.passesAt, action: 'expire' });
    const expired = after(state, live.expire, DEADLINE.passesAt);
    expect([expired.status, nextInvitation(expired)]).toEqual(['deadline_expired', null]);
  });
});
