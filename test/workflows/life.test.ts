import { describe, expect, it } from '@jest/globals';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { sent } from './support/sent.ts';
import { useWorld } from './support/use-world.ts';

describe('the life of a case', () => {
  // replayed from its start at every workflow task, as on a worker that has room for no case
  const world = useWorld('time-skipping', { maxCachedWorkflows: 0 });

  it('is booked with at most 45 events and two timers, and archives itself after the appointment', async () => {
    const clinic = world.openClinic();
    const slot = clinic.offer(daysAfter(await world.now(), 20));
    const theCase = await world.openCase({ archiveAfterDays: 10 });
    await theCase.untilMessages(...sent('invitation'));
    expect(await theCase.confirm(slot)).toMatchObject({ status: 'booked' });
    await theCase.untilMessages(...sent('invitation', 'receipt'));

    expect(clinic.live()).toMatchObject([{ slot: slot.slot }]);
    expect(theCase.events()).toEqual(['booking.confirmed', 'booking.transferred']);
    const { events } = await theCase.history();
    expect(events?.length).toBeLessThanOrEqual(45);
    // of the deadline's reminder, and of the appointment's
    expect(events?.filter((event) => event.timerStartedEventAttributes)).toHaveLength(2);
    // only these come by a queue of their own, on which they can be lost
    const messages = events?.flatMap(({ activityTaskScheduledEventAttributes: step }) =>
      ['sendMessage', 'projectAndSend'].includes(step?.activityType?.name ?? '')
        ? [Number(step?.heartbeatTimeout?.seconds)]
        : [],
    );
    expect(messages).toEqual([10, 10]);

    await world.sleepUntil(instant(Date.parse(daysAfter(slot.end, 10)) - 60_000));
    expect(theCase.shown().status).toBe('booked');
    await world.sleepUntil(instant(Date.parse(daysAfter(slot.end, 10)) + 60_000));
    expect(await theCase.untilClosed()).toBe('COMPLETED');
    expect(theCase.shown()).toMatchObject({ status: 'archived', bookings: [{ abandonedBy: null }] });
    expect(clinic.live()).toHaveLength(1);
  });

  it('is asked for help with, helped, and then booked', async () => {
    const clinic = world.openClinic();
    const slot = clinic.offer(daysAfter(await world.now(), 20));
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    await theCase.requestAssistance();
    await theCase.untilMessages(...sent('invitation', 'assistance_received'));
    expect(theCase.shown()).toMatchObject({
      status: 'assistance_requested',
      assistance: { resolvedAt: null },
    });
    expect(await theCase.resolveAssistance()).toMatchObject({
      status: 'pending_patient_action',
      assistance: { resolvedAt: expect.any(String) },
    });
    expect(await theCase.confirm(slot)).toMatchObject({ status: 'booked' });
  });

  it('is booked by somebody who still waits for help, which settles the request', async () => {
    const clinic = world.openClinic();
    const slot = clinic.offer(daysAfter(await world.now(), 20));
    const theCase = await world.openCase();
    await theCase.requestAssistance();
    await theCase.untilStatus('assistance_requested');
    expect(await theCase.confirm(slot)).toMatchObject({
      status: 'booked',
      assistance: { resolvedAt: expect.any(String) },
    });
  });

  it('is recalled when booked: the clinic has its hour back, and the workflow waits for the archive', async () => {
    const { theCase, clinic } = await world.openBookedCase();
    expect(await theCase.recall()).toMatchObject({ status: 'recalled' });
    await theCase.until(({ bookings }) => bookings.length === 0);
    expect([clinic.live(), clinic.cancelled(), clinic.marked()]).toEqual([[], ['partner'], []]);
    await theCase.untilMessages(...sent('invitation', 'receipt', 'recalled'));
    expect(await theCase.archive()).toMatchObject({ status: 'archived' });
    expect(await theCase.untilClosed()).toBe('COMPLETED');
    expect(theCase.events()).toEqual([
      'booking.confirmed',
      'booking.transferred',
      'booking.cancelled',
      'case.recalled',
      'case.archived',
    ]);
  });

  it('goes on where an earlier run of it left off', async () => {
    const { theCase, clinic } = await world.openBookedCase();
    const { state, revision } = theCase.reading();
    const next = await world.openCase({ carried: { state, revision, noticed: [] } });
    expect(await next.recall()).toMatchObject({ status: 'recalled' });
    await next.until(({ bookings }) => bookings.length === 0);
    expect(clinic.live()).toEqual([]);
    expect(next.reading().revision).toBeGreaterThan(revision);
    await next.untilMessages(...sent('recalled'));
  });
});
