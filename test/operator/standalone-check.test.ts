import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Bundle, Slot } from 'fhir/r4.d.ts';
import { type RunningClinic, startClinic } from '../../dev/fhir-clinic/clinic.ts';
import { runProviderCheck } from '../../src/operator/providers/standalone-check.ts';
import { connectBookingSystem, PROVIDER_KINDS } from '../../src/providers/connect.ts';
import { eventually } from '../support/eventually.ts';

const SCRIPT = fileURLToPath(new URL('../../src/main/provider-check.ts', import.meta.url));
const TOKEN = 'a-token-of-the-tests';

describe('npm run provider:check', () => {
  let clinic: RunningClinic;
  let guarded: RunningClinic;
  let elsewhere: Server;
  let answer: Answer = { status: 404, type: 'text/plain', body: '' };
  beforeAll(async () => {
    clinic = await startClinic({ profile: 'fjordklinikken', weeks: 2 });
    guarded = await startClinic({ profile: 'nordlys', weeks: 2, bearerToken: TOKEN });
    elsewhere = createServer((_, response) =>
      response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body),
    );
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => fetch(`${clinic.url}/_faults`, { method: 'DELETE' }));
  afterAll(async () => {
    elsewhere.close();
    await Promise.all([clinic.close(), guarded.close()]);
  });

  const at = () => ['--url', clinic.fhirUrl];
  const other = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  const fault = async (body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const added = await fetch(`${clinic.url}/_faults`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (added.status !== 201) throw new Error(await added.text());
  };
  const get = async <T>(path: string) => (await (await fetch(`${clinic.fhirUrl}/${path}`)).json()) as T;
  const put = (slot: Slot) =>
    fetch(`${clinic.fhirUrl}/Slot/${slot.id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/fhir+json' },
      body: JSON.stringify(slot),
    });
  const there = async (search: string) => (await get<Bundle>(search)).entry?.length ?? 0;
  const firstSlot = async () => {
    const found = await get<Bundle<Slot>>('Slot?service-type=psychology&_count=1');
    const slot = found.entry?.[0]?.resource;
    if (!slot?.id) throw new Error('no slot');
    return { ...slot, id: slot.id };
  };

  describe('0: it does all that was tried', () => {
    it('changes nothing unless it is allowed to, and says so', async () => {
      const { exit, out, err } = await check(at());
      expect(exit).toBe(0);
      expect(out).toMatch(/FHIR R4 +yes/);
      expect(out).toMatch(/passed +\d+ ms +finds free times/);
      expect(out).toMatch(
        /psychology: (\d+) free times in the next 14 days, their service said \1 on the slot/,
      );
      expect(out).toMatch(/Not shown +\d+ free times of the service "physiotherapy"/);
      expect(out).not.toContain('holds a free time');
      expect(out).toContain('Nothing was changed there');
      expect(err).toContain('nothing is changed there');
      expect(await there('Patient')).toBe(0);
    });

    it('holds and releases with --write, and books nothing', async () => {
      const { exit, out } = await check([...at(), '--write']);
      expect(exit).toBe(0);
      expect(out).toContain('holds a free time');
      expect(out).not.toContain('makes an appointment');
      expect(await there('Slot?status=busy-tentative,busy')).toBe(0);
      expect(await there('Appointment')).toBe(0);
    });

    it('books and cancels with --book, for one patient who is none, on the time that was named', async () => {
      const { id } = await firstSlot();
      const { exit, out } = await check([...at(), '--write', '--book', '--slot', id, '--json']);
      expect(exit).toBe(0);
      const report = JSON.parse(out);
      expect(report).toMatchObject({
        verdict: 'passed',
        upTo: 'booking',
        triedOn: [{ slot: id }],
        leftBehind: [],
      });
      expect(report.tried.every((one: any) => one.outcome === 'passed' && one.reason === null)).toBe(true);
      expect(await there('Appointment?status=booked')).toBe(0);
      expect(await there('Slot?status=busy-tentative,busy')).toBe(0);
      expect(await there('Patient')).toBe(1);
    });

    it('takes the secret from the variable that is named, and shows it nowhere', async () => {
      const argv = ['--url', guarded.fhirUrl, '--token-variable', 'PROVIDER_CLINIC_TOKEN'];
      const { exit, out, err } = await check(argv, { env: { PROVIDER_CLINIC_TOKEN: TOKEN } });
      expect(exit).toBe(0);
      expect(out + err).not.toContain(TOKEN);
    });
  });

  describe('1: something failed, or could not be tried', () => {
    it.each([
      ['HTML', { status: 200, type: 'text/html', body: '<!doctype html><title>x</title>' }, 'HTML'],
      [
        'another JSON',
        { status: 200, type: 'application/json', body: '{"ok":true}' },
        'not a FHIR R4 server',
      ],
      ['nothing there', { status: 404, type: 'text/plain', body: '' }, 'HTTP 404'],
    ])('where there is no FHIR server: %s', async (_, instead, why) => {
      answer = instead;
      const { exit, out } = await check(['--url', other()]);
      expect([exit, out]).toEqual([1, expect.stringContaining(why)]);
      expect(out).toContain('the address is the base below which /metadata and /Slot lie');
      expect(out).not.toMatch(/passed +\d+ ms +finds free times/);
    });

    it.each([
      ['that is away', { effect: 'answer', status: 503 }, 'HTTP 503', 'The fault is at their end'],
      ['that limits us', { effect: 'answer', status: 429 }, 'HTTP 429', 'It limits the rate'],
      ['that sends us elsewhere', { effect: 'answer', status: 302 }, 'HTTP 302', 'It redirects'],
      ['that breaks off', { effect: 'drop' }, 'no answer', 'Nothing answers there'],
      ['that takes too long', { effect: 'delay', delayMs: 20_000 }, 'timed out', 'It takes too long'],
    ])('at a server %s', async (_, one, why, todo) => {
      await fault({ ...one, times: null });
      const { exit, out } = await check(at());
      expect([exit, out]).toEqual([1, expect.stringContaining(why)]);
      expect(out).toContain(todo);
    });

    it('without the credential that it asks for', async () => {
      const { exit, out } = await check(['--url', guarded.fhirUrl]);
      expect([exit, out]).toEqual([1, expect.stringContaining('It does not accept our credential')]);
    });

    it('where the token endpoint refuses', async () => {
      answer = { status: 401, type: 'application/json', body: '{"error":"invalid_client"}' };
      const { exit, out } = await check(
        [
          ...['--url', guarded.fhirUrl, '--auth', 'client_credentials', '--token-url', `${other()}/token`],
          ...['--client-id', 'us', '--secret-variable', 'PROVIDER_CLINIC_SECRET'],
        ],
        { env: { PROVIDER_CLINIC_SECRET: 'wrong-secret' } },
      );
      expect([exit, out]).toEqual([1, expect.stringContaining('token endpoint rejected the client')]);
      expect(out).toContain('is unknown there');
      expect(out).not.toContain('wrong-secret');
    });

    it('where there is no free time to try it on', async () => {
      const { exit, out } = await check([...at(), '--treatment', 'chiropractic', '--write']);
      expect(exit).toBe(1);
      expect(out).toContain('17 more could not be tried: no free time of "chiropractic" in the next 14 days');
      expect(out).toContain('too little could be tried');
    });

    it('counts the entries that could not be read', async () => {
      const slot = await firstSlot();
      const set = { end: '2026-01-01T25:00:00Z' };
      await fault({ effect: 'meanwhile', reference: `Slot/${slot.id}`, set });
      const { exit, out } = await check([...at(), '--json']);
      await put(slot);
      expect(exit).toBe(0);
      expect(JSON.parse(out)).toMatchObject({
        leftOut: [{ type: 'Slot', fault: 'malformed', count: 1 }],
      });
    });

    it('counts the free times of which nobody says what they are for, until it is told', async () => {
      const slot = await firstSlot();
      // the slot would say it, then its schedule, then the service that the schedule names
      const said = [
        [`Slot/${slot.id}`, 'serviceType'],
        [slot.schedule.reference, 'serviceType'],
        ['HealthcareService/psychology', 'type'],
      ] as const;
      for (const [reference, element] of said) {
        await fault({ effect: 'meanwhile', reference, set: { [element]: null } });
        await get('Slot?_count=1');
      }
      const unnamed = JSON.parse((await check([...at(), '--json'])).out);
      expect(unnamed.unseen).toMatchObject({ unnamed: 1 });
      const named = JSON.parse((await check([...at(), '--unnamed-service', 'psychology', '--json'])).out);
      expect(named).toMatchObject({ unseen: { unnamed: 0 }, free: [{ saidBy: { nobody: 1 } }] });
      expect(Number(named.free[0].free)).toBe(Number(unnamed.free[0].free) + 1);
    });

    it('names what it could not take back', async () => {
      // the first write is the hold; all that come after it are refused
      await fault({ effect: 'answer', method: 'PUT', resource: 'Slot', status: 405, after: 1, times: null });
      await fault({ effect: 'answer', method: 'PATCH', resource: 'Slot', status: 405, times: null });
      const { exit, out } = await check([...at(), '--write']);
      expect(exit).toBe(1);
      expect(out).toContain('STILL THERE');
      const left = await get<Bundle<Slot>>('Slot?status=busy-tentative');
      expect(left.entry).toHaveLength(1);
      const { id = '', identifier: _, ...rest } = left.entry?.[0]?.resource ?? ({} as Slot);
      expect(out).toContain(id);
      await fetch(`${clinic.url}/_faults`, { method: 'DELETE' });
      await put({ ...rest, id, status: 'free' });
    });
  });

  describe('2: called wrongly', () => {
    it.each([
      [[], "required option '--url <address>' not specified"],
      [['--url', 'clinic.example'], 'must be an http:// or https:// address'],
      [['--url', 'http://x.example', '--book'], '--book goes with --write'],
      [['--url', 'http://x.example', '--slot', '1'], '--slot goes with --write'],
      [['--url', 'http://x.example', '--token-variable', 'eyJhb.x'], 'NAME of an environment variable'],
      [['--url', 'http://x.example', '--token-variable', 'PROVIDER_NOT_SET'], 'PROVIDER_NOT_SET is not set'],
      [['--url', 'http://x.example', '--auth', 'basic'], '--auth basic needs --username'],
      [['--url', 'http://x.example', '--kind', 'gopher'], 'fhir'],
    ])('%j', async (argv, why) => {
      const { exit, out, err } = await check(argv);
      expect([exit, out, err]).toEqual([2, '', expect.stringContaining(why)]);
    });

    it('explains itself, and fails as JSON where that was asked for', async () => {
      const { exit: helped, out: help } = await start(['--help']).ended;
      expect([helped, help]).toEqual([0, expect.stringContaining('Examples:')]);
      const { exit, out } = await check(['--json']);
      expect([exit, JSON.parse(out)]).toEqual([
        2,
        { error: expect.objectContaining({ code: 'WRONG_USAGE' }) },
      ]);
    });
  });

  it('takes back what it holds when somebody presses Ctrl-C', async () => {
    await fetch(`${clinic.url}/_faults`, { method: 'DELETE' });
    await fault({ effect: 'delay', delayMs: 600, method: 'PUT', resource: 'Slot', times: null });
    const running = start([...at(), '--write', '--json']);
    await eventually(async () => (await there('Slot?status=busy-tentative&_count=1')) > 0, {
      everyMs: 20,
      withinMs: 40_000,
    });
    running.child.kill('SIGINT');
    const { exit, out, err } = await running.ended;
    expect(exit).toBe(1);
    expect(err).toContain('undoing what was made');
    expect(JSON.parse(out)).toMatchObject({ leftBehind: [] });
    await fetch(`${clinic.url}/_faults`, { method: 'DELETE' });
    expect(await there('Slot?status=busy-tentative')).toBe(0);
  });
});

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** In this process, wired as src/main/provider-check.ts does it. */
async function check(argv: readonly string[], { env = {} }: { env?: Readonly<Record<string, string>> } = {}) {
  const written = { out: '', err: '' };
  const sink = (name: 'out' | 'err') =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        written[name] += text;
        done();
      },
    });
  const secretOf = (variable: string) => env[variable] ?? null;
  const exit = await runProviderCheck(argv, {
    streams: { stdin: new PassThrough(), stdout: sink('out'), stderr: sink('err') },
    kinds: PROVIDER_KINDS,
    connect: (registration, observer) => connectBookingSystem(registration, { secretOf, ...observer }),
    isSet: (variable) => secretOf(variable) !== null,
  });
  return { exit, ...written };
}

/** The process itself. */
function start(argv: readonly string[]) {
  const child = spawn(process.execPath, [SCRIPT, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => (written.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (written.err += text.toString()));
  const ended = new Promise<{ exit: number | null; out: string; err: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, ...written }));
  });
  return { child, ended };
}
