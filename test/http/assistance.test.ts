import { describe, expect, it } from '@jest/globals';
import type { Reply } from '../support/caller.ts';
import { readTexts } from '../../src/postgres/case-texts.ts';
import { logIn } from '../support/customer.ts';
import { BY_BOTH } from '../support/new-case.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';

describe('POST /booking/{caseId}/assistance', () => {
  const service = useService();

  const { create: created, untouched, until } = partnersCases(() => service);
  const create = async (changes = {}) => (await created(changes)).id;
  const ask = <T>(id: string, body?: unknown) => service.nobody.post<T>(`/booking/${id}/assistance`, body);
  const details = ({ body }: Reply<unknown>) => (body as { details: Record<string, unknown> }).details;

  it('takes a request from somebody who could not log in, and the partner sees that there is one', async () => {
    const id = await create(BY_BOTH);
    const { status, body } = await ask(id, { message: ' I have no BankID ', preferredContact: 'phone' });
    expect([status, body]).toEqual([200, { caseId: id, received: true }]);
    const theCase = await until(id, (one) => one.status === 'assistance_requested');
    expect(theCase.assistance).toEqual({ requestedAt: expect.stringMatching(/Z$/), resolvedAt: null });
    expect(JSON.stringify(theCase)).not.toContain('BankID');
    const [kept] = await readTexts(service.database, id);
    expect(kept).toMatchObject({ body: 'I have no BankID', preferred_contact: 'phone' });
    await until(id, ({ notifications }) => notifications.some(({ kind }) => kind === 'assistance_received'));
  });

  it('takes one without a word, and one of a customer who is logged in', async () => {
    const id = await create();
    expect((await ask(id)).status).toBe(200);
    const customer = await logIn(service, id);
    expect((await customer.post('/assistance', { message: 'Please call' })).status).toBe(200);
  });

  it.each([
    [{ message: 7 }, 'message'],
    [{ message: 'x'.repeat(10_000) }, 'message'],
    [{ message: 'a\u0000b' }, 'message'],
    [{ preferredContact: 'letter' }, 'preferredContact'],
    [{ phone: '90000000' }, 'phone'],
    [{ bestTime: 'night' }, 'bestTime'],
    [{ interpreter: 'a\nb' }, 'interpreter'],
    [{ helper: { name: 'Ola' }, phone: '+4790000000' }, 'helper.relation'],
    [{ helper: { name: 'Ola', relation: 'parent' } }, 'phone'],
  ])('400 VALIDATION_FAILED for %j', async (body, field) => {
    const reply = await ask(await untouched(), body);
    expect([reply.status, details(reply)]).toMatchObject([400, { fields: [{ field }] }]);
  });

  it('wants a number for a call where the case has none, and keeps it with the rest', async () => {
    const id = await create();
    const refused = await ask(id, { preferredContact: 'phone' });
    expect([refused.status, details(refused)]).toMatchObject([
      400,
      { fields: [{ field: 'phone', code: 'required' }] },
    ]);
    const helper = { name: 'Ola Nordmann', relation: 'parent' };
    const request = {
      preferredContact: 'phone',
      phone: '0047 900 11 222',
      bestTime: 'morning',
      interpreter: 'Polish',
      helper,
    };
    expect((await ask(id, request)).status).toBe(200);
    expect(await readTexts(service.database, id)).toMatchObject([
      {
        phone: '+4790011222',
        best_time: 'morning',
        interpreter: 'Polish',
        helper_name: 'Ola Nordmann',
        helper_relation: 'parent',
      },
    ]);
  });

  it('429 CASE_LIMIT_EXCEEDED the fourth time in a day', async () => {
    const id = await create();
    const burst = await Promise.all(Array.from({ length: 5 }, () => ask(id)));
    expect(burst.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
    const reply = await ask(id);
    expect([reply.status, details(reply)['code']]).toEqual([429, 'CASE_LIMIT_EXCEEDED']);
    expect(reply.headers.get('Retry-After')).toMatch(/^\d+$/);
  });

  it('is refused on a recalled case; only the customer is told the status', async () => {
    const id = await create();
    const customer = await logIn(service, id);
    await customer.get('');
    await service.partner.post(`/cases/${id}/recall`);
    const stranger = await ask(id);
    expect([stranger.status, details(stranger)]).toMatchObject([
      400,
      { code: 'ACTION_NOT_ALLOWED', action: 'requestAssistance', allowedActions: [] },
    ]);
    expect(JSON.stringify(stranger.body)).not.toContain('recalled');
    const own = await customer.post('/assistance');
    expect(details(own)).toMatchObject({ code: 'ACTION_NOT_ALLOWED', status: 'recalled' });
  });
});
