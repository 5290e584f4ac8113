import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseBody, ErrorBody, Reply } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { newCase } from '../support/new-case.ts';
import { startService, type TestService } from '../support/service.ts';
import { runningServers } from '../support/running-servers.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

describe('while PostgreSQL is away', () => {
  let service: TestService;
  let wire: TcpProxy;
  let id: string;
  beforeAll(async () => {
    const { hostname, port } = new URL(runningServers().postgresUrl);
    wire = await openTcpProxy({ host: hostname, port: Number(port) });
    service = await startService({
      temporalAddress: '127.0.0.1:9',
      databaseThrough: (url) =>
        Object.assign(new URL(url), { port: String(wire.port), hostname: '127.0.0.1' }).href,
    });
    id = (await service.partner.post<CaseBody>('/cases', newCase())).body.id;
  });
  afterAll(async () => {
    await service.stop();
    await wire.cut();
  });

  const rows = () =>
    service.database.one(sql.type(z.object({ cases: z.number(), events: z.number() }))`
      SELECT (SELECT count(*) FROM cases) AS cases, (SELECT count(*) FROM events) AS events`);
  const expectUnavailable = (reply: Reply<ErrorBody>) => {
    expect([reply.status, reply.body.details.code]).toEqual([500, 'TEMPORARILY_UNAVAILABLE']);
    expect(Number(reply.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(Object.keys(reply.body.details).sort()).toEqual(['code', 'help', 'requestId']);
  };
  const health = async (path: string) => (await fetch(`${service.url}/health/${path}`)).status;

  it('every call is a 500 that says to try again, nothing is half made, and all goes on when it is back', async () => {
    const before = await rows();
    expect([await health('live'), await health('ready')]).toEqual([200, 200]);
    await wire.cut();
    expectUnavailable(await service.partner.post('/cases', newCase()));
    expectUnavailable(await service.partner.get(`/cases/${id}`));
    expectUnavailable(await service.partner.post(`/cases/${id}/recall`));
    expectUnavailable(await service.nobody.get(`/booking/${id}`));
    expectUnavailable(await service.nobody.post(`/booking/${id}/assistance`));
    expect([await health('live'), await health('ready')]).toEqual([200, 503]);
    expect(await rows()).toEqual(before);

    await wire.mend();
    const made = await eventually(async () => {
      const reply = await service.partner.post<CaseBody>('/cases', newCase());
      return reply.status === 201 && reply.body;
    });
    expect((await service.partner.get(`/cases/${made.id}`)).status).toBe(200);
    expect(await health('ready')).toBe(200);
    expect(await rows()).toEqual({ cases: before.cases + 1, events: before.events + 1 });
  });

  it('connections that break under twenty creates break no more than those', async () => {
    const before = await rows();
    const replies = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        if (i === 10) {
          await wire.cut();
          await wire.mend();
        }
        return service.partner.post<CaseBody & ErrorBody>('/cases', newCase());
      }),
    );
    for (const { status, body } of replies)
      if (status !== 201) expect([status, body.details.code]).toEqual([500, 'TEMPORARILY_UNAVAILABLE']);
    const created = replies.filter(({ status }) => status === 201);
    for (const { body } of created)
      await eventually(async () => (await service.partner.get(`/cases/${body.id}`)).status === 200);
    // a commit whose answer was lost may have made one more, and then wholly
    const after = await rows();
    expect(after.cases - before.cases).toBe(after.events - before.events);
    expect(after.cases - before.cases).toBeGreaterThanOrEqual(created.length);
  });
});
