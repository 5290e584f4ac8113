import { describe, expect, it } from '@jest/globals';
import { addDays, dateAt } from '../../src/calendar/dates.ts';
import type { CaseBody, Reply } from '../support/caller.ts';
import { type Customer, customerWith, KARI, logIn } from '../support/customer.ts';
import { partnersCases, refusalOf } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';

describe('the public side of a case', () => {
  const service = useService();

  const { create, read } = partnersCases(() => service);
  const atHome = async (changes: Readonly<Record<string, unknown>> = {}): Promise<[string, Customer]> => {
    const { id } = await create(changes);
    return [id, await logIn(service, id)];
  };
  const codeOf = (reply: Reply<unknown>) => {
    const { http, code } = refusalOf(reply);
    return [http, code];
  };

  describe('GET /booking/{caseId}', () => {
    it('shows a stranger the five public fields and nothing else', async () => {
      const { id } = await create();
      const { status, body } = await service.nobody.get<unknown>(`/booking/${id}`);
      expect([status, body]).toEqual([
        200,
        {
          caseId: id,
          open: true,
          bookingDeadline: addDays(dateAt(new Date()), 20),
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
        bookingDeadline: addDays(dateAt(new Date()), 20),
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
      const { id } = await create();
      const ola = await logIn(service, id, { ...KARI, givenName: 'Ola' });
      const { body } = await ola.get<Record<string, unknown>>('');
      expect(body).toEqual((await service.nobody.get(`/booking/${id}`)).body);
    });

    it('says that a recalled case is not open, and no more', async () => {
      const { id } = await create();
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
          expect(codeOf(reply)).toEqual([404, 'CASE_NOT_FOUND']);
        }
      },
    );
  });

  describe('the login', () => {
    it('says where to go, and gives a cookie that only the browser’s own requests carry', async () => {
      const { id } = await create();
      const reply = await service.nobody.post<{ authorizationUrl: string }>(`/booking/${id}/login`);
      const url = new URL(reply.body.authorizationUrl);
      expect(Object.keys(reply.body)).toEqual(['authorizationUrl']);
      expect(url.searchParams.get('redirect_uri')).toBe(`${service.url}/eid/callback`);
      expect(url.searchParams.get('code_challenge_method')).toBe('S256');
      expect(reply.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^login-[0-9a-f]{12}=.+; HttpOnly; SameSite=Lax/),
      ]);
      expect(url.href).not.toContain(id);
    });

    it('fails with a callback that was altered, belongs to another browser, or comes twice from elsewhere', async () => {
      const { id } = await create();
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
      expect(codeOf(await namesake.get('/availability'))).toEqual([403, 'IDENTITY_MISMATCH']);
      const again = await logIn(service, id);
      expect((await again.get('/availability')).status).toBe(200);
      expect((await read(id)).allowedActions).not.toContain('correctName');
      const patch = await service.partner.patch(`/cases/${id}`, { patientLastName: 'Hansen' });
      expect(refusalOf(patch)).toMatchObject({
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
      const { id } = await create();
      const ola = await logIn(service, id, { ...KARI, givenName: 'Ola' });
      for (const [method, path] of [
        ['GET', '/availability'],
        ['POST', '/confirm'],
        ['POST', '/cancel'],
      ] as const) {
        expect(codeOf(await customerWith(service, id, '').call(method, path))).toEqual([
          401,
          'EID_LOGIN_REQUIRED',
        ]);
        expect(codeOf(await ola.call(method, path))).toEqual([403, 'IDENTITY_MISMATCH']);
      }
    });

    it('403 ORIGIN_NOT_ALLOWED for a POST that does not come from our own pages', async () => {
      const [, customer] = await atHome();
      for (const origin of ['https://evil.example', 'null', `${service.url}.evil.example`, ''])
        for (const path of ['/confirm', '/cancel'])
          expect(codeOf(await customer.post(path, {}, { Origin: origin }))).toEqual([
            403,
            'ORIGIN_NOT_ALLOWED',
          ]);
    });

    it('403 ORIGIN_NOT_ALLOWED for what another site has a browser send, session or not', async () => {
      const [id, customer] = await atHome();
      const { caseId } = (await service.nobody.get<{ caseId: string }>(`/booking/${id}`)).body;
      const foreign: Record<string, string>[] = [
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { Origin: `${service.url}.evil.example`, 'Sec-Fetch-Site': 'same-site' },
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
      ];
      for (const headers of foreign)
        for (const path of ['/logout', '/login', '/assistance']) {
          const reply = await service.nobody.post(`/booking/${caseId}${path}`, undefined, {
            Cookie: customer.cookie,
            ...headers,
          });
          expect([path, ...codeOf(reply)]).toEqual([path, 403, 'ORIGIN_NOT_ALLOWED']);
          expect(reply.headers.getSetCookie()).toEqual([]);
        }
      expect((await customer.get('/availability')).status).toBe(200);
      expect((await service.partner.get<CaseBody>(`/cases/${id}`)).body.assistance).toBeNull();
    });

    it('takes them from our own pages, and from who is no browser', async () => {
      const { id } = await create();
      const ours: Record<string, string> = { Origin: service.url, 'Sec-Fetch-Site': 'same-origin' };
      for (const headers of [ours, {}])
        for (const path of ['/login', '/assistance', '/logout'])
          expect((await service.nobody.post(`/booking/${id}${path}`, undefined, headers)).status).toBe(200);
    });
  });

  it('nothing personal is in the log', () => {
    expect(service.log.join('')).not.toMatch(/Kari|Nordmann|@example|90000000|1985-03/);
  });
});
