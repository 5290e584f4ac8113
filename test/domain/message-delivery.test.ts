import { describe, expect, it } from '@jest/globals';
import type { CaseState } from '../../src/domain/case-state.ts';
import type { CaseInput } from '../../src/domain/command.ts';
import { disownedChannels } from '../../src/domain/contactability.ts';
import { instant } from '../../src/domain/instant.ts';
import { attentionOf, attentionsOf } from '../../src/domain/attention.ts';
import { describeCase } from '../../src/domain/next-steps.ts';
import { partnerActions } from '../../src/domain/permit.ts';
import * as live from './lives.ts';

const { OPENED, after, hoursAfter, lived, smsFails, when } = live;
const NOW = hoursAfter(OPENED, 20);
const orders = (decision: ReturnType<typeof when>) =>
  decision.outcome === 'changed'
    ? decision.messages.map(({ kind, channels, sequence }) => [kind, ...channels, sequence])
    : [];
const needs = (decision: ReturnType<typeof when>) =>
  decision.outcome === 'changed' ? attentionsOf(decision.state).map(({ kind }) => kind) : [];
const failures = ({ contactability: { channels } }: CaseState) => [
  channels.email.failed,
  channels.sms.failed,
];
const resend = (channel: 'email' | 'sms' | null): CaseInput => ({ type: 'resendLink', channel });

describe('a message that fails for good', () => {
  it('on one channel is no error while the other carried it', () => {
    const decision = when(lived(), live.failsOn('sms'), NOW, 'service');
    expect(decision).toMatchObject({ state: { status: 'pending_patient_action' } });
    expect(failures(lived(live.failsOn('sms')))).toEqual([null, 1]);
    expect([orders(decision), needs(decision)]).toEqual([[], []]);
    expect(describeCase(after(lived(), live.failsOn('sms'), NOW))).toContain('telephone number failed');
  });

  it.each([
    ['at once', [live.failsOn('email', 'sms')]],
    ['one after the other', [live.failsOn('sms'), live.failsOn('email')]],
  ])('on both, %s, is an error, and an operator is needed', (_, commands) => {
    const before = lived(...commands.slice(0, -1));
    const decision = when(before, commands.at(-1) ?? live.failed(), NOW, 'service');
    expect(decision).toMatchObject({ state: { status: 'error', problem: { code: 'UNDELIVERABLE' } } });
    expect(needs(decision)).toEqual(['undeliverable']);
  });

  it('on the one that was asked for is sent on the other, once, as the same message', () => {
    const resent = lived(resend('sms'));
    const decision = when(resent, smsFails, NOW, 'service');
    expect(orders(decision)).toEqual([['invitation', 'email', 2]]);
    expect(decision).toMatchObject({ messages: [{ failedOn: ['sms'] }], state: { messagesOrdered: 2 } });
    expect(when(after(resent, smsFails, NOW), smsFails, NOW, 'service')).toEqual({ outcome: 'unchanged' });
  });

  it('on the other as well leaves no channel', () => {
    const onEmail = { ...smsFails, channels: ['email'], tried: ['sms', 'email'] } as CaseInput;
    const decision = when(lived(resend('sms'), smsFails), onEmail, NOW, 'service');
    expect(decision).toMatchObject({ state: { status: 'error' }, messages: [] });
  });

  it('is not sent on a channel that has failed before', () => {
    const decision = when(lived(live.failsOn('email'), resend('sms')), smsFails, NOW, 'service');
    expect(decision).toMatchObject({ state: { status: 'error' }, messages: [] });
  });

  it.each<[string, CaseState, object]>([
    [
      'attention while help is waited for',
      lived(live.ask),
      { status: 'assistance_requested', contactability: { undeliverable: true } },
    ],
    [
      'attention when booked',
      lived(live.confirm()),
      { status: 'booked', contactability: { undeliverable: true } },
    ],
  ])('on both raises %s', (_, state, expected) => {
    const decision = when(state, live.failsOn('email', 'sms'), NOW, 'service');
    expect(decision).toMatchObject({ state: expected });
    expect(needs(decision)).toContain('undeliverable');
  });

  it.each([
    ['recalled', lived(live.recall)],
    ['archived', lived(live.recall, live.archive)],
    ['corrected on both channels', lived(live.correct('email', 'sms'))],
  ])('means nothing to a case that was %s since', (_, state) => {
    expect(when(state, live.failsOn('email', 'sms'), NOW, 'service')).toEqual({ outcome: 'unchanged' });
  });

  it('at an address that was corrected since tells of the other one only', () => {
    const corrected = lived(live.correct('email'));
    const noted = after(corrected, live.failsOn('email', 'sms'), NOW);
    expect([noted.status, failures(noted)]).toEqual(['pending_patient_action', [null, 1]]);
  });

  it('is forgotten of the channel whose address is corrected, and of no other', () => {
    const failed = lived(live.failsOn('email', 'sms'));
    const corrected = after(failed, live.correct('sms'), NOW);
    expect([corrected.status, failures(corrected)]).toEqual(['pending_patient_action', [1, null]]);
  });

  it('is forgotten once a later message has left on the channel, and not by an earlier one', () => {
    const failed = lived(live.ask, live.failsOn('email', 'sms'));
    const sent = (sequence: number): CaseInput => ({ type: 'messageSent', channels: ['sms'], sequence });
    expect(when(failed, sent(1), NOW)).toEqual({ outcome: 'unchanged' });
    const mended = after(failed, sent(2), NOW);
    expect(failures(mended)).toEqual([1, null]);
    expect([mended.contactability.undeliverable, attentionOf(mended)]).toEqual([false, 'assistance']);
  });

  it('of a reminder is sent on the other channel by daylight only', () => {
    const failure = { ...smsFails, kind: 'reminder' } as CaseInput;
    const state = after(lived(), live.remind, instant('2027-03-12T08:00:00Z'));
    const evening = when(state, failure, instant('2027-03-12T19:00:00Z'), 'service');
    expect(evening).toMatchObject({ messages: [{ channels: ['email'], until: '2027-03-12T19:00:00.000Z' }] });
    expect(orders(when(state, failure, instant('2027-03-12T19:00:01Z'), 'service'))).toEqual([]);
  });
});

