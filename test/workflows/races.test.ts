import { describe, expect, it } from '@jest/globals';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { sent } from './support/sent.ts';
import { useWorld } from './support/use-world.ts';

const notAllowed = (status: string) => ({ refused: { code: 'ACTION_NOT_ALLOWED', status } });

describe('when callers meet', () => {
  const world = useWorld();

  const openUnbooked = async () => {
    const clinic = world.openClinic();
    const slot = clinic.offer(daysAfter(await world.now(), 20));
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    return { clinic, slot, theCase };
  };

  it('recalls what is being booked: both are granted, and nothing is left at the clinic', async () => {
    const { clinic, slot, theCase } = await openUnbooked();
    const pause = clinic.pause('hold');
    const confirming = theCase.confirm(slot);
    await pause.reached();
    const recalling = theCase.recall();
    await theCase.recorded('workflowExecutionUpdateAccepted', 2);
    pause.goOn();
    expect(await confirming).toMatchObject({ status: 'booked' });
    expect(await recalling).toMatchObject({ status: 'recalled' });
    await theCase.until(({ bookings }) => bookings.length === 0);
    expect([clinic.live(), clinic.marked()]).toEqual([[], []]);
  });

  it('refuses a confirm that comes after the recall, and holds nothing for it', async () => {
    const { clinic, slot, theCase } = await openUnbooked();
    expect(await theCase.recall()).toMatchObject({ status: 'recalled' });
    expect(await theCase.confirm(slot)).toMatchObject(notAllowed('recalled'));
    expect(clinic.calls.hold).toBe(0);
  });

  it('decides an archive after the confirm that is under way', async () => {
    const { clinic, slot, theCase } = await openUnbooked();
    const pause = clinic.pause('hold');
    const confirming = theCase.confirm(slot);
    await pause.reached();
    const archiving = theCase.archive();
    await theCase.recorded('workflowExecutionUpdateAccepted', 2);
    pause.goOn();
    expect(await confirming).toMatchObject({ status: 'booked' });
    expect(await archiving).toMatchObject(notAllowed('booked'));
  });

  it('archives only once everybody who asked before has been answered', async () => {
    const { theCase } = await openUnbooked();
    await theCase.recall();
    const open = world.room.close();
    const archiving = theCase.archive();
    await theCase.recorded('workflowExecutionUpdateAccepted', 2);
    const [recalling, again] = [theCase.recall(), theCase.archive()];
    open();
    expect(await archiving).toMatchObject({ status: 'archived' });
    expect(await recalling).toMatchObject(notAllowed('archived'));
    expect(await again).toMatchObject({ status: 'archived' });
    expect(await theCase.untilClosed()).toBe('COMPLETED');
  });

  it('grants two confirms of the same slot at once, and books once', async () => {
    const { clinic, slot, theCase } = await openUnbooked();
    const answers = await Promise.all([theCase.confirm(slot), theCase.confirm(slot)]);
    expect(answers).toMatchObject([{ status: 'booked' }, { status: 'booked' }]);
    await theCase.untilMessages(...sent('invitation', 'receipt'));
    expect(clinic.live()).toHaveLength(1);
    expect(theCase.events()).toEqual(['booking.confirmed', 'booking.transferred']);
  });

  it('gives a slot that two cases confirm at once to one of them, and tells the other', async () => {
    const [one, other] = [await openUnbooked(), await openUnbooked()];
    const answers = await Promise.all([one.theCase.confirm(one.slot), other.theCase.confirm(one.slot)]);
    expect(answers).toContainEqual(expect.objectContaining({ status: 'booked' }));
    expect(answers).toContainEqual({ refused: { code: 'SLOT_TAKEN' } });
    const winner = 'status' in answers[0] ? one.theCase : other.theCase;
    await winner.untilMessages(...sent('invitation', 'receipt'));
    expect(one.clinic.live()).toHaveLength(1);
  });

  it('refuses an update as too late when its caller has given up before a worker came back', async () => {
    const clinic = world.openClinic();
    const slot = clinic.offer(daysAfter(await world.now(), 20));
    const queue = world.openSleepingQueue();
    const theCase = await queue.openCase();
    const notAfter = instant(Date.parse(await world.now()) + 200);
    const confirming = theCase.confirm(slot, { notAfter });
    await world.until(notAfter);
    await queue.wake();
    expect(await confirming).toEqual({ refused: { code: 'TOO_LATE' } });
    await theCase.untilMessages(...sent('invitation'));
    expect(theCase.shown().status).toBe('pending_patient_action');
    expect(clinic.calls.hold).toBe(0);
  });

  it('refuses an update as too late when the provider was slow for those ahead of it', async () => {
    const { clinic, slot, theCase } = await openUnbooked();
    const pause = clinic.pause('hold');
    const confirming = theCase.confirm(slot);
    await pause.reached();
    const notAfter = instant(Date.parse(await world.now()) + 500);
    const recalling = theCase.recall({ notAfter });
    await theCase.recorded('workflowExecutionUpdateAccepted', 2);
    await world.until(instant(Date.parse(notAfter) + 1));
    pause.goOn();
    expect(await confirming).toMatchObject({ status: 'booked' });
    expect(await recalling).toEqual({ refused: { code: 'TOO_LATE' } });
  });

  it('does nothing where the case is not as its caller has seen it, also when it changes before their turn', async () => {
    const { clinic, slot, theCase } = await openUnbooked();
    const pause = clinic.pause('hold');
    const confirming = theCase.confirm(slot);
    await pause.reached();
    const { status } = theCase.shown();
    const recalling = [{ status }, { revision: 0 }].map((expected) => theCase.recall({ expected }));
    await theCase.recorded('workflowExecutionUpdateAccepted', 3);
    pause.goOn();
    expect(await confirming).toMatchObject({ status: 'booked' });
    const changed = { code: 'CASE_CHANGED', status: 'booked', revision: expect.any(Number) };
    expect(await Promise.all(recalling)).toEqual([{ refused: changed }, { refused: changed }]);
    // and from the start, where nothing is under way
    await theCase.untilMessages(...sent('invitation', 'receipt'));
    expect(await theCase.recall({ expected: { status } })).toEqual({ refused: changed });
    expect(await theCase.recall({ expected: { status: 'booked' } })).toMatchObject({ status: 'recalled' });
  });
});
