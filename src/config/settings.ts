import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UNVERSIONED } from '../domain/ids.ts';
import { databaseAddress, WrongAddress } from '../postgres/tls.ts';
import { isTlsOn, variablesOfProfile, WrongProfile } from '../temporal/profile.ts';
import { eidVariables, requireNameClaims } from './eid.ts';
import {
  mailFrom,
  MAX_PUBLIC_URL_LENGTH,
  requireWebhookSecret,
  smsCountries,
  smtpUrl,
  twilioSender,
  webhookSecret,
  webhookUrl,
} from './messaging.ts';
import { egressHosts, trustProxy } from './network.ts';
import { operatorLoginVariables, requireOwnAudience } from './operator-login.ts';
import { partnerMarks } from './partner-marks.ts';
import { refuseInProduction } from './production.ts';
import { SAMPLERS } from '../tracing/exporter.ts';

const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/$/, ''));
const secret = z.string().min(32, 'must be at least 32 characters');
const sessionSecrets = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.tuple([secret], secret));
const keyId = '[a-z0-9][a-z0-9-]{0,29}';
const identitySecret = new RegExp(`^(${keyId}):([^,]{32,})$`);
/** `<id>:<secret>`, several with commas between. */
const identitySecrets = z
  .string()
  .transform((text) => text.split(',').map((one) => identitySecret.exec(one) ?? []))
  .refine((all) => all.every(([whole]) => whole), 'must be `<id>:<at least 32 characters>`')
  .transform((all) => all.map(([, id = '', value = '']) => ({ id, secret: value })))
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'must have each id once')
  .transform(([newest, ...older]) => [newest as { id: string; secret: string }, ...older] as const);
const masterKey = new RegExp(`^(${keyId}):(?:([A-Za-z0-9+/]{43}=)|(vault:v\\d+:[A-Za-z0-9+/=]+))$`);
/** `<id>:<32 bytes in base64>`, several with commas between; or `<id>:vault:v1:…`, as Vault has wrapped them. */
const masterKeysOrWrapped = z
  .string()
  .transform((text) => text.split(',').map((one) => masterKey.exec(one) ?? []))
  .refine((all) => all.every(([whole]) => whole), 'must be `<id>:<32 bytes in base64>`')
  .transform((all) =>
    all.map(([, id = '', plain = '', wrapped]) => ({ id, key: wrapped ?? Buffer.from(plain, 'base64') })),
  )
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'must have each id once')
  .transform(([newest, ...older]) => [newest as { id: string; key: Buffer | string }, ...older] as const);
export const masterKeys = masterKeysOrWrapped
  .refine((all) => all.every(({ key }) => typeof key !== 'string'), 'must be `<id>:<32 bytes in base64>`')
  .transform(
    (all) => all as unknown as readonly [{ id: string; key: Buffer }, ...{ id: string; key: Buffer }[]],
  );
/** The same, or `off` for none. */
const payloadKeys = z.union(
  [z.literal('off').transform(() => []), masterKeys],
  'must be `<id>:<openssl rand -base64 32>` with each id once, or off',
);
/** What is left empty is left out. */
const maybeEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);
const optionalVariable = <T extends z.ZodType>(schema: T) => maybeEmpty(schema.optional());
/** How many connections to PostgreSQL a process has at most, beside those that docs/operations/deploy.md names. */
const poolSize = (usual: number) => maybeEmpty(z.coerce.number().int().min(3).max(500).default(usual));
const port = (usual: number) => z.coerce.number().int().min(0).max(65_535).default(usual);

const buildId = z
  .string()
  .regex(/^[\w.+-]{1,128}$/, 'must be 1 to 128 letters, digits, or characters of . _ + -')
  .refine((text) => text !== UNVERSIONED, `must not be "${UNVERSIONED}", which names workers without one`);

/** PostgreSQL: `postgresql://user:password@host:5432/database?sslmode=verify-full&sslrootcert=/run/secrets/ca.pem` */
const databaseUrl = z.string().transform((url, context) => {
  try {
    databaseAddress(url);
    return url;
  } catch (error) {
    if (!(error instanceof WrongAddress)) throw error;
    context.addIssue(error.message);
    return z.NEVER;
  }
});

