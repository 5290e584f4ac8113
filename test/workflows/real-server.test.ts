import { describe, expect, it } from '@jest/globals';
import { TypedSearchAttributes } from '@temporalio/common';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { addDays, dateAt } from '../../src/calendar/dates.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { moveDeadline, searchAttributes } from '../../workflows/contract.ts';
import { eventually } from '../support/eventually.ts';
import type { MetCase, Verdict } from './support/case.ts';
import type { Clinic } from './support/clinic.ts';
import { sent } from './support/sent.ts';
import { useWorld } from './support/use-world.ts';

/** What the time-skipping server does not do, or not as the real one does. */
describe('a case on a real server', () => {
  const world = useWorld('real');

  describe('what comes while no worker serves a case is decided within one workflow task', () => {
    interface Sleeper {
      readonly clinic: Clinic;
      readonly theCase: MetCase;
    }
    /**
     * For all cases at once: what `before` does is over when their worker stops, and what `meanwhile` asks in this order
     * waits for the next one.
     */
    const asked = async <One>(
      ones: readonly One[],
      before: (sleeper: Sleeper, one: One) => Promise<unknown>,
      meanwhile: (
        sleeper: Sleeper,
        one: One,
        ask: (answer: Promise<Verdict>) => Promise<void>,
      ) => Promise<void>,
    ) => {
      const queue = world.openSleepingQueue();
      const sleepers = await Promise.all(
        ones.map(async (one) => ({ one, clinic: world.openClinic(), theCase: await queue.openCase() })),
      );
      const sleep = await queue.wake();
      await Promise.all(
        sleepers.map(async (sleeper) => {
          await before(sleeper, sleeper.one);
          // a task that is lost on its way to the worker comes again after 10 s, and updates then in any order
          await eventually(async () => {
            const { pendingWorkflowTask, pendingActivities } = (await sleeper.theCase.handle.describe()).raw;
            return !pendingWorkflowTask && !pendingActivities?.length;
          });
        }),
      );
      await sleep();
      const waiting = await Promise.all(
        sleepers.map(async (sleeper) => {
          const answers: Promise<Verdict>[] = [];
          await meanwhile(sleeper, sleeper.one, async (answer) => {
            answers.push(answer);
            await sleeper.theCase.arrived();
          });
          return answers;
        }),
      );
      await queue.wake();
      return Promise.all(
        sleepers.map(async (sleeper, i) => ({ ...sleeper, answers: await Promise.all(waiting[i] ?? []) })),
      );
    };
    const slotIn = async ({ clinic }: Sleeper, days: number) =>
      clinic.offer(daysAfter(await world.now(), days));
    const isRefused = (verdict: Verdict | undefined) => verdict !== undefined && 'refused' in verdict;

    it('confirm and recall, in either order', async () => {
      const all = await asked(
        ['confirmBooking,recall', 'recall,confirmBooking'],
        ({ theCase }) => theCase.untilMessages(...sent('invitation')),
        async (sleeper, order, ask) => {
          const slot = await slotIn(sleeper, 20);
          for (const name of order.split(','))
            await ask(name === 'recall' ? sleeper.theCase.recall() : sleeper.theCase.confirm(slot));
        },
      );
      for (const { one: order, clinic, theCase, answers } of all) {
        const { tasks, names } = acceptedUpdates(await theCase.history());
        expect([tasks.size, names.join()]).toEqual([1, order]);
        const confirmsFirst = order.startsWith('confirm');
        const [confirmed, recalled] = confirmsFirst ? answers : answers.toReversed();
        expect(recalled).toMatchObject({ status: 'recalled' });
        expect(confirmed).toMatchObject(
          confirmsFirst
            ? { status: 'booked' }
            : { refused: { code: 'ACTION_NOT_ALLOWED', status: 'recalled' } },
        );
        await theCase.until(({ bookings }) => bookings.length === 0);
        expect([clinic.live(), clinic.marked()]).toEqual([[], []]);
        if (!confirmsFirst) expect(clinic.calls.hold).toBe(0);
      }
    });

    it('two of cancel, recall and confirm another time, of a booked case', async () => {
      const all = await asked(
        [
          ['cancel', 'recall', 'recalled'],
          ['recall', 'cancel', 'recalled'],
          ['cancel', 'confirm', 'booked'],
          ['confirm', 'cancel', 'pending_patient_action'],
        ] as const,
        async (sleeper) => {
          await sleeper.theCase.untilMessages(...sent('invitation'));
          await sleeper.theCase.confirm(await slotIn(sleeper, 20));
          await sleeper.theCase.untilMessages(...sent('invitation', 'receipt'));
        },
        async (sleeper, [first, second], ask) => {
          const another = await slotIn(sleeper, 25);
          for (const deed of [first, second])
            await ask(deed === 'confirm' ? sleeper.theCase.confirm(another) : sleeper.theCase[deed]());
        },
      );
      for (const { one, clinic, theCase, answers } of all) {
        const [first, , status] = one;
        expect([one, answers.map(isRefused)]).toEqual([one, [false, first === 'recall']]);
        await theCase.until(
          (shown) => shown.status === status && shown.bookings.length === (status === 'booked' ? 1 : 0),
        );
        expect(clinic.live()).toHaveLength(status === 'booked' ? 1 : 0);
      }
    });

    it('confirm or recall, sent before or after the last day is over, with that', async () => {
      const all = await asked(
        [
          ['confirm', 'before', 'deadline_expired'],
          ['confirm', 'after', 'deadline_expired'],
          ['recall', 'before', 'recalled'],
          ['recall', 'after', 'recalled'],
        ] as const,
        async ({ theCase }) => {
          const passesAt = instant(Date.parse(await world.now()) + 3_000);
          const deadline = { date: addDays(dateAt(new Date(passesAt)), 1), passesAt, reminders: [] };
          await theCase.ask(moveDeadline, { deadline }, { actor: 'partner' });
        },
        async (sleeper, [command, when], ask) => {
          const slot = await slotIn(sleeper, 20);
          const { theCase } = sleeper;
          if (when === 'after') await theCase.recorded('timerFired', 1);
          await ask(command === 'confirm' ? theCase.confirm(slot) : theCase.recall());
          await theCase.recorded('timerFired', 1);
        },
      );
      for (const { one, clinic, theCase, answers } of all) {
        const [command, , status] = one;
        expect([one, answers.map(isRefused)]).toEqual([one, [command === 'confirm']]);
        expect(await theCase.untilStatus(status)).toMatchObject({ bookings: [] });
        expect(clinic.calls.hold).toBe(0);
      }
    });
  });

  it.each(['answer_lost', 'away'] as const)(
    'leaves nothing of a booking that is cancelled in the middle of an attempt that ends as %s',
    async (trouble) => {
      const clinic = world.openClinic();
      const theCase = await world.openCase();
      const pause = clinic.pause('book');
      await theCase.confirm(clinic.offer(daysAfter(await world.now(), 20)));
      await pause.reached();
      expect(await theCase.cancel()).toMatchObject({ status: 'pending_patient_action' });
      clinic.trouble.book = trouble;
      pause.goOn();
      await theCase.until(({ bookings }) => bookings.length === 0);
      expect([clinic.live(), clinic.marked()]).toEqual([[], []]);
      expect(theCase.shown()).toMatchObject({ status: 'pending_patient_action' });
    },
  );

  it('shows the operator where it stands and what happens next, without a personal word', async () => {
    const { theCase, slot } = await world.openBookedCase();
    const { typedSearchAttributes, staticSummary } = await theCase.handle.describe();
    const shown = new TypedSearchAttributes(typedSearchAttributes.getAll());
    expect(shown.get(searchAttributes.caseStatus)).toBe('booked');
    expect(shown.get(searchAttributes.needsAttention)).toBe('none');
    expect(shown.get(searchAttributes.partnerId)).toBe('insurer');
    expect(shown.get(searchAttributes.partnerCaseId)).toBe('claim-1');
    expect(shown.get(searchAttributes.treatmentType)).toBe('psychologist');
    expect(shown.get(searchAttributes.bookingDeadline)?.toISOString()).toBe(
      theCase.shown().deadline.passesAt,
    );
    expect(await staticSummary()).toBe('psychologist for insurer, reference claim-1');
    const details = await theCase.handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(details.currentDetails).toContain(`Booked at ${slot.providerId}`);
    expect(details.currentDetails).toContain('and the case is archived');
    expect(JSON.stringify(await theCase.history())).not.toMatch(/Kari|Nordmann|example\.org|Storgata/);
  });

  it('raises the attention of operators when help is asked for, and lowers it when it was given', async () => {
    const theCase = await world.openCase();
    const attention = async () =>
      (await theCase.handle.describe()).typedSearchAttributes.get(searchAttributes.needsAttention);
    await theCase.requestAssistance();
    await theCase.untilStatus('assistance_requested');
    expect(await attention()).toBe('assistance');
    await theCase.resolveAssistance();
    await eventually(async () => (await attention()) === 'none', { what: 'attention is not needed' });
  });
});

/** Which updates were accepted, in order, and in which workflow tasks. */
function acceptedUpdates({ events }: History) {
  const tasks = new Set<string>();
  const names: string[] = [];
  let task = '';
  for (const event of events ?? []) {
    if (event.workflowTaskCompletedEventAttributes) task = String(event.eventId);
    const accepted = event.workflowExecutionUpdateAcceptedEventAttributes;
    if (!accepted) continue;
    tasks.add(task);
    names.push(accepted.acceptedRequest?.input?.name ?? '');
  }
  return { tasks, names };
}
