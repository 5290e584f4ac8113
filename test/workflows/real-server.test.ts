import { describe, expect, it } from '@jest/globals';
import { TypedSearchAttributes } from '@temporalio/common';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { addDays, dateAt } from '../../src/calendar/dates.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { moveDeadline, searchAttributes } from '../../workflows/contract.ts';
import { eventually } from '../support/eventually.ts';
import type { MetCase } from './support/case.ts';
import { sent } from './support/sent.ts';
import { useWorld } from './support/use-world.ts';

/** What the time-skipping server does not do, or not as the real one does. */
describe('a case on a real server', () => {
  const world = useWorld('real');

  it.each([
    ['confirm, then recall', 'confirmBooking,recall'],
    ['recall, then confirm', 'recall,confirmBooking'],
  ])('decides %s within one workflow task in this order', async (_, order) => {
    const clinic = world.openClinic();
    const slot = clinic.offer(daysAfter(await world.now(), 20));
    const theCase = await world.openSleepingCase();
    const sleep = await theCase.wake();
    await theCase.untilMessages(...sent('invitation'));
    await sleep();

    const confirmsFirst = order.startsWith('confirm');
    const first = confirmsFirst ? theCase.confirm(slot) : theCase.recall();
    await theCase.arrived();
    const second = confirmsFirst ? theCase.recall() : theCase.confirm(slot);
    await theCase.arrived();
    await theCase.wake();
    const answers = await Promise.all([first, second]);
    const [confirmed, recalled] = confirmsFirst ? answers : answers.toReversed();

    const { tasks, names } = acceptedUpdates(await theCase.history());
    expect([tasks.size, names.join()]).toEqual([1, order]);
    expect(recalled).toMatchObject({ status: 'recalled' });
    expect(confirmed).toMatchObject(
      confirmsFirst ? { status: 'booked' } : { refused: { code: 'ACTION_NOT_ALLOWED', status: 'recalled' } },
    );
    await theCase.until(({ bookings }) => bookings.length === 0);
    expect([clinic.live(), clinic.marked()]).toEqual([[], []]);
    if (!confirmsFirst) expect(clinic.calls.hold).toBe(0);
  });

  const sleepAfter = async (
    theCase: MetCase & { wake: () => Promise<() => Promise<void>> },
    deed: () => unknown,
  ) => {
    const sleep = await theCase.wake();
    await deed();
    // a task that is lost on its way to the worker comes again after 10 s, and updates then in any order
    await eventually(async () => {
      const { pendingWorkflowTask, pendingActivities } = (await theCase.handle.describe()).raw;
      return !pendingWorkflowTask && !pendingActivities?.length;
    });
    await sleep();
  };

  it.each([
    ['cancel', 'recall', 'recalled'],
    ['recall', 'cancel', 'recalled'],
    ['cancel', 'confirm', 'booked'],
    ['confirm', 'cancel', 'pending_patient_action'],
  ] as const)(
    'decides %s, then %s of a booked case within one workflow task',
    async (first, second, status) => {
      const clinic = world.openClinic();
      const now = await world.now();
      const [slot, another] = [clinic.offer(daysAfter(now, 20)), clinic.offer(daysAfter(now, 25))];
      const theCase = await world.openSleepingCase();
      await sleepAfter(theCase, async () => {
        await theCase.untilMessages(...sent('invitation'));
        await theCase.confirm(slot);
        await theCase.untilMessages(...sent('invitation', 'receipt'));
      });
      const deeds = {
        cancel: () => theCase.cancel(),
        recall: () => theCase.recall(),
        confirm: () => theCase.confirm(another),
      };
      const one = deeds[first]();
      await theCase.arrived();
      const other = deeds[second]();
      await theCase.arrived();
      await theCase.wake();
      expect(await one).not.toHaveProperty('refused');
      expect('refused' in (await other)).toBe(first === 'recall');
      await theCase.until(
        (shown) => shown.status === status && shown.bookings.length === (status === 'booked' ? 1 : 0),
      );
      expect(clinic.live()).toHaveLength(status === 'booked' ? 1 : 0);
    },
  );

  it.each([
    ['confirm', 'before', 'deadline_expired'],
    ['confirm', 'after', 'deadline_expired'],
    ['recall', 'before', 'recalled'],
    ['recall', 'after', 'recalled'],
  ] as const)(
    'decides a %s that is sent %s the last day is over within one workflow task with that',
    async (command, when, status) => {
      const clinic = world.openClinic();
      const slot = clinic.offer(daysAfter(await world.now(), 20));
      const theCase = await world.openSleepingCase();
      const passesAt = instant(Date.parse(await world.now()) + 3_000);
      const deadline = { date: addDays(dateAt(new Date(passesAt)), 1), passesAt, reminders: [] };
      await sleepAfter(theCase, () => theCase.ask(moveDeadline, { deadline }, { actor: 'partner' }));
      const ask = () => (command === 'confirm' ? theCase.confirm(slot) : theCase.recall());
      const early = when === 'before' ? ask() : null;
      await theCase.recorded('timerFired', 1);
      const asking = early ?? ask();
      await theCase.arrived();
      await theCase.wake();
      expect('refused' in (await asking)).toBe(command === 'confirm');
      expect(await theCase.untilStatus(status)).toMatchObject({ bookings: [] });
      expect(clinic.calls.hold).toBe(0);
    },
  );

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