const environment = {
  /** Which of the two environments this deployment is: it takes only keys of its own. */
  ENVIRONMENT: z.enum(['test', 'production']),
  /** What the network to PostgreSQL and Temporal is: `encrypted` where whoever runs it says that it encrypts all by itself. */
  BACKEND_NETWORK: maybeEmpty(z.enum(['open', 'encrypted']).default('open')),
};

const temporal = {
  /** host:port of the Temporal server */
  TEMPORAL_ADDRESS: z.string().min(1),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  /** Only for a Temporal server that asks for one, such as Temporal Cloud. */
  TEMPORAL_API_KEY: optionalVariable(z.string()),
  /** A file of profiles as Temporal's own command line has it, and which of them: for what no variable says. */
  TEMPORAL_CONFIG_FILE: optionalVariable(z.string()),
  TEMPORAL_PROFILE: optionalVariable(z.string()),
  /** Files in PEM: our certificate and its key, and the authority of the server's. */
  TEMPORAL_TLS_CLIENT_CERT_PATH: optionalVariable(z.string()),
  TEMPORAL_TLS_CLIENT_KEY_PATH: optionalVariable(z.string()),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: optionalVariable(z.string()),
  /** Whom the server's certificate is for, where that is not the address. */
  TEMPORAL_TLS_SERVER_NAME: optionalVariable(z.string()),
  /** Whether Temporal is spoken to over TLS (`true` is Temporal's own word for it); with an API key, or any setting of TLS, it always is. */
  TEMPORAL_TLS: maybeEmpty(z.enum(['on', 'off', 'true', 'false']).default('off')).transform(isTlsOn),
  /** What Temporal calls our workers of all versions; the task queue's name when left out. Temporal's Worker Controller has its own. */
  TEMPORAL_DEPLOYMENT_NAME: optionalVariable(
    z
      .string()
      .regex(/^[\w.-]+(\/[\w.-]+)?$/)
      .max(200),
  ),
};

/** As OpenTelemetry names them, and reads some more of its own: certificates, time-out, attributes of the resource. */
const tracing = {
  /** The collector that spans are sent to, as JSON over HTTP. Without one nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalVariable(url),
  /** What it asks for besides: `name=value`, with commas between, percent-encoded. */
  OTEL_EXPORTER_OTLP_HEADERS: optionalVariable(
    z
      .string()
      .regex(
        /^[\w-]+=([^,=%]|%[0-7][\dA-Fa-f])+(,[\w-]+=([^,=%]|%[0-7][\dA-Fa-f])+)*$/,
        'must be name=value, with commas between',
      )
      .transform((text) =>
        Object.fromEntries(
          text.split(',').map((pair) => pair.split('=').map(decodeURIComponent) as [string, string]),
        ),
      ),
  ),
  /** Which cases and calls are traced, and the share where that is a `traceidratio`. */
  OTEL_TRACES_SAMPLER: maybeEmpty(z.enum(SAMPLERS).default('parentbased_always_on')),
  OTEL_TRACES_SAMPLER_ARG: maybeEmpty(z.coerce.number().min(0).max(1).default(1)),
};

/** Of all processes that go on. */
const service = {
  ...environment,
  ...temporal,
  /** Wrap the cases' data keys: the first one does, each opens what it has wrapped. Who loses them loses all personal data. */
  MASTER_KEYS: masterKeysOrWrapped,
  /** Of the Vault whose Transit engine has wrapped master keys, by Vault's own names; and which key did, `<mount>/<name>`. */
  VAULT_ADDR: optionalVariable(url),
  VAULT_TOKEN: optionalVariable(z.string()),
  VAULT_TRANSIT_KEY: maybeEmpty(
    z
      .string()
      .regex(/^[\w-]+\/[\w.-]+$/, 'must be `<mount>/<name of the key>`')
      .default('transit/treatment-booking'),
  ),
  /** What encrypts inputs, results and failures at Temporal: the first does, all decrypt. Null where it is not said. */
  TEMPORAL_PAYLOAD_KEYS: maybeEmpty(payloadKeys.nullable().default(null)),
  /** Where customers reach the pages, without a trailing slash: links in messages start with it. */
  PUBLIC_URL: url.refine(
    (text) => text.length <= MAX_PUBLIC_URL_LENGTH,
    `must be at most ${MAX_PUBLIC_URL_LENGTH} characters long: links in SMS start with it`,
  ),
  /** Hosts that clinics' registrations may lead to, separated by commas: every host when empty. */
  EGRESS_HOSTS: egressHosts,
  /** Where providers' credentials are files, by the names that registrations give: they are found without a restart. */
  CREDENTIALS_DIRECTORY: optionalVariable(z.string()),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  /** Where the process answers /metrics, for Prometheus and for nobody outside; the port has a default by process (0: a free one). */
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  ...tracing,
};

