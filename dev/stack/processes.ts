import { fileURLToPath } from 'node:url';
import { ROLES } from '../../src/identity/operators/actor.ts';
import { migrate, SchemaUnknown } from '../../src/postgres/migrate.ts';
import { startBalancer } from '../balancer.ts';
import { startNodeProcess } from '../child-process.ts';
import { organisationsRole, ROLES_CLAIM } from '../operator-login/people.ts';
import { pickPort } from '../ports.ts';
import { asRole, type RunningPostgres, startPostgres } from '../postgres/server.ts';
import { type RunningTemporal, startTemporal } from '../temporal/server.ts';
import { DEFAULT_PORTS, type DevContext } from './context.ts';
import { EID_CLIENT, type ExternalServices, OPERATOR_CLIENTS } from './external-services.ts';

const READY_TIMEOUT_MS = 60_000;
/** What the image sets for Node and malloc, so that what is measured here is what runs there. */
export const IMAGE_ENVIRONMENT = { NODE_OPTIONS: '--max-semi-space-size=4', MALLOC_ARENA_MAX: '2' };
/** The image brings its own: what Node has compiled once is not compiled at each start. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url));
/** For all APIs together, and as many for all workers: the local PostgreSQL takes a hundred connections. */
const POOLED = 24;

export interface ServiceSettings {
  readonly web: { readonly url: string; readonly port: number };
  readonly operatorApi: { readonly url: string; readonly port: number };
  readonly metricsPorts: { readonly api: number; readonly worker: number; readonly operatorApi: number };
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalUi: string | null;
  readonly externalServices: ExternalServices;
  /** The FHIR server of policies and referrals. */
  readonly registriesUrl: string;
  /** Variables that the providers' registrations name. */
  readonly providerSecrets: Readonly<Record<string, string>>;
  /** Where there may be more of them, each in a file. */
  readonly credentialsDirectory: string;
}

/**
 * The API, a worker and the operator API, each a process of its own and set up by its environment alone, as in production;
 * several APIs behind a proxy.
 */
