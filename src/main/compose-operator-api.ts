import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type OperatorApiSettings, readCredential } from '../config/settings.ts';
import { createCodecLimit, createOperatorLoginLimit } from '../http/limits.ts';
import { serve } from '../http/serve.ts';
import { createOperatorApi, type OperatorApiContext } from '../operator/api/app.ts';
import { createApiMetrics } from '../metrics/api-metrics.ts';
import { createProcessMetrics } from '../metrics/process-metrics.ts';
import { createAccessLog } from '../postgres/access-log.ts';
import { connectBookingSystem, PROVIDER_KINDS } from '../providers/connect.ts';
import { createCaseClient } from '../temporal/case-client.ts';
import { createPayloadCodec } from '../temporal/payload-codec.ts';
import { runReconciliation } from '../temporal/schedules.ts';
import { createWebUi } from '../temporal/web-ui.ts';
import { createWorkerVersions } from '../temporal/worker-versions.ts';
import { breakGlassAuthentication, composeOperatorLogin } from './compose-operator-login.ts';
import { openAvailability, openConnections, openRateCounter } from './connections.ts';
import { serveMetrics } from './private-server.ts';

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
) {
  const databaseUrl = settings.OPERATOR_DATABASE_URL;
  const connections = await openConnections(settings, log, {
    ...{ databaseUrl, maxPoolSize: settings.DATABASE_POOL_SIZE, notesFindings: false },
  });
  const { database, client, mayReach } = connections;
  let isLeaving = false;
  const counter = await openRateCounter(databaseUrl, log);
  const counting = { counter, secret: settings.OPERATOR_SESSION_SECRETS[0] };
  const limit = createOperatorLoginLimit(counting);
  const login = { ...composeOperatorLogin(settings, { database, log, now }), limit };
  const registry = createProcessMetrics({ main: database });
  const metrics = createApiMetrics(registry);
  const context = {
    log,
    metrics,
    trustProxy: settings.TRUST_PROXY,
    isDraining: () => isLeaving,
    payloads: {
      codec: createPayloadCodec(settings.TEMPORAL_PAYLOAD_KEYS ?? []),
      limit: createCodecLimit(counting),
    },
    service: {
      settings: {
        environment: settings.ENVIRONMENT,
        publicUrl: settings.PUBLIC_URL,
        smsCountries: settings.SMS_COUNTRIES,
        archiveAfterDays: settings.ARCHIVE_AFTER_DAYS,
      },
      webUi: createWebUi(settings.TEMPORAL_UI_URL, settings.TEMPORAL_NAMESPACE),
      database,
      noteAccess: createAccessLog(database, 'operator_api', (line) => accessLines?.info(line)),
      caseClient: createCaseClient({
        ...{ client, taskQueue, timeout, now, onAsked: metrics.asked },
        isSandbox: settings.ENVIRONMENT === 'test',
      }),
      reconcile: (task) =>
        runReconciliation(
          client,
          { ...task, ...(recheckAfter === undefined ? {} : { recheckAfter }) },
          taskQueue,
        ),
      workerVersions: createWorkerVersions(client, taskQueue, settings.TEMPORAL_DEPLOYMENT_NAME),
      availability: openAvailability(connections, log),
      connect: ({ base_url: baseUrl, ...row }, observer) =>
        connectBookingSystem({ ...row, baseUrl }, { secretOf: readCredential, mayReach, ...observer }),
      kinds: PROVIDER_KINDS,
      isSet: (variable) => readCredential(variable) !== null,
      now,
    },
  } satisfies Partial<OperatorApiContext>;
  const app = createOperatorApi({ ...context, authenticate: authenticate ?? login.authenticate, login });
  const { OPERATOR_API_HOST: host, OPERATOR_API_PORT: port, OPERATOR_SOCKET: socketPath } = settings;
  const serving = await serve(app, { host, port });
  const authenticateOnSocket = breakGlassAuthentication({ database, log });
  const breakGlass =
    socketPath === undefined
      ? null
      : await serve(createOperatorApi({ ...context, authenticate: authenticateOnSocket, login: null }), {
          socketPath,
        });
  const scraped = await serveMetrics(settings, registry);
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
      await connections.close(CLOSE_TIMEOUT, [counter.close()]);
    },
  };
}