/** Of those that customers meet. */
const common = {
  ...service,
  /** How many months after a case is archived its personal data is kept, where its partner has no time of its own. */
  PERSONAL_DATA_MONTHS: maybeEmpty(z.coerce.number().int().min(1).max(120).default(12)),
  DATABASE_URL: databaseUrl,
  DATABASE_POOL_SIZE: poolSize(20),
  /** Whom customers call or write to. */
  SUPPORT_EMAIL: z.email(),
  SUPPORT_PHONE: z
    .string()
    .regex(
      /^\+?\d[\d ]{3,18}\d$/,
      'must be a telephone number of digits and spaces, such as +47 21 00 00 00',
    ),
};

/** What signs requests to Twilio (the first), and Twilio's reports to us (any), with commas between. */
const twilioToken = {
  TWILIO_AUTH_TOKEN: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.tuple([z.string().min(1)], z.string().min(1))),
};

/** How long after its end a case archives itself. */
const archiveAfterDays = z.coerce.number().int().min(1).default(30);

const api = {
  ...common,
  /** PostgreSQL as the role that is shown one partner's cases at a time: as it the API reads what partners ask for. */
  PARTNER_DATABASE_URL: databaseUrl,
  ...twilioToken,
  /** Who runs the service, and answers for what it keeps about customers (GDPR, article 13): pages name them. */
  SERVICE_NAME: z.string().min(1).max(200),
  SERVICE_ORGANISATION_NUMBER: z
    .string()
    .regex(/^\d{3} ?\d{3} ?\d{3}$/, 'must be nine digits, such as 999 999 999'),
  SERVICE_ADDRESS: z.string().min(1).max(200),
  /** Of the test environment where this is production, and the other way round: partners' documentation names both. */
  OTHER_ENVIRONMENT_URL: optionalVariable(url),
  /** Who answers questions about personal data; SUPPORT_EMAIL when left out. */
  SERVICE_PRIVACY_EMAIL: optionalVariable(z.email()),
  /** Where insurers' marks are files, `<partner>.svg`: read at the start. */
  PARTNER_MARKS_DIRECTORY: partnerMarks,
  HOST: z.string().default('0.0.0.0'),
  PORT: port(3000),
  METRICS_PORT: port(9464),
  /** Seals cookies, signs slot ids, hides whom limits count. Several, separated by commas, while one replaces another: the first is used. */
  SESSION_SECRETS: sessionSecrets,
  /** Turn who logged in into a keyed hash: the first does, and who is known by another's is known by the first from then on. */
  IDENTITY_SECRETS: identitySecrets,
  /** How many proxies stand in front, or their addresses (comma-separated, CIDR): whose word on client addresses counts. */
  TRUST_PROXY: trustProxy,
  ...eidVariables,
  /** To whose numbers SMS are sent, as ISO 3166 codes with commas or spaces between; the EEA when empty. */
  SMS_COUNTRIES: smsCountries,
  ARCHIVE_AFTER_DAYS: archiveAfterDays,
  /** FHIR R4 servers that know Coverages and ServiceRequests. Without one, its kind can not be verified. */
  POLICY_REGISTRY_URL: optionalVariable(url),
  POLICY_REGISTRY_TOKEN: optionalVariable(z.string()),
  REFERRAL_REGISTRY_URL: optionalVariable(url),
  REFERRAL_REGISTRY_TOKEN: optionalVariable(z.string()),
};

/** What opens wrapped master keys is needed where there are such. */
function requireVault(
  settings: Readonly<
    z.infer<z.ZodObject<Pick<typeof service, 'MASTER_KEYS' | 'VAULT_ADDR' | 'VAULT_TOKEN'>>>
  >,
  context: z.RefinementCtx,
): void {
  if (!settings.MASTER_KEYS.some(({ key }) => typeof key === 'string')) return;
  for (const variable of ['VAULT_ADDR', 'VAULT_TOKEN'] as const)
    if (!settings[variable])
      context.addIssue({
        code: 'custom',
        path: [variable],
        message: 'is missing: Vault has wrapped a master key',
      });
}

