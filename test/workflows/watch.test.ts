import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { deadlineOn } from '../../src/calendar/dates.ts';
import { bookingIdOf } from '../../src/domain/case-state.ts';
import type { BookingId } from '../../src/domain/ids.ts';
import { daysAfter } from '../../src/domain/instant.ts';
import { attentionOf } from '../../src/domain/attention.ts';
import type { Clinic } from './support/clinic.ts';
import { sent } from './support/sent.ts';
import { useWorld } from './support/use-world.ts';
import type { Booked } from './support/world.ts';

const MINUTE = 60_000;

describe('the watch over the clinics', () => {
  const world = useWorld();

  const slotIn = async (clinic: Clinic, days: number) => clinic.offer(daysAfter(await world.now(), days));
  const idOf = ({ theCase }: Pick<Booked, 'theCase'>): BookingId => {
    const bookingId = bookingIdOf(theCase.shown());
    if (!bookingId) throw new Error('not booked');
    return bookingId;
  };
  /** Several customers of one clinic, on consecutive days. */
  const bookAt = async (clinic: Clinic, howMany: number): Promise<Booked[]> => {
    const booked: Booked[] = [];
    for (let i = 0; i < howMany; i += 1) {
      const slot = await slotIn(clinic, 20 + i);
      const theCase = await world.openCase();
      await theCase.confirm(slot);
      await theCase.until(({ bookings }) => bookings[0]?.transferredAt != null);
      booked.push({ theCase, clinic, slot });
    }
    return booked;
  };

  describe('where the clinic moved an appointment', () => {
    it('tells the case and its customer once, and the new hour is ours instead of the old one', async () => {
      const booked = await world.openBookedCase();
      const { theCase, clinic } = booked;
      const to = await slotIn(clinic, 23);
      clinic.move(idOf(booked), to);
      await world.watch();
      await theCase.until(({ bookings }) => bookings[0]?.slot === to.slot);
      await world.watch();
      await theCase.untilMessages(...sent('invitation', 'receipt', 'changed'));
      expect(theCase.shown()).toMatchObject({ status: 'booked', bookings: [to] });
      expect(theCase.events().filter((type) => type === 'booking.moved_by_provider')).toHaveLength(1);
      expect(world.claims.hourOf(idOf(booked))).toEqual(to);
      expect(world.findingsAt(clinic)).toEqual(['moved']);
    });

    it('sees it in the next look where this one goes on behind it', async () => {
      const [first, second] = await bookAt(world.openClinic(), 2);
      if (!first || !second) throw new Error('not booked');
      const { clinic } = first;
      world.places.set(clinic.id, { ends: first.slot.end, bookingId: idOf(first) });
      const [to, later] = [await slotIn(clinic, 30), await slotIn(clinic, 31)];
      clinic.move(idOf(first), to);
      clinic.move(idOf(second), later);
      await world.watch();
      await second.theCase.until(({ bookings }) => bookings[0]?.slot === later.slot);
      expect(first.theCase.shown()).toMatchObject({ bookings: [first.slot] });
      await world.watch();
      await first.theCase.until(({ bookings }) => bookings[0]?.slot === to.slot);
    });

    it('lets the new slot go with a later cancellation, and what was left on the old one', async () => {
      const booked = await world.openBookedCase();
      const { theCase, clinic } = booked;
      const to = await slotIn(clinic, 23);
      clinic.move(idOf(booked), to);
      await world.watch();
      await theCase.until(({ bookings }) => bookings[0]?.slot === to.slot);
      await theCase.cancel();
      await theCase.until(({ bookings }) => bookings.length === 0);
      expect([clinic.live(), clinic.marked(), world.claims.of(clinic.id)]).toEqual([[], [], 0]);
    });

    it('releases it where it is now, when it moved while it was being released', async () => {
      const booked = await world.openBookedCase();
      const { theCase, clinic } = booked;
      const to = await slotIn(clinic, 23);
      const bookingId = idOf(booked);
      clinic.move(bookingId, to);
      const pause = clinic.pause('release');
      await theCase.cancel();
      await pause.reached();
      await theCase.handle.signal('clinicMoved', { bookingId, slot: to, reminder: null });
      await theCase.until(({ bookings }) => bookings[0]?.slot === to.slot);
      pause.goOn();
      await theCase.until(({ bookings }) => bookings.length === 0);
      expect([clinic.live(), clinic.marked(), world.claims.of(clinic.id)]).toEqual([[], [], 0]);
    });

    it('makes it the operator’s task when another booking of ours has the new hour, until one of them leaves', async () => {
      const clinic = world.openClinic();
      const [one, other] = (await bookAt(clinic, 2)) as [Booked, Booked];
      clinic.move(idOf(one), clinic.offer(other.slot.start));
      await world.watch();
      await one.theCase.untilNeeding('overlap');
      expect([world.claims.hourOf(idOf(one)), world.claims.hourOf(idOf(other))]).toEqual([null, other.slot]);

      await world.watch();
      expect(await one.theCase.retry()).toMatchObject({ status: 'booked' });
      await one.theCase.untilNeeding('overlap');

      await other.theCase.recall();
      await other.theCase.until(({ bookings }) => bookings.length === 0);
      await world.watch();
      await one.theCase.until((state) => attentionOf(state) === 'none');
      expect(world.claims.hourOf(idOf(one))).toMatchObject({ start: other.slot.start });
      await one.theCase.untilMessages(...sent('invitation', 'receipt', 'changed'));
    });

    it('follows when the clinic swaps two of our appointments', async () => {
      const clinic = world.openClinic();
      const [one, other] = (await bookAt(clinic, 2)) as [Booked, Booked];
      clinic.move(idOf(one), other.slot);
      clinic.move(idOf(other), one.slot);
      await world.watch();
      await other.theCase.until(({ bookings }) => bookings[0]?.slot === one.slot.slot);
      await one.theCase.until(({ bookings }) => bookings[0]?.slot === other.slot.slot);
      await world.watch();
      for (const { theCase } of [one, other]) await theCase.until((state) => attentionOf(state) === 'none');
      expect([world.claims.hourOf(idOf(one)), world.claims.hourOf(idOf(other))]).toEqual([
        other.slot,
        one.slot,
      ]);
    });
  });

  describe('where an appointment is no longer there', () => {
    it('lets the customer choose again when the clinic cancelled it, and tells it once', async () => {
      const booked = await world.openBookedCase({ days: 1 });
      const { theCase, clinic } = booked;
      clinic.cancel(idOf(booked));
      await world.watch();
      const { deadline } = await theCase.untilStatus('pending_patient_action');
      expect(deadline).toEqual(deadlineOn(await world.today(3)));
      await world.watch();
      await theCase.untilMessages(...sent('invitation', 'receipt', 'choose_again'));
      await theCase.until(({ bookings }) => bookings.length === 0);
      expect([clinic.marked(), world.claims.of(clinic.id)]).toEqual([[], 0]);
    });

    it('takes it for cancelled when it is missing twice in a row', async () => {
      const booked = await world.openBookedCase();
      const { theCase, clinic } = booked;
      clinic.remove(idOf(booked));
      await world.watch(() => {
        expect(theCase.shown().status).toBe('booked');
      });
      await theCase.untilMessages(...sent('invitation', 'receipt', 'choose_again'));
      expect(world.findingsAt(clinic)).toEqual(['missing']);
    });

    it('does nothing when it is there again at the second look', async () => {
      const booked = await world.openBookedCase();
      const { theCase, clinic } = booked;
      const removed = clinic.remove(idOf(booked));
      await world.watch(() => removed.undo());
      await theCase.arrived();
      expect(theCase.shown()).toMatchObject({ status: 'booked', bookingId: idOf(booked) });
      expect(clinic.live()).toHaveLength(1);
    });

    it('believes no calendar that has lost most of ours at once', async () => {
      const clinic = world.openClinic();
      const all = await bookAt(clinic, 4);
      for (const one of all.slice(1)) clinic.remove(idOf(one));
      await world.watch();
      for (const { theCase } of all) {
        await theCase.arrived();
        expect(theCase.shown().status).toBe('booked');
      }
      expect(world.findingsAt(clinic)).toEqual(['many_missing']);
    });
  });

  it('makes it the operator’s task when the clinic has another appointment at that time, until it has none', async () => {
    const booked = await world.openBookedCase();
    const { theCase, clinic } = booked;
    const theirs = clinic.bookOver(idOf(booked));
    await world.watch();
    await theCase.untilNeeding('double_booked');
    await world.watch();
    expect(world.findingsAt(clinic)).toEqual(['double_booked']);
    expect(clinic.live()).toMatchObject([{ bookingId: idOf(booked) }]);

    theirs.undo();
    await world.watch();
    await theCase.until((state) => attentionOf(state) === 'none');
    await theCase.untilMessages(...sent('invitation', 'receipt'));
  });

  it('looks at the other clinics when one does not answer', async () => {
    const [away, booked] = [await world.openBookedCase(), await world.openBookedCase()];
    away.clinic.trouble.lookUp = 'away';
    away.clinic.trouble.marks = 'bug';
    const to = await slotIn(booked.clinic, 23);
    booked.clinic.move(idOf(booked), to);
    await world.watch();
    away.clinic.trouble.lookUp = undefined;
    away.clinic.trouble.marks = undefined;
    await booked.theCase.until(({ bookings }) => bookings[0]?.slot === to.slot);
    expect(world.findingsAt(away.clinic)).toEqual(['unreachable']);
    expect(away.theCase.shown().status).toBe('booked');
  });

  it('notes when all changes at a clinic were seen, and what it answered where they were not', async () => {
    const { clinic } = await world.openBookedCase();
    await world.watch();
    clinic.trouble.lookUp = 'away';
    await world.watch();
    clinic.trouble.lookUp = undefined;
    await world.watch();
    expect(world.watchesOf(clinic)).toEqual([null, expect.stringContaining('lookUp'), null]);
  });

  it('asks a clinic one thing after the other', async () => {
    const { clinic } = await world.openBookedCase();
    const looking = clinic.pause('lookUp');
    const watched = world.watch();
    await looking.reached();
    const { marks } = clinic.calls;
    looking.goOn();
    await watched;
    expect([marks, clinic.calls.marks]).toEqual([0, 1]);
  });

  describe('where something of ours was left at the clinic', () => {
    const newId = () => randomUUID() as BookingId;

    it('frees a mark that no claim stands for', async () => {
      const clinic = world.openClinic();
      clinic.mark(await slotIn(clinic, 20), newId());
      await world.watch();
      expect([clinic.marked(), world.findingsAt(clinic)]).toEqual([[], ['orphaned_slot']]);
    });

    it('leaves a mark that is claimed meanwhile: a customer is just confirming', async () => {
      const { theCase, clinic, slot } = await world.openBookedCase();
      const bookingId = newId();
      const other = await slotIn(clinic, 21);
      clinic.mark(other, bookingId);
      await world.watch(() => void world.claims.claim({ caseId: theCase.id, bookingId, slot: other }));
      expect(clinic.marked()).toEqual([slot.slot, other.slot]);
    });

    it('leaves a booking whose claim was lost, as its case still wants it', async () => {
      const booked = await world.openBookedCase();
      await world.claims.free(idOf(booked));
      await world.watch();
      expect(booked.clinic.live()).toHaveLength(1);
    });

    it('leaves an appointment that our books know nothing of, and says so', async () => {
      const clinic = world.openClinic();
      const slot = await slotIn(clinic, 20);
      await clinic.book({ slot, bookingId: newId() } as Parameters<Clinic['book']>[0]);
      await world.watch();
      expect([clinic.live().length, world.findingsAt(clinic)]).toEqual([1, ['unknown_appointment']]);
    });

    it('lets a hold go whose claim has ended without a booking, and then the claim', async () => {
      const clinic = world.openClinic();
      const theCase = await world.openCase();
      const [slot, bookingId] = [await slotIn(clinic, 20), newId()];
      await world.claims.claim({ caseId: theCase.id, bookingId, slot });
      clinic.mark(slot, bookingId);
      await world.watch();
      expect(clinic.marked()).toEqual([slot.slot]);
      world.claims.end(bookingId);
      clinic.trouble.release = 'not_free';
      await world.watch();
      expect(world.claims.of(clinic.id)).toBe(1);
      clinic.trouble.release = undefined;
      await world.watch();
      expect([clinic.marked(), world.claims.of(clinic.id)]).toEqual([[], 0]);
    });

    it('leaves a booking whose claim reads as ended, as its case has it', async () => {
      const booked = await world.openBookedCase();
      world.claims.end(idOf(booked));
      await world.watch();
      expect([booked.clinic.live().length, world.claims.of(booked.clinic.id)]).toEqual([1, 1]);
    });

    it('settles a slot that was still busy once it is free, without a person', async () => {
      const { theCase, clinic } = await world.openBookedCase();
      clinic.trouble.release = 'not_free';
      await theCase.cancel();
      await world.sleep(3 * MINUTE);
      await theCase.until((state) => attentionOf(state) === 'release_unverified');
      await world.watch();
      expect(attentionOf(theCase.shown())).toBe('release_unverified');
      clinic.trouble.release = undefined;
      await world.watch();
      expect(attentionOf(await theCase.until(({ bookings }) => bookings.length === 0))).toBe('none');
      expect([clinic.marked(), world.claims.of(clinic.id)]).toEqual([[], 0]);
    });
  });

  it('asks a clinic once where nothing has changed, and tells nobody anything', async () => {
    const { clinic, theCase } = await world.openBookedCase();
    const { revision } = theCase.reading();
    await world.watch();
    await theCase.arrived();
    expect([clinic.calls.lookUp, clinic.calls.marks, theCase.reading().revision]).toEqual([1, 1, revision]);
    expect(world.findingsAt(clinic)).toEqual([]);
  });
});
