import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { dateAt } from './calendar/dates.ts';
import type { ApiSettings } from './config.ts';
import { eidOptions } from './eid-settings.ts';
import { endWithin } from './end-within.ts';
import { faultOf } from './http/answer-errors.ts';
import { createApp } from './http/app.ts';
import { createIdempotency } from './http/idempotency.ts';
import { createLimits } from './http/limits.ts';
import { createFormTokens } from './http/pages/form-token.ts';
import { serve } from './http/serve.ts';
import { createSlotTokens } from './http/slot-token.ts';
import { createEid } from './identity/eid.ts';
import { finishOnce } from './identity/finish-once.ts';
import { LoginFailed } from './identity/login-failed.ts';
import { createLoginStates } from './identity/login-state.ts';
import { isSameName } from './identity/name-match.ts';
import { createPendingLogins } from './identity/pending-logins.ts';
import { personKey } from './identity/person-key.ts';
import { createSessions } from './identity/session.ts';
import { createPasswords } from './keys/password.ts';
import { createSignatureCheck } from './messaging/twilio-signature.ts';
import { createCatalogue } from './postgres/catalogue.ts';
import { takenHours } from './postgres/claims.ts';
import { openDatabase } from './postgres/database.ts';
import { openFindings } from './postgres/provider-findings.ts';
import { openRateCounter } from './postgres/rate-counter.ts';
import { openProviderDirectory } from './provider-directory.ts';
import { createAvailability } from './providers/availability.ts';
import { ProviderUnavailable } from './providers/port.ts';
import { createRegistries, type RegistryAddress } from './registries/index.ts';
import { untilThere } from './root.ts';
import { openTemporal } from './temporal/connect.ts';
import { createDoor } from './temporal/door.ts';
import { startCase } from './temporal/start-case.ts';

export interface ApiSurroundings {
  readonly log: Logger;
  readonly now?: () => Date;
  /** Where the workers of this deployment listen; the usual one when left out. */
  readonly taskQueue?: string;
}

export interface RunningApi {
  readonly port: number;
  /** Says that it is not ready any more, and goes on answering while those in front of it take notice. */
  leave(): Promise<void>;
  stop(): Promise<void>;
}

/** So long a proxy may go on sending requests to one that is leaving (milliseconds). */
const NOTICED_WITHIN = 2_000;
/** For what is left when all is answered. */
const CLOSED_WITHIN = 1_500;

/** The API and the customer's pages, from settings to answers. @throws when the port is in use */
export async function composeApi(
  settings: ApiSettings,
  { log, now = () => new Date(), taskQueue }: ApiSurroundings,
): Promise<RunningApi> {
  const database = await untilThere(
    () => openDatabase(settings.DATABASE_URL, { maxPoolSize: 20 }),
    () => log.warn('PostgreSQL is not there yet'),
  );
  const findings = openFindings(database, (error) =>
    log.warn({ fault: faultOf(error) }, 'what was found at providers could not be written now'),
  );
  const directory = await openProviderDirectory(database, log, findings.note);
  const counter = await openRateCounter(settings.DATABASE_URL, {
    onAway: (error) => log.warn({ fault: faultOf(error) }, 'rate limits are counted in this process alone'),
    onBack: () => log.info('rate limits are counted with all processes again'),
  });
  const client = openTemporal({
    address: settings.TEMPORAL_ADDRESS,
    namespace: settings.TEMPORAL_NAMESPACE,
    apiKey: settings.TEMPORAL_API_KEY,
  });
  const cookies = {
    secrets: settings.SESSION_SECRETS,
    secure: settings.PUBLIC_URL.startsWith('https:'),
    now,
  };

  const eid = createEid({
    ...eidOptions(settings),
    now,
    onDoubts: (doubts) =>
      log.warn({ doubts }, 'the eID does not say that it has what the EID_ settings ask for'),
  });
  // it may be down: then the service starts all the same, and asks again when somebody logs in
  void eid.lookUp().catch((error: unknown) => {
    log.warn(
      { login: error instanceof LoginFailed ? error.message : faultOf(error) },
      'the eID is not there yet',
    );
  });

  let isLeaving = false;
  const app = createApp({
    settings: {
      environment: settings.ENVIRONMENT,
      publicUrl: settings.PUBLIC_URL,
      trustProxy: settings.TRUST_PROXY,
      archiveAfterDays: settings.ARCHIVE_AFTER_DAYS,
      supportEmail: settings.SUPPORT_EMAIL,
      supportPhone: settings.SUPPORT_PHONE,
    },
    database,
    treatmentTypes: createCatalogue(database),
    door: createDoor({ client, start: (row) => startCase(client, row, taskQueue) }),
    availability: createAvailability({
      systems: directory.systems,
      takenHours: (range) => takenHours(database, range),
      onUnavailable: (providerId, error) => {
        findings.note({ providerId, kind: 'unreachable', about: 'search' });
        log.warn(
          // only this class promises a message without data
          { providerId, fault: error instanceof ProviderUnavailable ? error.message : faultOf(error) },
          'a provider does not answer',
        );
      },
    }),
    registries: createRegistries({
      policy: addressOf(settings.POLICY_REGISTRY_URL, settings.POLICY_REGISTRY_TOKEN),
      referral: addressOf(settings.REFERRAL_REGISTRY_URL, settings.REFERRAL_REGISTRY_TOKEN),
      isSameName,
      dateAt,
      onUnavailable: (registry, fault) => log.warn({ registry, fault }, 'a registry does not answer'),
    }),
    eid: finishOnce(eid),
    loginStates: createLoginStates(cookies),
    pendingLogins: createPendingLogins(cookies),
    sessions: createSessions(cookies),
    personKeyOf: (person) => personKey(person, settings.IDENTITY_SECRET),
    passwords: createPasswords(),
    slotTokens: createSlotTokens(settings.SESSION_SECRETS),
    formTokens: createFormTokens(cookies),
    idempotency: createIdempotency({ database, secret: settings.IDENTITY_SECRET }),
    isFromTwilio: createSignatureCheck(settings.TWILIO_AUTH_TOKEN),
    limits: createLimits({ counter, secret: settings.SESSION_SECRETS[0] }),
    isLeaving: () => isLeaving,
    log,
    now,
  });
  const serving = await serve(app, { host: settings.HOST, port: settings.PORT });

  return {
    port: serving.port,
    async leave() {
      isLeaving = true;
      serving.leave();
      await delay(NOTICED_WITHIN);
    },
    async stop() {
      isLeaving = true;
      await serving.stop();
      directory.close();
      await endWithin(CLOSED_WITHIN, [findings.close(), counter.close(), client.connection.close()]);
      await endWithin(CLOSED_WITHIN, [database.end()]);
    },
  };
}

const addressOf = (baseUrl: string | undefined, bearerToken: string | undefined): RegistryAddress | null =>
  baseUrl === undefined ? null : { baseUrl, bearerToken };
