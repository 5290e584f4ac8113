import { condition } from '@temporalio/workflow';
import { nextAlarm } from '../src/domain/views.ts';
import { now, type Desk } from './desk.ts';

const SUMMARIES = {
  remind: 'Time to remind the customer',
  expire: 'The last day to book is over',
  archive: 'The case archives itself',
};

/** Has the customer reminded, lets the deadline pass, and the case archive itself, when it is time. Whatever moves the time sets the clock anew. */
export async function keepTime(desk: Desk): Promise<never> {
  for (;;) {
    await condition(() => nextAlarm(desk.state) !== null);
    const alarm = nextAlarm(desk.state);
    if (!alarm) continue;
    const isOvertaken = () => {
      const next = nextAlarm(desk.state);
      return next?.at !== alarm.at || next.wish !== alarm.wish;
    };
    const left = Date.parse(alarm.at) - Date.parse(now());
    const overtaken =
      left > 0 ? await condition(isOvertaken, left, { summary: SUMMARIES[alarm.wish] }) : isOvertaken();
    if (overtaken) continue;
    // In the lane, so that a confirm which the case accepted in time is finished first.
    await desk.lane.run(() => {
      if (!isOvertaken()) desk.file({ type: alarm.wish }, 'service');
    });
  }
}
