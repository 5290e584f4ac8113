import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { TASK_QUEUE } from '../../workflows/contract.ts';
import { reachOf } from '../config/egress.ts';
import { type OperatorApiSettings, readCredential } from '../config/settings.ts';
import { faultOf, reasonOf } from '../domain/fault.ts';
import { createOperatorLoginLimit } from '../http/limits.ts';
import { serve } from '../http/serve.ts';
import { createOperatorApi, type OperatorApiContext } from '../operator/api/app.ts';
import { createApiMetrics } from '../metrics/api-metrics.ts';
import { createProcessMetrics } from '../metrics/process-metrics.ts';
import { createAccessLog } from '../postgres/access-log.ts';
import { openDatabase } from '../postgres/database.ts';
import { listProviders } from '../postgres/providers.ts';
import { createRateCounter } from '../postgres/rate-limits.ts';
import { readTakenSlots } from '../postgres/slot-claims.ts';
import { createAvailability } from '../providers/availability.ts';
import { connectBookingSystem, PROVIDER_KINDS } from '../providers/connect.ts';
import { createProviderDirectory } from '../providers/directory.ts';
import { ProviderUnavailable } from '../providers/port.ts';
import { createCaseClient } from '../temporal/case-client.ts';
import { runReconciliation } from '../temporal/schedules.ts';
import { createWebUi } from '../temporal/web-ui.ts';
import { createWorkerVersions } from '../worker/versions.ts';
import { breakGlassAuthentication, composeOperatorLogin } from './compose-operator-login.ts';
import { openTemporal } from './connections.ts';
import { serveMetrics } from './private-server.ts';
import { retryUntilAvailable, settleWithin } from './process.ts';

export interface OperatorApiOptions {
  readonly log: Logger;
  /** Gets the access log, line by line, for a store elsewhere. */
  readonly accessLines?: Logger;
  /** In place of the login at the identity provider. */
  readonly authenticate?: OperatorApiContext['authenticate'];
  readonly now?: () => Date;
  /** Where the workers of this deployment listen; the usual one when left out. */
  readonly taskQueue?: string;
  /** How long a workflow's verdict is waited for (milliseconds); the usual time when left out. */
  readonly timeout?: number;
  /** When a worker looks again at what is not as expected (milliseconds); at the usual time when left out. */
  readonly recheckAfter?: number;
}

export interface RunningOperatorApi {
  readonly port: number;
  readonly metricsPort: number;
  stop(): Promise<void>;
}

/** So long a proxy may go on sending requests to one that is leaving (milliseconds). */
const DRAIN_NOTICE = 500;
const CLOSE_TIMEOUT = 1_500;

/** The operator API, from settings to answers. @throws when the port is in use */
export async function composeOperatorApi(
  settings: OperatorApiSettings,
  {
    log,
    accessLines,
    authenticate,
    now = () => new Date(),
    taskQueue,
    timeout,
    recheckAfter,
  }: OperatorApiOptions,
): Promise<RunningOperatorApi> {
  const database = await retryUntilAvailable(
    () => openDatabase(settings.OPERATOR_DATABASE_URL, { maxPoolSize: 10 }),
    (error) => log.warn({ reason: reasonOf(error) }, 'PostgreSQL unreachable, retrying'),
  );
  const client = openTemporal(settings);
  const mayReach = reachOf(settings.EGRESS_HOSTS);
  const directory = await createProviderDirectory({
    listRegistrations: () => listProviders(database),
    secretOf: readCredential,
    mayReach,
    log,
  });
  let isLeaving = false;
  const counter = await createRateCounter(settings.OPERATOR_DATABASE_URL, {
    onUnavailable: (error) =>
      log.warn({ reason: reasonOf(error) }, 'PostgreSQL unreachable: logins are counted here'),
    onAvailable: () => log.info('logins are counted in PostgreSQL again'),
  });
  const limit = createOperatorLoginLimit({ counter, secret: settings.OPERATOR_SESSION_SECRETS[0] });
  const login = { ...composeOperatorLogin(settings, { database, log, now }), limit };
  const registry = createProcessMetrics({ main: database });
  const metrics = createApiMetrics(registry);
  const context = {
    log,
    metrics,
    trustProxy: settings.TRUST_PROXY,
    isDraining: () => isLeaving,
    service: {
      settings: {
        environment: settings.ENVIRONMENT,
        publicUrl: settings.PUBLIC_URL,
        smsCountries: settings.SMS_COUNTRIES,
      },
      webUi: createWebUi(settings.TEMPORAL_UI_URL, settings.TEMPORAL_NAMESPACE),
      database,
      noteAccess: createAccessLog(database, 'operator_api', (line) => accessLines?.info(line)),
      caseClient: createCaseClient({ client, taskQueue, timeout, now, onAsked: metrics.asked }),
      reconcile: (task) =>
        runReconciliation(
          client,
          { ...task, ...(recheckAfter === undefined ? {} : { recheckAfter }) },
          taskQueue,
        ),
      workerVersions: createWorkerVersions(client, taskQueue ?? TASK_QUEUE),
      availability: createAvailability({
        systems: directory.systems,
        claimedSlots: (range) => readTakenSlots(database, range),
        onUnavailable: (providerId, error) =>
          log.warn(
            // only this class promises a message without data
            { providerId, fault: error instanceof ProviderUnavailable ? error.message : faultOf(error) },
            'provider unavailable',
          ),
      }),
      connect: ({ base_url: baseUrl, ...row }, observer) =>
        connectBookingSystem({ ...row, baseUrl }, { secretOf: readCredential, mayReach, ...observer }),
      kinds: PROVIDER_KINDS,
      isSet: (variable) => readCredential(variable) !== null,
      now,
    },
  } satisfies Partial<OperatorApiContext>;
  const app = createOperatorApi({ ...context, authenticate: authenticate ?? login.authenticate, login });
  const serving = await serve(app, { host: settings.OPERATOR_API_HOST, port: settings.OPERATOR_API_PORT });
  const socketPath = settings.OPERATOR_SOCKET;
  const breakGlass =
    socketPath === undefined
      ? null
      : await serve(
          createOperatorApi({
            ...context,
            authenticate: breakGlassAuthentication({ database, log }),
            login: null,
          }),
          { socketPath },
        );
  const scraped = await serveMetrics({ host: settings.METRICS_HOST, port: settings.METRICS_PORT }, [
    registry,
  ]);
  return {
    port: serving.port,
    metricsPort: scraped.port,
    async stop() {
      isLeaving = true;
      serving.drain();
      breakGlass?.drain();
      await delay(DRAIN_NOTICE);
      await Promise.all([serving.stop(), breakGlass?.stop()]);
      scraped.stop();
      directory.close();
      await settleWithin(CLOSE_TIMEOUT, [client.connection.close(), counter.close()]);
      await settleWithin(CLOSE_TIMEOUT, [database.end()]);
    },
  };
}
