import type { WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from 'pino';
import { guard } from '../../activities/failures.ts';
import { createActivities } from '../../activities/index.ts';
import { createReconcileActivities } from '../../activities/reconcile.ts';
import { TASK_QUEUE } from '../../workflows/contract.ts';
import { daytimeFrom, graceDeadline, reminderOfAppointment } from '../calendar/dates.ts';
import { isTlsRequired, messageBounds } from '../config/messaging.ts';
import type { WorkerSettings } from '../config/settings.ts';
import { faultOf, reasonOf } from '../domain/fault.ts';
import { UNVERSIONED } from '../domain/ids.ts';
import { instant } from '../domain/instant.ts';
import { createAccountMail } from '../messaging/account-mail.ts';
import { caseTime } from '../domain/case-state.ts';
import { AddressRefused, DeliveryUnavailable } from '../messaging/failures.ts';
import { createMail, type Mail } from '../messaging/mail.ts';
import { createMessageSender } from '../messaging/message-sender.ts';
import { createAlertWebhook } from '../messaging/alert-webhook.ts';
import { createOperatorAlert } from '../messaging/operator-alert.ts';
import { createSms } from '../messaging/sms.ts';
import { startBusinessGauges } from '../metrics/business-gauges.ts';
import { createProcessMetrics } from '../metrics/process-metrics.ts';
import { createWorkerMetrics } from '../metrics/worker-metrics.ts';
import { createAccessLog, createTransferLog } from '../postgres/access-log.ts';
import {
  createAppointments,
  createBookingFailures,
  readBookingDetails,
  readWaiting,
} from '../postgres/bookings.ts';
import { CASES_CHANNEL } from '../postgres/create-case.ts';
import { isDatabaseReachable, listen } from '../postgres/database.ts';
import { createMessageRepository } from '../postgres/messages.ts';
import { eraseOverdue } from '../postgres/personal-data.ts';
import { projectCase } from '../postgres/project-case.ts';
import { createWatchRepository } from '../postgres/providers.ts';
import { createReconciliationRepository } from '../postgres/reconciliation.ts';
import { createOrphans, createSlotClaims } from '../postgres/slot-claims.ts';
import { createTestMessages, createTestRefusals } from '../postgres/test-environment.ts';
import { createCaseClient } from '../temporal/case-client.ts';
import { isTemporalReachable } from '../temporal/connection.ts';
import { readSchedules, upsertSchedules } from '../temporal/schedules.ts';
import { createStarts, runStarter } from '../temporal/starter.ts';
import { createWebUi } from '../temporal/web-ui.ts';
import {
  type ExternalServices,
  inTestEnvironment,
  mayDeliver,
} from '../test-environment/external-services.ts';
import { startAccountMails } from '../worker/account-mails.ts';
import { startAlerts } from '../worker/alerts.ts';
import { startRetentionJob } from '../worker/retention.ts';
import { temporalReasonOf } from '../worker/temporal-runtime.ts';
import { runWorkers } from '../worker/temporal-workers.ts';
import { createWorkerVersions } from '../temporal/worker-versions.ts';
import { watchVersion } from '../worker/watch-version.ts';
import { loadWorkflowBundle } from '../worker/workflow-bundle.ts';
import { openConnections } from './connections.ts';
import { serveHealth, serveMetrics } from './private-server.ts';
import { retryUntilAvailable, settleWithin } from './process.ts';

export interface WorkerContext {
  readonly log: Logger;
  /** Gets the access log, line by line, for a store elsewhere. */
  readonly accessLines?: Logger;
  /** A queue of its own keeps one deployment's cases from another's workers on the same Temporal server. */
  readonly taskQueue?: string;
  /** The workflows' code, where it is made already. */
  readonly workflowBundle?: WorkflowBundleOption;
  /** How often what needs operators is looked for and told (milliseconds); as usual when left out. */
  readonly alertsEvery?: number;
  /** What Temporal's SDK tells of itself, of which a process has one. */
  readonly temporal?: { metrics(): Promise<string> };
}

/** The worker itself gives up what is under way a second before (milliseconds). */
const DRAIN_TIMEOUT = 25_000;
/** Each is done in transactions, which are taken back when nobody ends them. */
const JOBS_TIMEOUT = 5_000;
const CLOSE_TIMEOUT = 1_000;

/** Runs the cases' workflows and all they do in the world, and starts those that wait in PostgreSQL. */
export async function composeWorker(
  settings: WorkerSettings,
  { log, accessLines, taskQueue = TASK_QUEUE, workflowBundle, alertsEvery, temporal }: WorkerContext,
) {
  const connections = await openConnections(settings, log, {
    ...{ databaseUrl: settings.DATABASE_URL, maxPoolSize: settings.DATABASE_POOL_SIZE, notesFindings: true },
  });
  const { database, client, directory, noteFinding } = connections;
  const directUrl = settings.DATABASE_DIRECT_URL;
  // who leads keeps a lock on a connection, which a pooler would lend to others
  const leading = directUrl === undefined ? database : await connections.openAlso(directUrl, 1);
  const registry = createProcessMetrics({ main: database });
  const metrics = createWorkerMetrics(registry, directory.systems);
  const mail = createMail({
    smtpUrl: settings.SMTP_URL,
    tlsRequired: isTlsRequired(settings),
    from: settings.MAIL_FROM,
    replyTo: settings.MAIL_REPLY_TO ?? settings.SUPPORT_EMAIL,
  });
  const sms = createSms({
    accountSid: settings.TWILIO_ACCOUNT_SID,
    authToken: settings.TWILIO_AUTH_TOKEN[0],
    sender: settings.TWILIO_FROM,
    baseUrl: settings.TWILIO_BASE_URL,
  });
  const real: ExternalServices = { mail, sms, bookingSystemOf: (id) => directory.systemOf(id) };
  const isProduction = settings.ENVIRONMENT === 'production';
  const mayAlert = isProduction || mayDeliver(settings).mail;
  const orders = { ...createTestMessages(database), ...createTestRefusals(database) };
  const outside = isProduction ? real : inTestEnvironment(real, orders, settings);
  if (!isProduction) log.info(mayDeliver(settings), 'test environment: channels that really send');
  const caseClient = createCaseClient({ client, taskQueue, isSandbox: !isProduction });
  const noteAccess = createAccessLog(database, 'worker', (line) => accessLines?.info(line));
  const activities = createActivities({
    bookingSystemOf: outside.bookingSystemOf,
    claims: createSlotClaims(database),
    bookingFailures: createBookingFailures(database),
    bookingDetails: (caseId) => readBookingDetails(database, caseId),
    graceDeadline: (of) => graceDeadline(caseTime(of, new Date())),
    reminderOfAppointment,
    daytime: () => daytimeFrom(new Date()),
    waitingFor: (freed) => readWaiting(database, freed),
    noteTransfer: createTransferLog(database, noteAccess),
    messageRepository: createMessageRepository(database, noteAccess, messageBounds(settings)),
    sendOnChannel: createMessageSender({
      mail: outside.mail,
      sms: outside.sms,
      senderEmail: settings.MAIL_FROM.address,
      publicUrl: settings.PUBLIC_URL,
      supportEmail: settings.SUPPORT_EMAIL,
      supportPhone: settings.SUPPORT_PHONE,
    }),
    isAddressRefused: (error) => error instanceof AddressRefused,
    reasonOf: deliveryReasonOf,
    statusCallbackOf: (channel, dedupId) =>
      channel === 'sms'
        ? `${settings.PUBLIC_URL}/callbacks/twilio/status?message=${encodeURIComponent(dedupId)}`
        : null,
    now: async () => instant(new Date()),
    onEnded: metrics.message,
    writeSnapshot: (snapshot) => projectCase(database, snapshot),
    registered: () => [...directory.systems.keys()],
    appointmentRepository: createAppointments(database),
    watchRepository: createWatchRepository(database),
    orphanRepository: createOrphans(database),
    caseClient,
    noteFinding,
  });
  const reconciling = {
    ...createReconcileActivities({
      reconcileRepository: createReconciliationRepository(database),
      caseClient,
      writeSnapshot: (snapshot) => projectCase(database, snapshot),
      now: async () => instant(new Date()),
    }),
    ...guard({ eraseOverdue: () => eraseOverdue(database, settings.PERSONAL_DATA_MONTHS) }),
  };

  const versions = createWorkerVersions(client, taskQueue, settings.TEMPORAL_DEPLOYMENT_NAME);
  const version = watchVersion(
    versions.current,
    settings.TEMPORAL_WORKER_BUILD_ID ?? UNVERSIONED,
    (isOurs, current) => {
      if (isOurs) log.info({ current }, 'this worker version is current');
      else log.warn({ current }, 'another worker version is current; no tasks here');
    },
  );
  const starter = runStarter({
    ...createStarts(database, caseClient, metrics.started),
    // what a case is started with is for the workflow's code of the same version
    mayStart: () => version.isOurs(),
    listen: (wake, lost) => listen(directUrl ?? settings.DATABASE_URL, CASES_CHANNEL, wake, lost),
    onError: (error) => log.warn({ reason: reasonOf(error) }, 'could not start cases, retrying'),
  });

  const retention = startRetentionJob(database, settings.ACCESS_LOG_MONTHS, (error) =>
    log.warn({ fault: faultOf(error) }, 'retention job failed, retrying'),
  );

  const accountMails = startAccountMails(database, {
    // a test environment writes to a stand-in only
    send: mayAlert
      ? createAccountMail({
          mail,
          publicUrl: settings.PUBLIC_URL,
          supportEmail: settings.SUPPORT_EMAIL,
          supportPhone: settings.SUPPORT_PHONE,
        })
      : () => Promise.resolve(),
    isFinal: (error) => error instanceof AddressRefused,
    onFailure: (error) => log.warn({ reason: reasonOf(error) }, 'mail to a partner’s user failed'),
  });

  const alerts = startAlerts(database, {
    channels: alertChannels(settings, mayAlert ? mail : null),
    reasonOf: deliveryReasonOf,
    ...(alertsEvery !== undefined && { sweepEvery: alertsEvery, tellEvery: alertsEvery }),
    onFailure: (error, channel) =>
      log.warn({ channel, reason: deliveryReasonOf(error) }, 'operators could not be alerted, retrying'),
  });

  const gauges = startBusinessGauges({
    database: leading,
    readTemporal: async () => ({
      currentWorkers: (await versions.list()).find(({ isCurrent }) => isCurrent)?.workers ?? 0,
      schedules: await readSchedules(client, taskQueue),
    }),
    onFailure: (error) => log.warn({ reason: reasonOf(error) }, 'could not measure what waits, retrying'),
  });

  let isStopping = false;
  const scheduled = retryUntilAvailable(
    async () => (isStopping ? undefined : upsertSchedules(client, taskQueue)),
    (error) => log.warn({ reason: reasonOf(error) }, 'could not create schedules, retrying'),
  );

  const bundle = workflowBundle ?? (await loadWorkflowBundle());
  const worker = runWorkers(settings, { activities, reconciling, bundle, taskQueue }, (error) =>
    log.warn({ reason: temporalReasonOf(error) }, 'Temporal unreachable, retrying'),
  );
  const healthAddress = { host: settings.WORKER_HEALTH_HOST, port: settings.WORKER_HEALTH_PORT };
  const health = await serveHealth(healthAddress, async () => {
    if (!worker.isRunning()) return false;
    const [hasDatabase, hasTemporal] = await Promise.all([
      isDatabaseReachable(database),
      isTemporalReachable(client),
    ]);
    return hasDatabase && hasTemporal;
  });

  const scraped = await serveMetrics(settings, registry, gauges, ...(temporal ? [temporal] : []));

  return {
    healthPort: health.port,
    metricsPort: scraped.port,
    async stop() {
      isStopping = true;
      const others = [
        scheduled,
        starter.stop(),
        version.stop(),
        retention.stop(),
        accountMails.stop(),
        alerts.stop(),
        gauges.stop(),
      ];
      await settleWithin(DRAIN_TIMEOUT, [worker.stop(), settleWithin(JOBS_TIMEOUT, others)]);
      mail.close();
      health.stop();
      scraped.stop();
      await connections.close(CLOSE_TIMEOUT);
    },
  };
}

/** What a channel answered, as the operator may read it: both of these promise to hold nothing personal. */
const deliveryReasonOf = (error: unknown): string =>
  error instanceof DeliveryUnavailable || error instanceof AddressRefused ? error.code : reasonOf(error);

/** How this deployment tells its operators. @param mail null where no mail may leave */
function alertChannels(settings: WorkerSettings, mail: Mail | null) {
  const { ALERT_WEBHOOK_URL: url, ALERT_WEBHOOK_SECRET: secret } = settings;
  const operatorEmail = settings.OPERATOR_EMAIL ?? settings.SUPPORT_EMAIL;
  const webUi = createWebUi(settings.TEMPORAL_UI_URL, settings.TEMPORAL_NAMESPACE);
  return {
    ...(mail && { mail: createOperatorAlert({ mail, operatorEmail, webUi }) }),
    ...(url && secret && { webhook: createAlertWebhook({ url, secret, webUi }) }),
  };
}
