import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { deleteSchedules } from '../../src/temporal/schedules.ts';
import { TASK_QUEUE } from '../../workflows/contract.ts';
import { type CaseBody, createCaller, type ErrorBody, type Reply } from '../support/caller.ts';
import { PAYLOAD_KEYS } from '../support/service-settings.ts';
import { clinicFaults } from '../support/clinics.ts';
import { logIn } from '../support/customer.ts';
import { eventually } from '../support/eventually.ts';
import { mailboxOf } from '../support/mailbox.ts';
import { newCase } from '../support/new-case.ts';
import { type OwnProcess, runOwnProcess } from '../support/own-process.ts';
import { hasLeft, partnersCases } from '../support/partners-cases.ts';
import { runningServers } from '../support/running-servers.ts';
import { startService, type TestService } from '../support/service.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

/** What whoever runs us gives at the least before it kills. */
const PATIENCE = 30_000;
/** `PENDING_ACTIVITY_STATE_STARTED`, which the SDK has as a type only. */
const STARTED = 2;

let service: TestService;
let client: Client;
let apiWire: TcpProxy;
let workerWire: TcpProxy;
let mailWire: TcpProxy;
const processes: OwnProcess[] = [];
const run = async (...args: Parameters<typeof runOwnProcess>): Promise<OwnProcess> => {
  const one = await runOwnProcess(...args);
  processes.push(one);
  return one;
};
/** What is asked now and answered later: should it fail meanwhile, that is for whoever awaits it. */
const awaitedLater = <T>(asked: Promise<T>): Promise<T> => {
  asked.catch(() => undefined);
  return asked;
};
const through = (wire: TcpProxy, address: string) => {
  const url = new URL(address);
  url.port = String(wire.port);
  return url.href;
};
type Changes = Readonly<Record<string, string>>;
const runApi = (changes: Changes = {}) => run('api', { ...service.environment.api, PORT: '0', ...changes });
const runWorker = (changes: Changes = {}) => run('worker', { ...service.environment.worker, ...changes });

beforeAll(async () => {
  service = await startService({ clinics: ['nordlys'], messages: true, eid: true });
  client = createTemporalClient({
    address: runningServers().temporalAddress,
    namespace: 'default',
    payloadKeys: PAYLOAD_KEYS,
  });
  const wireTo = (address: string | undefined) => {
    const { hostname: host, port } = new URL(address ?? '');
    return openTcpProxy({ host, port: Number(port) });
  };
  [apiWire, workerWire, mailWire] = await Promise.all([
    wireTo(service.databaseUrl),
    wireTo(service.databaseUrl),
    wireTo(service.environment.worker.SMTP_URL),
  ]);
});

afterAll(async () => {
  for (const one of processes) one.kill();
  await deleteSchedules(client, TASK_QUEUE).catch(() => undefined);
  await client.connection.close();
  for (const wire of [apiWire, workerWire, mailWire]) await wire.cut();
  await service.stop();
});

const { create, until } = partnersCases(() => service);
const faults = clinicFaults(() => service);
const health = async (port: number, path: 'live' | 'ready' = 'ready') =>
  (await fetch(`http://127.0.0.1:${port}/health/${path}`, { headers: { Connection: 'close' } })).status;
const underWay = async (id: string) => {
  const { raw } = await client.workflow.getHandle(`case-${id}`).describe();
  return (raw.pendingActivities ?? [])
    .filter(({ state }) => Number(state) === STARTED)
    .map(({ activityType }) => activityType?.name);
};
const untilUnderWay = (id: string, step: string) =>
  eventually(async () => (await underWay(id).catch(() => [])).some((name) => name === step), {
    what: `${step} of ${id}`,
  });
const told = (id: string, kind: string) =>
  until(id, ({ notifications }) => notifications.some((one) => one.kind === kind && hasLeft(one)));
const expectGoneInTime = async (one: OwnProcess) => {
  const { how, ms } = await one.ended;
  expect(how).toBe('exit code 0');
  expect(ms).toBeLessThan(PATIENCE);
};

