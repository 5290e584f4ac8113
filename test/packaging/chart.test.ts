import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import {
  apiSettings,
  migrateSettings,
  operatorApiSettings,
  readSettings,
  SettingsError,
  workerSettings,
} from '../../src/config/settings.ts';
import { messageQueueOf, PROBE_TYPE, TASK_QUEUE } from '../../workflows/contract.ts';

const root = join(import.meta.dirname, '../..');
const chart = join(root, 'deploy/helm');
const read = (file: string) => readFileSync(join(chart, file), 'utf8');
const templates = readdirSync(join(chart, 'templates'))
  .map((file) => read(`templates/${file}`))
  .join('\n');

interface Process {
  readonly entry: string;
  readonly port?: number;
  readonly metrics?: number;
  readonly fixed?: Readonly<Record<string, string>>;
  readonly settings: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
}
const PROCESSES = { api: apiSettings, worker: workerSettings, 'operator-api': operatorApiSettings } as const;
const all = { migrate: migrateSettings, ...PROCESSES } as const;
const described = parse(read('files/processes.yaml')) as Record<keyof typeof all, Process> & {
  readonly common: readonly string[];
  readonly optionalSecrets: readonly string[];
};
const schema = JSON.parse(read('values.schema.json')) as {
  readonly properties: {
    readonly settings: {
      readonly properties: Readonly<Record<string, unknown>>;
      readonly required: readonly string[];
    };
    readonly secrets: { readonly properties: { readonly optional: { readonly items: { enum: string[] } } } };
  };
};

type Values = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** As Helm does it: objects go into each other, all else replaces. */
const merge = (below: Values, above: Values): Values => ({
  ...below,
  ...Object.fromEntries(
    Object.entries(above).map(([key, value]) => {
      const old = below[key];
      return [key, isObject(old) && isObject(value) ? merge(old, value) : value];
    }),
  ),
});
const least = merge(parse(read('values.yaml')) as Values, parse(read('trials/least.yaml')) as Values);
const check = new Ajv({ allErrors: true, strict: false }).compile(schema);
const faultsOf = (values: Values) => {
  check(merge(least, values));
  return (check.errors ?? []).map(({ instancePath }) => instancePath);
};

/** What is left to the code: addresses and ports that it has by itself, which the templates name below. */
const BY_ITSELF = [
  'HOST',
  'PORT',
  'METRICS_PORT',
  'WORKER_HEALTH_HOST',
  'WORKER_HEALTH_PORT',
  'OPERATOR_API_PORT',
];
/** What the templates say of themselves, where values have a file or a controller for it. */
const BY_TEMPLATES = [
  ...['CREDENTIALS_DIRECTORY', 'PARTNER_MARKS_DIRECTORY', 'TEMPORAL_DEPLOYMENT_NAME'],
  ...['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH', 'TEMPORAL_TLS_SERVER_CA_CERT_PATH'],
];
/** Temporal's Worker Controller gives it. */
const BY_CONTROLLER = ['TEMPORAL_WORKER_BUILD_ID'];
/** Profiles: the controller could not read them, and each of their values has a setting of its own. */
const LEFT_OUT = ['TEMPORAL_CONFIG_FILE', 'TEMPORAL_PROFILE'];

