import { describe, expect, it } from '@jest/globals';
import type { Slot } from '../../src/domain/slot.ts';
import { calendarsAtHand, LEIF, RAGNHILD, textOf } from './caldav-at-hand.ts';
import { eventOf } from './caldav-calendars.ts';
import { bookingOf } from './clinic-at-hand.ts';

const onTop = (slot: Slot) => {
  const at = (time: string) => time.replace(/[-:]|\.\d{3}/g, '');
  return eventOf('busy', `DTSTART:${at(slot.start)}`, `DTEND:${at(slot.end)}`, 'SUMMARY:Pasient på telefon');
};

describe('holding a time', () => {
  const at = calendarsAtHand();

  it('makes it show as busy, tentatively, and keeps what the clinic wrote besides', async () => {
    const slot = await at.freeTime('LOCATION:Tareveien 5', 'X-ROOM:2', 'COLOR:blue');
    const bookingId = at.newBookingId();
    expect(await at.system().hold(slot, bookingId)).toEqual({ outcome: 'held', slot });
    const [event] = at.events();
    expect(textOf(event, 'status')).toBe('TENTATIVE');
    expect(textOf(event, 'transp')).toBe('OPAQUE');
    expect(textOf(event, 'x-treatment-booking')).toBe(bookingId);
    expect(textOf(event, 'location')).toBe('Tareveien 5');
    expect(textOf(event, 'x-room')).toBe('2');
    expect(textOf(event, 'categories')).toBe('psychology');
    expect(textOf(event, 'last-modified')).toBe('2026-11-16T06:00:00Z');
  });

  it('takes three requests, two of them at once', async () => {
    const slot = await at.freeTime();
    expect(await at.requests(() => at.system().hold(slot, at.newBookingId()))).toBe(3);
  });

  it('knows its own hold after a lost answer', async () => {
    const slot = await at.freeTime();
    const mine = at.newBookingId();
    await at.fault({ effect: 'drop-after-commit', method: 'PUT' });
    await expect(at.system().hold(slot, mine)).rejects.toMatchObject({ name: 'ProviderUnavailable' });
    expect(await at.system().hold(slot, mine)).toMatchObject({ outcome: 'held' });
  });

  it('holds a time that the clinic only edited in between', async () => {
    const slot = await at.freeTime();
    const ics = at.staff().list(RAGNHILD)[0]?.ics.replace('SUMMARY:Ledig', 'LOCATION:Rom 3\r\nSUMMARY:Ledig');
    await at.fault({ effect: 'meanwhile', method: 'PUT', calendar: RAGNHILD, name: 'time', ics });
    expect(await at.system().hold(slot, at.newBookingId())).toMatchObject({ outcome: 'held' });
    expect(textOf(at.events()[0], 'location')).toBe('Rom 3');
    expect(textOf(at.events()[0], 'transp')).toBe('OPAQUE');
  });

  it.each([
    ['deleted', 'PUT', () => null],
    ['deleted before we read it', 'REPORT', () => null],
    ['made busy', 'PUT', (ics: string) => ics.replace('TRANSPARENT', 'OPAQUE')],
    ['called off', 'PUT', (ics: string) => ics.replace('SUMMARY', 'STATUS:CANCELLED\r\nSUMMARY')],
    [
      'moved by an hour',
      'REPORT',
      (ics: string) => ics.replace('T090000', 'T083000').replace('T094500', 'T101500'),
    ],
    ['moved to another day', 'REPORT', (ics: string) => ics.replaceAll('202612', '202701')],
  ])('is told that it is taken when it was %s in between', async (_, method, change) => {
    const slot = await at.freeTime();
    const ics = change(at.staff().list(RAGNHILD)[0]?.ics ?? '');
    await at.fault({ effect: 'meanwhile', method, calendar: RAGNHILD, name: 'time', ics });
    expect(await at.system().hold(slot, at.newBookingId())).toEqual({ outcome: 'taken' });
    expect(at.events().some((event) => event.hasProperty('x-treatment-booking'))).toBe(false);
  });

  it('is told that it is taken when the practitioner got busy with something else', async () => {
    const slot = await at.freeTime();
    at.staff().write(RAGNHILD, 'busy', onTop(slot));
    expect(await at.system().hold(slot, at.newBookingId())).toEqual({ outcome: 'taken' });
  });

  it.each(['nowhere', '//elsewhere.example/a.ics', '/dav/calendars/clinic/none/a.ics', ''])(
    'is told that a time at "%s" is taken',
    async (place) => {
      const slot = await at.freeTime();
      expect(await at.system().hold({ ...slot, slot: place }, at.newBookingId())).toEqual({
        outcome: 'taken',
      });
      const elsewhere = { ...slot, practitionerId: place };
      expect(await at.system().hold(elsewhere, at.newBookingId())).toEqual({ outcome: 'taken' });
    },
  );

  it('fails only when nothing of it is under way any more, so that no mark comes behind its release', async () => {
    const slot = await at.freeTime();
    const bookingId = at.newBookingId();
    await at.fault({ effect: 'answer', method: 'PROPFIND', status: 503 });
    await at.fault({ effect: 'delay', method: 'REPORT', delayMs: 200 });
    await expect(at.system().hold(slot, bookingId)).rejects.toThrow('CalDAV PROPFIND: HTTP 503');
    expect(textOf(at.events()[0], 'x-treatment-booking')).toBe(bookingId);
    expect(await at.system().release({ slot, bookingId, cancelledBy: 'service' })).toBe('released');
    expect(at.events()[0]?.hasProperty('x-treatment-booking')).toBe(false);
  });

  it('is unavailable, not taken, at a server that takes no marks', async () => {
    const slot = await at.freeTime();
    await at.fault({ effect: 'answer', method: 'PUT', status: 405 });
    await expect(at.system().hold(slot, at.newBookingId())).rejects.toThrow('CalDAV PUT: refused (http_405)');
  });

  it('reads back where the server does not say that it keeps what was sent', async () => {
    const slot = await at.freeTime();
    await at.fault({ effect: 'no-etag', method: 'PUT', times: null });
    expect(await at.system().hold(slot, at.newBookingId())).toMatchObject({ outcome: 'held' });
  });

  it('gives one time to exactly one of two, time and again', async () => {
    const slot = await at.freeTime();
    for (let round = 0; round < 20; round += 1) {
      const rivals = [at.newBookingId(), at.newBookingId()];
      const outcomes = await Promise.all(rivals.map((id) => at.system().hold(slot, id)));
      const won = rivals.filter((_, index) => outcomes[index]?.outcome === 'held');
      expect(won).toHaveLength(1);
      expect(textOf(at.events()[0], 'x-treatment-booking')).toBe(won[0]);
      for (const bookingId of won) await at.system().release({ bookingId, slot, cancelledBy: 'service' });
    }
  });
});

