import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dateAt } from '../../src/calendar/dates.ts';
import type { CalendarDate } from '../../src/domain/instant.ts';
import { RegistryUnavailable } from '../../src/domain/verification.ts';
import { isSameName } from '../../src/identity/name-match.ts';
import { createRegistries } from '../../src/registries/registries.ts';
import { bundleOf, json, type OddRegistry, startOddRegistry } from './odd-registry.ts';

const kari = { resourceType: 'Patient', id: 'kari', name: [{ text: 'Kari Nordmann' }] };
const valid = {
  resourceType: 'Coverage',
  id: '1',
  identifier: [{ value: 'P-SECRET' }],
  status: 'active',
  beneficiary: { reference: 'Patient/kari' },
  payor: [],
};
const cancelled = { ...valid, id: '2', status: 'cancelled' };
const unreadable = { ...valid, id: '3', period: { start: 'next spring' } };
const outcome = (severity: string) => ({ resourceType: 'OperationOutcome', issue: [{ severity }] });
const body = (response: ServerResponse, text: string) => void response.writeHead(200).end(text);

describe('a registry that can not say', () => {
  let registry: OddRegistry;
  const told: string[] = [];
  beforeAll(async () => {
    registry = await startOddRegistry();
  });
  afterAll(() => registry.stop());

  const verify = (url = registry.url, timeoutMs = 5_000) =>
    createRegistries({
      policy: { baseUrl: url },
      referral: null,
      isSameName,
      dateAt,
      timeoutMs,
      onUnavailable: (kind, why) => told.push(`${kind}: ${why}`),
    }).verifyPolicy({
      policyNumber: 'P-SECRET',
      person: { given: 'Kari', family: 'Nordmann' },
      on: '2026-11-21' as CalendarDate,
    });
  const isUnavailable = async (verdict: Promise<unknown>) => {
    const error: unknown = await verdict.then(
      (value) => value,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(RegistryUnavailable);
    return error as RegistryUnavailable;
  };

  it.each([500, 502, 503, 429, 401, 403, 400, 404, 302])('answers HTTP %i', async (status) => {
    registry.answersWith((_, response) => void response.writeHead(status).end());
    await isUnavailable(verify());
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['HTML', (response) => body(response, '<!doctype html><title>Logg inn</title>')],
    ['nothing', (response) => body(response, '')],
    ['half a JSON', (response) => body(response, '{"resourceType":"Bundle","entry":[{')],
    ['some other JSON', (response) => json(response, { policies: [] })],
    ['an OperationOutcome', (response) => json(response, outcome('error'))],
    ['an OperationOutcome of good news', (response) => json(response, outcome('information'))],
    ['a resource instead of a bundle', (response) => json(response, valid)],
    ['a bundle without a list', (response) => json(response, { resourceType: 'Bundle', entry: 'none' })],
    ['an error among the entries', (response) => json(response, bundleOf([outcome('error')]))],
    ['a type that nobody asked for', (response) => json(response, bundleOf([{ resourceType: 'Claim' }]))],
    ['only people', (response) => json(response, bundleOf([kari]))],
    ['what can not be read', (response) => json(response, bundleOf([unreadable, kari]))],
    [
      'a "no" beside what can not be read',
      (response) => json(response, bundleOf([cancelled, unreadable, kari])),
    ],
  ])('answers with %s', async (_, answer) => {
    registry.answersWith((_request, response) => answer(response));
    await isUnavailable(verify());
  });

  it('never ends its pages', async () => {
    let page = 0;
    registry.answersWith((_, response) => {
      page += 1;
      json(response, { ...bundleOf([]), link: [{ relation: 'next', url: `${registry.url}/?page=${page}` }] });
    });
    await isUnavailable(verify());
  });

  it('does not let the person be read', async () => {
    for (const status of [500, 403, 422]) {
      registry.answersWith((request, response) => {
        if (request.url?.includes('/Patient/')) response.writeHead(status).end();
        else json(response, bundleOf([valid]));
      });
      await isUnavailable(verify());
    }
  });

  it('hangs, at the first byte or in the middle, once or bit by bit', async () => {
    registry.answersWith(() => undefined);
    await isUnavailable(verify(registry.url, 200));
    registry.answersWith((_, response) => void response.writeHead(200).write('{'));
    await isUnavailable(verify(registry.url, 200));
    // each answer is in time, and all of them together are not
    let page = 0;
    registry.answersWith((_, response) => {
      page += 1;
      const next = { relation: 'next', url: `${registry.url}/?page=${page}` };
      setTimeout(() => json(response, { ...bundleOf([]), link: [next] }), 100);
    });
    await isUnavailable(verify(registry.url, 300));
    expect(page).toBeLessThan(10);
  });

  it('is not there, or hangs up', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await isUnavailable(verify(`http://127.0.0.1:${port}/fhir`));
    registry.answersWith((request) => void request.socket.destroy());
    await isUnavailable(verify());
  });

  it('says when to come back', async () => {
    registry.answersWith((_, response) => void response.writeHead(503, { 'retry-after': '17' }).end());
    expect(await isUnavailable(verify())).toMatchObject({ retryAfterSeconds: 17, isMissing: false });
  });

  it('is told of without a number or a name', async () => {
    told.length = 0;
    registry.answersWith((_, response) => body(response, 'P-SECRET Kari Nordmann'));
    const error = await isUnavailable(verify());
    expect(told).toEqual(['policy: GET Coverage: HTTP 200 without FHIR JSON']);
    expect(JSON.stringify([error.message, error.stack, String(error.cause)])).not.toMatch(/SECRET|Kari/);
  });

  it('does not exist in this deployment', async () => {
    const registries = createRegistries({ policy: null, referral: null, isSameName, dateAt });
    const query = {
      policyNumber: 'P',
      person: { given: 'K', family: 'N' },
      on: '2026-11-21' as CalendarDate,
    };
    expect(await isUnavailable(registries.verifyPolicy(query))).toMatchObject({ isMissing: true });
  });
});

describe('a registry whose answer is good enough', () => {
  let registry: OddRegistry;
  beforeAll(async () => {
    registry = await startOddRegistry();
  });
  afterAll(() => registry.stop());

  it.each<[string, object[], string]>([
    ['a "yes" beside what can not be read', [valid, unreadable, kari], 'verified'],
    ['a hint beside a "yes"', [valid, kari, outcome('warning')], 'verified'],
    ['a hint beside nothing', [outcome('information')], 'not_verified'],
  ])('gives %s', async (_, entries, expected) => {
    registry.knows(entries);
    const registries = createRegistries({
      policy: { baseUrl: registry.url },
      referral: null,
      isSameName,
      dateAt,
    });
    const verdict = await registries.verifyPolicy({
      policyNumber: 'p-secret',
      person: { given: 'Kari', family: 'Nordmann' },
      on: '2026-11-21' as CalendarDate,
    });
    expect(verdict.outcome).toBe(expected);
  });
});
