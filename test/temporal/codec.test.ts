import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import proto from '@temporalio/proto';
import { NativeConnection, Worker } from '@temporalio/worker';
import { sql } from 'slonik';
import { z } from 'zod';
import { findTemporalCli } from '../../dev/temporal/find-cli.ts';
import type { CaseId } from '../../src/domain/ids.ts';
import { readAccessLog, readCaseReaders } from '../../src/postgres/access-log.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { createPayloadCodec, dataConverterOf } from '../../src/temporal/payload-codec.ts';
import { caseState, RECONCILE_TYPE, searchAttributes, workflowIdOf } from '../../workflows/contract.ts';
import { actor, operatorOf, tokenOf } from '../operator/command.ts';
import { officeOf } from '../operator/office.ts';
import { logIn } from '../support/customer.ts';
import { eventually } from '../support/eventually.ts';
import { partnersCases, refusalOf } from '../support/partners-cases.ts';
import { replayHistories } from '../support/replay-histories.ts';
import { runningServers } from '../support/running-servers.ts';
import { PAYLOAD_KEYS } from '../support/service-settings.ts';
import { useService } from '../support/use-service.ts';

const { History } = proto.temporal.api.history.v1;
const UI = 'http://temporal.example';
/** All that stays readable of a payload: what Temporal has to index. */
const INDEXED = new Set(['searchAttributes', 'upsertWorkflowSearchAttributesEventAttributes']);

/** Every payload in something of Temporal's, and where. */
function payloadsIn(value: unknown, path: readonly string[] = []): { path: string; payload: Payload }[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if ('metadata' in value && 'data' in value) return [{ path: path.join('.'), payload: value as Payload }];
  return Object.entries(value).flatMap(([name, inner]) => payloadsIn(inner, [...path, name]));
}
const isIndexed = ({ path }: { path: string }) => path.split('.').some((part) => INDEXED.has(part));
const encodingOf = (payload: Payload) => Buffer.from(payload.metadata?.['encoding'] ?? []).toString();
const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Object.entries(value ?? {}).flatMap(([name, inner]) => [name, ...stringsIn(inner)]);

