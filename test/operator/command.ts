import { PassThrough, Writable } from 'node:stream';
import { afterAll, expect } from '@jest/globals';
import { pino } from 'pino';
import { asRole } from '../../dev/postgres/server.ts';
import { operatorApiSettings, readSettings } from '../../src/config/settings.ts';
import { type Actor, Denied, ROLES } from '../../src/identity/operators/actor.ts';
import { composeOperatorApi, type OperatorApiOptions } from '../../src/main/compose-operator-api.ts';
import { OUTPUTS } from '../../src/operator/api/outputs.ts';
import { runOperator } from '../../src/operator/command-line/program.ts';
import { DESCRIPTIONS, type OperationName } from '../../src/operator/descriptions/index.ts';
import { LOGIN_SETTINGS } from './login-settings.ts';
import { runningServers } from '../support/running-servers.ts';
import type { TestService } from '../support/service.ts';

export interface Ended {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Nothing is in an answer that the API's description does not have. */
function expectDescribed(name: string, result: unknown): void {
  expect(OUTPUTS[name as OperationName].parse(result)).toEqual(result);
}

/** What the operator API answered. */
interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

export interface Circumstances {
  /** What a person at a terminal types, a line for each question; without it there is nobody to ask. */
  readonly typed?: readonly string[];
  /** How wide the terminal is; without it standard output is a file. */
  readonly columns?: number;
  /** Settings that are other than the service's. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly now?: () => Date;
  /** How long a reply is waited for, in milliseconds. */
  readonly timeout?: number;
  /** Who is logged in; `ola` with all roles when left out, null for nobody. */
  readonly as?: Actor | null;
}

/** Somebody with these roles. */
export const actor = (name: string, roles: Actor['roles'] = ROLES): Actor => ({
  ...{ subject: `subject-of-${name}`, name, roles, via: 'token' },
});

/** In place of a login: a token that says who it is, read as the login of src/identity/operators reads one. */
export const tokenOf = (who: Actor): string => Buffer.from(JSON.stringify(who)).toString('base64url');
const authenticate = async (authorization: string | undefined): Promise<Actor> => {
  const [, token] = /^Bearer (.+)$/.exec(authorization ?? '') ?? [];
  if (token === undefined) throw new Denied('LOGIN_REQUIRED');
  return JSON.parse(Buffer.from(token, 'base64url').toString()) as Actor;
};

type Always = Pick<OperatorApiOptions, 'recheckAfter'>;
type Servers = Pick<TestService, 'url' | 'databaseUrl' | 'taskQueue'> &
  Partial<Pick<TestService, 'environment'>>;

/** The operator API of a suite, and commands given to it; the API ends with the suite. */
export function operatorOf(service: () => Servers, always: Always = {}) {
  const operator = startableOperator(service, always);
  afterAll(() => operator.stop());
  return operator;
}

/** The operator API, started with the first command, and its command line in this process. */
export function startableOperator(service: () => Servers, always: Always = {}) {
  /** By what is other than usual. */
  const apis = new Map<string, ReturnType<typeof composeOperatorApi>>();
  const clocks: (() => Date)[] = [];
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });

  const api = async ({ settings = {}, now, timeout }: Circumstances = {}): Promise<string> => {
    if (now && !clocks.includes(now)) clocks.push(now);
    const key = JSON.stringify([settings, now && clocks.indexOf(now), timeout]);
    const { url, databaseUrl, taskQueue, environment } = service();
    const starting =
      apis.get(key) ??
      composeOperatorApi(
        readSettings(operatorApiSettings, {
          ...LOGIN_SETTINGS,
          OPERATOR_DATABASE_URL: asRole(databaseUrl, 'booking_operator'),
          TEMPORAL_ADDRESS: runningServers().temporalAddress,
          TEMPORAL_PAYLOAD_KEYS: environment?.api.TEMPORAL_PAYLOAD_KEYS,
          ENVIRONMENT: 'test',
          PUBLIC_URL: url,
          OPERATOR_API_PORT: '0',
          METRICS_PORT: '0',
          ...settings,
        }),
        {
          ...{ log, authenticate, taskQueue, ...always },
          ...(timeout === undefined ? {} : { timeout }),
          ...(now ? { now } : {}),
        },
      );
    apis.set(key, starting);
    return `http://127.0.0.1:${(await starting).port}`;
  };
  const stop = async () => {
    const running = await Promise.all(apis.values());
    apis.clear();
    await Promise.all(running.map((one) => one.stop()));
  };

  const run = async (argv: readonly string[], circumstances: Circumstances): Promise<Ended> => {
    const { typed, columns, as = actor('ola') } = circumstances;
    const written = { out: '', err: '' };
    const questions = [...(typed ?? [])];
    const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
    const sink = (name: 'out' | 'err', onText: (text: string) => void = () => undefined) =>
      new Writable({
        decodeStrings: false,
        write(text: string, _encoding, done) {
          written[name] += text;
          onText(text);
          done();
        },
      });
    const stderr = sink('err', (text) => {
      if (!text.endsWith(': ')) return;
      const line = questions.shift();
      if (line === undefined) stdin.end();
      else stdin.write(`${line}\n`);
    });
    const stdout = Object.assign(sink('out'), columns === undefined ? {} : { isTTY: true, columns });
    const url = await api(circumstances);
    const exit = await runOperator(argv, {
      streams: { stdin, stdout, stderr },
      connect: () => ({ url, authorization: async () => as && `Bearer ${tokenOf(as)}` }),
    });
    return { exit, ...written };
  };

  /** Calls the operator API itself. */
  const post = async (name: string, input: unknown, circumstances: Circumstances): Promise<Answered> => {
    const { as = actor('ola') } = circumstances;
    const response = await fetch(`${await api(circumstances)}/operator/v1/${name.replace(' ', '/')}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(as && { authorization: `Bearer ${tokenOf(as)}` }),
      },
      body: JSON.stringify(input),
    });
    const body: any = await response.json();
    if (response.status === 200) expectDescribed(name, body.result);
    return { status: response.status, headers: response.headers, body };
  };

  const verbs = (usual: Circumstances) => {
    const command = (argv: readonly string[], circumstances: Circumstances = {}) =>
      run(argv, { ...usual, ...circumstances });

    /** As somebody types it, a word for each blank; it must be done. @returns what it prints */
    const done = async (words: string, ...more: readonly string[]): Promise<string> => {
      const { exit, out, err } = await command([...words.split(' '), ...more]);
      if (exit !== 0) throw new Error(`${words} ended with ${exit}: ${err}${out}`);
      return out;
    };

    /** It must be refused. @returns how and why */
    const refused = async (
      words: string,
      ...more: readonly string[]
    ): Promise<[exit: number, why: string]> => {
      const { exit, out, err } = await command([...words.split(' '), ...more]);
      if (exit === 0) throw new Error(`${words} was done: ${out}`);
      return [exit, err];
    };

    /** It must be refused, with this status and these words. @returns all that it says */
    const refuses = async (exit: number, why: string, words: string, ...more: readonly string[]) => {
      const [ended, err] = await refused(words, ...more);
      expect([ended, err]).toEqual([exit, expect.stringContaining(why)]);
      return err;
    };

    /** What it prints with `--json`, whatever it ends with. */
    const json = async <T = any>(words: string, ...more: readonly string[]): Promise<T> => {
      const argv = [...words.split(' '), ...more];
      const { exit, out } = await command([...argv, '--json']);
      const result: unknown = JSON.parse(out);
      const name = DESCRIPTIONS.find(
        (one) => one.name === argv.slice(0, one.name.split(' ').length).join(' '),
      );
      if (exit === 0 && name) expectDescribed(name.name, result);
      return result as T;
    };

    /** Calls the operator API itself. */
    const call = (name: string, input: unknown, circumstances: Circumstances = {}) =>
      post(name, input, { ...usual, ...circumstances });

    return { run: command, done, refused, refuses, json, call };
  };

  /** The same for somebody else. */
  const by = (who: Actor | null) => verbs({ as: who });

  return { ...verbs({}), by, url: api, stop, log: lines };
}
