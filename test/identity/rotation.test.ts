import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter } from '@temporalio/common';
import twilio from 'twilio';
import { type RunningClinic, startClinic } from '../../dev/fhir-clinic/clinic.ts';
import { seedDatabase } from '../../dev/stack/seed.ts';
import { masterKeys } from '../../src/config/settings.ts';
import type { CaseId, ProviderId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { createSlotTokens } from '../../src/http/booking/slot-tokens.ts';
import { createSeal } from '../../src/identity/cookies.ts';
import { createSignatureCheck } from '../../src/messaging/twilio-reports.ts';
import { createFormTokens } from '../../src/pages/forms.ts';
import { localMasterKeys, type MasterKey } from '../../src/postgres/sealing.ts';
import { createPayloadCodec } from '../../src/temporal/payload-codec.ts';
import { operatorOf } from '../operator/command.ts';
import { type CaseBody, createCaller } from '../support/caller.ts';
import { type Availability, customerWith, KARI } from '../support/customer.ts';
import { MASTER_KEYS } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { newCase } from '../support/new-case.ts';
import { startService, type TestService } from '../support/service.ts';
import { PAYLOAD_KEYS, TWILIO } from '../support/service-settings.ts';
import { logInAt } from './eid-visitor.ts';

type Secrets = readonly [string, ...string[]];

const OLD = 'the secret that is replaced, of some length';
const NEW = 'the secret that replaces it, of some length';
/** As docs/operations/rotation.md has them. */
const SECOND_TOKEN = 'the secondary token of the account';
const STEPS: readonly Secrets[] = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]];
const CASE = '0195f0d2-0000-7000-8000-000000000001' as CaseId;
const SLOT = {
  providerId: 'nordlys' as ProviderId,
  slot: 'Slot/1',
  practitionerId: 'p1',
  start: instant(Date.parse('2026-03-03T10:00:00Z')),
  end: instant(Date.parse('2026-03-03T11:00:00Z')),
  mode: 'in_person',
  details: { town: 'Oslo' },
} as const;

const keysOf = (secrets: Secrets) =>
  secrets.map((text) => ({ id: text, key: createHash('sha256').update(text).digest() })) as [
    MasterKey,
    ...MasterKey[],
  ];
const isGood = (reading: Promise<unknown>) =>
  reading.then(
    () => true,
    () => false,
  );

/** Whether one process takes what another has made: session, form, slot id, a case's key, and what Temporal keeps. */
async function takes(reader: Secrets, maker: Secrets): Promise<boolean[]> {
  const sealOf = (secrets: Secrets) => createSeal<string>({ secrets, purpose: 'session', maxAgeSeconds: 60 });
  const formsOf = (secrets: Secrets) => createFormTokens({ secrets, secure: false });
  const { token, setCookie } = formsOf(maker).forBrowser(undefined);
  const masterOf = (secrets: Secrets) => localMasterKeys(keysOf(secrets));
  const codecOf = (secrets: Secrets) => createPayloadCodec(keysOf(secrets));
  const wrapped = await masterOf(maker).wrap(randomBytes(32), CASE);
  const payloads = await codecOf(maker).encode([defaultPayloadConverter.toPayload('a state')]);
  return [
    (await sealOf(reader).unseal(await sealOf(maker).seal('kari'))) === 'kari',
    formsOf(reader).isValid(setCookie?.split(';')[0], token),
    createSlotTokens(reader).read(CASE, createSlotTokens(maker).issue(CASE, SLOT)) !== null,
    await isGood(masterOf(reader).unwrap(wrapped, CASE)),
    await isGood(codecOf(reader).decode(payloads)),
  ];
}

describe('replacing a secret that is a list while two processes answer', () => {
  it.each(STEPS.slice(1).map((after, i) => [STEPS[i] as Secrets, after] as const))(
    'from %j to %j, each takes all that the other makes',
    async (before, after) => {
      expect(await takes(before, after)).not.toContain(false);
      expect(await takes(after, before)).not.toContain(false);
    },
  );

  it('is why the new one is not first at once: who is restarted last would refuse it', async () => {
    expect(await takes([OLD], [NEW, OLD])).not.toContain(true);
  });
});

