import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { weekOf } from '../../src/calendar/format.ts';
import type { CalendarDate } from '../../src/domain/instant.ts';
import { clinicFaults } from '../support/clinics.ts';
import type { BookingBody } from '../support/customer.ts';
import { today } from '../support/new-case.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { startService, type TestService } from '../support/service.ts';
import { pageVisitor, type PageVisitor, type Shown } from './page-visitor.ts';

/** Not this one: on a Friday evening nothing is left of it. */
const NEXT_WEEK = weekOf(today(7) as CalendarDate).first;

describe('confirming and cancelling on the pages', () => {
  let service: TestService;
  let kari: PageVisitor;
  const faults = clinicFaults(() => service);
  const { create, read, until, act } = partnersCases(() => service);

  beforeAll(async () => {
    service = await startService({ worker: true, eid: true, clinics: ['fjordklinikken', 'nordlys'] });
    kari = pageVisitor(service);
    await kari.logIn((await create()).id);
  });
  afterEach(() => faults.clear());
  afterAll(() => service.stop());

  const newId = async () => (await create()).id;
  const fieldsOf = ({ text }: Shown, action: string): Record<string, string> => {
    const [form = ''] =
      new RegExp(`<form method="post" action="[^"]*/${action}">[\\s\\S]*?</form>`).exec(text) ?? [];
    const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)];
    return Object.fromEntries(
      fields.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]),
    );
  };
  /** Every time of a week that has many, once. */
  const linksOn = (text: string) =>
    [...text.matchAll(/<a class="time" href="([^"]+)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    );
  let taken = 0;
  const freshLink = async (id: string, query = `?from=${NEXT_WEEK}`): Promise<string> => {
    const link = linksOn((await kari.get(`/b/${id}/times${query}`)).text)[taken % 6];
    taken += 1;
    if (link === undefined) throw new Error('no time left');
    return link;
  };
  const book = async (id: string): Promise<BookingBody> => {
    const page = await kari.get(await freshLink(id));
    const { status, location } = await kari.post(`/b/${id}/confirm`, fieldsOf(page, 'confirm'));
    expect([status, location]).toEqual([303, `/b/${id}`]);
    const { booking } = await read(id);
    if (!booking) throw new Error('not booked');
    return booking;
  };
  /** The same time as another case has it. */
  const sameFor = async (id: string, link: string): Promise<string> => {
    const wanted = payloadOf(link);
    const links = linksOn((await kari.get(`/b/${id}/times?from=${NEXT_WEEK}`)).text);
    const same = links.find((other) => payloadOf(other) === wanted);
    if (same === undefined) throw new Error('not offered');
    return same;
  };
  const payloadOf = (link: string) => new URL(link, service.url).searchParams.get('slot')?.split('.')[0];

  describe('a confirmation', () => {
    it('asks once more, books, and shows the receipt, on which everything stands', async () => {
      const id = await newId();
      const page = await kari.get(await freshLink(id));
      expect([page.status, page.title]).toEqual([200, 'Stemmer dette?']);
      const sent = await kari.post(`/b/${id}/confirm`, fieldsOf(page, 'confirm'));
      expect([sent.status, sent.location]).toEqual([303, `/b/${id}`]);
      const receipt = await kari.get(`/b/${id}`);
      expect(receipt.title).toBe('Timen din er bestilt');
      const { booking } = await read(id);
      expect(receipt.text).toContain(booking?.practitioner);
      expect(receipt.text).toContain(`/b/${id}/appointment.ics`);
    });

    it('sent twice books once', async () => {
      const id = await newId();
      const fields = fieldsOf(await kari.get(await freshLink(id)), 'confirm');
      const both = await Promise.all([1, 2].map(() => kari.post(`/b/${id}/confirm`, fields)));
      expect(both.map(({ status, location }) => [status, location])).toEqual([
        [303, `/b/${id}`],
        [303, `/b/${id}`],
      ]);
      const third = await kari.post(`/b/${id}/confirm`, fields);
      expect(third.status).toBe(303);
    });

    it('gone back to after it was booked is no time that somebody else took', async () => {
      const id = await newId();
      const link = await freshLink(id);
      await kari.post(`/b/${id}/confirm`, fieldsOf(await kari.get(link), 'confirm'));
      const back = await kari.get(link);
      expect([back.status, back.location]).toEqual([303, `/b/${id}`]);
    });

    it('of a page that did not show the appointment one has by now asks again before it changes that', async () => {
      const id = await newId();
      const old = fieldsOf(await kari.get(await freshLink(id)), 'confirm');
      const booked = await book(id);
      const asked = await kari.post(`/b/${id}/confirm`, old);
      expect([asked.status, asked.title]).toEqual([200, 'Vil du bytte til denne timen?']);
      expect(asked.text).toContain('Du har allerede en time');
      expect((await read(id)).booking?.bookingId).toBe(booked.bookingId);
      const changed = await kari.post(`/b/${id}/confirm`, fieldsOf(asked, 'confirm'));
      expect(changed.status).toBe(303);
      expect((await read(id)).booking?.bookingId).not.toBe(booked.bookingId);
    });

    it.each(['x', '', 'a.b'])(
      'of the time “%s” says that nobody knows it, and leads to the free ones',
      async (slot) => {
        const id = await newId();
        for (const shown of [
          await kari.get(`/b/${id}/confirm?slot=${slot}`),
          await kari.post(`/b/${id}/confirm`, { slot, replaces: '' }),
        ]) {
          expect([shown.status, shown.title]).toEqual([400, 'Vi kjenner ikke igjen den timen']);
          expect(shown.text).toContain(`href="/b/${id}/times"`);
        }
      },
    );

    it('on a case that was recalled meanwhile says that it has changed', async () => {
      const id = await newId();
      const link = await freshLink(id);
      const fields = fieldsOf(await kari.get(link), 'confirm');
      await act(id, 'recall');
      const sent = await kari.post(`/b/${id}/confirm`, fields);
      expect([sent.status, sent.title]).toEqual([400, 'Det går ikke nå']);
      expect((await kari.get(link)).location).toBe(`/b/${id}`);
      expect((await kari.get(`/b/${id}`)).title).toBe('Fjordtrygd Forsikring har trukket saken tilbake');
    });
  });

  describe('a time that somebody else was quicker to take', () => {
    it('is said kindly, with the three nearest, the focus on it, and the filters kept', async () => {
      const [mine, theirs] = [await newId(), await newId()];
      const link = await freshLink(mine);
      const fields = fieldsOf(await kari.get(`${link}&mode=in_person`), 'confirm');
      const same = await kari.get(await sameFor(theirs, link));
      await kari.post(`/b/${theirs}/confirm`, fieldsOf(same, 'confirm'));

      for (const shown of [
        await kari.post(`/b/${mine}/confirm`, fields),
        await kari.get(`${link}&mode=in_person`),
      ]) {
        expect([shown.status, shown.title]).toEqual([409, 'Timen ble nettopp tatt']);
        expect(shown.text).toMatch(/<div class="ds-alert news"[^>]*tabindex="-1" autofocus>/);
        const others = linksOn(shown.text);
        expect(others).toHaveLength(3);
        for (const other of others) expect(other).toContain('mode=in_person');
        expect(shown.text.match(/<b>(Bergen|Oslo)<\/b>/g)).toHaveLength(3);
        expect(shown.text).toMatch(/href="[^"]*mode=in_person">Se alle ledige timer/);
        const next = await kari.get(others[0] ?? '');
        expect(next.title).toBe('Stemmer dette?');
      }
    });
  });

  describe('a clinic that does not answer', () => {
    it('is said to be away, with the same time to try again', async () => {
      const id = await newId();
      const link = await freshLink(id);
      await faults.add({ method: 'GET', times: null, effect: 'answer', status: 503 });
      const shown = await kari.get(link);
      expect([shown.status, shown.title]).toEqual([503, 'Klinikken svarer ikke akkurat nå']);
      expect(shown.headers.get('retry-after')).toBe('10');
      const [, again = ''] = /href="([^"]+)">Prøv igjen/.exec(shown.text) ?? [];
      await faults.clear();
      expect((await kari.get(again.replaceAll('&amp;', '&'))).title).toBe('Stemmer dette?');
    });

    it('when it is to hold the time, has not taken it from anybody', async () => {
      const id = await newId();
      const link = await freshLink(id);
      const fields = fieldsOf(await kari.get(link), 'confirm');
      await faults.add({ method: 'PUT', times: null, effect: 'answer', status: 503 });
      const shown = await kari.post(`/b/${id}/confirm`, fields);
      expect([shown.status, shown.title]).toEqual([503, 'Klinikken svarer ikke akkurat nå']);
      expect((await read(id)).booking).toBeNull();
    });
  });

  describe('what is under way', () => {
    const slotIn = (link: string) => new URL(link, service.url).searchParams.get('slot') ?? '';
    const pending = (id: string, query: Record<string, string>, visitor = kari) =>
      visitor.get(`/b/${id}/pending?${new URLSearchParams(query).toString()}`);
    const justNow = () => String(Date.now());
    const longAgo = () => String(Date.now() - 60_000);

    it('is a page that updates itself, without a script too', async () => {
      const id = await newId();
      const shown = await pending(id, { slot: slotIn(await freshLink(id)), since: justNow() });
      expect([shown.status, shown.title]).toEqual([200, 'Vi bekrefter timen']);
      expect(shown.text).toContain('http-equiv="refresh"');
    });

    it('ends on the receipt once it is booked', async () => {
      const id = await newId();
      const link = await freshLink(id);
      await kari.post(`/b/${id}/confirm`, fieldsOf(await kari.get(link), 'confirm'));
      for (const since of [justNow(), longAgo(), 'x']) {
        const { status, location } = await pending(id, { slot: slotIn(link), since });
        expect([status, location]).toEqual([303, `/b/${id}`]);
      }
    });

    it('ends with the truth when it can not be booked any more', async () => {
      const id = await newId();
      const link = await freshLink(id);
      await until(id, ({ notifications }) => notifications.length > 0);
      const shown = await pending(id, { slot: slotIn(link), since: longAgo() });
      expect([shown.status, shown.title]).toEqual([200, 'Timen ble ikke bestilt']);
      expect(shown.text).toMatch(/href="[^"]*confirm\?slot=[^"]*">Prøv igjen/);
    });

    it('of a change says that the old time is kept', async () => {
      const id = await newId();
      await book(id);
      const shown = await pending(id, { slot: slotIn(await freshLink(id)), since: longAgo() });
      expect(shown.title).toBe('Timen ble ikke byttet');
    });

    it('is not said to have failed while the case’s workflow can not be asked', async () => {
      const id = await newId();
      const link = await freshLink(id);
      const cutOff = pageVisitor(
        service,
        await service.again({ settings: () => ({ TEMPORAL_ADDRESS: '127.0.0.1:9' }) }),
        kari.cookies,
      );
      const shown = await pending(id, { slot: slotIn(link), since: longAgo() }, cutOff);
      expect(shown.title).toBe('Vi bekrefter timen');
    });

    it('of a cancellation ends with the truth as well', async () => {
      const id = await newId();
      const { bookingId } = await book(id);
      const soon = await pending(id, { booking: bookingId, since: justNow() });
      expect(soon.title).toBe('Vi avlyser timen');
      const late = await pending(id, { booking: bookingId, since: longAgo() });
      expect(late.title).toBe('Timen ble ikke avlyst');
      await kari.post(`/b/${id}/cancel`, { booking: bookingId });
      const gone = await pending(id, { booking: bookingId, since: longAgo() });
      expect([gone.status, gone.location]).toEqual([303, `/b/${id}`]);
    });
  });

  describe('a cancellation', () => {
    it('asks first, sent twice is as good as once, and leads to the free times', async () => {
      const id = await newId();
      await book(id);
      const page = await kari.get(`/b/${id}/cancel`);
      expect(page.title).toBe('Vil du avlyse timen?');
      for (let i = 0; i < 2; i += 1) {
        const { status, location } = await kari.post(`/b/${id}/cancel`, fieldsOf(page, 'cancel'));
        expect([status, location]).toEqual([303, `/b/${id}`]);
      }
      expect((await read(id)).status).toBe('pending_patient_action');
      const after = await kari.get(`/b/${id}/times?mode=any`);
      expect(after.title).toBe('Timen er avlyst');
      expect(after.text).toContain('bestille en ny time gjennom Fjordtrygd Forsikring');
    });

    it('of an old page does not touch the appointment that one has by now', async () => {
      const id = await newId();
      await book(id);
      const old = fieldsOf(await kari.get(`/b/${id}/cancel`), 'cancel');
      const asked = await kari.get(await freshLink(id));
      await kari.post(`/b/${id}/confirm`, fieldsOf(asked, 'confirm'));
      const shown = await kari.post(`/b/${id}/cancel`, old);
      expect([shown.status, shown.title]).toEqual([400, 'Det går ikke nå']);
      expect((await read(id)).status).toBe('booked');
    });

    it('is not offered, nor possible, once the appointment has begun', async () => {
      const id = await newId();
      await book(id);
      const fields = fieldsOf(await kari.get(`/b/${id}/cancel`), 'cancel');
      await service.partner.post(`/sandbox/cases/${id}/pass-appointment`);
      const receipt = await kari.get(`/b/${id}`);
      expect(receipt.text).toContain('Timen har begynt');
      expect(receipt.text).not.toContain('Avlys timen');
      expect((await kari.get(`/b/${id}/cancel`)).location).toBe(`/b/${id}`);
      const late = await kari.post(`/b/${id}/cancel`, fields);
      expect([late.status, late.title]).toEqual([400, 'Timen har begynt']);
    });
  });
});