/** Temporal's Web UI, for links in alerts and in the answers to operators; without it they have none. */
const temporalUi = { TEMPORAL_UI_URL: optionalVariable(url) };

const worker = {
  ...common,
  /** PostgreSQL itself, where DATABASE_URL leads to a pooler in transaction mode: for what takes a connection of its own. */
  DATABASE_DIRECT_URL: optionalVariable(databaseUrl),
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the start. */
  SMTP_URL: smtpUrl,
  /** Whether a server of smtp:// gets nothing without STARTTLS. Left out: in production, yes. */
  SMTP_TLS: optionalVariable(z.enum(['required', 'offered'])),
  /** `Name <address>`: also whom calendar entries are from. */
  MAIL_FROM: mailFrom,
  /** Who gets the customers' answers; SUPPORT_EMAIL when left out. */
  MAIL_REPLY_TO: optionalVariable(z.email()),
  /** Who is told of cases that need a person; SUPPORT_EMAIL when left out. */
  OPERATOR_EMAIL: optionalVariable(z.email()),
  /** Who is told of the same as JSON over HTTP, signed: a chat, or an on-call service. Without it, mail alone tells. */
  ALERT_WEBHOOK_URL: optionalVariable(webhookUrl),
  /** What it is signed with, as Standard Webhooks writes it: `whsec_` and 24 to 64 bytes in base64. */
  ALERT_WEBHOOK_SECRET: optionalVariable(webhookSecret),
  ...temporalUi,
  TWILIO_ACCOUNT_SID: z.string().regex(/^AC/, 'must begin with AC'),
  ...twilioToken,
  /** A number in E.164, a name of up to 11 letters and digits, or a Messaging Service (MG…). */
  TWILIO_FROM: twilioSender,
  /** Only for a server of one's own that speaks Twilio's API. */
  TWILIO_BASE_URL: optionalVariable(url),
  /**
   * Which version of the workflows this worker has, such as the image's tag. Cases go to it once it was promoted
   * (`operator worker promote`, or Temporal's Worker Controller, which gives it); without it, as long as no version is.
   */
  TEMPORAL_WORKER_BUILD_ID: optionalVariable(buildId),
  /** How many messages may leave; in production 10 and 5,000 when left out, and in a test environment as many as there are. */
  MESSAGES_PER_RECIPIENT_DAY: optionalVariable(z.coerce.number().int().min(1)),
  MESSAGES_PER_PARTNER_HOUR: optionalVariable(z.coerce.number().int().min(1)),
  /** How many months of the access log are kept. */
  ACCESS_LOG_MONTHS: maybeEmpty(z.coerce.number().int().min(6).max(120).default(24)),
  /** Where the worker answers /health/live and /health/ready: this machine's address to listen at, and a port (0: a free one). */
  WORKER_HEALTH_HOST: z.string().min(1).default('0.0.0.0'),
  WORKER_HEALTH_PORT: port(3001),
  METRICS_PORT: port(9465),
};

const operatorApi = {
  ...service,
  /** PostgreSQL, as a role of its own: what operators do is let to it, and not to the API. */
  OPERATOR_DATABASE_URL: databaseUrl,
  DATABASE_POOL_SIZE: poolSize(10),
  SMS_COUNTRIES: smsCountries,
  ARCHIVE_AFTER_DAYS: archiveAfterDays,
  ...temporalUi,
  /** Where it listens: this machine's address, and never one that is reached from outside. */
  OPERATOR_API_HOST: z.string().min(1).default('127.0.0.1'),
  OPERATOR_API_PORT: port(3002),
  TRUST_PROXY: trustProxy,
  METRICS_PORT: port(9466),
  /** Where operators reach it, without a trailing slash: the login leads back there. Their command line reads it too. */
  OPERATOR_API_URL: url,
  /** Seals the back office's cookies. Several, separated by commas, while one replaces another: the first is used. */
  OPERATOR_SESSION_SECRETS: sessionSecrets,
  /** A path for a Unix socket at which it answers the user of its process, without a login, and tells of it. */
  OPERATOR_SOCKET: optionalVariable(z.string()),
  ...operatorLoginVariables,
};