describe('who says that a message is not for them', () => {
  const disowned = lived(live.disown);

  it('gets nothing more at any address, the partner is told, and the case stays as it is', () => {
    const decision = when(lived(), live.disown, NOW, 'customer');
    expect(decision).toMatchObject({
      state: { status: 'pending_patient_action' },
      events: [{ type: 'contact.disowned', actor: 'customer', data: { channels: ['email', 'sms'] } }],
      messages: [],
    });
    expect(needs(decision)).toEqual(['disowned']);
    expect(orders(when(disowned, live.ask, NOW))).toEqual([]);
    expect(orders(when(disowned, live.remind, instant('2027-03-12T08:00:00Z')))).toEqual([]);
    expect([disownedChannels(disowned), attentionOf(disowned)]).toEqual([['email', 'sms'], 'disowned']);
    expect(describeCase(disowned)).toContain('e-mail address is not the customer');
  });

  it('may say so again, which changes nothing', () => {
    expect(when(disowned, live.disown, NOW)).toEqual({ outcome: 'unchanged' });
  });

  it('is not sent the link again: the partner is offered to correct an address instead', () => {
    expect(partnerActions(disowned, NOW)).toEqual(['recall', 'moveDeadline', 'changeContact', 'correctName']);
    expect(when(disowned, resend(null), NOW, 'partner')).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'ACTION_NOT_ALLOWED', action: 'resendLink' },
    });
  });

  it('is left alone when the other address is corrected, which gets the link', () => {
    const corrected = after(disowned, live.correct('sms'), NOW);
    expect(orders(when(corrected, live.invite, hoursAfter(NOW, 1)))).toEqual([['invitation', 'sms', 2]]);
    expect([disownedChannels(corrected), attentionOf(corrected)]).toEqual([['email'], 'none']);
    expect(orders(when(corrected, live.ask, NOW))).toEqual([['assistance_received', 'sms', 2]]);
    expect(orders(when(corrected, resend('email'), NOW))).toEqual([['invitation', 'sms', 2]]);
    const failure = { ...live.failsOn('sms'), contactVersion: 2 } as CaseInput;
    expect(after(corrected, failure, NOW)).toMatchObject({ status: 'error' });
  });

  it.each([
    ['booked', lived(live.confirm())],
    ['stopped while booked', lived(live.confirm(), live.failed())],
    ['recalled', lived(live.recall)],
    ['archived', lived(live.recall, live.archive)],
  ])('is not heard when the case is %s', (_, state) => {
    expect(when(state, live.disown, NOW)).toEqual({ outcome: 'unchanged' });
  });

  it.each([
    ['waits for help', lived(live.ask)],
    ['has expired', lived(live.DEADLINE.passesAt, live.expire)],
    ['is reached by no message', lived(live.undeliverable)],
  ])('is heard when the case %s', (_, state) => {
    const { status } = state;
    const at = hoursAfter(live.DEADLINE.passesAt, status === 'deadline_expired' ? 1 : -1);
    const disownedLater = after(state, live.disown, at);
    expect([disownedLater.status, disownedChannels(disownedLater)]).toEqual([status, ['email', 'sms']]);
  });
});