describe('what Temporal keeps of cases', () => {
  const service = useService();
  const { create, act, until } = partnersCases(() => service);
  const operator = operatorOf(() => service);
  const codec = createPayloadCodec(PAYLOAD_KEYS);
  let withKey: Client;
  let without: Client;
  let id: CaseId;
  let handle: WorkflowHandle;
  let history: proto.temporal.api.history.v1.IHistory;
  beforeAll(async () => {
    const address = { address: runningServers().temporalAddress, namespace: 'default' };
    withKey = createTemporalClient({ ...address, payloadKeys: PAYLOAD_KEYS });
    without = createTemporalClient(address);
    // a whole life, with a time that another took, a change, help, and a recall
    const [{ id: own }, other] = [
      await create(),
      await create({ patientFirstName: 'Ola', patientLastName: 'Hansen' }),
    ];
    id = own;
    const [kari, ola] = [
      await logIn(service, own),
      await logIn(service, other.id, { givenName: 'Ola', familyName: 'Hansen', birthDate: '1971-01-02' }),
    ];
    const slot = await kari.freshSlot();
    const offered = (await ola.slots()).slots.find(
      ({ start, practitioner, providerId }) =>
        start === slot.start && practitioner === slot.practitioner && providerId === slot.providerId,
    );
    await ola.confirm(offered ?? slot);
    const taken = await kari.confirm(slot);
    expect(refusalOf(taken)).toMatchObject({ http: 400, code: 'SLOT_TAKEN' });
    await kari.confirm(await kari.freshSlot());
    await until(own, ({ booking }) => booking?.transferredAt !== null);
    await kari.confirm(await kari.freshSlot());
    await until(own, ({ booking }) => booking?.transferredAt !== null);
    await kari.post('/assistance', { message: 'Ring meg', preferredContact: 'email' });
    await until(own, ({ assistance }) => assistance !== null);
    await act(own, 'recall', { reason: 'Settled otherwise' });
    await act(own, 'archive');
    handle = withKey.workflow.getHandle(workflowIdOf(id));
    await handle.result();
    history = await without.workflow.getHandle(handle.workflowId).fetchHistory();
  });
  afterAll(async () => {
    await withKey.connection.close();
    await without.connection.close();
  });

  /** As Temporal's Web UI sends it. */
  const asked = (payloads: readonly Payload[]) =>
    JSON.stringify({
      payloads: payloads.map(({ metadata, data }) => ({
        metadata: Object.fromEntries(
          Object.entries(metadata ?? {}).map(([name, value]) => [
            name,
            Buffer.from(value).toString('base64'),
          ]),
        ),
        data: Buffer.from(data ?? []).toString('base64'),
      })),
    });
  const decode = async (
    payloads: readonly Payload[],
    headers: Readonly<Record<string, string>>,
    settings: Readonly<Record<string, string>> = { TEMPORAL_UI_URL: UI },
  ) => {
    const response = await fetch(
      `${await operator.url({ settings })}/codec/decode?preserveStorageRefs=true`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-namespace': 'default', ...headers },
        body: asked(payloads),
      },
    );
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  const bearer = (...roles: Parameters<typeof actor>) => ({
    authorization: `Bearer ${tokenOf(actor(...roles))}`,
  });

  it('are ciphertexts, of a whole life, but for what Temporal has to index', async () => {
    const all = payloadsIn(history.events ?? []);
    expect(all.filter((one) => !isIndexed(one)).length).toBeGreaterThan(30);
    expect(all.filter((one) => !isIndexed(one) && encodingOf(one.payload) !== 'binary/encrypted')).toEqual(
      [],
    );
    const indexed = all.filter(isIndexed);
    const names = new Set(indexed.map(({ path }) => path.split('.').at(-1)));
    expect(names).toEqual(new Set(Object.values(searchAttributes).map(({ name }) => name)));
  });

  it('hold no word of inputs, results and failures, in whatever bytes', async () => {
    const all = payloadsIn(history.events ?? []);
    const payloads = all.filter((one) => !isIndexed(one)).map(({ payload }) => payload);
    const values = (await codec.decode(payloads)).map((payload) =>
      defaultPayloadConverter.fromPayload(payload),
    );
    const said = new Set(values.flatMap(stringsIn).filter((text) => text.length > 3));
    for (const known of [id, 'deadline', 'hasAddress', 'archiveAfterDays', 'SLOT_TAKEN', 'providerId'])
      expect(said).toContain(known);
    // what Temporal has to know: which workflow it is, what it indexes, and what there is to run by which name
    const indexed = all.filter(isIndexed).map(({ payload }) => Buffer.from(payload.data ?? []).toString());
    const names = JSON.stringify(history, (name, value: unknown) =>
      /^(workflowId|workflowType|activityType|name|signalName|type|taskQueue|identity)$/.test(name) ||
      typeof value === 'object'
        ? value
        : undefined,
    );
    const allowed = [id, ...indexed, names].join(' ');
    const raw = Buffer.from(History.encode(history).finish()).toString('latin1');
    const leaked = [...said].filter((text) => !allowed.includes(text) && raw.includes(text));
    expect(leaked).toEqual([]);
    expect(raw).toContain('Encoded failure');
  });

  it('tell neither words nor stack of a step that fails', async () => {
    const taskQueue = `failing-${randomUUID()}`;
    const connection = await NativeConnection.connect({ address: runningServers().temporalAddress });
    const fail = () => Promise.reject(new Error('a word of the counterpart'));
    const worker = await Worker.create({
      ...{ connection, taskQueue, dataConverter: dataConverterOf(PAYLOAD_KEYS) },
      workflowBundle: { codePath: runningServers().workflowBundle },
      activities: {
        compareCases: fail,
        compareWorkflows: fail,
        settleDiscrepancies: fail,
        noteReconciled: fail,
      },
    });
    await worker.runUntil(async () => {
      const failing = await withKey.workflow.start(RECONCILE_TYPE, {
        ...{ workflowId: taskQueue, taskQueue, args: [{ kind: 'by_hand', full: false }] },
      });
      const failure = await eventually(async () => {
        const { pendingActivities } = (await failing.describe()).raw;
        return pendingActivities?.find(({ lastFailure }) => lastFailure)?.lastFailure;
      });
      expect([failure.message, failure.stackTrace]).toEqual(['Encoded failure', '']);
      const [told] = await codec.decode([failure.encodedAttributes ?? {}]);
      expect(told && defaultPayloadConverter.fromPayload(told)).toMatchObject({
        message: 'a word of the counterpart',
        stack_trace: expect.stringContaining('codec.test'),
      });
      await failing.terminate();
    });
    await connection.close();
  });

  it('are read by who has the key, and replay; without it they are not', async () => {
    expect(await handle.query(caseState)).toMatchObject({ status: 'archived' });
    await expect(without.workflow.getHandle(handle.workflowId).query(caseState)).rejects.toThrow();
    const bundle = { codePath: runningServers().workflowBundle };
    const histories = [{ workflowId: handle.workflowId, history }];
    const replayed = await replayHistories(bundle, histories, dataConverterOf(PAYLOAD_KEYS));
    expect([...replayed]).toEqual([[handle.workflowId, undefined]]);
  });

  describe('are decrypted for Temporal’s Web UI', () => {
    const started = () => history.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];

    it('by the back office’s session, from its own pages alone, and each time is written down', async () => {
      const settings = { TEMPORAL_UI_URL: UI };
      const office = officeOf(
        () => operator.url({ settings }),
        () => service.database,
      );
      const { cookie } = await office.logIn(actor('siri', ['support']));
      const { status, headers, body } = await decode(started(), { cookie, origin: UI });
      expect(status).toBe(200);
      const [input] = body.payloads;
      expect(Buffer.from(input.metadata.encoding, 'base64').toString()).toBe('json/plain');
      expect(JSON.parse(Buffer.from(input.data, 'base64').toString())).toMatchObject({ caseId: id });
      expect([
        headers.get('access-control-allow-origin'),
        headers.get('access-control-allow-credentials'),
        headers.get('cache-control'),
      ]).toEqual([UI, 'true', 'no-store']);
      const [entry] = await readAccessLog(service.database, { caseId: id, limit: 1 });
      expect(entry).toMatchObject({
        ...{ process: 'operator_api', who: 'operator', whoId: 'subject-of-siri', outcome: 'done' },
        ...{ action: 'codec.decode.1', caseIds: [id], requestId: headers.get('x-request-id') },
      });
      for (const origin of ['http://elsewhere.example', 'null', undefined]) {
        const foreign = await decode(started(), { cookie, ...(origin !== undefined && { origin }) });
        expect([foreign.status, foreign.body.details.code]).toEqual([401, 'LOGIN_REQUIRED']);
        expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
      }
    });

    it('counts for the customer as one look an hour, however many payloads a page has', async () => {
      const times = async () =>
        (await readCaseReaders(service.database, id)).find(({ kind }) => kind === 'operator_worked')?.times;
      await decode(started(), bearer('siri', ['support']));
      const before = await times();
      for (let i = 0; i < 3; i += 1) await decode(started(), bearer('siri', ['support']));
      expect(await times()).toBe(before);
    });

    it('after its browser has asked whether it may', async () => {
      const ask = async (origin: string) =>
        fetch(`${await operator.url({ settings: { TEMPORAL_UI_URL: UI } })}/codec/decode`, {
          method: 'OPTIONS',
          headers: { origin, 'access-control-request-method': 'POST' },
        });
      const [own, other] = [await ask(UI), await ask('http://elsewhere.example')];
      expect([own.status, own.headers.get('access-control-allow-headers')]).toEqual([
        204,
        expect.stringMatching(/Authorization.*Content-Type.*X-Namespace/),
      ]);
      expect(other.headers.get('access-control-allow-origin')).toBeNull();
    });

    it('by a token with a role that may see where cases stand, and by no other', async () => {
      expect((await decode(started(), bearer('pia', ['platform']))).status).toBe(200);
      const { status, body } = await decode(started(), bearer('aksel', ['auditor', 'reveal', 'onboarding']));
      expect([status, body.details.code]).toEqual([403, 'ROLE_MISSING']);
      const [entry] = await readAccessLog(service.database, { whoId: 'subject-of-aksel', limit: 1 });
      expect(entry).toMatchObject({ action: 'codec.decode.1', outcome: 'ROLE_MISSING', caseIds: [] });
      expect((await decode(started(), {})).status).toBe(401);
    });

    it('and for Temporal’s own command line, with a token', async () => {
      const cli = await findTemporalCli(() => undefined);
      // which asks for each payload by itself, so this has one; nobody runs it
      const workflowId = `shown-${randomUUID()}`;
      const shown = await withKey.workflow.start(RECONCILE_TYPE, {
        ...{ workflowId, taskQueue: workflowId, args: [{ kind: 'by_hand', full: false }] },
      });
      const show = async (...more: readonly string[]) => {
        const workflow = ['--address', runningServers().temporalAddress, '--workflow-id', workflowId];
        const argv = ['workflow', 'show', ...workflow, '--output', 'json', ...more];
        const { stdout } = await promisify(execFile)(cli, argv, { maxBuffer: 2 ** 24 });
        const { events } = JSON.parse(stdout) as { events: any[] };
        const [input] = events[0].workflowExecutionStartedEventAttributes.input.payloads;
        return Buffer.from(input.data, 'base64').toString();
      };
      expect(await show()).not.toContain('by_hand');
      const endpoint = ['--codec-endpoint', `${await operator.url()}/codec`];
      const auth = ['--codec-auth', bearer('siri', ['support']).authorization];
      expect(JSON.parse(await show(...endpoint, ...auth))).toEqual({ kind: 'by_hand', full: false });
      await shown.terminate();
    });

    it('with every key of a rotation; one that is gone is named', async () => {
      const key = (name: string) => `${name}:${randomBytes(32).toString('base64')}`;
      const { TEMPORAL_PAYLOAD_KEYS: usual } = service.environment.api;
      const siri = bearer('siri', ['support']);
      const both = { TEMPORAL_PAYLOAD_KEYS: `${key('next')},${usual}` };
      expect((await decode(started(), siri, both)).status).toBe(200);
      const { status, body } = await decode(started(), siri, { TEMPORAL_PAYLOAD_KEYS: key('next') });
      expect([status, body.details.code]).toEqual([409, 'PAYLOAD_KEY_UNKNOWN']);
      expect(body.error).toContain('the key "tests"');
    });

    it('a thousand times a minute for each operator', async () => {
      const counted = () =>
        service.database.any(sql.type(z.object({ key: z.string(), hits: z.number() }))`
          SELECT encode(key, 'hex') AS key, hits FROM rate_counts`);
      const before = (await counted()).map(({ key }) => key);
      const ivar = bearer('ivar', ['support']);
      expect((await decode([], ivar)).status).toBe(200);
      const [own] = (await counted()).filter(({ key }) => !before.includes(key));
      expect(own?.hits).toBe(1);
      await service.database.query(sql.type(z.object({}))`
        UPDATE rate_counts SET hits = 1000 WHERE encode(key, 'hex') = ${own?.key ?? ''}`);
      const { status, body } = await decode([], ivar);
      expect([status, body.details.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
      expect((await decode([], bearer('siri', ['support']))).status).toBe(200);
    });

    it('and what is no payload is refused', async () => {
      const { status, body } = await decode([{ data: 'x' as never, metadata: null }], bearer('siri'));
      expect(status).toBe(200);
      expect(body.payloads).toHaveLength(1);
      const url = await operator.url();
      for (const wrong of ['[]', '{"payloads":{}}', '{"payloads":[{"data":"§"}]}', '{'])
        expect(
          (await fetch(`${url}/codec/decode`, { method: 'POST', headers: bearer('siri'), body: wrong }))
            .status,
        ).toBe(400);
    });
  });
});
