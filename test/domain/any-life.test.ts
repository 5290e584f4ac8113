import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { attentionOf } from '../../src/domain/attention.ts';
import {
  bookingIdOf,
  bookingOf,
  hasOverlap,
  isDoubleBooked,
  isOver,
  problemOf,
} from '../../src/domain/case-state.ts';
import { openChannels } from '../../src/domain/contactability.ts';
import { decide } from '../../src/domain/decide.ts';
import { EVENT_TYPES } from '../../src/domain/events.ts';
import {
  bookingsToRelease,
  describeCase,
  nextInvitation,
  nextTimer,
  nextTransfer,
  pendingReminders,
} from '../../src/domain/next-steps.ts';
import { customerActions, mayDo, partnerActions } from '../../src/domain/permit.ts';
import { isOnWaitlist } from '../../src/domain/waitlist.ts';
import { ACTIONS } from '../../src/domain/transitions.ts';
import * as live from './lives.ts';
import { lifeOf, type Step, stories } from './random-lives.ts';

/** Drawn and lived once for all properties. */
const LIVES: (readonly Step[])[] = [];
fc.assert(fc.property(stories, (chosen) => void LIVES.push(lifeOf(chosen))));

/** Where one of the lives fails, lives are drawn anew: fast-check then finds the shortest that does. */
function forEachLife(holds: (life: readonly Step[]) => void): void {
  try {
    LIVES.forEach(holds);
  } catch (error) {
    fc.assert(fc.property(stories, (chosen) => holds(lifeOf(chosen))));
    throw error;
  }
}

/** Fails with the story of the shortest life in which it does not hold. */
const always = (holds: (step: Step) => void) =>
  forEachLife((steps) =>
    steps.forEach((step, i) => {
      try {
        holds(step);
      } catch (error) {
        const story = steps
          .slice(0, i + 1)
          .map((s) => `${s.context.at} ${s.command.type}: ${s.after.status}`);
        throw new Error(story.join('\n'), { cause: error });
      }
    }),
  );