export async function runServiceProcesses(context: DevContext, settings: ServiceSettings): Promise<void> {
  const { secrets, port, progress, insertProxy } = context;
  const { web, externalServices } = settings;
  const { eid, mail, phone, alerts, traces } = externalServices;
  const databaseUrl = await insertProxy('postgresql', settings.databaseUrl);
  const common = {
    ENVIRONMENT: 'test',
    PUBLIC_URL: web.url,
    MASTER_KEYS: secrets.masterKeys,
    TEMPORAL_ADDRESS: await insertProxy('temporal', settings.temporalAddress),
    TEMPORAL_UI_URL: settings.temporalUi ?? '',
    SUPPORT_EMAIL: 'hjelp@timebestilling.example',
    SUPPORT_PHONE: '+47 21 00 00 00',
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
    ...settings.providerSecrets,
    CREDENTIALS_DIRECTORY: settings.credentialsDirectory,
    ...(context.instances > 1 && { DATABASE_POOL_SIZE: String(Math.floor(POOLED / context.instances)) }),
  };
  const healthPort = await port(DEFAULT_PORTS.workerHealth);
  const more = async () =>
    Promise.all(Array.from({ length: context.instances - 1 }, async () => (await pickPort()).port));
  const [others, otherApis] = await Promise.all([more(), more()]);
  const firstApi = otherApis.length === 0 ? web.port : (await pickPort()).port;
  if (otherApis.length > 0) context.stopLater(await startBalancer(web.port, [firstApi, ...otherApis]));
  const worker = {
    DATABASE_URL: asRole(databaseUrl, 'booking_worker'),
    SMTP_URL: await insertProxy('mail', mail.smtpUrl),
    MAIL_FROM: 'Timebestilling <timebestilling@timebestilling.example>',
    OPERATOR_EMAIL: 'drift@timebestilling.example',
    ALERT_WEBHOOK_URL: await insertProxy('alerts', `${alerts.url}/alerts`),
    ALERT_WEBHOOK_SECRET: secrets.alertWebhookSecret,
    TWILIO_ACCOUNT_SID: secrets.twilioAccountSid,
    TWILIO_AUTH_TOKEN: secrets.twilioAuthToken,
    TWILIO_FROM: '+4759440000',
    TWILIO_BASE_URL: await insertProxy('phone', phone.url),
    WORKER_HEALTH_HOST: '127.0.0.1',
    WORKER_HEALTH_PORT: String(healthPort),
    METRICS_PORT: String(settings.metricsPorts.worker),
    // nobody promotes versions here
    TEMPORAL_WORKER_BUILD_ID: '',
  };
  const api = {
    DATABASE_URL: asRole(databaseUrl, 'booking_api'),
    PARTNER_DATABASE_URL: asRole(databaseUrl, 'booking_partner'),
    HOST: '127.0.0.1',
    PORT: String(firstApi),
    METRICS_PORT: String(settings.metricsPorts.api),
    SESSION_SECRETS: secrets.sessionSecret,
    IDENTITY_SECRETS: secrets.identitySecrets,
    TWILIO_AUTH_TOKEN: secrets.twilioAuthToken,
    SERVICE_NAME: 'Timebestilling AS',
    SERVICE_ORGANISATION_NUMBER: '999 999 999',
    SERVICE_ADDRESS: 'Storgata 1, 0155 Oslo',
    SERVICE_PRIVACY_EMAIL: 'personvern@timebestilling.example',
    PARTNER_MARKS_DIRECTORY: fileURLToPath(new URL('marks', import.meta.url)),
    EID_ISSUER: eid.issuer,
    EID_CLIENT_ID: EID_CLIENT,
    EID_CLIENT_SECRET: secrets.eidClientSecret,
    EID_PERSON_CLAIM: 'bankid_altsub',
    EID_ACR_ACCEPTED: 'urn:bankid:bid;LOA=4',
    POLICY_REGISTRY_URL: settings.registriesUrl,
    REFERRAL_REGISTRY_URL: settings.registriesUrl,
  };
  const operatorApi = {
    OPERATOR_DATABASE_URL: asRole(databaseUrl, 'booking_operator'),
    OPERATOR_API_HOST: '127.0.0.1',
    OPERATOR_API_PORT: String(settings.operatorApi.port),
    METRICS_PORT: String(settings.metricsPorts.operatorApi),
    OPERATOR_API_URL: settings.operatorApi.url,
    OPERATOR_SOCKET: context.pathTo('operator.sock'),
    OPERATOR_SESSION_SECRETS: secrets.operatorSessionSecret,
    OPERATOR_OIDC_ISSUER: externalServices.operatorLogin.issuer,
    OPERATOR_OIDC_AUDIENCE: OPERATOR_CLIENTS.audience,
    OPERATOR_OIDC_CLIENT_ID: OPERATOR_CLIENTS.backOffice,
    OPERATOR_OIDC_CLIENT_SECRET: secrets.operatorClientSecret,
    OPERATOR_OIDC_CLI_CLIENT_ID: OPERATOR_CLIENTS.commandLine,
    OPERATOR_OIDC_ROLES_CLAIM: ROLES_CLAIM,
    OPERATOR_OIDC_ROLES: ROLES.map((role) => `${role}=${organisationsRole(role)}`).join(','),
  };
  await Promise.all([
    progress('worker', () => runEntryPoint(context, 'worker', { ...common, ...worker }, healthPort)),
    ...others.map((port, i) => {
      const own = { WORKER_HEALTH_PORT: String(port), METRICS_PORT: '0' };
      return runEntryPoint(context, 'worker', { ...common, ...worker, ...own }, port, `worker-${i + 2}`);
    }),
    progress('API and pages', () =>
      runEntryPoint(context, 'api', { ...common, ...api, ...context.apiSettings }, Number(api.PORT)),
    ),
    ...otherApis.map((port, i) => {
      const own = { PORT: String(port), METRICS_PORT: '0' };
      const env = { ...common, ...api, ...context.apiSettings, ...own };
      return runEntryPoint(context, 'api', env, port, `api-${i + 2}`);
    }),
    progress('operator API', () =>
      runEntryPoint(context, 'operator-api', { ...common, ...operatorApi }, settings.operatorApi.port),
    ),
  ]);
}

const runEntryPoint = (
  { run, pathTo }: DevContext,
  name: 'api' | 'worker' | 'operator-api',
  env: Record<string, string>,
  port: number,
  as: string = name,
) =>
  run(as, () =>
    startNodeProcess({
      name: as,
      script: fileURLToPath(new URL(`../../src/main/${name}.ts`, import.meta.url)),
      env: { NODE_COMPILE_CACHE, ...IMAGE_ENVIRONMENT, ...env },
      logFile: pathTo('logs', `${as}.log`),
      ready: { url: `http://127.0.0.1:${port}/health/ready` },
      readyTimeoutMs: READY_TIMEOUT_MS,
    }),
  );

/** The database, with its tables as they are now. */
export const runPostgres = ({ progress, port, run, pathTo }: DevContext): Promise<RunningPostgres> =>
  progress('PostgreSQL', async (log) => {
    const options = { dataDir: pathTo('postgres'), port: await port(DEFAULT_PORTS.postgres) };
    const logFile = pathTo('logs', 'postgres.log');
    const running = await run('PostgreSQL', () => startPostgres({ ...options, logFile, log }));
    await migrate(asRole(running.url, 'booking_owner'), log).catch((error: unknown) => {
      if (!(error instanceof SchemaUnknown)) throw error;
      throw new Error('its data is of an older version; start afresh: npm run dev -- --reset', {
        cause: error,
      });
    });
    return running;
  });

export const runTemporal = ({ progress, port, run, pathTo }: DevContext): Promise<RunningTemporal> =>
  progress('Temporal, with its Web UI', async (log) => {
    const ports = {
      port: await port(DEFAULT_PORTS.temporal),
      uiPort: await port(DEFAULT_PORTS.temporalUi),
    };
    const storage = { dbFile: pathTo('temporal.db') };
    const logFile = pathTo('logs', 'temporal.log');
    return run('Temporal', () => startTemporal({ storage, ...ports, logFile, log }));
  });