describe('the Helm chart', () => {
  test.each(Object.entries(all))(
    'gives %s every setting that it reads, and none that it does not',
    (name, settings) => {
      const { settings: own, secrets, fixed = {} } = described[name as keyof typeof all];
      const given = [
        ...(name === 'migrate' ? [] : described.common),
        ...own,
        ...Object.keys(secrets),
        ...Object.keys(fixed),
      ];
      expect(new Set(given).size).toBe(given.length);
      const elsewhere = [...BY_ITSELF, ...BY_TEMPLATES, ...BY_CONTROLLER, ...LEFT_OUT];
      const read = Object.keys(settings.shape).filter((setting) => !elsewhere.includes(setting));
      expect([...given].sort()).toEqual(read.sort());
    },
  );

  test('takes each of them in its values, requires what a process can not start without, and keeps secrets out', () => {
    const listed = [
      ...described.common,
      ...Object.keys(all).flatMap((name) => described[name as keyof typeof all].settings),
    ];
    expect(Object.keys(schema.properties.settings.properties).sort()).toEqual([...new Set(listed)].sort());
    const missing = Object.values(PROCESSES).flatMap((settings) => {
      try {
        readSettings(settings, {});
        return [];
      } catch (error) {
        return (error as SettingsError).faults.map((fault) => fault.replace(/: is missing$/, ''));
      }
    });
    const secrets = Object.keys(all).flatMap((name) =>
      Object.keys(described[name as keyof typeof all].secrets),
    );
    expect([...schema.properties.settings.required].sort()).toEqual(
      [...new Set(missing)].filter((setting) => !secrets.includes(setting)).sort(),
    );
    expect(schema.properties.secrets.properties.optional.items.enum).toEqual(described.optionalSecrets);
    for (const setting of BY_TEMPLATES) expect(templates).toContain(`name: ${setting},`);
  });

  test('gives each process the secrets of docker-compose.yml, and the database as its own role', () => {
    const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
      services: Record<string, { environment: Record<string, string> }>;
    };
    for (const name of Object.keys(all)) {
      const files = Object.entries(services[name]?.environment ?? {})
        .filter(([variable]) => variable.endsWith('_FILE') && !LEFT_OUT.includes(variable))
        .map(([variable, file]) => [variable.replace(/_FILE$/, ''), file.replace('/run/secrets/', '')]);
      const { secrets: own } = described[name as keyof typeof all];
      const { TEMPORAL_API_KEY: apiKey, VAULT_TOKEN: token, ...secrets } = own;
      expect([name, secrets]).toEqual([name, Object.fromEntries(files)]);
      expect([apiKey, token]).toEqual(
        name === 'migrate' ? [undefined, undefined] : ['temporal_api_key', 'vault_token'],
      );
    }
  });

  test('names the ports and the probes that there are', () => {
    const defaults = (settings: typeof apiSettings | typeof workerSettings | typeof operatorApiSettings) =>
      Object.fromEntries(
        BY_ITSELF.map((name) => [
          name,
          (settings.shape as Record<string, { safeParse(value: unknown): { data?: unknown } }>)[
            name
          ]?.safeParse(undefined).data,
        ]),
      );
    expect(described.api).toMatchObject({
      port: defaults(apiSettings)['PORT'],
      metrics: defaults(apiSettings)['METRICS_PORT'],
    });
    expect(described.worker).toMatchObject({
      port: defaults(workerSettings)['WORKER_HEALTH_PORT'],
      metrics: defaults(workerSettings)['METRICS_PORT'],
    });
    expect(described['operator-api']).toMatchObject({
      port: defaults(operatorApiSettings)['OPERATOR_API_PORT'],
      metrics: defaults(operatorApiSettings)['METRICS_PORT'],
    });
    for (const settings of [apiSettings, workerSettings])
      expect(Object.values(defaults(settings))).toContain('0.0.0.0');
    for (const name of Object.keys(all)) {
      const { entry } = described[name as keyof typeof all];
      expect(readFileSync(join(root, entry), 'utf8')).toContain(name);
    }
    const probed = [...templates.matchAll(/httpGet: \{ path: (\S+), port: http \}/g)].map(([, path]) => path);
    expect(probed).toEqual(['/health/live', '/health/live', '/health/ready']);
    const served = readFileSync(join(root, 'src/main/private-server.ts'), 'utf8');
    for (const path of probed) expect(served).toContain(`'${path}'`);
  });

  test('waits for a process longer than the 28 s that it takes at most, and the pause before', () => {
    const grace = Number(/terminationGracePeriodSeconds: (\d+)/.exec(templates)?.[1]);
    const pause = Number(/sleep: \{ seconds: (\d+) \}/.exec(templates)?.[1]);
    const [, own = ''] =
      /SHUTDOWN_TIMEOUT = ([\d_]+)/.exec(readFileSync(join(root, 'src/main/process.ts'), 'utf8')) ?? [];
    expect(grace).toBeGreaterThan(pause + Number(own.replaceAll('_', '')) / 1_000);
  });

  test('has migrations that a wrong setting ended run no second time', () => {
    const [, status = ''] =
      /WRONG_SETTINGS = (\d+)/.exec(readFileSync(join(root, 'src/main/process.ts'), 'utf8')) ?? [];
    expect(read('templates/migrate.yaml')).toContain(
      `{ action: FailJob, onExitCodes: { containerName: migrate, operator: In, values: [${status}] } }`,
    );
  });

  test('scales by the queues that there are, and has a new version show that it works by the workflow that does nothing', () => {
    const queues = [...templates.matchAll(/\(list "([\w-]+)" "[\w,]+" /g)].map(([, queue]) => queue);
    expect(queues).toEqual([TASK_QUEUE, messageQueueOf(TASK_QUEUE)]);
    expect(least).toMatchObject({ worker: { rollout: { gate: { workflowType: PROBE_TYPE } } } });
  });

  test('lets no process be root, write to its image, have a right of the system or a token of the cluster', () => {
    expect(least).toMatchObject({
      podSecurityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      networkPolicy: { enabled: true },
    });
    for (const line of [
      'allowPrivilegeEscalation: false',
      'readOnlyRootFilesystem: true',
      'capabilities: { drop: [ALL] }',
      'automountServiceAccountToken: false',
    ])
      expect(templates).toContain(line);
    // a name is no number that Kubernetes could tell from root's
    expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toMatch(/^USER [1-9]\d*:/m);
  });

  test('takes the sets of values that it is tried with', () => {
    for (const trial of readdirSync(join(chart, 'trials')))
      expect([trial, faultsOf(parse(read(`trials/${trial}`)) as Values)]).toEqual([trial, []]);
  });

  test.each<[string, Values, string]>([
    ['another environment', { settings: { ENVIRONMENT: 'staging' } }, '/settings/ENVIRONMENT'],
    ['a setting that nobody reads', { settings: { PUBLIC_URI: 'https://booking.example' } }, '/settings'],
    ['a secret among the settings', { settings: { IDENTITY_SECRETS: 'x' } }, '/settings'],
    [
      'an address with a slash at its end',
      { settings: { PUBLIC_URL: 'https://booking.example/' } },
      '/settings/PUBLIC_URL',
    ],
    [
      'an organisation number of eight digits',
      { settings: { SERVICE_ORGANISATION_NUMBER: '99999999' } },
      '/settings/SERVICE_ORGANISATION_NUMBER',
    ],
    ['root', { podSecurityContext: { runAsUser: 0 } }, '/podSecurityContext/runAsUser'],
    ['an API that nobody may call', { networkPolicy: { callers: [] } }, '/networkPolicy/callers'],
    [
      'a database that nobody may reach',
      { networkPolicy: { postgresql: { to: [] } } },
      '/networkPolicy/postgresql/to',
    ],
    ['an Ingress without TLS', { api: { ingress: { enabled: true } } }, '/api/ingress/tlsSecret'],
    ['a secret as a plain variable', { environment: { IDENTITY_SECRETS: 'x' } }, '/environment'],
  ])('refuses %s', (_, values, where) => {
    expect(faultsOf(values)).toContain(where);
  });
});
