import { describe, expect, it } from '@jest/globals';
import type { CaseInput } from '../../src/domain/command.ts';
import { attentionOf } from '../../src/domain/attention.ts';
import * as live from './lives.ts';

const { START, END, after, hoursAfter, lived, when } = live;
const NOW = hoursAfter(live.OPENED, 20);
const NEW_START = hoursAfter(START, 26);
const NEW = live.slotAt(NEW_START, 'new slot');
const OLD = live.slotAt(START);
const movedTo = (slot = NEW, bookingId = 'first'): CaseInput => ({
  type: 'clinicMoved',
  bookingId: live.id(bookingId),
  slot,
  reminder: live.reminderOf(slot.start),
});
const checked = (overlaps: boolean): CaseInput => ({
  type: 'overlapChecked',
  bookingId: live.id('first'),
  overlaps,
});
const booked = lived(live.confirm(), live.transferred());
const told = (decision: ReturnType<typeof when>) =>
  decision.outcome === 'changed'
    ? [decision.events, decision.messages].map((list) =>
        list.map((one) => ('type' in one ? one.type : one.kind)),
      )
    : decision.outcome;

describe('an appointment that the clinic moves to another slot', () => {
  it('stands where the clinic put it, and its customer is told', () => {
    const decision = when(booked, movedTo(), NOW, 'provider');
    expect(decision).toMatchObject({
      state: { status: 'booked', bookingId: 'first', bookings: [{ ...NEW, formerly: [OLD] }] },
    });
    expect(told(decision)).toEqual([['booking.moved_by_provider'], ['changed']]);
  });

  it('is moved once, however often that is told', () => {
    expect(when(after(booked, movedTo(), NOW), movedTo(), NOW)).toEqual({ outcome: 'unchanged' });
  });

  it.each([
    ['another person at the same time is news', { practitionerId: 'somebody else' }, ['changed']],
    ['another number of the same slot is none', { slot: 'renumbered' }, []],
  ])('%s', (_, changes, messages) => {
    const decision = when(booked, movedTo({ ...OLD, ...changes }), NOW, 'provider');
    expect(told(decision)).toEqual([['booking.moved_by_provider'], messages]);
  });

  it('remembers every slot that it left, and none that it came back to', () => {
    const third = live.slotAt(hoursAfter(START, 50), 'third slot');
    const twice = after(after(booked, movedTo(), NOW), movedTo(third), NOW);
    expect(twice.bookings).toMatchObject([{ ...third, formerly: [NEW, OLD] }]);
    expect(after(twice, movedTo(OLD), NOW).bookings).toMatchObject([{ ...OLD, formerly: [third, NEW] }]);
  });

  it('is released where it is now, when it was given up before that was known; nobody is told', () => {
    const cancelled = after(booked, live.cancel, NOW);
    const decision = when(cancelled, movedTo(), NOW, 'provider');
    expect(decision).toMatchObject({
      state: { bookings: [{ ...NEW, formerly: [OLD], abandonedBy: 'customer' }] },
    });
    expect(told(decision)).toEqual([[], []]);
  });

  it('is history when the case is archived', () => {
    const archived = after(booked, live.archive, hoursAfter(END, 1));
    expect(when(archived, movedTo(), hoursAfter(END, 2))).toEqual({ outcome: 'unchanged' });
  });
});

describe('an appointment that the clinic moves to the time of another booking', () => {
  const overlapping = after(after(booked, movedTo(), NOW), checked(true), NOW);

  it('is the operator’s to settle', () => {
    expect(told(when(after(booked, movedTo(), NOW), checked(true), NOW))).toEqual([[], []]);
    expect(when(overlapping, checked(true), NOW)).toEqual({ outcome: 'unchanged' });
    expect([overlapping.status, attentionOf(overlapping)]).toEqual(['booked', 'overlap']);
  });

  it.each([
    ['when the clinic is checked again', movedTo()],
    ['when the operator retries', live.retry(NOW)],
  ])('is checked anew %s, and nobody is told', (_, command) => {
    const decision = when(overlapping, command, NOW, 'operator');
    expect(decision).toMatchObject({ outcome: 'changed', messages: [] });
  });

  it('needs nobody any more once it has the time for itself', () => {
    const settled = after(overlapping, checked(false), NOW);
    expect(attentionOf(settled)).toBe('none');
    expect(when(settled, movedTo(), NOW)).toEqual({ outcome: 'unchanged' });
    expect(when(settled, live.retry(NOW), NOW)).toMatchObject({ outcome: 'refused' });
  });

  it('needs nobody either once it is recalled', () => {
    expect(attentionOf(after(overlapping, live.recall, NOW))).toBe('none');
  });
});

describe('an appointment at whose time the clinic has another of its own', () => {
  const seen = (doubleBooked: boolean, bookingId = 'first'): CaseInput => ({
    type: 'clinicDoubleBooked',
    bookingId: live.id(bookingId),
    doubleBooked,
  });
  const doubleBooked = after(booked, seen(true), NOW);

  it('stands as it is: an operator is needed, and nobody else is told', () => {
    expect(told(when(booked, seen(true), NOW, 'provider'))).toEqual([[], []]);
    expect(when(doubleBooked, seen(true), NOW)).toEqual({ outcome: 'unchanged' });
    expect([doubleBooked.status, attentionOf(doubleBooked)]).toEqual(['booked', 'double_booked']);
  });

  it.each([
    ['the other is gone', seen(false)],
    ['the clinic moves ours to another time', movedTo()],
    ['the customer cancels', live.cancel],
    ['it is recalled', live.recall],
  ])('needs nobody any more once %s', (_, command) => {
    expect(attentionOf(after(doubleBooked, command, NOW))).toBe('none');
  });

  it('means nothing of a booking that is not the customer’s', () => {
    expect(when(booked, seen(true, 'unknown'), NOW)).toEqual({ outcome: 'unchanged' });
    expect(when(after(booked, live.cancel, NOW), seen(true), NOW)).toEqual({ outcome: 'unchanged' });
  });
});

describe('a slot that is seen to be free', () => {
  const seen: CaseInput = { type: 'released', bookingId: live.id('first'), verified: true };
  const notFree: CaseInput = { ...seen, verified: false };

  it('that was still busy before settles the case', () => {
    const unverified = after(after(booked, live.cancel, NOW), notFree, NOW);
    expect(attentionOf(unverified)).toBe('release_unverified');
    const settled = after(unverified, seen, NOW);
    expect([attentionOf(settled), settled.bookings]).toEqual(['none', []]);
  });

  it('takes no appointment away that the customer has', () => {
    expect(when(booked, seen, NOW)).toEqual({ outcome: 'unchanged' });
  });

  it('or still busy, is told', () => {
    expect(told(when(after(booked, live.cancel, NOW), notFree, NOW, 'service'))).toEqual([
      ['booking.release_unverified'],
      [],
    ]);
  });
});
