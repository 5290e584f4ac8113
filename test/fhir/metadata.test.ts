import { createServer, type Server } from 'node:http';
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
  let asked = 0;
  let now = 0;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      asked += 1;
      response.writeHead(answer.status).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    answer = { status: 200, body: JSON.stringify(STATEMENT) };
    asked = 0;
    now = 1_000_000;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const connect = () => {
    const { port } = server.address() as AddressInfo;
    const at = { baseUrl: `http://127.0.0.1:${port}/fhir`, timeoutMs: 5_000 };
    return createFhirClient(at, () => now).metadata;
  };
  const HOUR = 60 * 60 * 1_000;

  it('is done once a day, and nobody waits for the second time', async () => {
    const metadata = connect();
    expect(metadata.known()).toBeNull();
    await Promise.all([metadata.statement(), metadata.statement()]);
    now += 23 * HOUR;
    expect((await metadata.statement()).software).toBe('Journal 7');
    expect(asked).toBe(1);
    now += 2 * HOUR;
    answer = {
      status: 200,
      body: JSON.stringify({ ...STATEMENT, software: { name: 'Journal', version: '8' } }),
    };
    expect((await metadata.statement()).software).toBe('Journal 7');
    expect((await metadata.fresh()).software).toBe('Journal 8');
    expect(metadata.known()?.software).toBe('Journal 8');
  });

  it.each([
    [404, 'HTTP 404'],
    [503, 'GET metadata: HTTP 503'],
  ])('does without it at HTTP %i, and asks again', async (status, missing) => {
    const metadata = connect();
    answer = { status, body: '' };
    const statement = await metadata.statement();
    expect(statement).toMatchObject({ missing, transaction: 'unknown' });
    expect(statement.versions('Slot')).toBe('unknown');
    await metadata.statement();
    expect(asked).toBe(1);
    now += 61_000;
    await metadata.statement();
    await eventually(() => asked === 2, { what: 'a second request' });
  });

  it('does without half a one, which is no other kind of server', async () => {
    answer.body = answer.body.slice(0, 100);
    expect(await connect().statement()).toMatchObject({
      missing: 'GET metadata: HTTP 200 without FHIR JSON',
    });
  });

  it.each([
    ['HTML', '<!DOCTYPE html><title>Logg inn</title>'],
    ['XML', '<?xml version="1.0"?><CapabilityStatement xmlns="http://hl7.org/fhir"/>'],
    ['FHIR 3.0.2', JSON.stringify({ ...STATEMENT, fhirVersion: '3.0.2' })],
  ])('fails at what answers with %s, and says so until it is mended', async (what, body) => {
    const metadata = connect();
    const mended = answer;
    answer = { status: 200, body };
    const message = `not a FHIR R4 server (answered with ${what}): check the base URL`;
    await expect(metadata.statement()).rejects.toThrow(message);
    answer = mended;
    await expect(metadata.statement()).rejects.toThrow(message);
    now += 61_000;
    await metadata.statement().catch(() => undefined);
    await metadata.fresh();
    expect((await metadata.statement()).software).toBe('Journal 7');
  });
});
