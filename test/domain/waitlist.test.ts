import { describe, expect, it } from '@jest/globals';
import type { CaseState } from '../../src/domain/case-state.ts';
import type { CaseInput } from '../../src/domain/command.ts';
import { daysAfter, type Instant } from '../../src/domain/instant.ts';
import { describeCase, nextTimer } from '../../src/domain/next-steps.ts';
import { canBeEarlier, isOnWaitlist } from '../../src/domain/waitlist.ts';
import * as live from './lives.ts';

const { START, after, hoursAfter, lived, when } = live;
const NOON = hoursAfter(live.OPENED, 24);
const NIGHT = hoursAfter(NOON, 11);
const wait = (wanted = true): CaseInput => ({ type: 'waitlistSet', wanted });
const freed = (start: Instant, at: Instant): CaseInput => ({
  type: 'earlierTimeFreed',
  slot: live.slotAt(start),
  tell: live.daytimeAt(at),
});
const tell: CaseInput = { type: 'tellOfEarlier' };
const booked = lived(live.confirm(), live.transferred());
const waiting = after(booked, wait(), live.OPENED);
const EARLIER = daysAfter(START, -8);
const told = (state: CaseState, input: CaseInput, at: Instant) => {
  const decision = when(state, input, at, 'service');
  return decision.outcome === 'changed' ? decision.messages.map(({ kind }) => kind) : decision.outcome;
};

describe('whoever asked to be told of earlier times', () => {
  it('is told of one that is a week earlier, at once by day', () => {
    const decision = when(waiting, freed(EARLIER, NOON), NOON, 'service');
    const until = live.daytimeAt(NOON).until;
    expect(decision).toMatchObject({
      messages: [{ kind: 'earlier_time', bookingId: 'first', until }],
      events: [],
    });
    expect(told(waiting, freed(daysAfter(START, -7), NOON), NOON)).toEqual(['earlier_time']);
  });

  it('is told in the morning of what came free in the night', () => {
    const noted = after(waiting, freed(EARLIER, NIGHT), NIGHT);
    const { at } = live.daytimeAt(NIGHT);
    expect(told(waiting, freed(EARLIER, NIGHT), NIGHT)).toEqual([]);
    expect(nextTimer(noted)).toEqual({ at, action: 'tellOfEarlier' });
    expect(describeCase(noted)).toContain('the customer is told of an earlier time');
    expect(when(noted, tell, hoursAfter(at, -1), 'service')).toEqual({ outcome: 'unchanged' });
    expect(told(noted, tell, at)).toEqual(['earlier_time']);
    expect(told(after(noted, tell, at), tell, hoursAfter(at, 1))).toEqual('unchanged');
  });

  it('is not told in the next night, where we were away all day', () => {
    const noted = after(waiting, freed(EARLIER, NIGHT), NIGHT);
    expect(told(noted, tell, hoursAfter(live.daytimeAt(NIGHT).until, 1))).toEqual([]);
  });

  it('is told once a day, also when they asked anew meanwhile', () => {
    const anew = after(after(after(waiting, freed(EARLIER, NOON), NOON), wait(false), NOON), wait(), NOON);
    expect(told(anew, freed(EARLIER, hoursAfter(NOON, 1)), hoursAfter(NOON, 1))).toBe('unchanged');
  });

  it('is told the next day again', () => {
    const once = after(waiting, freed(EARLIER, NOON), NOON);
    expect(told(once, freed(EARLIER, hoursAfter(NOON, 1)), hoursAfter(NOON, 1))).toBe('unchanged');
    expect(told(once, freed(EARLIER, hoursAfter(NOON, 24)), hoursAfter(NOON, 24))).toEqual(['earlier_time']);
  });

  it.each([
    ['less than a week earlier', hoursAfter(daysAfter(START, -7), 1)],
    ['later', daysAfter(START, 1)],
    ['over by then', hoursAfter(NOON, -1)],
  ])('is not told of one that is %s', (_, start) => {
    expect(told(waiting, freed(start, NOON), NOON)).toBe('unchanged');
  });

  it('is told no more once they say so, have another appointment, or have none', () => {
    for (const input of [
      wait(false),
      live.confirm('second', live.slotAt(EARLIER)),
      live.cancel,
      live.recall,
    ]) {
      const state = after(waiting, input, NOON);
      expect(isOnWaitlist(state)).toBe(false);
      expect(told(state, freed(EARLIER, NOON), NOON)).toBe('unchanged');
    }
  });

  it('goes on waiting when the clinic moves the appointment', () => {
    const start = daysAfter(START, 1);
    const slot = live.slotAt(start);
    const moved: CaseInput = {
      type: 'clinicMoved',
      bookingId: live.id('first'),
      slot,
      reminder: live.reminderOf(start),
    };
    expect(isOnWaitlist(after(waiting, moved, NOON))).toBe(true);
  });
});

describe('nobody is told of earlier times', () => {
  it.each([
    ['who did not ask', booked],
    ['who has not booked', after(lived(), wait(), live.OPENED)],
  ])('%s', (_, state) => {
    expect(told(state, freed(EARLIER, NOON), NOON)).toBe('unchanged');
  });

  it('whose appointment is less than a week away: nothing can be enough earlier', () => {
    const late = daysAfter(START, -6);
    expect([canBeEarlier(booked, NOON), canBeEarlier(booked, late)]).toEqual([true, false]);
    expect(told(booked, wait(), late)).toBe('unchanged');
  });
});
