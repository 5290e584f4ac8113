import { describe, expect, it } from '@jest/globals';
import { daysAfter } from '../../src/domain/instant.ts';
import { attentionOf } from '../../src/domain/attention.ts';
import { describeCase, nextTimer } from '../../src/domain/next-steps.ts';
import * as live from './lives.ts';

const { DEADLINE, END, START, lived } = live;
const unverified = lived(live.confirm(), live.transferred(), live.cancel, {
  type: 'released',
  bookingId: live.id('first'),
  verified: false,
});

describe('what operators read of a case', () => {
  it.each([
    ['pending', lived(), 'Waiting for the customer to book', 'the case expires 2027-03-15 23:00 UTC'],
    ['corrected', lived(live.correct('sms')), 'Waiting', 'corrected address 2027-03-01 12:01 UTC'],
    ['waiting for help', lived(live.ask), 'asked for help', 'operator case show'],
    [
      'booked',
      lived(live.confirm()),
      'Booked at clinic, 2027-03-20 10:00 UTC',
      'put into the calendar of clinic',
    ],
    ['transferred', lived(live.confirm(), live.transferred()), 'Booked at', 'archived 2027-04-19 10:45 UTC'],
    ['expired', lived(DEADLINE.passesAt, live.expire), 'Nobody booked', 'archived 2027-04-14 23:00 UTC'],
    ['recalled', lived(live.recall), 'Recalled by the partner', 'the case is archived'],
    ['archived', lived(live.recall, live.archive), 'Archived', 'closed for good'],
    ['undeliverable', lived(live.undeliverable), 'Stopped by UNDELIVERABLE', 'correct an address, or call'],
    ['refused', lived(live.confirm(), live.transferRefused()), 'TRANSFER_REFUSED', 'until somebody acts'],
    ['broken', lived(live.confirm(), live.failed()), 'Stopped by INTERNAL', 'Fix it, then retry'],
    ['unverified', unverified, 'Waiting for the customer', 'is still busy'],
  ])('of one that is %s: where it stands and what happens next', (_, state, standing, next) => {
    expect(describeCase(state)).toContain(standing);
    expect(describeCase(state)).toContain(next);
  });
});

describe('what operators read of verifications', () => {
  const referral = (outcome: 'verified' | 'not_verified', hours: number) =>
    ({
      type: 'verificationNoted',
      kind: 'referral',
      outcome,
      at: live.hoursAfter(live.OPENED, hours),
    }) as const;

  it('is the newest fact of each kind and its day, and no more', () => {
    const state = lived(live.policyVerified, referral('not_verified', 30), referral('verified', 2));
    expect(describeCase(state)).toContain('Policy: verified 2027-03-01.');
    expect(describeCase(state)).toContain('Referral: not verified 2027-03-02.');
    expect(describeCase(lived())).not.toMatch(/verified/);
  });

  it('stays whatever becomes of the case, and changes nothing of it', () => {
    const asked = lived(live.policyVerified, live.confirm(), live.recall, live.archive);
    expect(describeCase(asked)).toContain('Policy: verified 2027-03-01.');
    const before = lived(live.recall, live.archive);
    const decision = live.when(before, live.policyVerified, live.END);
    expect(decision).toMatchObject({ outcome: 'changed', events: [], messages: [] });
    expect(live.after(before, live.policyVerified, live.END)).toEqual({
      ...before,
      verifications: { policy: { outcome: 'verified', at: live.OPENED }, referral: null },
    });
  });
});

describe('what calls for attention', () => {
  it.each([
    ['none', lived()],
    ['none', lived(live.confirm(), live.transferred())],
    ['assistance', lived(live.ask)],
    ['assistance', lived(live.confirm(), live.ask)],
    ['none', lived(live.ask, live.resolve)],
    ['undeliverable', lived(live.undeliverable)],
    ['undeliverable', lived(live.ask, live.undeliverable)],
    ['transfer_refused', lived(live.confirm(), live.transferRefused())],
    ['internal', lived(live.confirm(), live.failed())],
    ['release_unverified', unverified],
  ])('is %s', (attention, state) => {
    expect(attentionOf(state)).toBe(attention);
  });
});

const LAST_REMINDER = daysAfter(DEADLINE.passesAt, -1);

describe('what happens by itself', () => {
  it.each([
    ['has its customer reminded', lived(), DEADLINE.reminders[0]?.at, 'remind'],
    ['expires with its last day', lived(LAST_REMINDER, live.remind), DEADLINE.passesAt, 'expire'],
    ['is archived 30 days after the appointment', lived(live.confirm()), daysAfter(END, 30), 'archive'],
    [
      'is archived 30 days after it expired',
      lived(DEADLINE.passesAt, live.expire),
      daysAfter(DEADLINE.passesAt, 30),
      'archive',
    ],
    [
      'has its customer reminded of the appointment',
      lived(live.confirm(), live.transferred()),
      live.reminderOf(START).at,
      'remind',
    ],
    ['is archived 30 days after the recall', lived(live.recall), daysAfter(live.OPENED, 30), 'archive'],
    [
      'expires although no message reaches the customer',
      lived(live.undeliverable),
      DEADLINE.passesAt,
      'expire',
    ],
  ])('%s', (_, state, at, action) => {
    expect(nextTimer(state)).toEqual({ at, action });
  });

  it('is nothing where a person has to act, or nothing is left to do', () => {
    expect(nextTimer(lived(live.confirm(), live.failed()))).toBeNull();
    expect(nextTimer(lived(live.confirm(), START, live.archive))).toBeNull();
  });
});
