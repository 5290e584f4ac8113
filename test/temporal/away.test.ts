import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { workflowIdOf } from '../../workflows/contract.ts';
import type { CaseBody, Reply } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { newCase, today } from '../support/new-case.ts';
import { runningServers } from '../support/running-servers.ts';
import { startService, type TestService } from '../support/service.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

describe('while Temporal is away (promise P1)', () => {
  let service: TestService;
  let wire: TcpProxy;
  let client: Client;
  const cases: CaseBody[] = [];
  beforeAll(async () => {
    const address = runningServers().temporalAddress;
    const [host = '', port] = address.split(':');
    wire = await openTcpProxy({ host, port: Number(port) });
    await wire.cut();
    service = await startService({ temporalAddress: `127.0.0.1:${wire.port}`, messages: true });
    client = new Client({ connection: await Connection.connect({ address }) });
  });
  afterAll(async () => {
    await service.stop();
    await client.connection.close();
    await wire.cut();
  });

  const details = ({ body }: Reply<unknown>) => (body as { details: Record<string, unknown> }).details;
  const expectUnavailable = (reply: Reply<unknown>) => {
    expect([reply.status, details(reply)['code']]).toEqual([500, 'TEMPORARILY_UNAVAILABLE']);
    expect(Number(reply.headers.get('Retry-After'))).toBeGreaterThan(0);
  };

  it('a create is 201, quickly, and the case can be read and listed', async () => {
    for (let i = 0; i < 3; i += 1) {
      const begun = performance.now();
      const { status, body } = await service.partner.post<CaseBody>('/cases', newCase());
      expect(status).toBe(201);
      expect(performance.now() - begun).toBeLessThan(2_500);
      cases.push(body);
    }
    const [first] = cases;
    expect((await service.partner.get(`/cases/${first?.id ?? ''}`)).body).toEqual(first);
    const list = await service.partner.get<{ data: unknown[] }>('/cases');
    expect(list.body.data).toHaveLength(3);
    expect((await service.nobody.get(`/booking/${first?.id ?? ''}`)).status).toBe(200);
  });

  it('an action says so, and has not happened', async () => {
    const { id } = cases[0] as CaseBody;
    const begun = performance.now();
    expectUnavailable(await service.partner.post(`/cases/${id}/recall`, { reason: 'x' }));
    expect(performance.now() - begun).toBeLessThan(5_000);
    expectUnavailable(await service.partner.patch(`/cases/${id}`, { bookingDeadline: today(9) }));
    expectUnavailable(await service.partner.post(`/cases/${id}/notifications`));
    expect((await service.partner.get(`/cases/${id}`)).body).toEqual(cases[0]);
  });

  it('a request for help is taken all the same', async () => {
    const { id } = cases[1] as CaseBody;
    expect((await service.nobody.post(`/booking/${id}/assistance`, { message: 'Help' })).status).toBe(200);
  });

  it('once it is back, every case has its workflow, the requests for help arrive, and actions go through', async () => {
    const worker = await service.work();
    // long enough for a client to look for it more seldom than a case may wait
    await delay(25_000);
    await wire.mend();
    const back = performance.now();
    for (const { id } of cases)
      await eventually(async () => {
        const found = await client.workflow
          .getHandle(workflowIdOf(id))
          .describe()
          .catch(() => null);
        return found?.status.name === 'RUNNING' && found;
      });
    expect(performance.now() - back).toBeLessThan(15_000);
    const read = async (id: string) => (await service.partner.get<CaseBody>(`/cases/${id}`)).body;
    const helped = cases[1] as CaseBody;
    await eventually(async () => (await read(helped.id)).status === 'assistance_requested', {
      withinMs: 30_000,
    });
    const first = cases[0] as CaseBody;
    const recalled = await eventually(
      async () => {
        const reply = await service.partner.post<CaseBody>(`/cases/${first.id}/recall`, { reason: 'x' });
        return reply.status === 200 && reply.body;
      },
      { withinMs: 30_000 },
    );
    expect(recalled.status).toBe('recalled');
    await worker.stop();
  });
});