describe('booking a time', () => {
  const at = calendarsAtHand();

  it('tells the clinic who comes and who pays, and nothing of it in the title', async () => {
    const slot = await at.freeTime();
    const bookingId = at.newBookingId();
    await at.system().hold(slot, bookingId);
    const request = { ...bookingOf(slot, bookingId), injuryDescription: 'Fall; "isen", \\\nEND:VEVENT' };
    expect(await at.system().book(request)).toEqual({ outcome: 'booked', reference: 'time' });
    const [event, ...others] = at.events();
    expect(others).toEqual([]);
    expect(textOf(event, 'summary')).toBe('Time bestilt på nett');
    expect(textOf(event, 'status')).toBe('CONFIRMED');
    expect(textOf(event, 'transp')).toBe('OPAQUE');
    expect(textOf(event, 'x-treatment-booking')).toBe(bookingId);
    expect(textOf(event, 'x-treatment-booking-case')).toBe('case-1');
    expect(textOf(event, 'description')?.split('\n')).toEqual([
      'Pasient: Kari Anne Nordmann',
      'Fødselsdato: 1990-02-03',
      'Telefon: +4799999999',
      'E-post: kari@example.no',
      'Behandling: psychology',
      'Forsikringsselskap: Trygg Forsikring',
      'Saksnummer hos selskapet: TF-2026-1',
      'Skadedato: 2026-01-15',
      'Skade: Fall; "isen", \\',
      'END:VEVENT',
      'Sak i bestillingstjenesten: case-1',
    ]);
    // servers send invitations to attendees, and hide private events from those a calendar is shared with
    expect(event?.hasProperty('attendee')).toBe(false);
    expect(event?.hasProperty('class')).toBe(false);
  });

  it('takes three requests when it is held, the last of which reads it back', async () => {
    const slot = await at.freeTime();
    const bookingId = at.newBookingId();
    await at.system().hold(slot, bookingId);
    expect(await at.requests(() => at.system().book(bookingOf(slot, bookingId)))).toBe(3);
  });

  it('takes a free time that was not held, and none that is offered for something else', async () => {
    const slot = await at.freeTime();
    const request = bookingOf(slot, at.newBookingId());
    expect(await at.system().book({ ...request, treatmentType: 'dentistry' })).toEqual({ outcome: 'gone' });
    expect(await at.system().book(request)).toMatchObject({ outcome: 'booked' });
  });

  it('makes one appointment when told again after a lost answer', async () => {
    const slot = await at.freeTime();
    const request = bookingOf(slot, at.newBookingId());
    await at.fault({ effect: 'drop-after-commit', method: 'PUT' });
    await expect(at.system().book(request)).rejects.toMatchObject({ name: 'ProviderUnavailable' });
    expect(at.appointments()).toHaveLength(1);
    expect(await at.system().book(request)).toEqual({ outcome: 'booked', reference: 'time' });
    expect(at.appointments()).toHaveLength(1);
  });

  it('takes its own back when told again and the clinic has put something on top of it', async () => {
    const slot = await at.freeTime();
    const request = bookingOf(slot, at.newBookingId());
    await at.system().book(request);
    at.staff().write(RAGNHILD, 'busy', onTop(slot));
    expect(await at.system().book(request)).toEqual({ outcome: 'gone' });
    expect(at.appointments()).toEqual([]);
  });

  it('is told that it is gone, and holds it no longer, when the clinic has put something on top of it', async () => {
    const slot = await at.freeTime();
    const bookingId = at.newBookingId();
    await at.system().hold(slot, bookingId);
    at.staff().write(RAGNHILD, 'busy', onTop(slot));
    expect(await at.system().book(bookingOf(slot, bookingId))).toEqual({ outcome: 'gone' });
    expect(textOf(at.events()[0], 'transp')).toBe('TRANSPARENT');
    expect(at.events()[0]?.hasProperty('x-treatment-booking')).toBe(false);
  });

  it('takes its own back when somebody wrote over the time just before the appointment was made', async () => {
    const slot = await at.freeTime();
    const bookingId = at.newBookingId();
    await at.system().hold(slot, bookingId);
    const theirs = { calendar: RAGNHILD, name: 'busy', ics: onTop(slot) };
    await at.fault({ effect: 'meanwhile', method: 'PUT', ...theirs });
    expect(await at.system().book(bookingOf(slot, bookingId))).toEqual({ outcome: 'gone' });
    expect(at.appointments()).toEqual([]);
    expect(textOf(at.events()[0], 'transp')).toBe('TRANSPARENT');
  });

  it('is told that it is gone when the clinic moved or deleted what was held', async () => {
    const slot = await at.freeTime();
    const bookingId = at.newBookingId();
    await at.system().hold(slot, bookingId);
    const [held] = at.staff().list(RAGNHILD);
    at.staff().delete(RAGNHILD, 'time');
    at.staff().write(LEIF, 'moved', held?.ics ?? '');
    expect(await at.system().book(bookingOf(slot, bookingId))).toEqual({ outcome: 'gone' });
    expect(at.events('moved', LEIF)[0]?.hasProperty('x-treatment-booking')).toBe(false);
  });

  it('does not come to life again after it was cancelled', async () => {
    const slot = await at.freeTime();
    const request = bookingOf(slot, at.newBookingId());
    await at.system().book(request);
    await at.system().release({ ...request, cancelledBy: 'customer' });
    expect(await at.system().book(request)).toEqual({ outcome: 'gone' });
    expect(at.appointments()).toEqual([]);
    expect(await at.system().book(bookingOf(slot, at.newBookingId()))).toMatchObject({ outcome: 'booked' });
  });

  it('is refused, and leaves nothing, when the server will not take it', async () => {
    const slot = await at.freeTime();
    const bookingId = at.newBookingId();
    await at.system().hold(slot, bookingId);
    await at.fault({ effect: 'answer', method: 'PUT', status: 413 });
    expect(await at.system().book(bookingOf(slot, bookingId))).toEqual({
      outcome: 'refused',
      cause: 'http_413',
    });
    expect(at.events()[0]?.hasProperty('x-treatment-booking')).toBe(false);
  });

  it('does not believe a server that says it does and does not', async () => {
    const slot = await at.freeTime();
    await at.fault({ effect: 'forget', method: 'PUT' });
    expect(await at.system().book(bookingOf(slot, at.newBookingId()))).toMatchObject({ outcome: 'booked' });
    expect(at.appointments()).toHaveLength(1);
    await at.fault({ effect: 'forget', method: 'PUT', times: null });
    const other = await at.freeTime();
    await expect(at.system().book(bookingOf(other, at.newBookingId()))).rejects.toThrow(
      'does not store what is written',
    );
  });

  it('is told that it is gone when another was a moment later at a server that pays no heed to versions', async () => {
    const slot = await at.freeTime();
    const [mine, theirs] = [at.newBookingId(), at.newBookingId()];
    expect(await at.system().book(bookingOf(slot, theirs))).toMatchObject({ outcome: 'booked' });
    const ics = at.staff().list(RAGNHILD)[0]?.ics ?? '';
    await at.system().release({ bookingId: theirs, slot, cancelledBy: 'service' });
    // over ours, which was written by then, and before it is read back
    await at.fault({
      effect: 'meanwhile',
      method: 'REPORT',
      after: 1,
      calendar: RAGNHILD,
      name: 'time',
      ics,
    });
    expect(await at.system().book(bookingOf(slot, mine))).toEqual({ outcome: 'gone' });
    expect(at.appointments()).toHaveLength(1);
    expect(textOf(at.events()[0], 'x-treatment-booking')).toBe(theirs);
  });
});
