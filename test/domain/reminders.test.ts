import { describe, expect, it } from '@jest/globals';
import type { CaseState } from '../../src/domain/case-state.ts';
import type { CaseInput } from '../../src/domain/command.ts';
import { instant, type Instant } from '../../src/domain/instant.ts';
import { describeCase, nextTimer } from '../../src/domain/next-steps.ts';
import * as live from './lives.ts';

const { DEADLINE, END, START, after, hoursAfter, lived, when } = live;
const at = (text: string) => instant(`2027-03-${text}:00Z`);
const [THIRD_LAST, LAST_BUT_ONE] = [at('12T08:00'), at('14T08:00')];
const messagesOf = (decision: ReturnType<typeof when>) =>
  decision.outcome === 'changed' ? decision.messages : [];
const reminded = (state: CaseState, time: Instant) => messagesOf(when(state, live.remind, time, 'service'));
const resent: CaseInput = { type: 'resendLink', channel: 'sms' };

describe('a reminder', () => {
  it('is ordered three days and one day before the last day, on every channel', () => {
    expect(nextTimer(lived())).toEqual({ at: THIRD_LAST, action: 'remind' });
    expect(reminded(lived(), THIRD_LAST)).toEqual([
      {
        kind: 'reminder',
        channels: ['email', 'sms'],
        sequence: 2,
        bookingId: null,
        contactVersion: 1,
        until: at('12T19:00'),
        failedOn: [],
      },
    ]);
    const once = after(lived(), live.remind, THIRD_LAST);
    expect(nextTimer(once)).toEqual({ at: LAST_BUT_ONE, action: 'remind' });
    expect(reminded(once, LAST_BUT_ONE)).toMatchObject([{ kind: 'reminder', until: at('14T19:00') }]);
    const twice = after(once, live.remind, LAST_BUT_ONE);
    expect(nextTimer(twice)).toEqual({ at: DEADLINE.passesAt, action: 'expire' });
  });

  it('is not ordered before its time, nor twice', () => {
    const early = instant(Date.parse(THIRD_LAST) - 1);
    expect(when(lived(), live.remind, early)).toEqual({ outcome: 'unchanged' });
    const once = after(lived(), live.remind, THIRD_LAST);
    expect(when(once, live.remind, hoursAfter(THIRD_LAST, 1))).toEqual({ outcome: 'unchanged' });
  });

  it.each([
    ['that evening at the latest', at('12T19:00'), 1],
    ['not at night', at('12T19:01'), 0],
    ['not the next morning', at('13T08:00'), 0],
  ])('that comes late, since we were away, is sent %s', (_, time, count) => {
    expect(reminded(lived(), time)).toHaveLength(count);
    expect(nextTimer(after(lived(), live.remind, time))?.at).toBe(LAST_BUT_ONE);
  });

  it('is for whoever waits for help as well: the last day is the same', () => {
    expect(reminded(lived(live.ask), THIRD_LAST)).toHaveLength(1);
  });

  it.each([
    ['booked', lived(live.confirm())],
    ['recalled', lived(live.recall)],
    ['in error, since no message arrives', lived(live.undeliverable)],
    ['in error', lived(live.confirm(), live.failed())],
  ])('is none while the case is %s', (_, state) => {
    expect(nextTimer(state)?.action).not.toBe('remind');
    expect(when(state, live.remind, THIRD_LAST)).toEqual({ outcome: 'unchanged' });
  });

  it.each([
    ['handed over', () => live.opened(hoursAfter(THIRD_LAST, -24)), 14],
    ['handed over, and a bit longer ago', () => live.opened(hoursAfter(THIRD_LAST, -24.01)), 12],
    ['invited again', () => after(lived(), { type: 'resendLink', channel: 'sms' }, at('12T07:00')), 14],
    [
      'corrected',
      () => after(after(lived(), live.correct('sms'), at('12T07:00')), live.invite, at('12T07:01')),
      14,
    ],
    ['cancelled', () => after(lived(live.confirm()), live.cancel, at('12T07:00')), 14],
    ['reached on another channel', () => after(lived(resent), live.smsFails, at('12T07:00')), 14],
    ['helped', () => after(lived(live.ask), live.resolve, at('12T07:00')), 12],
  ])('is none for whoever has been told within a day: %s', (_, state, day) => {
    expect(nextTimer(state())?.at).toBe(at(`${day}T08:00`));
  });

  it('is none for a case that is handed over a day before its last day, or on it', () => {
    expect(nextTimer(live.opened(at('14T07:00')))).toEqual({ at: DEADLINE.passesAt, action: 'expire' });
    expect(nextTimer(live.opened(at('15T07:00')))).toEqual({ at: DEADLINE.passesAt, action: 'expire' });
  });

  it('follows the last day when that is moved, and is not repeated when it is moved back', () => {
    const once = after(lived(), live.remind, THIRD_LAST);
    const later = live.graceAt(at('20T12:00'));
    const moved = after(once, live.moveDeadline(later), at('12T12:00'));
    expect(nextTimer(moved)).toEqual({ at: later.reminders[0]?.at, action: 'remind' });
    const back = after(moved, live.moveDeadline(DEADLINE), at('12T13:00'));
    expect(nextTimer(back)).toEqual({ at: LAST_BUT_ONE, action: 'remind' });
  });

  it('is made up for on the same day when the last day is brought forward', () => {
    const soon = live.graceAt(at('07T12:00'));
    const moved = after(lived(), live.moveDeadline(soon), at('07T12:00'));
    expect(nextTimer(moved)).toEqual({ at: at('07T08:00'), action: 'remind' });
    expect(reminded(moved, at('07T12:00'))).toMatchObject([{ until: at('07T19:00') }]);
  });

  it('stands in what the operator reads, beside the end of the case', () => {
    expect(describeCase(lived())).toContain(
      'the customer is reminded 2027-03-12 08:00 UTC, and the case expires 2027-03-15 23:00 UTC.',
    );
  });
});