describe("replacing Twilio's token", () => {
  it('takes reports that are signed with the one or the other, and with no third', () => {
    const url = 'https://booking.example/callbacks/twilio/status?message=a';
    const fields = { MessageStatus: 'delivered' };
    const isFromTwilio = createSignatureCheck(['secondary', 'primary']);
    const takes = (token: string) =>
      isFromTwilio(twilio.getExpectedTwilioSignature(token, url, fields), url, fields);
    expect(['primary', 'secondary', 'third'].map(takes)).toEqual([true, true, false]);
  });
});

describe('replacing the secrets of two APIs under traffic', () => {
  /** Its processes' keys change, so nobody shares it. */
  const service = {} as TestService;
  const { call } = operatorOf(() => service);
  const PEOPLE = [
    { givenName: 'Ravn', familyName: 'Nybakk', birthDate: '1971-04-05' },
    { givenName: 'Tiril', familyName: 'Nybakk', birthDate: '1982-06-07' },
  ];
  const TOKEN_FILE = 'PROVIDER_ROTATION_TOKEN_FILE';

  let directory: string;
  let clinic: RunningClinic;
  /** What the clinic takes us by. */
  const tokens = new Set(['its-first-token']);
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'treatment-booking-rotation-'));
    process.env[TOKEN_FILE] = join(directory, 'token');
    await saveToken('its-first-token');
    clinic = await startClinic({
      ...{ profile: 'nordlys', weeks: 4 },
      guard: (request, response, next) => {
        const [, token = ''] = /^Bearer (.+)$/.exec(request.get('authorization') ?? '') ?? [];
        if (tokens.has(token)) next();
        else response.status(401).end();
      },
    });
    Object.assign(service, await startService({ eid: true, worker: 'later' }));
    const connection = { auth: 'bearer', tokenVariable: 'PROVIDER_ROTATION_TOKEN' } as const;
    // in place of the one that the service has where a suite names none
    const provider = { id: 'nowhere', name: clinic.name, baseUrl: clinic.fhirUrl, connection };
    await seedDatabase(service.database, { partners: [], providers: [provider] });
  });
  afterAll(async () => {
    await service.stop();
    await clinic.close();
    Reflect.deleteProperty(process.env, TOKEN_FILE);
    await rm(directory, { recursive: true });
  });
  const saveToken = (token: string) => writeFile(process.env[TOKEN_FILE] ?? '', `${token}\n`);

  const apis: string[] = [];
  /** Whichever of its two tokens is the account's primary one. */
  let twilioToken = TWILIO.authToken;
  let sent = 0;
  const taken = new Set<string>();
  const faults: unknown[] = [];
  const expectStatus = (
    wanted: number,
    what: string,
    reply: { readonly status: number; readonly body?: unknown },
  ) => {
    if (reply.status !== wanted) faults.push([what, reply.status, JSON.stringify(reply.body)]);
  };
  const at = (url: string, caseId: string, cookie: string) =>
    customerWith({ ...service, apiUrl: `${url}/api/v1` }, caseId, cookie);
  const partnerAt = (url: string) => createCaller(`${url}/api/v1`, { 'X-API-Key': service.partnerKey });
  const cookiesOf = (headers: Headers) =>
    headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');

  async function logIn(caseId: string, person: (typeof PEOPLE)[number], next: () => string): Promise<string> {
    const begun = await createCaller(`${next()}/api/v1`).post<{ authorizationUrl: string }>(
      `/booking/${caseId}/login`,
    );
    expectStatus(200, 'login', begun);
    const { pathname, search } = await logInAt(
      begun.body.authorizationUrl,
      `${service.url}/eid/callback`,
      person,
    );
    const arrived = await createCaller(next()).get(pathname + search, { Cookie: cookiesOf(begun.headers) });
    expectStatus(303, 'callback', arrived);
    return cookiesOf(arrived.headers);
  }

  /** As Twilio tells what became of a message, at whichever API. */
  async function report(caseId: string, api: string): Promise<void> {
    const path = `/callbacks/twilio/status?message=${encodeURIComponent(`${caseId}:invitation:email:1`)}`;
    const fields = { MessageSid: 'SM1', MessageStatus: 'delivered' };
    const signature = twilio.getExpectedTwilioSignature(twilioToken, `${service.url}${path}`, fields);
    const { status } = await fetch(`${api}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'X-Twilio-Signature': signature },
    });
    expectStatus(204, 'report', { status });
  }

  /** A time that nobody was given, at a clinic that lets us in. */
  async function timeAt(api: string, caseId: string, cookie: string): Promise<string> {
    const offered = await at(api, caseId, cookie).get<Availability>('/availability');
    expectStatus(200, 'times', offered);
    const { slots, providers } = offered.body;
    if (providers.some(({ state }) => state !== 'live')) faults.push(['refused by the clinic', providers]);
    const slot = slots.find((one) => !taken.has(`${one.practitioner} ${one.start}`));
    taken.add(`${slot?.practitioner} ${slot?.start}`);
    return slot?.slotId ?? '';
  }

  interface Lived {
    /** The case that they began with. */
    readonly id: string;
    /** Of their last login. */
    readonly cookie: string;
  }

  /** A case from its beginning to its appointment, each call at another process than the one before; one begins here, one there. */
  async function live(i: number, first: Lived | null): Promise<Lived> {
    const person = PEOPLE[i] ?? KARI;
    let turn = i;
    const next = () => apis[(turn += 1) % apis.length] ?? '';
    const names = { patientFirstName: person.givenName, patientLastName: person.familyName };
    const reference = `rotation-${(sent += 1)}`;
    const asked = newCase({ ...names, partnerCaseId: reference });
    const key = { 'Idempotency-Key': reference };
    const created = await partnerAt(next()).post<CaseBody>('/cases', asked, key);
    expectStatus(201, 'create', created);
    const repeated = await partnerAt(next()).post<CaseBody>('/cases', asked, key);
    if (repeated.body.id !== created.body.id) faults.push(['repeated', repeated.status]);
    const { id } = created.body;
    const cookie = await logIn(id, person, next);
    const slotId = await timeAt(next(), id, cookie);
    expectStatus(200, 'confirm', await at(next(), id, cookie).confirm({ slotId }));
    const page = await fetch(`${next()}/b/${id}`, { headers: { Cookie: cookie }, redirect: 'manual' });
    expectStatus(200, 'page', { status: page.status, body: await page.text() });
    await report(id, next());
    // the case that they began with is theirs as ever, and their partner's to read
    const mine = first?.id ?? id;
    const { body } = await at(next(), mine, cookie).get<{ authenticated: boolean }>('');
    if (!body.authenticated) faults.push(['not theirs any more', body]);
    const read = await partnerAt(next()).get<CaseBody>(`/cases/${mine}`);
    expectStatus(200, 'read', read);
    if (read.body.patientFirstName !== person.givenName) faults.push(['not read', read.body]);
    expectStatus(200, 'list', await partnerAt(next()).get('/cases?limit=5'));
    return { id: mine, cookie };
  }

  const FIRST = masterKeys.parse(MASTER_KEYS)[0];
  const SECOND = { id: 'second', key: randomBytes(32) };
  const PAYLOADS = [...PAYLOAD_KEYS, { id: 'second', key: randomBytes(32) }];
  const textOf = (...keys: readonly { readonly id: string; readonly key: Buffer | string }[]) =>
    keys.map(({ id, key }) => `${id}:${Buffer.from(key).toString('base64')}`).join(',');
  let lived: readonly (Lived | null)[];

  it('fails no request, and the old ones are in use no more', async () => {
    const { SESSION_SECRETS: old } = service.environment.api;
    const [, identity] = service.environment.api.IDENTITY_SECRETS.split(':');
    const [first, second] = [
      { id: 'first', secret: identity ?? '' },
      { id: 'rotation', secret: `${NEW} for people` },
    ];
    /** Before them, all of the first. What Temporal keeps of open cases needs its old key: that has no third step here. */
    const steps = [
      {
        ...{ SESSION_SECRETS: [old, NEW], IDENTITY_SECRETS: [first, second] },
        ...{ MASTER_KEYS: [FIRST, SECOND], TEMPORAL_PAYLOAD_KEYS: PAYLOADS },
        TWILIO_AUTH_TOKEN: [TWILIO.authToken, SECOND_TOKEN],
      },
      {
        ...{ SESSION_SECRETS: [NEW, old], IDENTITY_SECRETS: [second, first] },
        ...{ MASTER_KEYS: [SECOND, FIRST], TEMPORAL_PAYLOAD_KEYS: PAYLOADS.toReversed() },
        TWILIO_AUTH_TOKEN: [SECOND_TOKEN, TWILIO.authToken],
      },
      {
        ...{ SESSION_SECRETS: [NEW], IDENTITY_SECRETS: [second], TWILIO_AUTH_TOKEN: [SECOND_TOKEN] },
        ...{ MASTER_KEYS: [SECOND], TEMPORAL_PAYLOAD_KEYS: PAYLOADS.toReversed() },
      },
    ] as const;
    const operators = { settings: { MASTER_KEYS: textOf(SECOND, FIRST) } };
    apis.push(await service.again({}), await service.again({}));
    let worker = await service.work();

    const lives = PEOPLE.map(() => 0);
    const firsts: (Lived | null)[] = PEOPLE.map(() => null);
    let isOver = false;
    const traffic = PEOPLE.map(async (_, i) => {
      while (!isOver && faults.length === 0) {
        firsts[i] = await live(i, firsts[i] ?? null).catch((error: unknown) => {
          faults.push(error);
          return null;
        });
        lives[i] = (lives[i] ?? 0) + 1;
      }
    });
    const oneLifeMore = async () => {
      const before = [...lives];
      await eventually(() => lives.every((count, i) => count > (before[i] ?? 0)) || faults.length > 0, {
        what: 'a life more of everybody',
      });
    };
    await oneLifeMore();
    for (const [step, settings] of steps.entries()) {
      const before = worker;
      worker = await service.work({ settings: () => settings as never });
      await before.stop();
      for (const i of apis.keys()) {
        apis[i] = await service.again({ settings: () => settings as never });
        await oneLifeMore();
      }
      // every API takes it by now
      twilioToken = SECOND_TOKEN;
      // all processes wrap by the new one
      if (step === 1) expectStatus(200, 'rewrap', await call('person rewrap-keys', {}, operators));
    }

    // a clinic that takes both for a while; the file is replaced meanwhile, and no process of ours is restarted
    tokens.add('its-second-token');
    await saveToken('its-second-token');
    await oneLifeMore();
    tokens.delete('its-first-token');
    await oneLifeMore();
    isOver = true;
    await Promise.all(traffic);
    expect(faults).toEqual([]);
    lived = firsts;

    const { body } = await call('person keys', {}, operators);
    const { data } = body.result as { data: { setting: string; id: string; uses: number }[] };
    const usesOf = (setting: string) =>
      data.filter((one) => one.setting === setting && one.uses > 0).map(({ id, uses }) => [id, uses]);
    expect(usesOf('IDENTITY_SECRETS')).toEqual([[second.id, PEOPLE.length]]);
    expect(usesOf('MASTER_KEYS')).toEqual([[SECOND.id, sent + 1]]);
  });

  it('fails what is read of a case whose key was wrapped by a master key that not everybody has, until all have it', async () => {
    const third = { id: 'third', key: randomBytes(32) };
    const withKeys = (...keys: readonly object[]) =>
      service.again({ settings: () => ({ MASTER_KEYS: keys as never }) });
    const hasty = await withKeys(third, SECOND);
    const created = await partnerAt(hasty).post<CaseBody>('/cases', newCase());
    expect(created.status).toBe(201);
    const readAt = async (api: string) => (await partnerAt(api).get(`/cases/${created.body.id}`)).status;
    expect(await readAt(apis[0] ?? '')).toBe(500);
    expect(await readAt(await withKeys(SECOND, third))).toBe(200);
  });

  it('fails what is asked of a clinic that gives up the old token first, until the file has the new one', async () => {
    const [first] = lived;
    const states = async () => {
      const { providers } = await at(apis[0] ?? '', first?.id ?? '', first?.cookie ?? '').slots();
      return providers.map(({ state }) => state);
    };
    tokens.clear();
    tokens.add('its-third-token');
    expect(await states()).toEqual(['unavailable']);
    await saveToken('its-third-token');
    expect(await states()).toEqual(['live']);
  });
});
