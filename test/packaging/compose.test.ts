import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { IMAGE_ENVIRONMENT } from '../../dev/stack/processes.ts';
import { SEARCH_ATTRIBUTES } from '../../dev/temporal/server.ts';
import {
  apiSettings,
  migrateSettings,
  operatorApiSettings,
  promoteSettings,
  readSettings,
  VARIABLES,
  workerSettings,
} from '../../src/config/settings.ts';
import { UNVERSIONED } from '../../src/domain/ids.ts';

interface Service {
  readonly secrets?: readonly string[];
  readonly networks?: readonly string[];
  readonly profiles?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly read_only?: boolean;
  readonly mem_limit?: string;
  readonly cpus?: number;
  readonly pids_limit?: number;
  readonly image?: string;
  readonly build?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
}

const read = (file: string) => readFile(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');

/** What `.env` has to hold, and no more. */
const REQUIRED = {
  ENVIRONMENT: 'test',
  PUBLIC_URL: 'https://booking.example',
  SUPPORT_EMAIL: 'help@booking.example',
  SUPPORT_PHONE: '+47 21 00 00 00',
  SERVICE_NAME: 'Booking Inc.',
  SERVICE_ORGANISATION_NUMBER: '999 999 999',
  SERVICE_ADDRESS: 'Storgata 1, Oslo',
  EID_ISSUER: 'https://eid.example',
  EID_CLIENT_ID: 'a-client',
  EID_ACR_ACCEPTED: 'high',
  OPERATOR_API_URL: 'https://operators.booking.example',
  OPERATOR_OIDC_ISSUER: 'https://login.booking.example',
  OPERATOR_OIDC_AUDIENCE: 'booking-operators',
  OPERATOR_OIDC_CLIENT_ID: 'booking-back-office',
  OPERATOR_OIDC_CLI_CLIENT_ID: 'booking-command-line',
  MAIL_FROM: 'Booking <no-reply@booking.example>',
  TWILIO_ACCOUNT_SID: 'AC00',
  TWILIO_FROM: '+4759440000',
};

/** What ./secrets has to hold. */
const SECRETS: Readonly<Record<string, string>> = {
  /* secretlint-disable -- of this file only */
  owner_database_url: 'postgresql://booking_owner:an-owners-password@postgres:5432/booking',
  api_database_url: 'postgresql://booking_api:an-apis-password@postgres:5432/booking',
  partner_database_url: 'postgresql://booking_partner:a-partners-password@postgres:5432/booking',
  worker_database_url: 'postgresql://booking_worker:a-workers-password@postgres:5432/booking',
  operator_database_url: 'postgresql://booking_operator:an-operators-password@postgres:5432/booking',
  /* secretlint-enable */
  temporal_payload_keys: `2026-11:${Buffer.alloc(32, 'k').toString('base64')}`,
  operator_session_secrets: 'o'.repeat(32),
  operator_oidc_client_secret: 'an-operators-client-secret',
  postgres_password: 'a-password',
  session_secrets: 's'.repeat(32),
  identity_secrets: `first:${'i'.repeat(32)}`,
  master_keys: `trial:${'A'.repeat(43)}=`,
  eid_client_secret: 'a-client-secret',
  twilio_auth_token: 'a-token',
  smtp_url: 'smtp://mail:1025',
  alert_webhook_secret: '',
  worker_direct_database_url: '',
  policy_registry_token: '',
  otlp_headers: '',
  referral_registry_token: '',
  temporal_postgres_password: 'another-password',
};

/** As much of compose's interpolation as the file uses: `${NAME:?why}` and `${NAME:-default}`. */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+):([?-])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const value = variables[name];
    if (value !== undefined && value !== '') return value;
    if (kind === '?') throw new Error(`${name} is required`);
    return rest;
  });
}

const processes = [
  ['migrate', migrateSettings],
  ['api', apiSettings],
  ['worker', workerSettings],
  ['operator-api', operatorApiSettings],
] as const;
const commands = [['promote', promoteSettings]] as const;

