import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseStatement } from '../../src/fhir/capability-statement.ts';
import { createFhirClient } from '../../src/fhir/client.ts';
import { eventually } from '../support/eventually.ts';

const STATEMENT = {
  resourceType: 'CapabilityStatement',
  fhirVersion: '4.0.1',
  software: { name: 'Journal', version: '7' },
  rest: [
    {
      mode: 'server',
      interaction: [{ code: 'transaction' }],
      resource: [
        {
          type: 'Slot',
          interaction: [{ code: 'read' }, { code: 'search-type' }, { code: 'patch' }],
          versioning: 'versioned-update',
          conditionalCreate: false,
          searchInclude: ['*'],
          searchParam: [{ name: 'start', type: 'date' }],
        },
        { type: 'Appointment', versioning: 'no-version', searchInclude: ['Appointment:slot'] },
      ],
    },
  ],
};

describe('what a server says of itself', () => {
  it('is read as yes, no, or not said', () => {
    const { software, transaction, interaction, versions, conditionalCreate, include, searchParameter } =
      parseStatement(STATEMENT);
    expect(software).toBe('Journal 7');
    expect(transaction).toBe('yes');
    expect([interaction('Slot', 'patch'), interaction('Slot', 'update')]).toEqual(['yes', 'no']);
    expect(interaction('Appointment', 'update')).toBe('unknown');
    expect([versions('Slot'), versions('Appointment'), versions('Patient')]).toEqual([
      'yes',
      'no',
      'unknown',
    ]);
    expect([conditionalCreate('Slot'), conditionalCreate('Appointment')]).toEqual(['no', 'unknown']);
    expect(include('Slot', 'Slot:schedule')).toBe('yes');
    expect(include('Appointment', 'Appointment:patient')).toBe('no');
    expect(include('Schedule', 'Schedule:actor')).toBe('unknown');
    expect([searchParameter('Slot', 'start'), searchParameter('Slot', '_id')]).toEqual(['yes', 'no']);
  });

  it.each([
    ['no rest', { ...STATEMENT, rest: undefined }],
    ['a rest that is none', { ...STATEMENT, rest: 'yes' }],
    ['a malformed resource', { ...STATEMENT, rest: [{ resource: [{ type: 7 }] }] }],
    ['no version', { resourceType: 'CapabilityStatement' }],
    ['something else', { resourceType: 'OperationOutcome', issue: [] }],
  ])('with %s says nothing', (_, raw) => {
    const statement = parseStatement(raw);
    expect(statement.interaction('Slot', 'read')).toBe('unknown');
    expect(statement.transaction).toBe('unknown');
  });

  it.each([
    ['FHIR 5.0.0', { ...STATEMENT, fhirVersion: '5.0.0' }],
    ['FHIR 3.0.2', { ...STATEMENT, fhirVersion: '3.0.2' }],
    ['FHIR DSTU2', { resourceType: 'Conformance' }],
    ['JSON, but not FHIR', { hello: 1 }],
  ])('can be that it is no FHIR R4 server, but %s', (what, raw) => {
    expect(() => parseStatement(raw)).toThrow(`not a FHIR R4 server (answered with ${what})`);
  });
});

describe('reading the CapabilityStatement', () => {
  let server: Server;
  let answer: { status: number; body: string };
  let asked: IncomingMessage[] = [];
  let release: () => void = () => undefined;
  let held: Promise<void> | null = null;
  let now = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request);
      void (held ?? Promise.resolve()).then(() => response.writeHead(answer.status).end(answer.body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    answer = { status: 200, body: JSON.stringify(STATEMENT) };
    asked = [];
    held = null;
    now = 1_000_000;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const connect = () => {
    const { port } = server.address() as AddressInfo;
    const at = { baseUrl: `http://127.0.0.1:${port}/fhir`, timeoutMs: 5_000 };
    return createFhirClient(at, () => now).metadata;
  };
  const HOUR = 60 * 60 * 1_000;

  it('is done once a day in the background, and nobody waits for it', async () => {
    held = new Promise((resolve) => (release = resolve));
    const metadata = connect();
    expect(metadata.known()).toMatchObject({ software: null, missing: 'not known yet' });
    expect(metadata.known().versions('Slot')).toBe('unknown');
    release();
    await eventually(() => metadata.known().software === 'Journal 7');
    now += 23 * HOUR;
    metadata.known();
    expect(asked).toHaveLength(1);
    now += 2 * HOUR;
    answer.body = JSON.stringify({ ...STATEMENT, software: { name: 'Journal', version: '8' } });
    expect(metadata.known().software).toBe('Journal 7');
    await eventually(() => metadata.known().software === 'Journal 8');
    expect(asked).toHaveLength(2);
  });

  it('never tells a server to make it anew, which takes real ones seconds', async () => {
    await connect().fresh();
    expect(asked[0]?.headers).not.toHaveProperty('cache-control');
  });

  it.each([
    ['HTTP 404', 404, 'HTTP 404'],
    ['HTTP 503', 503, 'GET metadata: HTTP 503'],
    ['half a one', 200, 'GET metadata: HTTP 200 without FHIR JSON'],
  ])('does without it at %s, and asks again ten minutes later', async (_, status, missing) => {
    const metadata = connect();
    const mended = answer;
    answer = { status, body: status === 200 ? mended.body.slice(0, 100) : '' };
    expect(await metadata.fresh()).toMatchObject({ missing, transaction: 'unknown' });
    answer = mended;
    now += 9 * 60_000;
    metadata.known();
    expect(asked).toHaveLength(1);
    now += 2 * 60_000;
    await eventually(() => metadata.known().software === 'Journal 7');
  });

  it('keeps what it knows while the server has none', async () => {
    const metadata = connect();
    await metadata.fresh();
    answer = { status: 503, body: '' };
    now += 25 * HOUR;
    metadata.known();
    await eventually(() => asked.length === 2);
    expect(metadata.known().software).toBe('Journal 7');
  });

  it.each([
    ['HTML', '<!DOCTYPE html><title>Logg inn</title>'],
    ['XML', '<?xml version="1.0"?><CapabilityStatement xmlns="http://hl7.org/fhir"/>'],
    ['FHIR 3.0.2', JSON.stringify({ ...STATEMENT, fhirVersion: '3.0.2' })],
  ])('fails at what answers with %s, for who asks anew', async (what, body) => {
    answer = { status: 200, body };
    const message = `not a FHIR R4 server (answered with ${what}): check the base URL`;
    await expect(connect().fresh()).rejects.toThrow(message);
  });
});