describe('whatever befalls a case', () => {
  it('has a current booking exactly when it is booked, or stopped or archived as such, and it is not on its way out', () => {
    always(({ after }) => {
      const booking = bookingOf(after);
      expect(bookingIdOf(after) === null).toBe(booking === null);
      if (after.status === 'booked') expect(booking).not.toBeNull();
      if (booking) {
        expect(['booked', 'error', 'archived']).toContain(after.status);
        expect(booking.abandonedBy).toBeNull();
      }
    });
  });

  it('keeps no booking that is neither current, nor on its way out, nor waiting to be replaced', () => {
    always(({ after }) => {
      const idle = after.bookings.filter((b) => b.abandonedBy === null && b.bookingId !== bookingIdOf(after));
      if (idle.length > 0) expect(bookingIdOf(after)).not.toBeNull();
      const secured = bookingOf(after)?.transferredAt;
      if (secured) expect(idle).toEqual([]);
    });
  });

  it('has a problem exactly in error, a recall once recalled, and an end where nothing more is to come', () => {
    always(({ after }) => {
      expect(problemOf(after) !== null).toBe(after.status === 'error');
      expect('recall' in after).toBe(isOver(after));
      expect('endedAt' in after).toBe(isOver(after) || after.status === 'deadline_expired');
    });
  });

  it('never leaves the archive, and leaves recalled for the archive only', () => {
    always(({ before, after }) => {
      if (before.status === 'archived') expect(after.status).toBe('archived');
      if (before.status === 'recalled') expect(['recalled', 'archived']).toContain(after.status);
    });
  });

  it('is never open after its last day once anything was granted', () => {
    always(({ after, context, decision }) => {
      if (decision.outcome === 'changed' && after.status === 'pending_patient_action') {
        expect(context.at < after.deadline.passesAt).toBe(true);
      }
    });
  });

  it('answers a command as the same function told before that it would', () => {
    always(({ before, command, context, decision }) => {
      const action = ACTIONS.find((candidate) => candidate === command.type);
      const hasSettled = before.status !== 'deadline_expired' && context.at >= before.deadline.passesAt;
      if (!action || action === 'expire' || hasSettled) return;
      if (decision.outcome === 'changed') expect(mayDo(before, action, context.at)).toBe(true);
      if (decision.outcome === 'refused' && decision.refusal.code !== 'SLOT_TAKEN') {
        expect(mayDo(before, action, context.at)).toBe(false);
        const offered = [...partnerActions(before, context.at), ...customerActions(before, context.at)];
        expect(offered).not.toContain(action);
      }
    });
  });

  it('when it happens twice changes nothing the second time, but for what is asked for anew', () => {
    const again = [
      'requestAssistance',
      'resendLink',
      'changeContact',
      'correctName',
      'retry',
      'confirm',
      'holdInDoubt',
    ];
    always(({ after, command, context, decision }) => {
      if (decision.outcome === 'refused' || again.includes(command.type)) return;
      if (command.type === 'released' && !command.verified) return;
      const second = decide(after, command, context);
      if (second.outcome === 'changed') expect(second.state).toEqual(after);
      // The claim is tried once more, and nobody hears of it.
      if (command.type === 'clinicMoved' && hasOverlap(after)) return;
      if (command.type !== 'transferRefused') expect(second.outcome).not.toBe('changed');
    });
  });

  it('tells of every new status, booking and deadline, by whom, with codes and ids only', () => {
    always(({ before, after, decision }) => {
      if (decision.outcome !== 'changed') return;
      const isNews = before.status !== after.status || bookingIdOf(before) !== bookingIdOf(after);
      if (isNews || before.deadline !== after.deadline) expect(decision.events).not.toEqual([]);
      const last = decision.events.at(-1);
      if (last) expect([last.status, last.bookingId]).toEqual([after.status, bookingIdOf(after)]);
      for (const event of decision.events) {
        expect(Object.keys(EVENT_TYPES)).toContain(event.type);
        expect(['customer', 'partner', 'operator', 'provider', 'service']).toContain(event.actor);
        expect(Object.keys(event.data).sort()).toEqual([...EVENT_TYPES[event.type].data].sort());
      }
    });
  });

  const ordersOf = (life: readonly Step[]) =>
    life.flatMap(({ decision, context, after }) =>
      decision.outcome === 'changed'
        ? decision.messages.map((message) => ({ message, at: context.at, after }))
        : [],
    );

  it('orders each message once, on channels that the case has, and that nobody disowned', () => {
    forEachLife((life) => {
      const orders = ordersOf(life);
      const sequences = orders.flatMap(({ message }) =>
        message.failedOn.length > 0 ? [] : message.sequence,
      );
      expect(new Set(sequences).size).toBe(sequences.length);
      for (const { message, after } of orders) {
        expect(message.channels.length).toBeGreaterThan(0);
        expect(openChannels(after)).toEqual(expect.arrayContaining([...message.channels]));
        for (const channel of message.failedOn) expect(message.channels).not.toContain(channel);
      }
    });
  });

  it('invites corrected addresses only while the customer is waited for, where messages may go, and a minute apart', () => {
    always(({ after }) => {
      const due = nextInvitation(after);
      if (!due) return;
      expect(['pending_patient_action', 'assistance_requested']).toContain(after.status);
      expect(due.channels.length).toBeGreaterThan(0);
      expect(openChannels(after)).toEqual(expect.arrayContaining([...due.channels]));
    });
    forEachLife((life) => {
      const invited = life.filter(
        ({ command, decision }) =>
          command.type === 'invite' && decision.outcome === 'changed' && decision.messages.length > 0,
      );
      invited.forEach(({ context }, i) => {
        const before = invited[i - 1]?.context.at;
        if (before) expect(Date.parse(context.at) - Date.parse(before)).toBeGreaterThanOrEqual(60_000);
      });
    });
  });

  it('reminds by day, once for each reminder, of a last day that is to come, and whoever has not just been told', () => {
    forEachLife((life) => {
      const orders = ordersOf(life);
      const reminders = orders.filter(
        ({ message }) => message.kind === 'reminder' && message.failedOn.length === 0,
      );
      expect(new Set(reminders.map(({ message }) => message.until)).size).toBe(reminders.length);
      for (const own of reminders) {
        const { message, at, after } = own;
        const reminder = after.deadline.reminders.find(({ until }) => until === message.until);
        expect(reminder && reminder.at <= at && at <= reminder.until).toBe(true);
        expect(['pending_patient_action', 'assistance_requested']).toContain(after.status);
        const requests = orders.filter((o) =>
          ['invitation', 'cancelled', 'choose_again'].includes(o.message.kind),
        );
        const since = requests.findLast((o) => orders.indexOf(o) < orders.indexOf(own));
        if (since && reminder) expect(reminder.at > live.hoursAfter(since.at, 24)).toBe(true);
      }
    });
  });

  it('reminds of an appointment that stands, by day, on the day before it, once, and nobody who has just been told', () => {
    forEachLife((life) => {
      const orders = ordersOf(life);
      const reminders = orders.filter(
        ({ message }) => message.kind === 'appointment_reminder' && message.failedOn.length === 0,
      );
      for (const own of reminders) {
        const booking = bookingOf(own.after);
        const { at, until } = live.reminderOf(booking?.start ?? live.START);
        expect([own.after.status, booking?.abandonedBy]).toEqual(['booked', null]);
        expect(booking).toMatchObject({ bookingId: own.message.bookingId, reminder: { at, until } });
        expect(own.message.until).toBe(until);
        expect(at <= own.at && own.at <= until).toBe(true);
        const before = orders.slice(0, orders.indexOf(own));
        const told = before.findLast((o) => ['receipt', 'changed'].includes(o.message.kind));
        expect(told && at > live.hoursAfter(told.at, 12)).toBe(true);
        const again = before.slice(told && before.indexOf(told));
        expect(again.filter((o) => reminders.includes(o))).toEqual([]);
      }
    });
  });

  it('tells of earlier times whoever asked, by day, once a day, and of none that is less than a week earlier', () => {
    forEachLife((life) => {
      const told = ordersOf(life).filter(
        ({ message }) => message.kind === 'earlier_time' && message.failedOn.length === 0,
      );
      told.forEach(({ message, at, after }, i) => {
        expect([after.status, isOnWaitlist(after), message.bookingId]).toEqual([
          'booked',
          true,
          bookingIdOf(after),
        ]);
        expect(message.until !== null && at <= message.until).toBe(true);
        const last = told[i - 1];
        const isSame = last && last.message.bookingId === message.bookingId;
        if (isSame) expect(at >= live.hoursAfter(last.at, 24)).toBe(true);
      });
      for (const { before, command, decision } of life) {
        if (command.type !== 'earlierTimeFreed' || decision.outcome !== 'changed' || !isOnWaitlist(before))
          continue;
        const booking = bookingOf(before);
        expect(booking && live.hoursAfter(command.slot.start, 7 * 24) <= booking.start).toBe(true);
      }
    });
  });

  it('can be described, stored and carried over', () => {
    always(({ after }) => {
      expect(JSON.parse(JSON.stringify(after))).toEqual(after);
      expect(describeCase(after)).not.toMatch(/undefined|null|NaN/);
    });
  });

  it('waits for something: a person, the clock, or the provider', () => {
    always(({ after }) => {
      const timer = nextTimer(after);
      if (['pending_patient_action', 'assistance_requested'].includes(after.status)) {
        const { passesAt } = after.deadline;
        const [reminder] = pendingReminders(after);
        const steps = [
          { at: nextInvitation(after)?.at, action: 'invite' },
          { at: reminder?.at, action: 'remind' },
          { at: passesAt, action: 'expire' },
        ];
        expect(timer).toEqual(steps.find(({ at }) => at !== undefined && at <= passesAt));
      }
      if (['booked', 'recalled', 'deadline_expired'].includes(after.status)) {
        expect(timer?.action).not.toBe('expire');
      }
      if (after.status === 'archived') expect([timer, nextTransfer(after)]).toEqual([null, null]);
      if (after.status === 'error' && problemOf(after)?.code !== 'UNDELIVERABLE') expect(timer).toBeNull();
      expect(bookingsToRelease(after).map((b) => b.bookingId)).not.toContain(bookingIdOf(after));
    });
  });

  it('calls for attention where only a person can help', () => {
    always(({ after }) => {
      const attention = attentionOf(after);
      if (problemOf(after)?.code === 'TRANSFER_REFUSED') expect(attention).toBe('transfer_refused');
      else if (problemOf(after)?.code === 'INTERNAL') expect(attention).toBe('internal');
      else if (hasOverlap(after)) expect(attention).toBe('overlap');
      else if (isDoubleBooked(after)) expect(attention).toBe('double_booked');
      else if (after.bookings.some((b) => b.unverified)) expect(attention).toBe('release_unverified');
      else if (problemOf(after)?.code === 'UNDELIVERABLE')
        expect(['undeliverable', 'disowned']).toContain(attention);
      else if (after.status === 'assistance_requested')
        expect(['assistance', 'undeliverable', 'disowned']).toContain(attention);
      else if (after.status === 'pending_patient_action' && openChannels(after).length === 0)
        expect(attention).toBe('disowned');
    });
  });
});
