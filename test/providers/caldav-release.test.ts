import { describe, expect, it } from '@jest/globals';
import type { Slot } from '../../src/domain/slot.ts';
import { calendarsAtHand, LEIF, RAGNHILD, textOf } from './caldav-at-hand.ts';
import { bookingOf } from './clinic-at-hand.ts';

const MINE = /^X-TREATMENT-BOOKING(-CASE|-OFFER)?[;:]/m;

describe('releasing a time', () => {
  const at = calendarsAtHand();
  const release = (slot: Slot, bookingId: string, cancelledBy: 'customer' | 'provider' = 'customer') =>
    at.system().release({ bookingId: bookingId as never, slot, cancelledBy });
  const booked = async (...more: string[]) => {
    const slot = await at.freeTime(...more);
    const bookingId = at.newBookingId();
    await at.system().book(bookingOf(slot, bookingId));
    return { slot, bookingId };
  };
  const content = () => at.staff().list(RAGNHILD)[0]?.ics ?? '';

  it('makes what was held the free time that it was', async () => {
    const slot = await at.freeTime('STATUS:CONFIRMED', 'DESCRIPTION:Rom\\, 2\\nnær heisen');
    const before = at.events()[0]?.toJSON() as unknown[][][];
    const bookingId = at.newBookingId();
    await at.system().hold(slot, bookingId);
    expect(await release(slot, bookingId)).toBe('released');
    const after = at.events()[0]?.toJSON() as unknown[][][];
    const clinics = (event: unknown[][][]) =>
      event[1]?.filter(([name]) => name !== 'dtstamp' && name !== 'last-modified').toSorted();
    expect(clinics(after)).toEqual(clinics(before));
    expect(await at.search(60)).toEqual([slot]);
  });

  it('makes what was booked a free time again, says who cancelled, and keeps nothing of the patient', async () => {
    const { slot, bookingId } = await booked('LOCATION:Tareveien 5');
    expect(await release(slot, bookingId)).toBe('released');
    expect(await at.search(60)).toEqual([slot]);
    const [event] = at.events();
    expect(textOf(event, 'summary')).toBe('Ledig, rom 2');
    expect(textOf(event, 'comment')).toBe('Avbestilt av pasienten');
    expect(content()).not.toMatch(MINE);
    expect(content()).not.toMatch(/Nordmann|Trygg|case-1/);
  });

  it('remembers the last bookings that were cancelled there in one place, however many there were', async () => {
    const slot = await at.freeTime();
    const withdrawn: string[] = [];
    for (let times = 0; times < 5; times += 1) {
      const bookingId = at.newBookingId();
      expect(await at.system().book(bookingOf(slot, bookingId))).toMatchObject({ outcome: 'booked' });
      await release(slot, bookingId);
      withdrawn.push(bookingId);
    }
    expect(content().match(/WITHDRAWN/g)).toHaveLength(1);
    expect(textOf(at.events()[0], 'x-treatment-booking-withdrawn')).toBe(withdrawn.slice(-3).join(' '));
    for (const bookingId of withdrawn.slice(-3))
      expect(await at.system().book(bookingOf(slot, bookingId as never))).toEqual({ outcome: 'gone' });
  });

  it('frees what the clinic has moved to another day, or to a colleague', async () => {
    const later = await booked();
    at.staff().write(RAGNHILD, 'time', content().replaceAll('202612', '202701'));
    expect(await release(later.slot, later.bookingId)).toBe('released');
    expect(content()).not.toMatch(MINE);

    const given = await booked();
    at.staff().write(LEIF, 'given', content());
    at.staff().delete(RAGNHILD, 'time');
    expect(await release(given.slot, given.bookingId)).toBe('released');
    expect(at.appointments(LEIF)).toEqual([]);
    expect(await at.search(60)).toMatchObject([{ practitioner: 'Leif Torskeland' }]);
  });

  it('offers nothing at a time that the clinic itself has called off', async () => {
    const { slot, bookingId } = await booked();
    at.staff().write(RAGNHILD, 'time', content().replace('STATUS:CONFIRMED', 'STATUS:CANCELLED'));
    expect(await release(slot, bookingId, 'provider')).toBe('released');
    expect(content()).not.toMatch(MINE);
    expect(textOf(at.events()[0], 'status')).toBe('CANCELLED');
    expect(await at.search(60)).toEqual([]);
  });

  it('makes a free time of what a calendar program has dropped our notes from', async () => {
    const { slot, bookingId } = await booked();
    at.staff().write(RAGNHILD, 'time', content().replace(/X-TREATMENT-BOOKING-OFFER.*\r\n( .*\r\n)*/, ''));
    expect(await release(slot, bookingId)).toBe('released');
    expect(await at.search(60)).toEqual([slot]);
    expect(content()).not.toContain('Nordmann');
  });

  it('leaves what the clinic changed in between, and frees it all the same', async () => {
    const { slot, bookingId } = await booked();
    const ics = content().replace('UID:time', 'UID:time\r\nLOCATION:Rom 9');
    await at.fault({ effect: 'meanwhile', method: 'PUT', calendar: RAGNHILD, name: 'time', ics });
    expect(await release(slot, bookingId)).toBe('released');
    expect(textOf(at.events()[0], 'location')).toBe('Rom 9');
    expect(await at.search(60)).toHaveLength(1);
  });

  it('is done when told again after a lost answer', async () => {
    const { slot, bookingId } = await booked();
    await at.fault({ effect: 'drop-after-commit', method: 'PUT' });
    await expect(release(slot, bookingId)).rejects.toMatchObject({ name: 'ProviderUnavailable' });
    expect(await release(slot, bookingId)).toBe('released');
    expect(at.appointments()).toEqual([]);
  });

  it('reads back, and says that it is not free when the server does not do what it says', async () => {
    const { slot, bookingId } = await booked();
    await at.fault({ effect: 'forget', method: 'PUT', times: null });
    expect(await release(slot, bookingId)).toBe('not_free');
  });

  it('says that it is not free when the server will not take it', async () => {
    const { slot, bookingId } = await booked();
    await at.fault({ effect: 'answer', method: 'PUT', status: 405 });
    expect(await release(slot, bookingId)).toBe('not_free');
  });
});
