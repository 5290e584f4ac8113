import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { dateAt } from '../calendar/dates.ts';
import { eidOptions } from '../config/eid.ts';
import { type ApiSettings, SettingsError } from '../config/settings.ts';
import { faultOf } from '../domain/fault.ts';
import { createApp } from '../http/app.ts';
import { createSlotTokens } from '../http/booking/slot-tokens.ts';
import { createIdempotency } from '../http/idempotency.ts';
import { createLimits } from '../http/limits.ts';
import { createRequestList } from '../http/request-list.ts';
import { serve } from '../http/serve.ts';
import { createEid } from '../identity/eid.ts';
import { LoginFailed } from '../identity/login-failed.ts';
import { createCustomerLogin } from '../identity/login.ts';
import { isSameName } from '../identity/name-match.ts';
import { createOneTimeCodes } from '../identity/one-time-codes.ts';
import { createPasswords, type Passwords } from '../identity/passwords.ts';
import { createSessions } from '../identity/session.ts';
import { createApiMetrics } from '../metrics/api-metrics.ts';
import { createProcessMetrics } from '../metrics/process-metrics.ts';
import { createSignatureCheck, numberFaultOf } from '../messaging/twilio-reports.ts';
import { createMarks } from '../pages/assets.ts';
import { createFormTokens } from '../pages/forms.ts';
import { createAccessLog } from '../postgres/access-log.ts';
import { createAsPartner, isShownAll } from '../postgres/as-partner.ts';
import { beginSession, endCustomerSession, isSessionOpen } from '../postgres/customer-sessions.ts';
import { createTreatmentCatalogue } from '../postgres/providers.ts';
import { purposeKey } from '../postgres/sealing.ts';
import { createRegistries, type RegistryAddress } from '../registries/registries.ts';
import { createCaseClient } from '../temporal/case-client.ts';
import { createWorkerVersions } from '../temporal/worker-versions.ts';
import { openAvailability, openConnections, openRateCounter } from './connections.ts';
import { serveMetrics } from './private-server.ts';

export interface ApiContext {
  readonly log: Logger;
  /** Gets the access log, line by line, for a store elsewhere. */
  readonly accessLines?: Logger;
  readonly now?: () => Date;
  /** Where the workers of this deployment listen; the usual one when left out. */
  readonly taskQueue?: string;
  /** Others than ours, which are slow by intention; for tests that log in hundreds of times. */
  readonly passwords?: Passwords;
}

/** So long a proxy may go on sending requests to one that is leaving (milliseconds). */
const DRAIN_NOTICE = 2_000;
/** For what is left when all is answered. */
const CLOSE_TIMEOUT = 1_500;