describe('docker-compose.yml', () => {
  let services: Readonly<Record<string, Service>> = {};
  let text = '';
  /** With the contents of files in place of their names. */
  const environmentOf = (name: string) =>
    Object.fromEntries(
      Object.entries(services[name]?.environment ?? {}).map(([key, value]) => {
        if (!key.endsWith('_FILE') || VARIABLES.includes(key)) return [key, value];
        const secret = value.replace('/run/secrets/', '');
        expect(services[name]?.secrets).toContain(secret);
        return [key.replace(/_FILE$/, ''), SECRETS[secret] ?? `no secret ${secret}`];
      }),
    );
  const resolved = (name: string, variables: Readonly<Record<string, string>> = REQUIRED) =>
    Object.fromEntries(
      Object.entries(environmentOf(name)).map(([key, value]) => [key, interpolate(value, variables)]),
    );

  beforeAll(async () => {
    text = await read('docker-compose.yml');
    ({ services } = parse(text, { merge: true }) as { services: Record<string, Service> });
  });

  test.each([...processes, ...commands])(
    'gives %s every variable that it reads, and none that it does not',
    (name, schema) => {
      expect(Object.keys(environmentOf(name)).sort()).toEqual(Object.keys(schema.shape).sort());
    },
  );

  test.each([...processes, ...commands])(
    '%s starts with no more than what is required in .env',
    (name, schema) => {
      expect(() => readSettings(schema, resolved(name))).not.toThrow();
    },
  );

  test.each(processes)('repeats the defaults of %s as the code has them', (name, schema) => {
    const given = resolved(name);
    const fields: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>> =
      schema.shape;
    // a container listens to others, its port is bound outside of it, it has a folder for its socket, and keys
    const own = ['TEMPORAL_PAYLOAD_KEYS', 'OPERATOR_API_HOST', 'OPERATOR_SOCKET', 'METRICS_HOST'];
    const optional = Object.keys(given).filter(
      (key) => !own.includes(key) && fields[key]?.safeParse(undefined).success,
    );
    const bare = Object.fromEntries(Object.entries(given).filter(([key]) => !optional.includes(key)));
    expect(readSettings(schema, given)).toEqual(readSettings(schema, bare));
  });

  test.each([
    ['without a version', REQUIRED, undefined, UNVERSIONED],
    ['with one', { ...REQUIRED, VERSION: '2026-11-21' }, '2026-11-21', '2026-11-21'],
  ])('%s, the version that is promoted is the one that the worker has', (_, variables, own, promoted) => {
    expect(readSettings(workerSettings, resolved('worker', variables)).TEMPORAL_WORKER_BUILD_ID).toBe(own);
    const command = services['promote']?.command?.map((word) => interpolate(word, variables));
    expect(command).toEqual(['node', 'src/main/promote.ts', promoted]);
  });

  test('every secret is a file, and has no value here or in .env', () => {
    const secret = /PASSWORD|SECRET|TOKEN|API_KEY|PWD|SMTP_URL|DATABASE_URL/;
    const values = Object.values(services)
      .flatMap(({ environment = {} }) => Object.entries(environment))
      .filter(([name]) => secret.test(name));
    expect(values.length).toBeGreaterThan(8);
    for (const [name, value] of values)
      expect([name, value]).toEqual([name, expect.stringMatching(/^$|^\/run\/secrets\/\w+$/)]);
    expect(text).not.toMatch(/:\/\/[^\s:/]+:[^$\s]+@/);
  });

  test.each([
    ['temporal', 'POSTGRES_PWD', '/etc/temporal/entrypoint.sh'],
    ['temporal-schema', 'SQL_PASSWORD', 'temporal-sql-tool'],
  ])('%s, which takes no file, reads its own and starts with it', async (name, variable, program) => {
    const directory = await mkdtemp(join(tmpdir(), 'compose-'));
    const stub = join(directory, basename(program));
    await writeFile(stub, `#!/bin/sh\nprintf '%s|' "$${variable}"\n`, { mode: 0o755 });
    await writeFile(join(directory, 'temporal_postgres_password'), "an'other $pass`word\n");
    const { entrypoint = [], command = [], environment = {}, secrets } = services[name] ?? {};
    expect([secrets, Object.keys(environment)]).toEqual([
      ['temporal_postgres_password'],
      expect.not.arrayContaining([variable]),
    ]);
    const [shell = '', ...options] = entrypoint;
    const script = (command[0] ?? '')
      .replaceAll('$$', '$')
      .replaceAll('/run/secrets', directory)
      .replaceAll('/etc/temporal/entrypoint.sh', stub);
    const env = { PATH: `${directory}:${process.env['PATH'] ?? ''}` };
    const { stdout } = await promisify(execFile)(shell, [...options, script], { env });
    expect(new Set(stdout.split('|').filter(Boolean))).toEqual(new Set(["an'other $pass`word"]));
    await rm(directory, { recursive: true });
  });

  test('PostgreSQL gives each role the password that its process has, and makes the database the owner’s', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'compose-'));
    for (const [name, value] of Object.entries(SECRETS)) await writeFile(join(directory, name), value);
    await writeFile(
      join(directory, 'psql'),
      '#!/bin/sh\nfor last; do :; done\nprintf "%s %s\\n" "$last" "${PASSWORD-}"\n',
      { mode: 0o755 },
    );
    const script = await read('docker/create-database.sh');
    const { stdout } = await promisify(execFile)(
      '/bin/sh',
      ['-c', script.replace('/run/secrets', directory)],
      { env: { PATH: `${directory}:${process.env['PATH'] ?? ''}`, POSTGRES_USER: 'postgres' } },
    );
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.trimEnd()),
    ).toEqual([
      '/roles.sql',
      'role=booking_owner an-owners-password',
      'role=booking_api an-apis-password',
      'role=booking_partner a-partners-password',
      'role=booking_worker a-workers-password',
      'role=booking_operator an-operators-password',
      'CREATE DATABASE booking OWNER booking_owner',
    ]);
    await rm(directory, { recursive: true });
  });

  test('the images of others are pinned to a version and its digest', () => {
    const images = Object.values(services).flatMap(({ image, build }) => (build ? [] : [image]));
    expect(images.length).toBeGreaterThan(4);
    for (const image of images) expect(image).toMatch(/^[\w./-]+:v?\d+(\.\d+)+@sha256:[0-9a-f]{64}$/);
  });

  test('ports are open to this machine only', () => {
    const ports = Object.values(services).flatMap(({ ports: own = [] }) => own);
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  test('gives API and worker longer to stop than the 30 s that they may take', () => {
    for (const name of ['api', 'worker', 'operator-api'])
      expect([name, services[name]?.stop_grace_period]).toEqual([name, '40s']);
  });

  test('keeps every container to what it needs', () => {
    for (const [name, service] of Object.entries(services)) {
      expect([name, service]).toEqual([
        name,
        expect.objectContaining({
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
          mem_limit: expect.stringMatching(/^\d+[mg]$/),
          cpus: expect.any(Number),
          pids_limit: expect.any(Number),
          networks: expect.any(Array),
        }),
      ]);
    }
    const writable = Object.keys(services).filter((name) => services[name]?.read_only !== true);
    // others' images, which write their configuration when they start
    expect(writable.sort()).toEqual(['temporal', 'temporal-schema', 'temporal-setup', 'temporal-ui']);
  });

  test('lets no container reach more than it talks to', () => {
    const { networks } = parse(text) as { networks: Record<string, { internal?: boolean } | null> };
    const of = (name: string) => services[name]?.networks;
    const inside = Object.keys(networks).filter((name) => networks[name]?.internal);
    expect(inside.sort()).toEqual(['data', 'metrics', 'temporal', 'temporal-data']);
    expect([of('postgres'), of('migrate'), of('temporal-postgres')]).toEqual([
      ['data'],
      ['data'],
      ['temporal-data'],
    ]);
    // who is on the network of Temporal's own database: nobody who talks to customers
    const beside = Object.keys(services).filter((name) => of(name)?.includes('temporal-data'));
    expect(beside.sort()).toEqual(['temporal', 'temporal-postgres', 'temporal-schema']);
    const published = Object.keys(services).filter((name) => services[name]?.ports);
    for (const name of published) expect([name, of(name)]).toEqual([name, expect.arrayContaining(['edge'])]);
  });

  test('gives each process its own secrets, as files, and the mail catcher to trials only', () => {
    const owners = Object.fromEntries(
      Object.keys(SECRETS).map((secret) => [
        secret,
        Object.keys(services).filter((name) => services[name]?.secrets?.includes(secret)),
      ]),
    );
    expect(owners).toEqual({
      owner_database_url: ['postgres', 'migrate'],
      api_database_url: ['postgres', 'api'],
      partner_database_url: ['postgres', 'api'],
      worker_database_url: ['postgres', 'worker'],
      worker_direct_database_url: ['worker'],
      operator_database_url: ['postgres', 'operator-api'],
      temporal_payload_keys: ['api', 'worker', 'operator-api'],
      operator_session_secrets: ['operator-api'],
      operator_oidc_client_secret: ['operator-api'],
      postgres_password: ['postgres'],
      session_secrets: ['api'],
      identity_secrets: ['api'],
      master_keys: ['api', 'worker', 'operator-api'],
      eid_client_secret: ['api'],
      twilio_auth_token: ['api', 'worker'],
      smtp_url: ['worker'],
      alert_webhook_secret: ['worker'],
      policy_registry_token: ['api'],
      otlp_headers: ['api', 'worker', 'operator-api'],
      referral_registry_token: ['api'],
      temporal_postgres_password: ['temporal-postgres', 'temporal-schema', 'temporal'],
    });
    const { secrets } = parse(text) as { secrets: Record<string, { file: string }> };
    expect(secrets).toEqual(
      Object.fromEntries(Object.keys(SECRETS).map((name) => [name, { file: `./secrets/${name}` }])),
    );
    expect(Object.keys(services).filter((name) => services[name]?.profiles)).toEqual(['mail']);
  });

  test('sets what can never be changed, and keeps rows out of PostgreSQL’s log', () => {
    expect(services['temporal']?.environment).toMatchObject({ NUM_HISTORY_SHARDS: '512' });
    for (const name of ['postgres', 'temporal-postgres'])
      expect(services[name]?.command).toEqual(['postgres', '-c', 'log_error_verbosity=terse']);
  });

  test('lets the worker load the library that it unpacks, though nothing else may be written', () => {
    expect(services['worker']).toMatchObject({ read_only: true, tmpfs: ['/tmp:exec'] });
  });

  test('has Temporal’s Web UI ask the operator API for what is encrypted, with the operator’s session', () => {
    const { environment = {} } = services['temporal-ui'] ?? {};
    expect(interpolate(environment['TEMPORAL_CODEC_ENDPOINT'] ?? '', REQUIRED)).toBe(
      'https://operators.booking.example/codec',
    );
    expect(environment).toMatchObject({ TEMPORAL_CODEC_INCLUDE_CREDENTIALS: 'true' });
  });

  test('registers the search attributes that cases are started with', () => {
    const script = services['temporal-setup']?.command?.join('\n') ?? '';
    const registered = [...script.matchAll(/--name (\w+) --type (\w+)/g)].map(([, name, type]) => [
      name,
      type,
    ]);
    expect(Object.fromEntries(registered)).toEqual(SEARCH_ATTRIBUTES);
  });

  test('.env.example names all that is required, and gives no secret away', async () => {
    const lines = [...(await read('.env.example')).matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    const example = Object.fromEntries(lines) as Record<string, string>;
    const required = [...new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name))].sort();
    expect(Object.keys(REQUIRED).sort()).toEqual(required);
    expect(Object.keys(example)).toEqual(expect.arrayContaining(required));
    for (const name of required) expect(example[name ?? '']).toBe('');
    const used = [...text.matchAll(/\$\{(\w+):/g)].map(([, name]) => name);
    expect(used).toEqual(expect.arrayContaining(Object.keys(example)));
  });
});

