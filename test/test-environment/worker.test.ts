import { type AddressInfo, createServer } from 'node:net';
import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { sql } from 'slonik';
import { z } from 'zod';
import { composeWorker } from '../../src/main/compose-worker.ts';
import { orderBounce } from '../../src/postgres/test-environment.ts';
import { eventually } from '../support/eventually.ts';
import { BY_BOTH } from '../support/new-case.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { runningServers } from '../support/running-servers.ts';
import { serviceSettings } from '../support/service-settings.ts';
import { startService, type TestService } from '../support/service.ts';

describe('a worker', () => {
  let service: TestService;
  const running: { stop(): Promise<void> }[] = [];
  beforeAll(async () => {
    service = await startService();
  });
  afterEach(async () => {
    for (const part of running.splice(0).reverse()) await part.stop();
  });
  afterAll(() => service.stop());

  const { create, read, until } = partnersCases(() => service);
  const kept = () =>
    service.database.any(sql.type(z.object({ recipient: z.string(), body: z.string() }))`
      SELECT recipient, body FROM test_messages ORDER BY recipient`);

  /** Can be reached, at an address that is no stand-in's by what it says. */
  async function realServer() {
    const seen = { connections: 0 };
    const server = createServer((socket) => {
      seen.connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    running.push({ stop: () => new Promise((resolve) => server.close(() => resolve())) });
    return { seen, host: `0.0.0.0:${(server.address() as AddressInfo).port}` };
  }

  async function workIn(ENVIRONMENT: 'test' | 'production') {
    const [mail, phone] = await Promise.all([realServer(), realServer()]);
    const { worker } = serviceSettings({
      port: 1,
      databaseUrl: service.databaseUrl,
      temporalAddress: runningServers().temporalAddress,
      smtpUrl: `smtp://${mail.host}`,
      phoneUrl: `http://${phone.host}`,
    });
    const lines: string[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    });
    const surroundings = {
      log: pino({ level: 'info' }, sink),
      taskQueue: service.taskQueue,
      workflowBundle: { codePath: runningServers().workflowBundle },
    };
    running.push(await composeWorker({ ...worker, ENVIRONMENT }, surroundings));
    return { mail: mail.seen, phone: phone.seen, lines };
  }

  it('of a test environment keeps its messages, counts them as sent, and gives none to a server that may be a real one', async () => {
    const { mail, phone, lines } = await workIn('test');
    const { id } = await create({ patientEmail: 'kari@insurer.example', patientPhone: '+4791000000' });
    const { notifications } = await until(
      id,
      (it) => it.notifications.filter(({ status }) => status === 'sent').length === 2,
    );
    expect(notifications.map(({ kind }) => kind)).toEqual(['invitation', 'invitation']);
    expect(await kept()).toEqual([
      { recipient: '+4791000000', body: expect.stringContaining(`/b/${id}`) },
      { recipient: 'kari@insurer.example', body: expect.stringContaining(`/b/${id}`) },
    ]);
    expect([mail, phone]).toEqual([{ connections: 0 }, { connections: 0 }]);
    expect(lines.join('')).toContain('"mail":false,"sms":false');
  });

  it('of the production environment goes to its servers, keeps nothing, and obeys no order of a trial', async () => {
    await service.database.query(sql.type(z.object({}))`DELETE FROM test_messages`);
    const { id } = await create(BY_BOTH);
    await orderBounce(service.database, id, 99);
    const { mail, phone } = await workIn('production');
    await eventually(() => mail.connections > 0 && phone.connections > 0);
    expect((await read(id)).notifications.map(({ status }) => status)).toEqual(['queued', 'queued']);
    expect(await kept()).toEqual([]);
  });
});
