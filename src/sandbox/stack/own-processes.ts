import { fileURLToPath } from 'node:url';
import { startNodeProcess } from '../processes.ts';
import type { Ground } from './ground.ts';
import { EID_CLIENT, type Correspondents } from './outside-world.ts';

const USUAL = { worker: 3001 };
const READY_WITHIN_MS = 60_000;

export interface OwnSettings {
  readonly web: { readonly url: string; readonly port: number };
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalUi: string | null;
  readonly correspondents: Correspondents;
  /** The FHIR server of policies and referrals. */
  readonly registriesUrl: string;
  /** Variables that the providers' registrations name. */
  readonly providerSecrets: Readonly<Record<string, string>>;
}

/** The API and a worker, each a process of its own and set up by its environment alone, as in production. */
export async function runOwnProcesses(ground: Ground, settings: OwnSettings): Promise<void> {
  const { secrets, port, progress, detour } = ground;
  const { web, correspondents } = settings;
  const { eid, mail, phone } = correspondents;
  const common = {
    ENVIRONMENT: 'test',
    PUBLIC_URL: web.url,
    DATABASE_URL: await detour('postgresql', settings.databaseUrl),
    TEMPORAL_ADDRESS: await detour('temporal', settings.temporalAddress),
    SUPPORT_EMAIL: 'hjelp@timebestilling.example',
    SUPPORT_PHONE: '+47 21 00 00 00',
    ...settings.providerSecrets,
  };
  const healthPort = await port(USUAL.worker);
  const worker = {
    SMTP_URL: await detour('mail', mail.smtpUrl),
    MAIL_FROM: 'Timebestilling <timebestilling@timebestilling.example>',
    OPERATOR_EMAIL: 'drift@timebestilling.example',
    TEMPORAL_UI_URL: settings.temporalUi ?? '',
    TWILIO_ACCOUNT_SID: secrets.twilioAccountSid,
    TWILIO_AUTH_TOKEN: secrets.twilioAuthToken,
    TWILIO_FROM: '+4759440000',
    TWILIO_BASE_URL: await detour('phone', phone.url),
    WORKER_HEALTH_PORT: String(healthPort),
    // nobody promotes versions here
    WORKER_BUILD_ID: '',
  };
  const api = {
    HOST: '127.0.0.1',
    PORT: String(web.port),
    SESSION_SECRETS: secrets.sessionSecret,
    IDENTITY_SECRET: secrets.identitySecret,
    TWILIO_AUTH_TOKEN: secrets.twilioAuthToken,
    EID_ISSUER: eid.issuer,
    EID_CLIENT_ID: EID_CLIENT,
    EID_CLIENT_SECRET: secrets.eidClientSecret,
    EID_PERSON_CLAIM: 'bankid_altsub',
    EID_ACR_ACCEPTED: 'urn:bankid:bid;LOA=4',
    POLICY_REGISTRY_URL: settings.registriesUrl,
    REFERRAL_REGISTRY_URL: settings.registriesUrl,
  };
  await Promise.all([
    progress('worker', () => runRoot(ground, 'worker', { ...common, ...worker }, healthPort)),
    progress('API and pages', () =>
      runRoot(ground, 'api', { ...common, ...api, ...ground.apiSettings }, web.port),
    ),
  ]);
}

const runRoot = (
  { run, inside }: Ground,
  name: 'api' | 'worker',
  env: Record<string, string>,
  port: number,
) =>
  run(name, () =>
    startNodeProcess({
      name,
      script: fileURLToPath(new URL(`../../${name}.ts`, import.meta.url)),
      env,
      logFile: inside('logs', `${name}.log`),
      ready: { url: `http://127.0.0.1:${port}/health/ready` },
      readyTimeoutMs: READY_WITHIN_MS,
    }),
  );
