import { describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import { deadlineOn, reminderOfAppointment } from '../../src/calendar/dates.ts';
import { type CalendarDate, daysAfter, instant, type Instant } from '../../src/domain/instant.ts';
import { clinicMoved, moveDeadline, setWaitlist } from '../../workflows/contract.ts';
import type { MetCase } from './support/case.ts';
import { sent } from './support/sent.ts';
import { useWorld } from './support/use-world.ts';

const HOUR = 3_600_000;
const minutesAfter = (time: Instant, minutes: number): Instant =>
  instant(Date.parse(time) + minutes * 60_000);
const inNorway = (date: string, hour: number): Instant =>
  instant(DateTime.fromISO(date, { zone: 'Europe/Oslo' }).set({ hour }).toMillis());
const dayBefore = (date: string, days: number): string =>
  DateTime.fromISO(date, { zone: 'Europe/Oslo' }).minus({ days }).toFormat('yyyy-MM-dd');

describe('the reminder', () => {
  const world = useWorld();

  /** The reminder's time so many days before the case's last day: 09:00 by the clock in Norway. */
  const reminderOf = (theCase: MetCase, days: number) =>
    inNorway(dayBefore(theCase.shown().deadline.date, days), 9);
  const invited = async (days: number) => {
    const theCase = await world.openCase({ days });
    await theCase.untilMessages(...sent('invitation'));
    return theCase;
  };

  it('is sent three days and one day before the last day at nine, and then the case expires', async () => {
    const theCase = await invited(6);
    await world.sleepUntil(minutesAfter(reminderOf(theCase, 3), -1));
    expect(theCase.messages()).toEqual(sent('invitation'));
    await world.sleepUntil(minutesAfter(reminderOf(theCase, 3), 1));
    await theCase.untilMessages(...sent('invitation', 'reminder'));
    await world.sleepUntil(minutesAfter(reminderOf(theCase, 1), -1));
    expect(theCase.messages()).toEqual(sent('invitation', 'reminder'));
    await world.sleepUntil(minutesAfter(reminderOf(theCase, 1), 1));
    await theCase.untilMessages(...sent('invitation', 'reminder', 'reminder'));
    await world.sleepUntil(minutesAfter(theCase.shown().deadline.passesAt, 1));
    await theCase.untilStatus('deadline_expired');
    expect(theCase.messages()).toEqual(sent('invitation', 'reminder', 'reminder'));
    expect(theCase.events()).toEqual(['case.deadline_expired']);
  });

  it.each([
    ['on the day the clocks change in spring', 3, 1, '08:00', '07:00'],
    ['on the day after the clocks change in spring', 3, 2, '08:00', '07:00'],
    ['on the day the clocks change in autumn', 10, 1, '07:00', '08:00'],
    ['on the day after the clocks change in autumn', 10, 2, '07:00', '08:00'],
  ])('is sent at nine by the clock on the wall before, and %s', async (_, month, days, before, after) => {
    const change = await nextChangeDay(month);
    const lastDay = change.plus({ days }).toFormat('yyyy-MM-dd') as CalendarDate;
    const theCase = await invited(2);
    await theCase.ask(moveDeadline, { deadline: deadlineOn(lastDay) }, { actor: 'partner' });
    const [third, last] = [
      instant(`${dayBefore(lastDay, 3)}T${before}:00Z`),
      instant(`${dayBefore(lastDay, 1)}T${after}:00Z`),
    ];
    await world.sleepUntil(minutesAfter(third, -1));
    expect(theCase.messages()).toEqual(sent('invitation'));
    await world.sleepUntil(minutesAfter(third, 1));
    await theCase.untilMessages(...sent('invitation', 'reminder'));
    await world.sleepUntil(minutesAfter(last, -1));
    expect(theCase.messages()).toEqual(sent('invitation', 'reminder'));
    await world.sleepUntil(minutesAfter(last, 1));
    await theCase.untilMessages(...sent('invitation', 'reminder', 'reminder'));
    await theCase.recall();
  });

  it('follows the last day when that is moved', async () => {
    const theCase = await invited(5);
    const third = reminderOf(theCase, 3);
    const deadline = deadlineOn(await world.today(30));
    await theCase.ask(moveDeadline, { deadline }, { actor: 'partner' });
    await world.sleepUntil(daysAfter(third, 10));
    expect(theCase.messages()).toEqual(sent('invitation'));
    await world.sleepUntil(minutesAfter(reminderOf(theCase, 3), 1));
    await theCase.untilMessages(...sent('invitation', 'reminder'));
    await theCase.recall();
  });

  it('is none for whoever has booked meanwhile', async () => {
    const clinic = world.openClinic();
    const theCase = await invited(6);
    await theCase.confirm(clinic.offer(daysAfter(await world.now(), 20)));
    await theCase.untilMessages(...sent('invitation', 'receipt'));
    await world.sleepUntil(minutesAfter(reminderOf(theCase, 1), 60));
    expect(theCase.messages()).toEqual(sent('invitation', 'receipt'));
  });

  it('of the appointment comes the day before at nine, of the time that the clinic moved it to', async () => {
    const clinic = world.openClinic();
    const theCase = await invited(6);
    await theCase.confirm(clinic.offer(daysAfter(await world.now(), 20)));
    await theCase.untilMessages(...sent('invitation', 'receipt'));
    const [appointment] = clinic.live();
    if (!appointment) throw new Error('not booked');
    const { bookingId } = appointment;
    const slot = clinic.offer(daysAfter(await world.now(), 22));
    clinic.move(bookingId, slot);
    const reminder = reminderOfAppointment(slot.start);
    await theCase.handle.signal(clinicMoved, { bookingId, slot, reminder });
    await theCase.untilMessages(...sent('invitation', 'receipt', 'changed'));
    await world.sleepUntil(minutesAfter(reminder.at, -1));
    expect(theCase.messages()).toEqual(sent('invitation', 'receipt', 'changed'));
    await world.sleepUntil(minutesAfter(reminder.at, 1));
    await theCase.untilMessages(...sent('invitation', 'receipt', 'changed', 'appointment_reminder'));
    await theCase.recall();
  });

  it('of an appointment that was cancelled in the night before never comes', async () => {
    const clinic = world.openClinic();
    const theCase = await invited(30);
    const slot = clinic.offer(daysAfter(await world.now(), 20));
    await theCase.confirm(slot);
    await theCase.untilMessages(...sent('invitation', 'receipt'));
    const { at } = reminderOfAppointment(slot.start);
    await world.sleepUntil(minutesAfter(at, -5));
    await theCase.cancel();
    await theCase.untilMessages(...sent('invitation', 'receipt', 'cancelled'));
    await world.sleepUntil(minutesAfter(at, 60));
    expect(theCase.messages()).toEqual(sent('invitation', 'receipt', 'cancelled'));
    await theCase.recall();
  });

  it('is for whoever waits for help, too', async () => {
    const theCase = await invited(6);
    await theCase.requestAssistance();
    await world.sleepUntil(minutesAfter(reminderOf(theCase, 3), 1));
    await theCase.untilMessages(...sent('invitation', 'assistance_received', 'reminder'));
    await theCase.recall();
  });

  it.each([
    ['today', 0],
    ['tomorrow', 1],
  ])('is none for a case that was handed over with %s as its last day', async (_, days) => {
    // in the evening, so that tomorrow at nine is within a day
    await world.sleepUntil(inNorway(await world.today(1), 18));
    const theCase = await invited(days);
    await world.sleepUntil(minutesAfter(theCase.shown().deadline.passesAt, 1));
    await theCase.untilStatus('deadline_expired');
    expect(theCase.messages()).toEqual(sent('invitation'));
  });

  it('that finds its channel away is sent that evening at the latest, and else dropped', async () => {
    const theCase = await invited(7);
    world.post.trouble(theCase.id, 'email', 'away');
    world.post.trouble(theCase.id, 'sms', 'away');
    await world.sleepUntil(minutesAfter(reminderOf(theCase, 3), 5));
    await theCase.untilMessages(
      ...sent('invitation'),
      'reminder by email: queued',
      'reminder by sms: queued',
    );
    world.post.trouble(theCase.id, 'email', null);
    await world.sleepUntil(instant(Date.parse(reminderOf(theCase, 3)) + 2 * HOUR));
    await theCase.untilMessages(...sent('invitation'), 'reminder by email: sent', 'reminder by sms: queued');
    // past eight in the evening
    await world.sleepUntil(instant(Date.parse(reminderOf(theCase, 3)) + 11.5 * HOUR));
    world.post.trouble(theCase.id, 'sms', null);
    await world.sleep(HOUR);
    await theCase.untilMessages(...sent('invitation'), 'reminder by email: sent');
    await theCase.recall();
  });

  it('that could not leave is dropped once the last day was moved', async () => {
    const theCase = await invited(7);
    world.post.trouble(theCase.id, 'sms', 'away');
    await world.sleepUntil(minutesAfter(reminderOf(theCase, 3), 5));
    await theCase.untilMessages(...sent('invitation'), 'reminder by email: sent', 'reminder by sms: queued');
    const deadline = deadlineOn(await world.today(40));
    await theCase.ask(moveDeadline, { deadline }, { actor: 'partner' });
    world.post.trouble(theCase.id, 'sms', null);
    await world.sleep(HOUR);
    await theCase.untilMessages(...sent('invitation'), 'reminder by email: sent');
    await theCase.recall();
  });

  /** The last Sunday of the month, far enough ahead: the server's clock can't go back. */
  async function nextChangeDay(month: number): Promise<DateTime> {
    const soonest = DateTime.fromISO(await world.today(4));
    const lastSunday = (year: number) => {
      const last = DateTime.local(year, month).endOf('month');
      return last.minus({ days: last.weekday % 7 }).startOf('day');
    };
    const thisYear = lastSunday(soonest.year);
    return thisYear > soonest ? thisYear : lastSunday(soonest.year + 1);
  }
});

describe('news of an earlier time', () => {
  const world = useWorld();

  it('reaches whoever asked for it when another cancels, and who confirms it has it', async () => {
    const clinic = world.openClinic();
    const [other, theCase] = [await world.openCase({ days: 60 }), await world.openCase({ days: 60 })];
    // by day
    await world.sleepUntil(inNorway(await world.today(1), 12));
    const earlier = clinic.offer(daysAfter(await world.now(), 10));
    await other.confirm(earlier);
    await theCase.confirm(clinic.offer(daysAfter(await world.now(), 30)));
    await theCase.untilMessages(...sent('invitation', 'receipt'));
    await theCase.handle.signal(setWaitlist, { wanted: true });
    await theCase.until((state) => state.status === 'booked' && state.waitlist !== null);
    await other.cancel();
    await theCase.untilMessages(...sent('invitation', 'receipt', 'earlier_time'));
    await theCase.confirm(earlier);
    await theCase.untilMessages(...sent('invitation', 'receipt', 'earlier_time', 'changed'));
    expect(theCase.shown()).toMatchObject({ status: 'booked', waitlist: null });
    expect(clinic.live().map(({ slot }) => slot)).toEqual([earlier.slot]);
  });
});