export const migrateSettings = z
  .object({ ...environment, DATABASE_URL: databaseUrl })
  .superRefine(refuseInProduction);
export const apiSettings = z
  .object(api)
  .superRefine(requireNameClaims)
  .superRefine(requireVault)
  .superRefine(refuseInProduction);
export const workerSettings = z
  .object(worker)
  .superRefine(requireWebhookSecret)
  .superRefine(requireVault)
  .superRefine(refuseInProduction);
export const promoteSettings = z.object({ ...environment, ...temporal }).superRefine(refuseInProduction);
export const operatorApiSettings = z
  .object(operatorApi)
  .superRefine(requireOwnAudience)
  .superRefine(requireVault)
  .superRefine(refuseInProduction);
export type ApiSettings = z.infer<typeof apiSettings>;
export type WorkerSettings = z.infer<typeof workerSettings>;
export type PromoteSettings = z.infer<typeof promoteSettings>;
export type OperatorApiSettings = z.infer<typeof operatorApiSettings>;

/** Every variable that some process of ours reads, for docker-compose.yml and the README to be held against. */
export const VARIABLES: readonly string[] = [
  ...new Set([...Object.keys(api), ...Object.keys(worker), ...Object.keys(operatorApi)]),
].sort();

/** The settings are wrong; `faults` name every variable at fault, and no value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The settings are wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** @throws SettingsError with all that is wrong at once */
export function readSettings<S extends z.ZodObject>(schema: S, environment = process.env): z.infer<S> {
  const faults: string[] = [];
  const values = Object.fromEntries(
    Object.keys(schema.shape).map((variable) => {
      try {
        return [variable, valueOf(variable, environment)];
      } catch (error) {
        if (!(error instanceof SettingsError)) throw error;
        faults.push(...error.faults);
        return [variable, undefined];
      }
    }),
  );
  if ('TEMPORAL_CONFIG_FILE' in schema.shape) {
    try {
      Object.assign(values, variablesOfProfile(values));
    } catch (error) {
      if (!(error instanceof WrongProfile)) throw error;
      faults.push(`TEMPORAL_${error.message}`);
    }
  }
  const result = schema.safeParse(values);
  if (result.success && faults.length === 0) return result.data;
  for (const { path, message, code } of result.error?.issues ?? []) {
    const variable = path[0]?.toString() ?? '';
    // what rules of ours say of one that is left out, they say in words of their own
    const missing = values[variable] === undefined && code !== 'custom';
    if (!faults.some((fault) => fault.startsWith(variable)))
      faults.push(`${variable}: ${missing ? 'is missing' : message}`);
  }
  throw new SettingsError(faults);
}

/**
 * What a variable holds, or the file that `<variable>_FILE` names, as containers are given secrets: the environment of a
 * process is seen by whoever may look at it, and ends up in reports. The line break at a file's end is none of it.
 *
 * @throws SettingsError
 */
function valueOf(variable: string, environment: NodeJS.ProcessEnv): string | undefined {
  const file = environment[`${variable}_FILE`];
  const value = environment[variable];
  if (!file) return value;
  if (value) throw new SettingsError([`${variable}: is given twice, also as ${variable}_FILE`]);
  try {
    return readSecretFile(file);
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    throw new SettingsError([`${variable}_FILE: can not be read (${code})`]);
  }
}

/**
 * The credential of a provider, whose registration names the variable: what that holds, or else the file that
 * `<variable>_FILE` names, or the one of its name in CREDENTIALS_DIRECTORY, as it is there now, so that a new one takes no
 * restart. Only names that begin with `PROVIDER_` are read, as none of our settings does: a registration can't have a
 * secret of ours sent to a clinic.
 *
 * @returns null also where its file can't be read: one clinic's credential is not to keep the others from being asked
 */
export function readCredential(variable: string, environment = process.env): string | null {
  if (!/^PROVIDER_\w+$/.test(variable)) return null;
  const directory = environment['CREDENTIALS_DIRECTORY'];
  const file = environment[`${variable}_FILE`] ?? (directory && join(directory, variable));
  try {
    return environment[variable] ?? (file ? readSecretFile(file) : null);
  } catch {
    return null;
  }
}

const readSecretFile = (file: string): string => readFileSync(file, 'utf8').replace(/\r?\n$/, '');