/** In this order: what one leaves under way, the next goes on with. */
describe('on SIGTERM', () => {
  let worker: OwnProcess;
  let next: OwnProcess;

  it('the API is not ready any more, finishes what is under way, a request half sent included, and ends', async () => {
    const api = await runApi();
    worker = await runWorker({ SMTP_URL: through(mailWire, service.environment.worker.SMTP_URL) });
    const { id } = await create();
    const customer = await logIn(service, id);
    const { slotId } = await customer.freshSlot();
    const [port] = await Promise.all([api.port('port'), worker.port('health')]);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await get(agent, port, '/health/ready')).statusCode).toBe(200);

    await faults.add({ method: 'PUT', resource: 'Slot', effect: 'delay', delayMs: 2_500 });
    const caller = createCaller(`http://127.0.0.1:${port}/api/v1/booking/${id}`, {
      Cookie: customer.cookie,
      Origin: service.url,
    });
    const confirming = awaitedLater(caller.post('/confirm', { slotId }));
    await untilUnderWay(id, 'secureSlot');
    const creating = await beginCreate(port);
    api.signal('SIGTERM');

    const last = await eventually(async () => {
      const answer = await get(agent, port, '/health/ready');
      return answer.statusCode === 503 && answer;
    });
    expect(last.headers.connection).toBe('close');
    expect(await health(port, 'live')).toBe(200);
    api.signal('SIGTERM');
    const created = await creating.finish();
    expect(created).toMatchObject({ status: 201, body: { status: 'pending_patient_action' } });
    expect((await confirming).status).toBe(200);
    await expectGoneInTime(api);
    await expect(health(port)).rejects.toThrow();
    await told((created.body as CaseBody).id, 'invitation');
    await told(id, 'receipt');
  });

  it('the worker finishes the message that is under way, and the next one goes on with a hold and what hangs', async () => {
    const port = await worker.port('health');
    expect(await health(port)).toBe(200);
    const [hanging, held] = [await create(), await create()];
    const [ofHanging, ofHeld] = [await logIn(service, hanging.id), await logIn(service, held.id)];
    const slots = [await ofHanging.freshSlot(), await ofHeld.freshSlot()] as const;
    for (const { id } of [hanging, held]) await told(id, 'invitation');

    mailWire.slow(250);
    const written = await create();
    await untilUnderWay(written.id, 'sendMessage');
    await faults.add({ method: 'POST', effect: 'delay', delayMs: 600_000 });
    expect((await ofHanging.confirm(slots[0])).status).toBe(200);
    await untilUnderWay(hanging.id, 'transferBooking');
    await faults.add({ method: 'PUT', resource: 'Slot', effect: 'delay', delayMs: 2_500 });
    const confirming = awaitedLater(ofHeld.confirm(slots[1]));
    await untilUnderWay(held.id, 'secureSlot');
    worker.signal('SIGTERM');
    next = await runWorker({ DATABASE_URL: through(workerWire, service.environment.worker.DATABASE_URL) });

    await eventually(async () => (await health(port).catch(() => null)) !== 200);
    worker.signal('SIGTERM');
    await expectGoneInTime(worker);
    // the next worker may have come too late for this request, and is in time for its repetition
    const { status, body } = (await confirming) as Reply<Partial<ErrorBody>>;
    if (status !== 200) expect(['OUTCOME_UNKNOWN', 'PROVIDER_UNAVAILABLE']).toContain(body.details?.code);
    await eventually(async () => (await ofHeld.confirm(slots[1])).status === 200);
    await told(written.id, 'invitation');
    const mails = await mailboxOf(() => service.mailUrl)();
    expect(mails.filter(({ text }) => text.includes(written.id))).toHaveLength(1);
    for (const { id } of [hanging, held]) await told(id, 'receipt');
  });

  it('both end in time when PostgreSQL says nothing more, and had said that they are not ready', async () => {
    const api = await runApi({ DATABASE_URL: through(apiWire, service.environment.api.DATABASE_URL) });
    const [port, workerPort] = await Promise.all([api.port('port'), next.port('health')]);
    expect([await health(port), await health(workerPort)]).toEqual([200, 200]);
    apiWire.hush();
    workerWire.hush();
    const caller = createCaller(`http://127.0.0.1:${port}/api/v1`, { 'X-API-Key': service.partnerKey });
    const creating = awaitedLater(caller.post('/cases', newCase()));
    expect(await Promise.all([health(port), health(workerPort)])).toEqual([503, 503]);
    expect(await health(port, 'live')).toBe(200);
    for (const one of [api, next]) one.signal('SIGTERM');
    const { status, body } = await creating;
    expect([status, body.details.code]).toEqual([500, 'TEMPORARILY_UNAVAILABLE']);
    await Promise.all([api, next].map(expectGoneInTime));
  });

  it('while they wait for PostgreSQL at their start, both end at once', async () => {
    const DATABASE_URL = 'postgresql://nobody@127.0.0.1:9/nothing';
    const both = [await runApi({ DATABASE_URL }), await runWorker({ DATABASE_URL })];
    for (const one of both) await eventually(() => one.said().includes('PostgreSQL unreachable, retrying'));
    for (const one of both) one.signal('SIGTERM');
    for (const one of both) await expectGoneInTime(one);
  });
});

/** Sends the head of a create and half of its body. */
async function beginCreate(port: number) {
  const body = JSON.stringify(newCase());
  const sending = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/v1/cases',
    headers: {
      'X-API-Key': service.partnerKey,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    },
  });
  const answered = awaitedLater(answerOf(sending));
  await new Promise((resolve) => sending.write(body.slice(0, 20), resolve));
  return {
    async finish(): Promise<{ status: number | undefined; body: CaseBody | ErrorBody }> {
      sending.end(body.slice(20));
      const answer = await answered;
      return { status: answer.statusCode, body: JSON.parse(answer.text) as CaseBody | ErrorBody };
    },
  };
}

const get = (agent: Agent, port: number, path: string) => {
  const asking = request({ agent, port, host: '127.0.0.1', path });
  const answered = answerOf(asking);
  asking.end();
  return answered;
};

async function answerOf(asking: ReturnType<typeof request>): Promise<IncomingMessage & { text: string }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    asking.once('response', resolve).once('error', reject);
  });
  let text = '';
  for await (const piece of answer.setEncoding('utf8')) text += String(piece);
  return Object.assign(answer, { text });
}
