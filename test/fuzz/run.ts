import { spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProgress } from '../../dev/stack/context.ts';
import { type StackDescription, startStack } from '../../dev/stack/stack.ts';
import type { PartnerId } from '../../src/domain/ids.ts';
import { hashOfKey, issueKey } from '../../src/identity/secrets.ts';
import { addKey } from '../../src/postgres/api-keys.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { savePartner } from '../../src/postgres/providers.ts';
import { logInAt } from '../identity/eid-visitor.ts';
import { BY_BOTH, newCase } from '../support/new-case.ts';

/**
 * Fuzzes the whole API from outside, by its own description: `npm run fuzz`, or `npm run fuzz -- --max-time 600` and
 * whatever else `schemathesis run --help` knows. Needs Python 3; schemathesis is installed into our cache directory.
 *
 * Whatever is answered must be described: no 500 that says that a fault is ours, no status, header or field beyond.
 */
const VERSION = '4.32.5';
const KEYS = 40;
const CASES = 20;
/** One for most calls, the others to be logged out. */
const TOKENS = 40;

const python = await installed();
const directory = await mkdtemp(join(tmpdir(), 'treatment-booking-fuzz-'));
const stack = await startStack({
  directory,
  defaultPorts: false,
  progress: createProgress((text) => process.stdout.write(text)),
  onEnded: (name, why) => console.error(`the ${name} ended: ${why}`),
  // each call says with X-Forwarded-For who it is
  apiSettings: { TRUST_PROXY: '1' },
});
try {
  process.exitCode = await fuzz(stack.description);
} finally {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
}

async function fuzz(described: StackDescription): Promise<number> {
  const { api, web } = described;
  const keys = await manyKeys(described);
  const headers = { 'X-API-Key': keys[0] ?? '', 'Content-Type': 'application/json' };
  const post = async <T>(path: string, body: unknown, more: Record<string, string> = headers): Promise<T> =>
    (await fetch(api + path, { method: 'POST', headers: more, body: JSON.stringify(body) })).json() as T;
  const caseIds: string[] = [];
  for (let i = 0; i < CASES; i += 1)
    caseIds.push((await post<{ id: string }>('/cases', newCase(BY_BOTH))).id);
  const caseId = caseIds.pop() ?? '';
  const accessTokens: string[] = [];
  for (let i = 0; i < TOKENS; i += 1) {
    const from = { 'Content-Type': 'application/json', 'X-Forwarded-For': `10.0.0.${i}` };
    accessTokens.push(
      (await post<{ accessToken: string }>('/auth/login', described.partnerUser, from)).accessToken,
    );
  }
  const accessToken = accessTokens.pop() ?? '';
  const config = join(directory, 'schemathesis.toml');
  await writeFile(
    config,
    [
      ['apiKey', 'api_key', headers['X-API-Key']],
      ['accessToken', 'bearer', accessToken],
      ['customerSession', 'api_key', await sessionOf(described, caseId)],
    ]
      .map(([scheme, kind, secret]) => `[auth.openapi.${scheme}]\n${kind} = "${secret}"\n`)
      .join(''),
  );
  const given = {
    ...{ keys, accessToken, accessTokens, caseIds, caseId },
    ...{ origin: web, user: described.partnerUser },
  };
  return run(join(python, 'schemathesis'), ['--config-file', config, ...argumentsFor(api)], {
    SCHEMATHESIS_HOOKS: fileURLToPath(new URL('hooks.py', import.meta.url)),
    FUZZ: JSON.stringify(given),
  });
}

function argumentsFor(api: string): string[] {
  // by the specification, a wrong method is 404, and a conflict 400: hooks.py tells which 400 is a fault
  const excluded = '--exclude-checks=unsupported_method,allow_header_conformance,positive_data_acceptance';
  const own = ['--checks=all', excluded, '--workers=2', '--request-timeout=30', '--continue-on-failure'];
  return ['run', `${api}/openapi.json`, ...own, ...process.argv.slice(2)];
}

async function manyKeys({ databaseUrl }: StackDescription): Promise<string[]> {
  const database = await openDatabase(databaseUrl);
  const keys = Array.from({ length: KEYS }, () => issueKey('test'));
  const partnerId = 'fuzz' as PartnerId;
  await savePartner(database, { id: partnerId, name: 'Fuzz' });
  for (const key of keys) await addKey(database, { partnerId, name: 'fuzz', keyHash: hashOfKey(key) });
  await database.end();
  return keys;
}

/** What is in the session's cookie of the case's customer. */
async function sessionOf({ api, web }: StackDescription, caseId: string): Promise<string> {
  const begun = await fetch(`${api}/booking/${caseId}/login`, { method: 'POST' });
  const { authorizationUrl } = (await begun.json()) as { authorizationUrl: string };
  const person = { givenName: 'Kari', familyName: 'Nordmann', birthDate: '1985-03-02' };
  const callback = await logInAt(authorizationUrl, `${web}/eid/callback`, person);
  const arrived = await fetch(callback, { redirect: 'manual', headers: { Cookie: cookiesOf(begun) } });
  return /^[^=]*=(.*)$/.exec(cookiesOf(arrived).split('; ')[0] ?? '')?.[1] ?? '';
}

function cookiesOf({ headers }: Response): string {
  const lines = headers.getSetCookie();
  return lines.map((line) => line.split(';')[0]).join('; ');
}

/** @returns the directory of schemathesis' commands */
async function installed(): Promise<string> {
  const environment = join(homedir(), '.cache', 'treatment-booking', `schemathesis-${VERSION}`);
  const commands = join(environment, 'bin');
  const isThere = await access(join(commands, 'schemathesis')).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    await mkdir(join(environment, '..'), { recursive: true });
    console.log(`Installing schemathesis ${VERSION} (once).`);
    const code =
      (await run('python3', ['-m', 'venv', environment])) ||
      (await run(join(commands, 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]));
    if (code !== 0) throw new Error('schemathesis could not be installed: it needs Python 3 with venv');
  }
  return commands;
}

function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
      .on('error', reject)
      .on('exit', (code) => resolve(code ?? 1));
  });
}