describe('the image', () => {
  let stages: readonly string[] = [];
  beforeAll(async () => {
    stages = (await read('Dockerfile')).split(/^(?=FROM )/m).slice(1);
  });
  const last = () => stages.at(-1) ?? '';

  test('has the major of Node that everything is tried on', async () => {
    const { devDependencies } = JSON.parse(await read('package.json')) as {
      devDependencies: { node: string };
    };
    const [major] = devDependencies.node.split('.');
    const images = stages.map((stage) => /^FROM (\S+)/.exec(stage)?.[1]);
    expect(images).toHaveLength(2);
    for (const image of images)
      expect(image).toMatch(new RegExp(`^node:${major}[.\\d]*-bookworm-slim@sha256:[0-9a-f]{64}$`));
  });

  test('runs no script of a package that it installs', () => {
    const installs = stages.flatMap((stage) => stage.match(/^RUN npm .*$/gm) ?? []);
    expect(installs).toEqual(['RUN npm ci --omit=dev --ignore-scripts']);
  });

  test('runs as a user without rights over its own code', () => {
    const lines = last().split('\n');
    const user = lines.findLastIndex((line) => line.startsWith('USER '));
    expect(lines[user]).toBe('USER 1000:1000');
    expect(lines.slice(user).filter((line) => /^(COPY|RUN|ADD) /.test(line))).toEqual([]);
    expect(last()).not.toContain('--chown');
  });

  test('starts a process, and no shell around it that would keep signals to itself', () => {
    const commands = stages.flatMap((stage) => stage.match(/^(CMD|ENTRYPOINT) .*$/gm) ?? []);
    expect(commands).toEqual(['CMD ["node", "src/main/api.ts"]']);
  });

  test('keeps what Node compiles for the user that it runs as, who can not change it', () => {
    const keeping = /^RUN .*\$NODE_COMPILE_CACHE(.*\\\n)+.*$/m.exec(last())?.[0] ?? '';
    expect(keeping.match(/setpriv \S+/g)).toEqual(['setpriv --reuid=1000', 'setpriv --reuid=1000']);
    expect(keeping).toMatch(/chown -R 0:0 "\$NODE_COMPILE_CACHE" && chmod -R a=rX "\$NODE_COMPILE_CACHE"$/);
    // V8 takes back only what was made with the same flags
    expect(last().indexOf('ENV NODE_OPTIONS')).toBeLessThan(last().indexOf(keeping));
  });

  test('sets the bounds of memory that benchmarks are run with', () => {
    for (const [name, value] of Object.entries(IMAGE_ENVIRONMENT))
      expect(last()).toMatch(new RegExp(`^ENV .*\\b${name}=${value}( |$)`, 'm'));
  });

  test('holds the chapters that partners read at /docs', async () => {
    expect(last()).toContain('COPY docs/partners ./docs/partners');
    expect(await read('.dockerignore')).toMatch(/^!docs\/partners$/m);
  });

  test('holds neither stand-ins nor settings', async () => {
    const ignored = (await read('.dockerignore')).split('\n').filter((line) => line && !line.startsWith('#'));
    expect(ignored[0]).toBe('*');
    expect(ignored).not.toContain('!dev');
    expect(ignored.filter((line) => line.startsWith('!.'))).toEqual(['!.npmrc']);
  });
});

describe('docs/operations', () => {
  test('says what each variable is', async () => {
    const table = await read('docs/operations/deploy.md');
    const described = [...table.matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name]) => name);
    expect(described.sort()).toEqual([...VARIABLES].sort());
  });

  test('names all search attributes, and what each tells to who reads Temporal without the key', async () => {
    const page = await read('docs/operations/runbook.md');
    for (const name of Object.keys(SEARCH_ATTRIBUTES)) expect(page).toContain(`\`${name}\``);
    const review = await read('docs/privacy/temporal.md');
    const [, attributes = ''] = review.split('## Search attributes');
    const reviewed = [...attributes.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    expect(reviewed.sort()).toEqual(Object.keys(SEARCH_ATTRIBUTES).sort());
  });
});
