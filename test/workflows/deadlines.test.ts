import { describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import { deadlineOn } from '../../src/calendar/dates.ts';
import type { Deadline } from '../../src/domain/case-state.ts';
import { type CalendarDate, daysAfter, instant, type Instant } from '../../src/domain/instant.ts';
import { advanceClock, moveDeadline } from '../../workflows/contract.ts';
import { sent } from './support/sent.ts';
import { useWorld } from './support/use-world.ts';

const minutesAfter = (time: Instant, minutes: number): Instant =>
  instant(Date.parse(time) + minutes * 60_000);

describe('the last day to book', () => {
  const world = useWorld();

  it('ends the case when it is over, and 30 days later the case is archived', async () => {
    const theCase = await world.openCase({ days: 3 });
    const { passesAt } = theCase.shown().deadline;
    await world.sleepUntil(minutesAfter(passesAt, -1));
    expect(theCase.shown().status).toBe('pending_patient_action');
    await world.sleepUntil(minutesAfter(passesAt, 1));
    expect(await theCase.untilStatus('deadline_expired')).toMatchObject({
      endedAt: expect.stringContaining(passesAt.slice(0, 16)),
    });
    await world.sleepUntil(minutesAfter(daysAfter(passesAt, 30), 2));
    expect(await theCase.untilClosed()).toBe('COMPLETED');
    expect(theCase.events()).toEqual(['case.deadline_expired', 'case.archived']);
  });

  const DAY = 86_400_000;

  it('passes sooner in the sandbox, whose clock goes from one timer to the next with all that each sets off', async () => {
    const theCase = await world.openCase({ days: 6, sandbox: true });
    await theCase.untilMessages(...sent('invitation'));
    const begun = await world.now();
    await theCase.handle.signal(advanceClock, { ahead: 8 * DAY });
    const { endedAt, clockAhead } = {
      endedAt: '',
      ...(await theCase.until((it) => it.clockAhead === 8 * DAY)),
    };
    const { passesAt } = theCase.shown().deadline;
    expect([theCase.shown().status, endedAt.slice(0, 16)]).toEqual([
      'deadline_expired',
      passesAt.slice(0, 16),
    ]);
    expect(theCase.messages()).toEqual(sent('invitation', 'reminder', 'reminder'));
    expect((await world.now()) < daysAfter(begun, 1)).toBe(true);
    // it is never put back, and goes on from there by itself
    await theCase.handle.signal(advanceClock, { ahead: DAY });
    await world.sleepUntil(minutesAfter(daysAfter(passesAt, 30), -8 * 24 * 60 + 2));
    expect(await theCase.untilClosed()).toBe('COMPLETED');
    expect([theCase.shown().clockAhead, theCase.events()]).toEqual([
      clockAhead,
      ['case.deadline_expired', 'case.archived'],
    ]);
  });

  it('does not pass sooner for a case of production, whoever tells it so', async () => {
    const theCase = await world.openCase({ days: 2 });
    await theCase.untilMessages(...sent('invitation'));
    await theCase.handle.signal(advanceClock, { ahead: 8 * DAY });
    await theCase.requestAssistance();
    const after = await theCase.untilStatus('assistance_requested');
    expect([after.clockAhead, theCase.messages().filter((one) => one.startsWith('reminder'))]).toEqual([
      undefined,
      [],
    ]);
  });

  it('is moved after it has passed: the case opens again, with a new invitation', async () => {
    const theCase = await world.openCase({ days: 1 });
    await theCase.untilMessages(...sent('invitation'));
    await world.sleepUntil(minutesAfter(theCase.shown().deadline.passesAt, 1));
    await theCase.untilStatus('deadline_expired');
    const deadline = deadlineOn(await world.today(7));
    const reopened = { status: 'pending_patient_action', deadline };
    expect(await theCase.ask(moveDeadline, { deadline }, { actor: 'partner' })).toMatchObject(reopened);
    await theCase.untilMessages(...sent('invitation', 'invitation'));
    await world.sleepUntil(minutesAfter(deadline.passesAt, 1));
    await theCase.untilStatus('deadline_expired');
  });

  it('is brought forward: the timer goes off at the new time', async () => {
    const theCase = await world.openCase({ days: 20 });
    const deadline = deadlineOn(await world.today(2));
    await theCase.ask(moveDeadline, { deadline }, { actor: 'partner' });
    await world.sleepUntil(minutesAfter(deadline.passesAt, 1));
    await theCase.untilStatus('deadline_expired');
  });

  it('waits for a confirm that came in time and is still being secured: the case is booked', async () => {
    const clinic = world.openClinic();
    const theCase = await world.openCase({ deadline: await unremindedIn(2) });
    const { passesAt } = theCase.shown().deadline;
    const slot = clinic.offer(daysAfter(passesAt, 5));
    await theCase.untilMessages(...sent('invitation'));
    await world.sleepUntil(minutesAfter(passesAt, -1 / 20));
    const pause = clinic.pause('hold');
    const confirming = theCase.confirm(slot);
    await pause.reached();
    // The server's clock does not skip while an activity runs; the last seconds go by by themselves.
    await world.until(passesAt);
    await theCase.recorded('timerFired', 1);
    pause.goOn();
    expect(await confirming).toMatchObject({ status: 'booked' });
    await world.sleepUntil(minutesAfter(passesAt, 5));
    await theCase.untilMessages(...sent('invitation', 'receipt'));
    expect(theCase.events()).not.toContain('case.deadline_expired');
  });

  it('is applied as of the arrival of a confirm that waited behind another one', async () => {
    const clinic = world.openClinic();
    const theCase = await world.openCase({ deadline: await unremindedIn(2) });
    const { passesAt } = theCase.shown().deadline;
    const [slot, other] = [clinic.offer(daysAfter(passesAt, 5)), clinic.offer(daysAfter(passesAt, 6))];
    await theCase.untilMessages(...sent('invitation'));
    await world.sleepUntil(minutesAfter(passesAt, -1 / 20));
    const pause = clinic.pause('hold');
    const confirming = theCase.confirm(slot);
    await pause.reached();
    const waiting = theCase.confirm(other);
    await theCase.recorded('workflowExecutionUpdateAccepted', 2);
    await world.until(passesAt);
    await theCase.recorded('timerFired', 1);
    clinic.giveAway(slot);
    pause.goOn();
    expect(await confirming).toEqual({ refused: { code: 'SLOT_TAKEN' } });
    expect(await waiting).toMatchObject({ status: 'booked' });
    expect(theCase.events()).not.toContain('case.deadline_expired');
  });

  it.each([
    ['spring', 3, '22:00'],
    ['autumn', 10, '23:00'],
  ])('is over at midnight in Norway on the day the clocks change in %s', async (_, month, utc) => {
    const day = await nextChangeDay(month);
    const theCase = await world.openCase({ days: 1 });
    const deadline = deadlineOn(day.toFormat('yyyy-MM-dd') as CalendarDate);
    await theCase.ask(moveDeadline, { deadline }, { actor: 'partner' });
    const midnight = instant(`${deadline.date}T${utc}:00Z`);
    await world.sleepUntil(minutesAfter(midnight, -1));
    expect(theCase.shown().status).toBe('pending_patient_action');
    await world.sleepUntil(minutesAfter(midnight, 1));
    await theCase.untilStatus('deadline_expired');
  });

  /** A last day of which nobody is reminded, so that its timer is the only one. */
  async function unremindedIn(days: number): Promise<Deadline> {
    return { ...deadlineOn(await world.today(days)), reminders: [] };
  }

  /** The last Sunday of the month, this year or next: the server's clock can't go back. */
  async function nextChangeDay(month: number): Promise<DateTime> {
    const today = DateTime.fromISO(await world.today(2));
    const lastSunday = (year: number) => {
      const last = DateTime.local(year, month).endOf('month');
      return last.minus({ days: last.weekday % 7 }).startOf('day');
    };
    const thisYear = lastSunday(today.year);
    return thisYear > today ? thisYear : lastSunday(today.year + 1);
  }
});
