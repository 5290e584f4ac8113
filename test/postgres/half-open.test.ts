import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CaseBody } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { newCase } from '../support/new-case.ts';
import { runningServers } from '../support/running-servers.ts';
import { startService, type TestService } from '../support/service.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

/** As after a switch to another server: nobody hears of the old one's end. */
describe('after connections to PostgreSQL have fallen silent for good', () => {
  let service: TestService;
  let wire: TcpProxy;
  beforeAll(async () => {
    const { hostname, port } = new URL(runningServers().postgresUrl);
    wire = await openTcpProxy({ host: hostname, port: Number(port) });
    service = await startService({
      worker: true,
      databaseThrough: (url) =>
        Object.assign(new URL(url), { port: String(wire.port), hostname: '127.0.0.1' }).href,
    });
  });
  afterAll(async () => {
    await service.stop();
    await wire.cut();
  });

  const create = () => service.partner.post<CaseBody>('/cases', newCase());
  /** Its invitation is on its way. */
  const isStarted = async (id: string): Promise<boolean> => {
    const { status, body } = await service.partner.get<CaseBody>(`/cases/${id}`);
    return status === 200 && body.notifications.length > 0;
  };

  it('callers are told so, and soon all goes on: cases are taken, and started', async () => {
    // as many connections as there may be
    await Promise.all(Array.from({ length: 12 }, create));
    wire.hush();
    const told = await Promise.all(Array.from({ length: 12 }, create));
    const codes = told.map(({ status, body }) => [
      status,
      (body as unknown as { details: { code: string } }).details.code,
    ]);
    for (const [status, code] of codes) {
      expect(status).toBe(500);
      expect(['TEMPORARILY_UNAVAILABLE', 'OUTCOME_UNKNOWN']).toContain(code);
    }
    await wire.mend();
    const created = await eventually(
      async () => {
        const { status, body } = await create();
        return status === 201 && body;
      },
      { what: 'a case is taken', withinMs: 30_000, everyMs: 500 },
    );
    await eventually(() => isStarted(created.id), {
      what: 'its workflow runs',
      withinMs: 45_000,
      everyMs: 500,
    });
  }, 180_000);
});
