import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { sql } from 'slonik';
import { z } from 'zod';
import { deleteOldKeys } from '../../src/postgres/idempotency.ts';
import type { Caller, CaseBody, ErrorBody, Reply } from '../support/caller.ts';
import { BY_BOTH, newCase, today } from '../support/new-case.ts';
import { partnersCases, refusalOf, type Timeline } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';

describe('Idempotency-Key', () => {
  const service = useService();
  let otherApi: Caller;
  beforeAll(async () => {
    otherApi = await service.alsoAt(() => new Date());
  });
  const cases = partnersCases(() => service);

  const withKey = (key: string) => ({ 'Idempotency-Key': key });
  const create = (key: string, body: unknown, caller: Caller = service.partner) =>
    caller.post<CaseBody>('/cases', body, withKey(key));
  const isReplay = ({ headers }: Reply<unknown>) => headers.get('Idempotent-Replayed') === 'true';
  const casesCalled = async (reference: unknown) =>
    (await service.partner.get<{ data: CaseBody[] }>(`/cases?partnerCaseId=${String(reference)}`)).body.data;
  const age = (interval: string) =>
    service.database.query(sql.type(z.object({}))`
      UPDATE idempotency_keys SET created_at = created_at - ${interval}::interval`);

  describe('201', () => {
    it('answers the same request the same, to the letter, and says that it does', async () => {
      const [key, body] = [randomUUID(), newCase()];
      const first = await create(key, body);
      const second = await create(key, body);
      expect([first.status, second.status]).toEqual([201, 201]);
      expect([isReplay(first), isReplay(second)]).toEqual([false, true]);
      expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body));
      expect(second.headers.get('Location')).toBe(first.headers.get('Location'));
      expect(await casesCalled(body['partnerCaseId'])).toHaveLength(1);
    });

    it('makes one case and one set of messages of 100 equal requests at once to two APIs', async () => {
      const [key, body] = [randomUUID(), newCase(BY_BOTH)];
      const replies = await Promise.all(
        Array.from({ length: 100 }, (_, i) => create(key, body, i % 2 ? otherApi : service.partner)),
      );
      expect(replies.map(({ status }) => status)).toEqual(Array(100).fill(201));
      expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
      expect(replies.filter((reply) => !isReplay(reply))).toHaveLength(1);
      const [only, ...others] = await casesCalled(body['partnerCaseId']);
      expect(others).toEqual([]);
      const { notifications } = await cases.notified(only?.id ?? '', 2);
      expect(notifications.map(({ channel }) => channel).sort()).toEqual(['email', 'sms']);
    });

    it('compares what a request means, not how it is written', async () => {
      const [key, body] = [randomUUID(), newCase({ ...BY_BOTH, injuryDescription: undefined })];
      const first = await create(key, body);
      const { patientPhone: _, ...rest } = body;
      const rewritten = { patientPhone: '0047 900 00 000', injuryDescription: null, ...rest };
      const second = await create(key, rewritten);
      expect([isReplay(second), second.body.id]).toEqual([true, first.body.id]);
    });

    it('still answers at another API, and after midnight has made the date a past one', async () => {
      const [key, body] = [randomUUID(), newCase({ bookingDeadline: today() })];
      const first = await create(key, body);
      const tomorrow = await service.alsoAt(() => new Date(Date.now() + 24 * 60 * 60 * 1000));
      const second = await create(key, body, tomorrow);
      expect([second.status, second.body.id]).toEqual([201, first.body.id]);
    });

    it('belongs to its partner: another one’s equal key is another key', async () => {
      const [key, body] = [randomUUID(), newCase()];
      const [own, others] = [await create(key, body), await create(key, body, service.otherPartner)];
      expect(isReplay(others)).toBe(false);
      expect(others.body.id).not.toBe(own.body.id);
    });

    it('keeps no refusal: the mended request may use the key', async () => {
      const key = randomUUID();
      expect((await create(key, newCase({ injuryDate: 'yesterday' }))).status).toBe(400);
      const taken = newCase();
      await create(randomUUID(), taken);
      expect(refusalOf(await create(key, taken))).toMatchObject({ code: 'DUPLICATE_PARTNER_CASE_ID' });
      const mended = await create(key, newCase());
      expect([mended.status, isReplay(mended)]).toEqual([201, false]);
    });

    it('ends after 24 hours, and is deleted with the personal data in its answer', async () => {
      const key = randomUUID();
      await create(key, newCase());
      await age('25 hours');
      const later = await create(key, newCase());
      expect([later.status, isReplay(later)]).toEqual([201, false]);
      await age('25 hours');
      await deleteOldKeys(service.database);
      const left = service.database.oneFirst(sql.type(z.object({ count: z.number() }))`
        SELECT count(*) FROM idempotency_keys`);
      expect(await left).toBe(0);
    });
  });

  describe('200', () => {
    const resend = (id: string, key: string, body: unknown = {}) =>
      service.partner.post<CaseBody>(`/cases/${id}/notifications`, body, withKey(key));
    const resent = async (id: string) =>
      (await service.partner.get<Timeline>(`/cases/${id}/events?limit=100`)).body.data.filter(
        ({ type }) => type === 'link.resent',
      );

    it('sends the link once for requests that come one after the other, or all at once', async () => {
      const { id } = await cases.create();
      await cases.notified(id);
      const key = randomUUID();
      const replies = await Promise.all(Array.from({ length: 10 }, () => resend(id, key)));
      replies.push(await resend(id, key));
      expect(replies.map(({ status }) => status)).toEqual(Array(11).fill(200));
      expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(replies.filter((reply) => !isReplay(reply))).toHaveLength(1);
      expect(await resent(id)).toHaveLength(1);
    });

    it('takes over from a process that died in the middle', async () => {
      const { id } = await cases.create();
      await cases.notified(id);
      const key = randomUUID();
      await resend(id, key);
      await service.database.query(sql.type(z.object({}))`
        UPDATE idempotency_keys SET answer = NULL, created_at = created_at - interval '2 minutes'`);
      expect(isReplay(await resend(id, key))).toBe(false);
      expect(await resent(id)).toHaveLength(2);
    });
  });

  describe('400', () => {
    it('IDEMPOTENCY_KEY_REUSED with another request, or for another case', async () => {
      const key = randomUUID();
      const { body: first } = await create(key, newCase());
      const other = newCase();
      expect(refusalOf(await create(key, other))).toEqual({ http: 400, code: 'IDEMPOTENCY_KEY_REUSED' });
      expect(await casesCalled(other['partnerCaseId'])).toEqual([]);
      const elsewhere = await service.partner.post(`/cases/${first.id}/notifications`, {}, withKey(key));
      expect(refusalOf(elsewhere)).toEqual({ http: 400, code: 'IDEMPOTENCY_KEY_REUSED' });
    });

    it.each([
      ['empty', ''],
      ['blank', ' '],
      ['256 characters long', 'x'.repeat(256)],
    ])('VALIDATION_FAILED for one that is %s', async (_, key) => {
      const { status, body } = await service.partner.post('/cases', newCase(), withKey(key));
      expect([status, body.details['fields']]).toEqual([
        400,
        [expect.objectContaining({ field: 'Idempotency-Key', code: 'invalid_key' })],
      ]);
    });

    it('VALIDATION_FAILED for two of them', async () => {
      const body = await new Promise<ErrorBody>((resolve, reject) => {
        const headers = {
          'X-API-Key': service.partnerKey,
          'Content-Type': 'application/json',
          'Idempotency-Key': ['one', 'two'],
        };
        request(`${service.apiUrl}/cases`, { method: 'POST', headers }, (response) => {
          response.setEncoding('utf8').on('data', (text: string) => resolve(JSON.parse(text) as ErrorBody));
        })
          .on('error', reject)
          .end('{}');
      });
      expect(body.details['fields']).toEqual([
        { field: 'Idempotency-Key', code: 'invalid_key', message: 'must be sent once.' },
      ]);
    });

    it('takes one of 255 characters', async () => {
      expect((await create('é'.padEnd(255, 'x'), newCase())).status).toBe(201);
    });
  });
});