describe('a reminder of the appointment', () => {
  const { at: due, until } = live.reminderOf(START);
  const booked = lived(live.confirm(), live.transferred());
  const bookedAt = (time: Instant) => lived(live.confirm(), time, live.transferred());
  const moved = (start: Instant): CaseInput => ({
    type: 'clinicMoved',
    bookingId: live.id('first'),
    slot: live.slotAt(start),
    reminder: live.reminderOf(start),
  });

  it('is ordered the day before at nine, on every channel, once', () => {
    expect(nextTimer(booked)).toEqual({ at: due, action: 'remind' });
    const about = { kind: 'appointment_reminder', bookingId: 'first', channels: ['email', 'sms'], until };
    expect(reminded(booked, due)).toMatchObject([about]);
    const once = after(booked, live.remind, due);
    expect(when(once, live.remind, hoursAfter(due, 1))).toEqual({ outcome: 'unchanged' });
    expect(nextTimer(once)?.action).toBe('archive');
  });

  it.each([
    ['that evening at the latest', until, 1],
    ['not at night', hoursAfter(until, 1), 0],
    ['not on the day itself', hoursAfter(START, -1), 0],
  ])('that comes late, since we were away, is sent %s', (_, time, count) => {
    expect(reminded(booked, time)).toHaveLength(count);
    expect(nextTimer(after(booked, live.remind, time))?.action).toBe('archive');
  });

  it.each([
    ['the day before', hoursAfter(due, 2), 0],
    ['the evening before that', hoursAfter(due, -12), 0],
    ['earlier', hoursAfter(due, -13), 1],
  ])('is left to the receipt where the time was booked %s', (_, time, count) => {
    expect(reminded(bookedAt(time), hoursAfter(due, 3))).toHaveLength(count);
  });

  it('moves with the appointment, to another day or within the same', () => {
    const start = hoursAfter(START, 72);
    const later = after(booked, moved(start), hoursAfter(due, -48));
    expect(nextTimer(later)).toEqual({ at: live.reminderOf(start).at, action: 'remind' });
    // reminded of the time that was, and told of the new one since
    const twice = after(after(booked, live.remind, due), moved(start), hoursAfter(due, 1));
    expect(reminded(twice, live.reminderOf(start).at)).toHaveLength(1);
    const sameDay = after(after(booked, live.remind, due), moved(hoursAfter(START, 1)), hoursAfter(due, 1));
    expect(reminded(sameDay, hoursAfter(due, 2))).toEqual([]);
  });

  it('is none before the new time of a change stands in the calendar', () => {
    const changed = lived(live.confirm(), live.transferred(), live.confirm('second', live.slotAt(END)));
    expect(reminded(changed, due)).toEqual([]);
  });

  it.each([
    ['cancelled', lived(live.confirm(), live.transferred(), live.cancel)],
    ['recalled', lived(live.confirm(), live.transferred(), live.recall)],
    ['not transferred', lived(live.confirm())],
    ['stopped by a fault', lived(live.confirm(), live.transferred(), live.failed())],
  ])('is none for one that is %s', (_, state) => {
    expect(reminded(state, due).filter(({ kind }) => kind === 'appointment_reminder')).toEqual([]);
  });
});
