import { describe, expect, it } from '@jest/globals';
import { problemOf } from '../../src/domain/case-state.ts';
import { deadlineOn } from '../../src/calendar/dates.ts';
import { daysAfter } from '../../src/domain/instant.ts';
import { attentionOf } from '../../src/domain/attention.ts';
import { clinicCancelled } from '../../workflows/contract.ts';
import { sent } from './support/sent.ts';
import { useWorld } from './support/use-world.ts';

const MINUTE = 60_000;

describe("the provider's side of a case", () => {
  const world = useWorld();

  const openUnbooked = async (days = 14) => {
    const clinic = world.openClinic();
    const slot = clinic.offer(daysAfter(await world.now(), 20));
    const other = clinic.offer(daysAfter(await world.now(), 21));
    const theCase = await world.openCase({ days });
    await theCase.untilMessages(...sent('invitation'));
    return { clinic, slot, other, theCase };
  };

  describe('while the provider is away', () => {
    it('delays the transfer and loses nothing', async () => {
      const { clinic, slot, theCase } = await openUnbooked();
      clinic.trouble.book = 'away';
      expect(await theCase.confirm(slot)).toMatchObject({ status: 'booked' });
      await world.sleep(30 * MINUTE);
      expect(clinic.calls.book).toBeGreaterThan(10);
      expect([theCase.shown().status, clinic.live()]).toEqual(['booked', []]);
      clinic.trouble.book = undefined;
      await world.sleep(2 * MINUTE);
      await theCase.untilMessages(...sent('invitation', 'receipt'));
      expect(clinic.live()).toMatchObject([{ slot: slot.slot }]);
    });

    it('finds what an attempt made whose answer was lost, and makes no second one', async () => {
      const { clinic, slot, theCase } = await openUnbooked();
      clinic.trouble.book = 'answer_lost';
      await theCase.confirm(slot);
      await world.sleep(5 * MINUTE);
      clinic.trouble.book = undefined;
      await world.sleep(2 * MINUTE);
      await theCase.untilMessages(...sent('invitation', 'receipt'));
      expect(clinic.live()).toHaveLength(1);
    });

    it('leaves nothing there of a booking that is cancelled while its transfer is still tried', async () => {
      const { clinic, slot, theCase } = await openUnbooked();
      clinic.trouble.book = 'answer_lost';
      await theCase.confirm(slot);
      await world.sleep(5 * MINUTE);
      expect(clinic.live()).toHaveLength(1);
      expect(await theCase.cancel()).toMatchObject({ status: 'pending_patient_action' });
      await world.sleep(2 * MINUTE);
      await theCase.until(({ bookings }) => bookings.length === 0);
      expect([clinic.live(), clinic.marked()]).toEqual([[], []]);
      expect(theCase.shown().status).toBe('pending_patient_action');
    });

    it('lets an appointment elsewhere go while another provider, which has to let one go too, is away', async () => {
      const { theCase, clinic } = await world.openBookedCase();
      clinic.trouble.release = 'away';
      await theCase.cancel();
      const elsewhere = world.openClinic();
      await theCase.confirm(elsewhere.offer(daysAfter(await world.now(), 25)));
      await theCase.until(({ bookings }) => bookings[1]?.transferredAt != null);
      await theCase.recall();
      await theCase.until(({ bookings }) => bookings.length === 1);
      expect([elsewhere.live(), clinic.live().length]).toEqual([[], 1]);
      clinic.trouble.release = undefined;
      await world.sleep(2 * MINUTE);
      await theCase.until(({ bookings }) => bookings.length === 0);
    });

    it('refuses a confirm when it is unknown whether the slot got held, and lets the hold go', async () => {
      const { clinic, slot, theCase } = await openUnbooked();
      clinic.trouble.hold = 'answer_lost';
      expect(await theCase.confirm(slot)).toEqual({ refused: { code: 'PROVIDER_UNAVAILABLE' } });
      await theCase.until(({ bookings }) => clinic.calls.release === 1 && bookings.length === 0);
      expect([clinic.marked(), world.claims.of(clinic.id)]).toEqual([[], 0]);
      expect(theCase.shown().status).toBe('pending_patient_action');
      clinic.trouble.hold = undefined;
      expect(await theCase.confirm(slot)).toMatchObject({ status: 'booked' });
    });
  });

  describe('where the customer changes their mind', () => {
    it('has exactly one appointment after booking, cancelling and booking the same slot', async () => {
      const { theCase, clinic, slot } = await world.openBookedCase();
      expect(await theCase.cancel()).toMatchObject({ status: 'pending_patient_action' });
      expect(await theCase.confirm(slot)).toMatchObject({ status: 'booked' });
      await theCase.untilMessages(...sent('invitation', 'receipt', 'cancelled', 'receipt'));
      expect(clinic.live()).toMatchObject([{ slot: slot.slot }]);
      expect(clinic.cancelled()).toEqual(['customer']);
    });

    it('waits with booking the same slot until our own old booking is out of the way', async () => {
      const { theCase, clinic, slot } = await world.openBookedCase();
      const pause = clinic.pause('release');
      await theCase.cancel();
      await pause.reached();
      const confirming = theCase.confirm(slot);
      await theCase.recorded('workflowExecutionUpdateAccepted', 3);
      pause.goOn();
      expect(await confirming).toMatchObject({ status: 'booked' });
    });

    it('has exactly one appointment after a change, and the old hour is free', async () => {
      const { theCase, clinic } = await world.openBookedCase();
      const other = clinic.offer(daysAfter(await world.now(), 22));
      expect(await theCase.confirm(other)).toMatchObject({ status: 'booked' });
      await theCase.until(({ bookings }) => bookings.length === 1 && bookings[0]?.slot === other.slot);
      await theCase.untilMessages(...sent('invitation', 'receipt', 'changed'));
      expect(clinic.live()).toMatchObject([{ slot: other.slot }]);
      expect(clinic.marked()).toEqual([other.slot]);
    });

    it('never has fewer than one appointment during a change', async () => {
      const { theCase, clinic, slot } = await world.openBookedCase();
      const other = clinic.offer(daysAfter(await world.now(), 22));
      clinic.trouble.book = 'away';
      await theCase.confirm(other);
      await world.sleep(5 * MINUTE);
      expect(clinic.live()).toMatchObject([{ slot: slot.slot }]);
      clinic.trouble.book = undefined;
    });

    it('keeps the old appointment when the new slot is refused for good', async () => {
      const { theCase, clinic, slot } = await world.openBookedCase();
      const other = clinic.offer(daysAfter(await world.now(), 22));
      clinic.trouble.book = 'refused';
      await theCase.confirm(other);
      await theCase.until(({ bookings }) => bookings.length === 1 && bookings[0]?.slot === slot.slot);
      expect(theCase.shown()).toMatchObject({ status: 'booked', bookingId: clinic.live()[0]?.bookingId });
      await theCase.untilMessages(...sent('invitation', 'receipt', 'changed'));
      expect([clinic.live().length, clinic.marked()]).toEqual([1, [slot.slot]]);
    });

    it('goes back to the old slot before the new one was transferred, and has that one only', async () => {
      const { theCase, clinic, slot } = await world.openBookedCase();
      const other = clinic.offer(daysAfter(await world.now(), 22));
      clinic.trouble.book = 'away';
      await theCase.confirm(other);
      expect(await theCase.confirm(slot)).toMatchObject({ status: 'booked' });
      clinic.trouble.book = undefined;
      await world.sleep(2 * MINUTE);
      await theCase.until(({ bookings }) => bookings.length === 1 && bookings[0]?.slot === slot.slot);
      expect(clinic.live()).toMatchObject([{ slot: slot.slot }]);
      expect(clinic.marked()).toEqual([slot.slot]);
    });
  });

  describe('where the clinic says no', () => {
    it('ends in an error that calls for attention, holds nothing, and gets the slot again on retry', async () => {
      const { clinic, slot, theCase } = await openUnbooked();
      clinic.trouble.book = 'refused';
      await theCase.confirm(slot);
      const failed = await theCase.untilStatus('error');
      expect(problemOf(failed)).toMatchObject({ code: 'TRANSFER_REFUSED', slot: { slot: slot.slot } });
      expect(attentionOf(failed)).toBe('transfer_refused');
      await theCase.until(({ bookings }) => bookings.length === 0);
      expect([clinic.live(), clinic.marked(), world.claims.of(clinic.id)]).toEqual([[], [], 0]);

      clinic.trouble.book = undefined;
      expect(await theCase.retry()).toMatchObject({ status: 'booked' });
      await theCase.untilMessages(...sent('invitation', 'receipt'));
      expect(clinic.live()).toMatchObject([{ slot: slot.slot }]);
    });

    it('gets the refused slot again on retry even if our own old mark is still being released', async () => {
      const { clinic, slot, theCase } = await openUnbooked();
      clinic.trouble.book = 'refused';
      clinic.trouble.release = 'away';
      await theCase.confirm(slot);
      await theCase.untilStatus('error');
      clinic.trouble.book = undefined;
      expect(await theCase.retry()).toMatchObject({ status: 'booked' });
      await world.sleep(2 * MINUTE);
      clinic.trouble.release = undefined;
      await world.sleep(3 * MINUTE);
      await theCase.untilMessages(...sent('invitation', 'receipt'));
      expect(clinic.live()).toMatchObject([{ slot: slot.slot }]);
      expect(theCase.shown()).toMatchObject({ status: 'booked', bookings: [{ slot: slot.slot }] });
    });

    it('lets the customer choose again when the slot is gone, with three days at least', async () => {
      const { clinic, slot, other, theCase } = await openUnbooked(1);
      const pause = clinic.pause('book');
      await theCase.confirm(slot);
      await pause.reached();
      clinic.giveAway(slot);
      pause.goOn();
      const open = await theCase.untilStatus('pending_patient_action');
      expect(open.deadline).toEqual(deadlineOn(await world.today(3)));
      await theCase.untilMessages(...sent('invitation', 'choose_again'));
      expect(theCase.events()).toEqual([
        'booking.confirmed',
        'booking.transfer_refused',
        'case.deadline_moved',
      ]);
      expect(await theCase.confirm(other)).toMatchObject({ status: 'booked' });
      await theCase.untilMessages(...sent('invitation', 'choose_again', 'receipt'));
    });

    it('lets the customer choose again when the clinic cancels, with three days at least', async () => {
      const { theCase, clinic } = await world.openBookedCase({ days: 0 });
      await world.sleep(2 * 24 * 60 * MINUTE);
      const grace = deadlineOn(await world.today(3));
      const bookingId = clinic.live()[0]?.bookingId;
      if (!bookingId) throw new Error('not booked');
      await theCase.handle.signal(clinicCancelled, { bookingId, grace });
      expect(await theCase.untilStatus('pending_patient_action')).toMatchObject({ deadline: grace });
      await theCase.untilMessages(...sent('invitation', 'receipt', 'choose_again'));
      await theCase.until(({ bookings }) => bookings.length === 0);
    });

    it('tries again while a cancelled slot is still busy, and alerts nobody when it is free in time', async () => {
      const { theCase, clinic } = await world.openBookedCase();
      clinic.trouble.release = 'not_free';
      await theCase.cancel();
      await world.sleep(MINUTE);
      expect(clinic.calls.release).toBeGreaterThan(3);
      expect(attentionOf(theCase.shown())).toBe('none');
      clinic.trouble.release = undefined;
      await world.sleep(MINUTE);
      await theCase.until(({ bookings }) => bookings.length === 0);
      expect([theCase.events(), clinic.marked()]).toEqual([
        ['booking.confirmed', 'booking.transferred', 'booking.cancelled'],
        [],
      ]);
    });

    it('alerts the operator when a cancelled slot is still busy, until a retry finds it free', async () => {
      const { theCase, clinic, slot } = await world.openBookedCase();
      clinic.trouble.release = 'not_free';
      await theCase.cancel();
      await world.sleep(3 * MINUTE);
      const state = await theCase.until(({ bookings }) => bookings.some((b) => b.unverified));
      expect([state.status, attentionOf(state)]).toEqual(['pending_patient_action', 'release_unverified']);
      expect(theCase.events()).toContain('booking.release_unverified');
      expect(world.findingsAt(clinic)).toEqual(['not_free']);
      clinic.trouble.release = undefined;
      await theCase.retry();
      expect(attentionOf(await theCase.until(({ bookings }) => bookings.length === 0))).toBe('none');
      expect(clinic.marked()).toEqual([]);
      expect(await theCase.confirm(slot)).toMatchObject({ status: 'booked' });
    });
  });

  describe('where our own code fails', () => {
    it('stops with an internal error, and goes on from there on retry', async () => {
      const { clinic, slot, theCase } = await openUnbooked();
      clinic.trouble.book = 'bug';
      await theCase.confirm(slot);
      const failed = await theCase.untilStatus('error');
      expect(failed).toMatchObject({ problem: { code: 'INTERNAL' } });
      clinic.trouble.book = undefined;
      expect(await theCase.retry()).toMatchObject({ status: 'booked' });
      await theCase.untilMessages(...sent('invitation', 'receipt'));
      expect(clinic.live()).toHaveLength(1);
    });

    it('gives the hour back when a case that stopped with an internal error is archived', async () => {
      const { clinic, slot, theCase } = await openUnbooked();
      clinic.trouble.book = 'bug';
      await theCase.confirm(slot);
      await theCase.untilStatus('error');
      expect(await theCase.archive()).toMatchObject({ status: 'archived', bookingId: null });
      expect(await theCase.untilClosed()).toBe('COMPLETED');
      expect([clinic.live(), clinic.marked()]).toEqual([[], []]);
    });
  });
});
