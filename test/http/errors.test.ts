import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { issueKey } from '../../src/identity/secrets.ts';
import { type CaseBody, createCaller, type Reply } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { newCase } from '../support/new-case.ts';
import { useService } from '../support/use-service.ts';

const UUID = /^[0-9a-f-]{36}$/;

describe('errors of the API', () => {
  const service = useService('api');
  let caseId: string;
  beforeAll(async () => {
    caseId = (await service.partner.post<CaseBody>('/cases', newCase())).body.id;
  });

  /** The shape of the specification's §7, on any path. @returns status and code */
  const told = ({ status, headers, body }: Reply<unknown>) => {
    expect(body).toEqual({
      error: expect.stringMatching(/./),
      statusCode: status,
      details: expect.objectContaining({ code: expect.stringMatching(/^[A-Z_]+$/) }),
    });
    const { details } = body as { details: { code: string; requestId: string } };
    expect(details.requestId).toMatch(UUID);
    expect(headers.get('X-Request-Id')).toBe(details.requestId);
    expect(headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.has('ETag')).toBe(false);
    expect(headers.has('X-Powered-By')).toBe(false);
    return [status, details.code];
  };
  const post = async (body: unknown, headers?: Record<string, string>) =>
    told(await service.partner.post('/cases', body, headers));

  describe('400', () => {
    it.each([
      ['no JSON', '{ "partnerCaseId": '],
      ['an array', '[]'],
      ['null', 'null'],
      ['a number', '7'],
      ['a text', '"case"'],
      ['UTF-8 that is none', Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      ['JSON with a byte order mark of UTF-16', Uint8Array.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
    ])('INVALID_JSON for %s', async (_, body) => {
      expect(await post(body)).toEqual([400, 'INVALID_JSON']);
    });

    it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'nonsense'])(
      'INVALID_CONTENT_TYPE for a body sent as %s',
      async (type) => {
        const sent = JSON.stringify(newCase());
        expect(await post(sent, { 'Content-Type': type })).toEqual([400, 'INVALID_CONTENT_TYPE']);
      },
    );

    it('takes JSON with a charset, and actions without body or content type', async () => {
      const headers = { 'Content-Type': 'application/json; charset=UTF-8' };
      expect((await service.partner.post('/cases', JSON.stringify(newCase()), headers)).status).toBe(201);
      // refused for what it is, not for its missing content type
      const { status, body } = await service.otherPartner.post(`/cases/${caseId}/archive`);
      expect([status, body.details.code]).toEqual([404, 'CASE_NOT_FOUND']);
    });

    it('names a hundred faults at most, so that the answer is not larger than the question', async () => {
      const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`f${i}`, 1]));
      const reply = await service.partner.post('/cases', body);
      expect(told(reply)).toEqual([400, 'VALIDATION_FAILED']);
      expect(reply.body.details['fields']).toHaveLength(100);
    });

    it('BODY_TOO_LARGE from 64 KiB on, whether it says its length or not', async () => {
      const padded = (size: number) => JSON.stringify({ x: 'y'.repeat(size - 8) });
      expect(await post(padded(64 * 1024))).toEqual([400, 'VALIDATION_FAILED']);
      expect(await post(padded(65 * 1024))).toEqual([400, 'BODY_TOO_LARGE']);
    });

    it('for a body in a coding that it is not in, or that nobody knows', async () => {
      const sent = JSON.stringify(newCase());
      expect(await post(sent, { 'Content-Encoding': 'gzip' })).toEqual([400, 'MALFORMED_REQUEST']);
      expect(await post(sent, { 'Content-Encoding': 'zip' })).toEqual([400, 'INVALID_CONTENT_TYPE']);
    });

    it('VALIDATION_FAILED for nesting without end, and for fields that every object has', async () => {
      const deep = `{"partnerCaseId":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
      expect(await post(deep)).toEqual([400, 'VALIDATION_FAILED']);
      expect(await post(`{"a":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`)).toEqual([
        400,
        'VALIDATION_FAILED',
      ]);
      for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        const sent = JSON.stringify(newCase()).replace('{', `{"${name}":{"status":"booked"},`);
        const { body } = await service.partner.post('/cases', sent);
        expect(body.details).toMatchObject({
          code: 'VALIDATION_FAILED',
          fields: [{ field: name, code: 'unknown_field' }],
        });
      }
    });

    it('MALFORMED_REQUEST for an address that can not be decoded', async () => {
      for (const path of ['/cases/%E0%A4%A', '/cases/%', '/booking/%E0%A4%A', '/booking/%E0%A4%A/login'])
        expect(told(await service.partner.get(path))[0]).toBeLessThan(405);
      expect(told(await service.partner.get('/cases/%E0%A4%A'))).toEqual([400, 'MALFORMED_REQUEST']);
    });
  });

  describe('404 NOT_FOUND', () => {
    it('for an address that there is not, with a key and without', async () => {
      for (const path of ['/nothing', '/', '', '/cases/x/y/z', '/booking', '/casesx']) {
        expect([404, 401]).toContain(told(await service.nobody.get(path))[0]);
        expect(told(await service.partner.get(path))).toEqual([404, 'NOT_FOUND']);
      }
    });

    it('for a case whose id was left out, which is no list of them all', async () => {
      expect(told(await service.partner.get('/cases/'))).toEqual([404, 'NOT_FOUND']);
    });

    it.each([
      ['DELETE', '/cases'],
      ['PUT', '/cases'],
      ['OPTIONS', '/cases'],
      ['DELETE', '/cases/{id}'],
      ['POST', '/cases/{id}'],
      ['OPTIONS', '/cases/{id}'],
      ['GET', '/cases/{id}/recall'],
      ['OPTIONS', '/cases/{id}/recall'],
      ['POST', '/cases/{id}/events'],
      ['POST', '/treatment-types'],
      ['OPTIONS', '/treatment-types'],
      ['POST', '/booking/{id}'],
      ['GET', '/booking/{id}/confirm'],
      ['OPTIONS', '/booking/{id}'],
      ['PROPFIND', '/booking/{id}'],
    ])('for the wrong method %s %s', async (method, path) => {
      const reply = await service.partner.call(method, path.replace('{id}', caseId));
      expect(told(reply)).toEqual([404, 'NOT_FOUND']);
    });
  });

  it('answers HEAD as GET, without a body', async () => {
    const { status, headers, body } = await service.partner.call('HEAD', `/cases/${caseId}`);
    expect([status, body, headers.get('Content-Type')]).toEqual([200, '', 'application/json; charset=utf-8']);
    expect((await service.nobody.call('HEAD', '/cases')).status).toBe(401);
  });

  it('has the headers by which a browser makes nothing of it, as every answer', async () => {
    const replies = [
      await service.partner.get('/cases'),
      await service.nobody.get('/nothing'),
      await createCaller(service.url).get('/health/live'),
      await createCaller(service.url).post('/callbacks/twilio/status'),
    ];
    for (const { headers } of replies) {
      expect(headers.get('Content-Security-Policy')).toBe("default-src 'none';frame-ancestors 'none'");
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('X-Frame-Options')).toBe('SAMEORIGIN');
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    }
  });

  it('says with every 401 how to show who one is', async () => {
    const challenges = [
      await service.nobody.get('/cases'),
      await service.nobody.get('/cases', { 'X-API-Key': issueKey('test') }),
      await service.nobody.get('/auth/me'),
      await service.nobody.get(`/booking/${caseId}/availability`),
    ].map(({ status, headers }) => [status, headers.get('WWW-Authenticate')]);
    expect(challenges).toEqual([
      [401, 'ApiKey'],
      [401, 'ApiKey'],
      [401, 'Bearer'],
      [401, 'eID'],
    ]);
  });

  it('carries an X-Request-Id of ours on every response, whatever the caller sends', async () => {
    const reply = await service.partner.get('/cases', { 'X-Request-Id': 'mine' });
    expect(reply.headers.get('X-Request-Id')).toMatch(UUID);
  });

  it('is found in the log by that id, with its route, its case and its partner, and no address', async () => {
    const { body: created, headers } = await service.partner.post<CaseBody>('/cases', newCase());
    const lineOf = (id: string | null) =>
      eventually(() => {
        const line = service.log.find((one) => one.includes(`"requestId":"${id ?? ''}"`));
        return line === undefined ? null : (JSON.parse(line) as object);
      });
    const told = { caseId: created.id, partnerId: service.partnerId };
    expect(await lineOf(headers.get('X-Request-Id'))).toMatchObject({ route: '/api/v1/cases', ...told });
    const at = (path: string) =>
      fetch(`${service.url}${path}`, { headers: { 'X-API-Key': service.partnerKey } });
    const shouted = await at(`/API/v1/cases/${created.id}?note=kanari`);
    const line = await lineOf(shouted.headers.get('X-Request-Id'));
    expect(line).toMatchObject({ route: '/api/v1/cases/:caseId', status: 200, ...told });
    const elsewhere = await at('/api/v1/cases/kanari');
    expect(await lineOf(elsewhere.headers.get('X-Request-Id'))).toMatchObject({
      status: 404,
      partnerId: service.partnerId,
    });
    await at('/health/live');
    expect(service.log.join('')).not.toMatch(/kanari|health/);
  });

  describe('500 INTERNAL_ERROR', () => {
    it('says nothing of our insides, and the log says where it was', async () => {
      await service.database.query(sql.type(z.object({}))`ALTER TABLE case_texts RENAME TO gone`);
      try {
        const reply = await service.partner.get('/cases');
        expect(told(reply)).toEqual([500, 'INTERNAL_ERROR']);
        expect(Object.keys(reply.body.details).sort()).toEqual(['code', 'help', 'requestId']);
        expect(JSON.stringify(reply.body)).not.toMatch(/case_texts|sql|select|relation|node_modules|\.ts/i);
        const line = service.log.find(
          (entry) => entry.includes(reply.body.details.requestId) && entry.includes('fault'),
        );
        expect(line).toContain('42P01');
      } finally {
        await service.database.query(sql.type(z.object({}))`ALTER TABLE gone RENAME TO case_texts`);
      }
    });
  });
});