/** The API and the customer's pages, from settings to answers. @throws when the port is in use */
export async function composeApi(
  settings: ApiSettings,
  { log, accessLines, now = () => new Date(), taskQueue, passwords = createPasswords() }: ApiContext,
) {
  const databaseUrl = settings.DATABASE_URL;
  const forPartners = settings.DATABASE_POOL_SIZE >> 1;
  const connections = await openConnections(settings, log, {
    ...{ databaseUrl, maxPoolSize: settings.DATABASE_POOL_SIZE - forPartners, notesFindings: true },
  });
  const { database, client } = connections;
  const partnersDatabase = await connections.openAlso(settings.PARTNER_DATABASE_URL, forPartners);
  if (await isShownAll(partnersDatabase))
    throw new SettingsError([
      'PARTNER_DATABASE_URL: must be of the role booking_partner; its own is shown every partner’s cases',
    ]);
  const counter = await openRateCounter(databaseUrl, log);
  const cookies = {
    secrets: settings.SESSION_SECRETS,
    secure: settings.PUBLIC_URL.startsWith('https:'),
    now,
  };
  const sessions = createSessions({
    ...cookies,
    openSessions: {
      begin: (keys) => beginSession(database, keys),
      has: (id) => isSessionOpen(database, id),
      end: (id) => endCustomerSession(database, id),
    },
  });

  const eid = createEid({
    ...eidOptions(settings),
    now,
    onUnsupported: (unsupported) =>
      log.warn({ unsupported }, 'eID discovery document lacks what the EID_ settings ask for'),
  });
  // it may be down: then the service starts all the same, and asks again when somebody logs in
  void eid.discover().catch((error: unknown) => {
    const login = error instanceof LoginFailed ? error.message : faultOf(error);
    if (error instanceof LoginFailed && error.reason === 'eid_misconfigured')
      log.error({ login }, 'EID_ISSUER is not the address of an eID; will retry at the next login');
    else log.warn({ login }, 'eID unreachable at start; will retry at the next login');
  });

  const registry = createProcessMetrics({ main: database, partners: partnersDatabase });
  const metrics = createApiMetrics(registry);
  let isLeaving = false;
  const requestList = createRequestList({ database, now, log });
  const workerVersions = createWorkerVersions(client, taskQueue, settings.TEMPORAL_DEPLOYMENT_NAME);
  let looking: Promise<unknown> = Promise.resolve();
  const app = createApp({
    settings: {
      environment: settings.ENVIRONMENT,
      publicUrl: settings.PUBLIC_URL,
      trustProxy: settings.TRUST_PROXY,
      archiveAfterDays: settings.ARCHIVE_AFTER_DAYS,
      personalDataMonths: settings.PERSONAL_DATA_MONTHS,
      smsCountries: settings.SMS_COUNTRIES,
      otherEnvironmentUrl: settings.OTHER_ENVIRONMENT_URL ?? null,
      supportEmail: settings.SUPPORT_EMAIL,
      supportPhone: settings.SUPPORT_PHONE,
      serviceOwner: {
        name: settings.SERVICE_NAME,
        organisationNumber: settings.SERVICE_ORGANISATION_NUMBER,
        address: settings.SERVICE_ADDRESS,
        privacyEmail: settings.SERVICE_PRIVACY_EMAIL ?? settings.SUPPORT_EMAIL,
      },
    },
    marks: createMarks(settings.PARTNER_MARKS_DIRECTORY),
    database,
    asPartner: createAsPartner(partnersDatabase, database),
    noteAccess: createAccessLog(database, 'api', (line) => accessLines?.info(line)),
    treatmentTypes: createTreatmentCatalogue(database),
    caseClient: createCaseClient({
      ...{ client, taskQueue, now, onAsked: metrics.asked },
      isSandbox: settings.ENVIRONMENT === 'test',
    }),
    hasWorkers: () => (looking = workerVersions.isCurrentServed()),
    availability: openAvailability(connections, log),
    registries: createRegistries({
      policy: registryAddress(settings.POLICY_REGISTRY_URL, settings.POLICY_REGISTRY_TOKEN),
      referral: registryAddress(settings.REFERRAL_REGISTRY_URL, settings.REFERRAL_REGISTRY_TOKEN),
      isSameName,
      dateAt,
      onUnavailable: (registry, fault) => log.warn({ registry, fault }, 'registry unavailable'),
    }),
    login: createCustomerLogin({ eid, sessions, cookies, identitySecrets: settings.IDENTITY_SECRETS }),
    sessions,
    passwords,
    oneTimeCodes: createOneTimeCodes({
      sealingKey: () => purposeKey(database, 'one-time-codes'),
      issuer: new URL(settings.PUBLIC_URL).hostname,
      now,
    }),
    slotTokens: createSlotTokens(settings.SESSION_SECRETS),
    formTokens: createFormTokens(cookies),
    idempotency: createIdempotency({ database }),
    numberFaultOf,
    requestList,
    isFromTwilio: createSignatureCheck(settings.TWILIO_AUTH_TOKEN),
    limits: createLimits({ counter, secret: settings.SESSION_SECRETS[0] }),
    isDraining: () => isLeaving,
    log,
    metrics,
    now,
  });
  const { HOST: host, PORT: port, PUBLIC_URL: publicUrl } = settings;
  const serving = await serve(app, { host, port, publicUrl });
  const scraped = await serveMetrics(settings, registry);
  return {
    port: serving.port,
    metricsPort: scraped.port,
    /** Says that it is not ready any more, and goes on answering while those in front of it take notice. */
    async drain() {
      isLeaving = true;
      serving.drain();
      await delay(DRAIN_NOTICE);
    },
    async stop() {
      isLeaving = true;
      await serving.stop();
      scraped.stop();
      // what the client tries again behind its end would end the process
      await looking.catch(() => undefined);
      await connections.close(CLOSE_TIMEOUT, [counter.close(), requestList.write()]);
    },
  };
}

const registryAddress = (
  baseUrl: string | undefined,
  bearerToken: string | undefined,
): RegistryAddress | null => (baseUrl === undefined ? null : { baseUrl, bearerToken });
