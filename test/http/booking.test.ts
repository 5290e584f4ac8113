import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dateAt, datePlus } from '../../src/calendar/deadline.ts';
import type { CaseBody, Reply } from '../support/caller.ts';
import {
  customerWith,
  KARI,
  logIn,
  type Availability,
  type BookingBody,
  type Customer,
} from '../support/customer.ts';
import { eventually } from '../support/eventually.ts';
import { newCase } from '../support/new-case.ts';
import { startService, type TestService } from '../support/service.ts';

const DAY = 24 * 60 * 60 * 1000;

describe('booking', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({
      worker: true,
      eid: true,
      messages: true,
      clinics: ['fjordklinikken', 'nordlys'],
    });
  });
  afterAll(() => service.stop());

  const create = async (changes: Readonly<Record<string, unknown>> = {}) =>
    (await service.partner.post<CaseBody>('/cases', newCase(changes))).body.id;
  const read = async (id: string) => (await service.partner.get<CaseBody>(`/cases/${id}`)).body;
  const until = (id: string, isSo: (theCase: CaseBody) => boolean) =>
    eventually(async () => {
      const theCase = await read(id);
      return isSo(theCase) ? theCase : null;
    });
  const details = (reply: Reply<unknown>) => (reply.body as { details: Record<string, unknown> }).details;
  const refusal = (reply: Reply<unknown>) => [reply.status, details(reply)['code']];
  const atHome = async (changes: Readonly<Record<string, unknown>> = {}): Promise<[string, Customer]> => {
    const id = await create(changes);
    return [id, await logIn(service, id)];
  };
  const booked = async (): Promise<[string, Customer, BookingBody]> => {
    const [id, customer] = await atHome();
    const { status, body } = await customer.confirm(await customer.freshSlot());
    expect(status).toBe(200);
    return [id, customer, body];
  };
  const appointments = async (id: string) => {
    const found: { status: string }[] = [];
    for (const { fhirUrl } of service.clinics) {
      const bundle = (await (await fetch(`${fhirUrl}/Appointment?_count=1000`)).json()) as {
        entry?: { resource: { status: string; identifier?: { value: string }[] } }[];
      };
      const own = (bundle.entry ?? []).map(({ resource }) => resource);
      found.push(...own.filter(({ identifier }) => identifier?.some(({ value }) => value === id)));
    }
    return found.filter(({ status }) => status === 'booked');
  };

  describe('GET /booking/{caseId}', () => {
    it('shows a stranger the five public fields and nothing else', async () => {
      const id = await create();
      const { status, body } = await service.nobody.get<unknown>(`/booking/${id}`);
      expect([status, body]).toEqual([
        200,
        {
          caseId: id,
          open: true,
          bookingDeadline: datePlus(dateAt(new Date()), 20),
          partnerName: 'Fjordtrygd Forsikring',
          authenticated: false,
        },
      ]);
      expect((await service.nobody.get(`/booking/${id.toUpperCase()}`)).body).toEqual(body);
    });

    it('shows the customer more', async () => {
      const [id, customer] = await atHome();
      const { body, headers } = await customer.get<unknown>('');
      expect(body).toEqual({
        caseId: id,
        open: true,
        bookingDeadline: datePlus(dateAt(new Date()), 20),
        partnerName: 'Fjordtrygd Forsikring',
        authenticated: true,
        status: 'pending_patient_action',
        treatmentType: 'psychology',
        patientFirstName: 'Kari',
        booking: null,
        allowedActions: ['confirm', 'requestAssistance'],
      });
      expect(headers.getSetCookie().join()).toMatch(/session=.*SameSite=Lax/);
    });

    it('shows somebody else who is logged in what it shows a stranger', async () => {
      const id = await create();
      const ola = await logIn(service, id, { ...KARI, givenName: 'Ola' });
      const { body } = await ola.get<Record<string, unknown>>('');
      expect(body).toEqual((await service.nobody.get(`/booking/${id}`)).body);
    });

    it('says that a recalled case is not open, and no more', async () => {
      const id = await create();
      await service.partner.post(`/cases/${id}/recall`);
      expect((await service.nobody.get(`/booking/${id}`)).body).toMatchObject({ open: false });
    });

    it.each(['6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d', 'no-uuid'])(
      'is 404 for %s, whatever else is wrong',
      async (id) => {
        for (const [method, path] of [
          ['GET', ''],
          ['GET', '/availability?from=never'],
          ['POST', '/login'],
          ['POST', '/logout'],
          ['POST', '/confirm'],
          ['POST', '/cancel'],
          ['POST', '/assistance'],
        ] as const) {
          const body = method === 'POST' ? '{ no JSON' : undefined;
          const reply = await service.nobody.call(method, `/booking/${id}${path}`, body);
          expect(refusal(reply)).toEqual([404, 'CASE_NOT_FOUND']);
        }
      },
    );
  });

  describe('the login', () => {
    it('says where to go, and gives a cookie that only the browser’s own requests carry', async () => {
      const id = await create();
      const reply = await service.nobody.post<{ authorizationUrl: string }>(`/booking/${id}/login`);
      const url = new URL(reply.body.authorizationUrl);
      expect(Object.keys(reply.body)).toEqual(['authorizationUrl']);
      expect(url.searchParams.get('redirect_uri')).toBe(`${service.url}/eid/callback`);
      expect(url.searchParams.get('code_challenge_method')).toBe('S256');
      expect(reply.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^login=.+; HttpOnly; SameSite=Lax/),
      ]);
      expect(url.href).not.toContain(id);
    });

    it('fails with a callback that was altered, belongs to another browser, or comes twice from elsewhere', async () => {
      const id = await create();
      for (const query of ['?code=abc&state=def', '', '?error=access_denied&state=x']) {
        const response = await fetch(`${service.url}/eid/callback${query}`, { redirect: 'manual' });
        expect(response.status).toBe(400);
        expect(response.headers.getSetCookie().join()).not.toContain('session=');
      }
      expect(
        (await customerWith(service, id, 'session=forged').get<Record<string, unknown>>('')).body,
      ).toMatchObject({
        authenticated: false,
      });
    });

    it('binds the case to the first person whose name fits, and names can not be corrected from then on', async () => {
      const [id, customer] = await atHome();
      expect((await customer.slots()).slots.length).toBeGreaterThan(0);
      const namesake = await logIn(service, id, { ...KARI, birthDate: '1999-09-09' });
      expect(refusal(await namesake.get('/availability'))).toEqual([403, 'IDENTITY_MISMATCH']);
      const again = await logIn(service, id);
      expect((await again.get('/availability')).status).toBe(200);
      const patch = await service.partner.patch(`/cases/${id}`, { patientLastName: 'Hansen' });
      expect(details(patch)).toMatchObject({
        fields: [{ field: 'patientLastName', code: 'identity_bound' }],
      });
    });

    it('ends with the logout', async () => {
      const [id, customer] = await atHome();
      const { status, body, headers } = await customer.post<unknown>('/logout');
      expect([status, body]).toEqual([200, { caseId: id, authenticated: false }]);
      expect(headers.getSetCookie().join()).toMatch(/session=; Max-Age=0/);
    });
  });

  describe('who may not', () => {
    it('401 EID_LOGIN_REQUIRED without a session, 403 IDENTITY_MISMATCH with somebody else’s', async () => {
      const id = await create();
      const ola = await logIn(service, id, { ...KARI, givenName: 'Ola' });
      for (const [method, path] of [
        ['GET', '/availability'],
        ['POST', '/confirm'],
        ['POST', '/cancel'],
      ] as const) {
        expect(refusal(await customerWith(service, id, '').call(method, path))).toEqual([
          401,
          'EID_LOGIN_REQUIRED',
        ]);
        expect(refusal(await ola.call(method, path))).toEqual([403, 'IDENTITY_MISMATCH']);
      }
    });

    it('403 ORIGIN_NOT_ALLOWED for a POST that does not come from our own pages', async () => {
      const [, customer] = await atHome();
      for (const origin of ['https://evil.example', 'null', `${service.url}.evil.example`, ''])
        for (const path of ['/confirm', '/cancel'])
          expect(refusal(await customer.post(path, {}, { Origin: origin }))).toEqual([
            403,
            'ORIGIN_NOT_ALLOWED',
          ]);
    });
  });

  describe('availability', () => {
    it('shows the free times of all providers for the next days, earliest first, each with a signed id', async () => {
      const [, customer] = await atHome();
      const { slots, providers } = await customer.slots('');
      expect(providers).toEqual([
        { id: 'fjordklinikken', name: 'Fjordklinikken', state: 'live', asOf: expect.stringMatching(/Z$/) },
        { id: 'nordlys', name: 'Nordlys Helse', state: 'live', asOf: expect.stringMatching(/Z$/) },
      ]);
      expect(Object.keys(slots[0] ?? {}).sort()).toEqual([
        'end',
        'location',
        'mode',
        'practitioner',
        'providerId',
        'providerName',
        'slotId',
        'start',
      ]);
      const starts = slots.map(({ start }) => start);
      expect(starts).toEqual(starts.toSorted());
      expect(Date.parse(starts[0] ?? '')).toBeGreaterThan(Date.now());
      expect(Date.parse(starts.at(-1) ?? '')).toBeLessThan(Date.now() + 16 * DAY);
    });

    it('keeps to the days and the provider that are asked for', async () => {
      const [, customer] = await atHome();
      const all = (await customer.slots()).slots;
      const day = dateAt(new Date(all.at(-1)?.start ?? ''));
      const { slots, providers } = await customer.slots(`?from=${day}&to=${day}&providerId=nordlys`);
      expect(slots.length).toBeGreaterThan(0);
      expect(
        new Set(slots.map(({ start, providerId }) => `${dateAt(new Date(start))} ${providerId}`)),
      ).toEqual(new Set([`${day} nordlys`]));
      expect(providers.map(({ id }) => id)).toEqual(['nordlys']);
      expect(await customer.slots('?providerId=nobody')).toEqual({ slots: [], providers: [] });
      expect((await customer.slots('?from=2020-01-01')).slots).toEqual([]);
    });

    it.each([
      ['?from=soon', 'from'],
      ['?from=2026-02-30', 'from'],
      ['?from=2027-01-02&to=2027-01-01', 'to'],
      ['?from=2027-01-01&to=2027-04-02', 'to'],
      ['?from=9999-12-31', 'to'],
      ['?day=1', 'day'],
      ['?from=2027-01-01&from=2027-01-02', 'from'],
    ])('400 VALIDATION_FAILED for %s', async (query, field) => {
      const [, customer] = await atHome();
      const reply = await customer.get(`/availability${query}`);
      expect([reply.status, details(reply)]).toMatchObject([400, { fields: [{ field }] }]);
    });

    it('says that a provider is away, and shows the others; all away is no error either', async () => {
      const [, customer] = await atHome();
      const cut = (i: number) =>
        fetch(`${service.clinics[i]?.url ?? ''}/_faults`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ effect: 'answer', status: 503, times: null }),
        });
      try {
        await cut(0);
        const one = await customer.get<Availability>('/availability');
        expect([one.status, one.body.providers]).toMatchObject([
          200,
          [{ state: 'unavailable' }, { state: 'live' }],
        ]);
        expect(new Set(one.body.slots.map(({ providerId }) => providerId))).toEqual(new Set(['nordlys']));
        await cut(1);
        const none = await customer.get<Availability>('/availability');
        expect([none.status, none.body]).toMatchObject([
          200,
          { slots: [], providers: [{ state: 'unavailable' }, { state: 'unavailable' }] },
        ]);
      } finally {
        for (const { url } of service.clinics) await fetch(`${url}/_faults`, { method: 'DELETE' });
      }
    });
  });

  describe('confirm', () => {
    it('books, and soon the appointment stands in the provider’s calendar and the receipt is sent', async () => {
      const [id, customer] = await atHome();
      const slot = await customer.freshSlot();
      const { status, body } = await customer.confirm(slot);
      expect(status).toBe(200);
      const { providerId, providerName, practitioner, location, mode, start, end } = slot;
      expect(body).toEqual({
        bookingId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        confirmedAt: expect.stringMatching(/Z$/),
        transferredAt: body.transferredAt,
        providerReference: body.providerReference,
        ...{ providerId, providerName, practitioner, location, mode, start, end },
      });
      const done = await until(id, ({ notifications }) =>
        notifications.some(({ kind }) => kind === 'receipt'),
      );
      expect(done).toMatchObject({ status: 'booked', booking: { bookingId: body.bookingId } });
      expect(done.booking?.providerReference).toMatch(/./);
      expect(await appointments(id)).toHaveLength(1);
      expect((await customer.get<unknown>('')).body).toMatchObject({
        status: 'booked',
        booking: { bookingId: body.bookingId },
        allowedActions: ['change', 'cancel', 'requestAssistance'],
      });
    });

    it('of the time that one has already changes nothing', async () => {
      const [, customer] = await atHome();
      const slot = await customer.freshSlot();
      const [first, second] = [await customer.confirm(slot), await customer.confirm(slot)];
      expect([second.status, second.body.bookingId]).toEqual([200, first.body.bookingId]);
    });

    it('of the same time by five clicks at once books it once', async () => {
      const [id, customer] = await atHome();
      const slot = await customer.freshSlot();
      const replies = await Promise.all(Array.from({ length: 5 }, () => customer.confirm(slot)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(new Set(replies.map(({ body }) => body.bookingId)).size).toBe(1);
      await until(id, ({ booking }) => booking?.transferredAt !== null);
      expect(await appointments(id)).toHaveLength(1);
    });

    it('changes to another time, and lets the old one go', async () => {
      const [id, customer, before] = await booked();
      await until(id, ({ booking }) => booking?.transferredAt !== null);
      const { status, body } = await customer.confirm(await customer.freshSlot());
      expect(status).toBe(200);
      expect(body.bookingId).not.toBe(before.bookingId);
      await until(id, ({ notifications }) => notifications.some(({ kind }) => kind === 'changed'));
      await eventually(async () => ((await appointments(id)).length === 1 ? true : null));
      const { slots } = await customer.slots();
      expect(
        slots.some(
          ({ start, practitioner }) => start === before.start && practitioner === before.practitioner,
        ),
      ).toBe(true);
    });

    it('400 SLOT_UNKNOWN for a time that was never offered, was altered, or was offered to another case', async () => {
      const [, customer] = await atHome();
      const [, other] = await atHome();
      const { slotId } = await customer.freshSlot();
      const [payload = '', signature = ''] = slotId.split('.');
      const fields = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[];
      const altered = Buffer.from(JSON.stringify([fields[0], 'other', ...fields.slice(2)])).toString(
        'base64url',
      );
      for (const wrong of [
        'x',
        '.',
        `${payload}.`,
        `${payload}.${signature}x.y`,
        `${altered}.${signature}`,
        `${payload}.AAAA`,
      ])
        expect(refusal(await customer.confirm({ slotId: wrong }))).toEqual([400, 'SLOT_UNKNOWN']);
      expect(refusal(await other.confirm({ slotId }))).toEqual([400, 'SLOT_UNKNOWN']);
      for (const body of [{}, { slotId: '' }, { slotId: 7 }, { slotId, price: 0 }])
        expect(refusal(await customer.post('/confirm', body))).toEqual([400, 'VALIDATION_FAILED']);
      expect((await customer.confirm({ slotId })).status).toBe(200);
    });

    it('400 SLOT_TAKEN for the slower of two cases, with three other times that can be had', async () => {
      const [one, two] = [(await atHome())[1], (await atHome())[1]];
      const wanted = await one.freshSlot();
      const same = (await two.slots()).slots.find(
        ({ start, practitioner }) => start === wanted.start && practitioner === wanted.practitioner,
      );
      const replies = await Promise.all([one.confirm(wanted), two.confirm(same ?? wanted)]);
      const [lost] = replies.filter(({ status }) => status === 400);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
      if (!lost) throw new Error('both got it');
      expect(details(lost)['code']).toBe('SLOT_TAKEN');
      const alternatives = details(lost)['alternatives'] as Availability['slots'];
      expect(alternatives).toHaveLength(3);
      const loser = replies[0] === lost ? one : two;
      expect((await loser.confirm(alternatives[0] ?? wanted)).status).toBe(200);
    });

    it('400 ACTION_NOT_ALLOWED on a recalled case, with what the customer may do', async () => {
      const [id, customer] = await atHome();
      const slot = await customer.freshSlot();
      await service.partner.post(`/cases/${id}/recall`);
      const reply = await customer.confirm(slot);
      expect([reply.status, details(reply)]).toMatchObject([
        400,
        { code: 'ACTION_NOT_ALLOWED', status: 'recalled', action: 'confirm', allowedActions: [] },
      ]);
    });
  });

  describe('cancel', () => {
    it('frees the time and opens the case again; twice is as good as once', async () => {
      const [id, customer, before] = await booked();
      await until(id, ({ booking }) => booking?.transferredAt !== null);
      expect((await customer.post('/cancel')).status).toBe(200);
      expect(await read(id)).toMatchObject({ status: 'pending_patient_action', booking: null });
      expect((await customer.post('/cancel')).status).toBe(200);
      await eventually(async () => ((await appointments(id)).length === 0 ? true : null));
      const free = await eventually(async () => {
        const { slots } = await customer.slots();
        return (
          slots.find(
            ({ start, practitioner }) => start === before.start && practitioner === before.practitioner,
          ) ?? null
        );
      });
      expect((await customer.confirm(free)).status).toBe(200);
    });

    it('400 ACTION_NOT_ALLOWED where nothing was booked', async () => {
      const [, customer] = await atHome();
      const reply = await customer.post('/cancel');
      expect(details(reply)).toMatchObject({
        code: 'ACTION_NOT_ALLOWED',
        status: 'pending_patient_action',
        action: 'cancel',
        allowedActions: ['confirm', 'requestAssistance'],
      });
    });
  });

  it('a recall of a booked case cancels the appointment at the provider', async () => {
    const [id] = await booked();
    await until(id, ({ booking }) => booking?.transferredAt !== null);
    const { body } = await service.partner.post<CaseBody>(`/cases/${id}/recall`);
    expect([body.status, body.booking]).toEqual(['recalled', null]);
    await eventually(async () => ((await appointments(id)).length === 0 ? true : null));
  });

  it('nothing personal is in the log', () => {
    expect(service.log.join('')).not.toMatch(/Kari|Nordmann|@example|90000000|1985/);
  });
});
