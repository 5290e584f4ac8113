import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { CaseId } from '../../src/domain/ids.ts';
import { SANDBOX_ACTIONS } from '../../src/http/sandbox/actions.ts';
import { hashOfKey, issueKey } from '../../src/identity/secrets.ts';
import { composeApi } from '../../src/main/compose-api.ts';
import { addKey } from '../../src/postgres/api-keys.ts';
import { freshAddress } from '../support/caller.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { runningServers } from '../support/running-servers.ts';
import { serviceSettings } from '../support/service-settings.ts';
import { useService } from '../support/use-service.ts';

describe('in production', () => {
  const liveKey = issueKey('production');
  const service = useService('api');
  let production: Awaited<ReturnType<typeof composeApi>>;
  let id: CaseId;
  beforeAll(async () => {
    id = (await partnersCases(() => service).create()).id;
    await addKey(service.database, {
      partnerId: service.partnerId,
      name: 'live',
      keyHash: hashOfKey(liveKey),
    });
    const { api } = serviceSettings({
      port: 1,
      databaseUrl: service.databaseUrl,
      temporalAddress: runningServers().temporalAddress,
    });
    const settings = { ...api, ENVIRONMENT: 'production' as const, PORT: 0 };
    production = await composeApi(settings, { log: pino({ level: 'silent' }) });
  });
  afterAll(() => production.stop());

  /** All of the answer that does not tell one request from another. */
  const answerOf = async (method: string, path: string, headers: Record<string, string>) => {
    const response = await fetch(`http://127.0.0.1:${production.port}/api/v1${path}`, {
      method,
      headers: { 'X-Forwarded-For': freshAddress(), ...headers },
    });
    const { details, ...body } = (await response.json()) as {
      details: { requestId: string; help: string; code: string };
    };
    const { requestId: _, help: __, ...said } = details;
    const names = [...response.headers.keys()].sort();
    return { status: response.status, ...body, ...said, names };
  };

  const calls = () => [
    ...SANDBOX_ACTIONS.map((action) => ['POST', `/sandbox/cases/${id}/${action}`] as const),
    ['POST', '/sandbox/seed'] as const,
    ['GET', `/sandbox/messages?caseId=${id}`] as const,
  ];

  it.each([
    ['a key', { 'X-API-Key': liveKey }],
    ['none', {}],
  ])(
    'nothing of the sandbox is there: with %s, the answer is that of any unknown address',
    async (_, key) => {
      for (const [method, path] of calls()) {
        const answer = await answerOf(method, path, key);
        expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' });
        expect(answer).toEqual(await answerOf(method, `/nothing/at/all`, key));
      }
    },
  );

  it('the case is there all the same', async () => {
    const answer = await fetch(`http://127.0.0.1:${production.port}/api/v1/cases/${id}`, {
      headers: { 'X-API-Key': liveKey, 'X-Forwarded-For': freshAddress() },
    });
    expect(answer.status).toBe(200);
  });
});
