import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunningClinic, startClinic } from '../../dev/fhir-clinic/clinic.ts';
import { createFhirClient, type FhirClient } from '../../src/fhir/client.ts';
import { createExchange } from '../../src/http-client/exchange.ts';

describe('the FHIR client', () => {
  let clinic: RunningClinic;
  let client: FhirClient;
  beforeAll(async () => {
    clinic = await startClinic({ profile: 'fjordklinikken', weeks: 1, bearerToken: 'secret' });
    client = connect('secret');
  });
  beforeEach(() => fetch(`${clinic.url}/_faults`, { method: 'DELETE' }));
  afterAll(() => clinic.close());

  const connect = (token: string, timeoutMs = 5_000) =>
    createFhirClient({
      baseUrl: clinic.fhirUrl,
      timeoutMs,
      headers: async () => ({ authorization: `Bearer ${token}` }),
    });
  const fault = (body: Record<string, unknown>) =>
    fetch(`${clinic.url}/_faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const answer = (status: number, body = '', headers: Record<string, string> = {}) =>
    fault({ effect: 'answer', status, body, headers });
  const search = () => client.search('Slot', [['_count', '5']]);

  it('follows the next links to the bound, each resource once', async () => {
    const found = await client.search('Slot', [
      ['service-type', 'psychology'],
      ['_include', 'Slot:schedule'],
      ['_count', '5'],
    ]);
    expect(found).toMatchObject({ skipped: 0, complete: true });
    expect(found.matches).toHaveLength(60);
    expect(found.included.map(({ id }) => id).toSorted()).toEqual(['fjellrev', 'multebaer']);
    expect(await client.search('Slot', [['_count', '1']])).toMatchObject({ complete: false });
  });

  it('skips and counts malformed entries, and does not mind hints', async () => {
    const entry = [
      { resource: { resourceType: 'Practitioner', id: '1', name: [{ given: ['Odd', null] }] } },
      { resource: { resourceType: 'Practitioner', id: '2', name: 'Odd' } },
      { resource: { resourceType: 'Practitioner' } },
      { fullUrl: 'nothing' },
      null,
      { resource: { resourceType: 'OperationOutcome', issue: [{ severity: 'warning' }] } },
    ];
    await answer(200, JSON.stringify({ resourceType: 'Bundle', entry }));
    expect(await client.search('Practitioner', [])).toMatchObject({ matches: [{ id: '1' }], skipped: 4 });
  });

  it('stays with the server when a next link points elsewhere', async () => {
    const link = [{ relation: 'next', url: 'http://elsewhere.invalid/fhir/Slot?_count=2' }];
    await answer(200, JSON.stringify({ resourceType: 'Bundle', link }));
    expect((await client.search('Slot', [['_count', '1']])).matches.length).toBeGreaterThan(1);
  });

  it.each([
    ['a path that reads as another host', (port: number) => `http://inner//127.0.0.1:${port}/fhir/Slot`],
    ['the same without a host', (port: number) => `/.//127.0.0.1:${port}/fhir/Slot`],
    ['another host outright', (port: number) => `http://127.0.0.1:${port}/fhir/Slot`],
    ['another host without a scheme', (port: number) => `//127.0.0.1:${port}/fhir/Slot`],
  ])('takes its token to no other server when a next link names %s', async (_, linkTo) => {
    const told: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      told.push(request.headers.authorization);
      response.end(JSON.stringify({ resourceType: 'Bundle' }));
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const link = [{ relation: 'next', url: linkTo((other.address() as AddressInfo).port) }];
    await answer(200, JSON.stringify({ resourceType: 'Bundle', link }));
    await search().catch(() => undefined);
    other.close();
    expect(told).toEqual([]);
  });

  it.each([
    ['another host', 'https://elsewhere.example/fhir/Slot'],
    ['another port', 'https://clinic.example:8443/fhir/Slot'],
    ['no TLS', 'http://clinic.example/fhir/Slot'],
    ['a host that begins alike', 'https://clinic.example.elsewhere.example/fhir/Slot'],
  ])('asks for no credentials, and sends nothing, to %s than the one it is for', async (_, url) => {
    const asked: string[] = [];
    const send = createExchange({
      baseUrl: 'https://clinic.example/fhir',
      timeoutMs: 1_000,
      headers: async () => ({ authorization: asked.push('headers').toString() }),
      transport: {
        fetch: async () => Response.json(asked.push('fetch')),
        timeout: (ms) => AbortSignal.timeout(ms),
      },
    });
    await expect(send({ method: 'GET', about: 'Slot', url: new URL(url) })).rejects.toMatchObject({
      name: 'ServerUnavailable',
      reason: 'led_elsewhere',
      message: 'GET Slot: not sent to another server',
    });
    expect(asked).toEqual([]);
    await send({ method: 'GET', url: new URL('https://clinic.example/anywhere') });
    expect(asked).toEqual(['headers', 'fetch']);
  });

  it.each([401, 403, 408, 425, 429, 301, 500, 502, 503])('is unavailable at %i', async (status) => {
    await answer(status);
    await expect(search()).rejects.toMatchObject({
      name: 'ServerUnavailable',
      message: `GET Slot: HTTP ${status}`,
    });
  });

  it.each([
    ['HTML', '<html>Logg inn</html>', 'not a FHIR R4 server (answered with HTML): check the base URL'],
    ['half a JSON', '{"resourceType":"Bun', 'GET Slot: HTTP 200 without FHIR JSON'],
    ['something else', '{"hello":1}', 'GET Slot: HTTP 200 without a bundle'],
    [
      'an error inside a success',
      '{"resourceType":"OperationOutcome","issue":[{"severity":"fatal","diagnostics":"Kari"}]}',
      'GET Slot: HTTP 200 with an OperationOutcome error',
    ],
  ])('is unavailable when it gets %s', async (_, body, message) => {
    await answer(200, body);
    await expect(search()).rejects.toMatchObject({ name: 'ServerUnavailable', message });
  });

  it('passes on how long the server wants to be left alone', async () => {
    await answer(429, '', { 'retry-after': '17' });
    await expect(search()).rejects.toMatchObject({ retryAfterSeconds: 17 });
    await answer(503, '', { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' });
    await expect(search()).rejects.toMatchObject({ retryAfterSeconds: 0 });
    await answer(503, '', { 'retry-after': 'soon' });
    await expect(search()).rejects.toMatchObject({ retryAfterSeconds: null });
  });

  it('is unavailable when our credentials are not accepted', async () => {
    await expect(connect('wrong').search('Slot', [])).rejects.toThrow('GET Slot: HTTP 401');
  });

  it('is unavailable after its time-out, a broken connection, the caller giving up, or nobody there', async () => {
    await fault({ effect: 'delay', delayMs: 60_000 });
    await expect(connect('secret', 50).search('Slot', [['_id', 'x']])).rejects.toThrow('GET Slot: timed out');
    await fault({ effect: 'drop' });
    await expect(search()).rejects.toThrow(/^GET Slot: no answer \([A-Z_]+\)$/);
    await expect(client.search('Slot', [], AbortSignal.abort())).rejects.toThrow(
      'GET Slot: cancelled by caller',
    );
    const port = await freePort();
    const nobody = createFhirClient({ baseUrl: `http://127.0.0.1:${port}/fhir`, timeoutMs: 1_000 });
    await expect(nobody.read('Slot', '1')).rejects.toThrow('GET Slot: no answer (ECONNREFUSED)');
  });

  it('says in no error what was asked or answered', async () => {
    await answer(500, 'Kari Nordmann');
    const error: unknown = await client
      .search('Patient', [['identifier', 'case-7']])
      .catch((e: unknown) => e);
    expect(String((error as Error).stack)).not.toMatch(/Kari|case-7/);
    expect(error).not.toHaveProperty('cause');
  });

  it('makes one of two conditional creates at once, and answers both with it', async () => {
    const patient = { resourceType: 'Patient', identifier: [{ system: 'urn:x', value: '1' }] } as const;
    const create = () =>
      client.create<'Patient'>({ ...patient, identifier: [...patient.identifier] }, [
        ['identifier', 'urn:x|1'],
      ]);
    const [one, two] = await Promise.all([create(), create()]);
    expect(one).toMatchObject({ outcome: 'done', resource: { resourceType: 'Patient' } });
    expect(two).toEqual(one);
  });

  it('takes the id from the address when a write is answered without the resource', async () => {
    await answer(201, '', { location: 'http://inner/fhir/Patient/17/_history/1' });
    expect(await client.create<'Patient'>({ resourceType: 'Patient' }, [])).toEqual({
      outcome: 'done',
      resource: null,
      id: '17',
    });
  });

  it('lets exactly one of two updates of the same version through', async () => {
    const read = await client.read('Practitioner', 'fjellrev');
    if (read.outcome !== 'found') throw new Error('not there');
    const update = () => client.update<'Practitioner'>(read.resource, read.resource);
    const outcomes = await Promise.all([update(), update()]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['conflict', 'done']);
  });

  it('gives the expected noes as values', async () => {
    expect(await client.read('Slot', 'none')).toEqual({ outcome: 'missing' });
    await answer(410);
    expect(await client.read('Slot', 'none')).toEqual({ outcome: 'missing' });
    await answer(422, '{"resourceType":"OperationOutcome"}');
    expect(await client.create<'Patient'>({ resourceType: 'Patient' }, [])).toEqual({
      outcome: 'refused',
      cause: 'http_422',
    });
    await answer(409);
    expect(await client.create<'Patient'>({ resourceType: 'Patient' }, [])).toEqual({ outcome: 'conflict' });
  });
});

/** A port where nobody listens any more. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
