import { randomBytes } from 'node:crypto';
import { asRole } from '../../dev/postgres/server.ts';
import { apiSettings, readSettings, workerSettings } from '../../src/config/settings.ts';
import { MASTER_KEYS } from './database.ts';

export const EID_CLIENT = { clientId: 'treatment-booking', clientSecret: 'a secret of the tests' };
export const TWILIO = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'a token of the tests' };
export const WEBHOOK_SECRET = `whsec_${randomBytes(32).toString('base64')}`;
/** As in production: what Temporal keeps of tests' cases is encrypted, and whoever reads it has the key. */
export const PAYLOAD_KEYS = [{ id: 'tests', key: randomBytes(32) }];
const payloadKeys = PAYLOAD_KEYS.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',');
/** Nobody listens there: what a suite does without. */
const NOWHERE = '127.0.0.1:9';

export interface Surroundings {
  readonly port: number;
  readonly databaseUrl: string;
  /** Where the other leads to a pooler. */
  readonly directDatabaseUrl?: string | undefined;
  readonly temporalAddress: string;
  readonly eidIssuer?: string | undefined;
  readonly smtpUrl?: string | undefined;
  readonly phoneUrl?: string | undefined;
  /** Left out: operators are told by mail alone. */
  readonly alertsUrl?: string | undefined;
  /** Left out: the deployment has no registries. */
  readonly registriesUrl?: string | undefined;
  readonly trustProxy?: string | undefined;
}

const secret = randomBytes(32).toString('hex');

/** The settings as the environment has them, for processes of their own. */
export function serviceEnvironment(around: Surroundings) {
  const common = {
    ENVIRONMENT: 'test',
    MASTER_KEYS,
    PUBLIC_URL: `http://127.0.0.1:${around.port}`,
    TEMPORAL_ADDRESS: around.temporalAddress,
    TEMPORAL_PAYLOAD_KEYS: payloadKeys,
    SUPPORT_EMAIL: 'hjelp@timebestilling.example',
    SUPPORT_PHONE: '+47 21 00 00 00',
    LOG_LEVEL: 'error',
    METRICS_PORT: '0',
  };
  return {
    api: {
      ...common,
      DATABASE_URL: asRole(around.databaseUrl, 'booking_api'),
      PARTNER_DATABASE_URL: asRole(around.databaseUrl, 'booking_partner'),
      HOST: '127.0.0.1',
      PORT: String(around.port),
      // callers say with X-Forwarded-For who they are
      TRUST_PROXY: around.trustProxy ?? '1',
      SESSION_SECRETS: secret,
      IDENTITY_SECRETS: `first:${secret}`,
      TWILIO_AUTH_TOKEN: TWILIO.authToken,
      SERVICE_NAME: 'Timebestilling AS',
      SERVICE_ORGANISATION_NUMBER: '999 999 999',
      SERVICE_ADDRESS: 'Storgata 1, 0155 Oslo',
      SERVICE_PRIVACY_EMAIL: 'personvern@timebestilling.example',
      EID_ISSUER: around.eidIssuer ?? `http://${NOWHERE}`,
      EID_CLIENT_ID: EID_CLIENT.clientId,
      EID_CLIENT_SECRET: EID_CLIENT.clientSecret,
      EID_PERSON_CLAIM: 'bankid_altsub',
      EID_ACR_ACCEPTED: 'urn:bankid:bid;LOA=4',
      POLICY_REGISTRY_URL: around.registriesUrl,
      REFERRAL_REGISTRY_URL: around.registriesUrl,
    },
    worker: {
      ...common,
      DATABASE_URL: asRole(around.databaseUrl, 'booking_worker'),
      DATABASE_DIRECT_URL: around.directDatabaseUrl && asRole(around.directDatabaseUrl, 'booking_worker'),
      SMTP_URL: around.smtpUrl ?? `smtp://${NOWHERE}`,
      MAIL_FROM: 'Timebestilling <timebestilling@timebestilling.example>',
      OPERATOR_EMAIL: 'drift@timebestilling.example',
      TEMPORAL_UI_URL: 'http://temporal.example',
      ...(around.alertsUrl !== undefined && {
        ALERT_WEBHOOK_URL: `${around.alertsUrl}/alerts`,
        ALERT_WEBHOOK_SECRET: WEBHOOK_SECRET,
      }),
      TWILIO_ACCOUNT_SID: TWILIO.accountSid,
      TWILIO_AUTH_TOKEN: TWILIO.authToken,
      TWILIO_FROM: '+4759440000',
      TWILIO_BASE_URL: around.phoneUrl ?? `http://${NOWHERE}`,
      WORKER_HEALTH_HOST: '127.0.0.1',
      WORKER_HEALTH_PORT: '0',
    },
  };
}

/** The same for a service in this process, read by the same rules. */
export function serviceSettings(around: Surroundings) {
  const { api, worker } = serviceEnvironment(around);
  return { api: readSettings(apiSettings, api), worker: readSettings(workerSettings, worker) };
}
