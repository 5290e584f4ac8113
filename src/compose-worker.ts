import type { WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createActivities } from '../activities/index.ts';
import { createReconcileActivities } from '../activities/reconcile.ts';
import { TASK_QUEUE, workflowIdOf } from '../workflows/contract.ts';
import { graceDeadline } from './calendar/deadline.ts';
import type { WorkerSettings } from './config.ts';
import type { CaseId } from './domain/ids.ts';
import { instant } from './domain/instant.ts';
import { endWithin } from './end-within.ts';
import { keepHouse } from './housekeeping.ts';
import { keepWorking } from './keep-working.ts';
import { AddressRefused } from './messaging/failures.ts';
import { createMail } from './messaging/mail.ts';
import { createOperatorAlert } from './messaging/operator-alert.ts';
import { createPost } from './messaging/post.ts';
import { createSms } from './messaging/sms.ts';
import { answers } from './postgres/answers.ts';
import { bookingDetails } from './postgres/booking-details.ts';
import { createCalendarBook } from './postgres/calendar-book.ts';
import { createClaims } from './postgres/claims.ts';
import { CASES_CHANNEL } from './postgres/create-case.ts';
import { openDatabase } from './postgres/database.ts';
import { createLeftovers } from './postgres/leftovers.ts';
import { listen } from './postgres/listen.ts';
import { createMailbag } from './postgres/mailbag.ts';
import { createAlertBook } from './postgres/operator-alerts.ts';
import { projectCase } from './postgres/project-case.ts';
import { openFindings } from './postgres/provider-findings.ts';
import { createCaseBooks } from './postgres/reconciling.ts';
import { createTrialMessages } from './postgres/trial-messages.ts';
import { createTrialRefusals } from './postgres/trial-orders.ts';
import { openProviderDirectory } from './provider-directory.ts';
import { untilThere } from './root.ts';
import { isTlsRequired } from './senders.ts';
import { createCaseLine } from './temporal/case-line.ts';
import { createCaseWorkflows } from './temporal/case-workflows.ts';
import { isReachable, openTemporal } from './temporal/connect.ts';
import { makeSchedules } from './temporal/schedules.ts';
import { createStartBatch } from './temporal/start-batch.ts';
import { runStarter } from './temporal/starter.ts';
import { createWorkerVersions, UNVERSIONED } from './temporal/worker-versions.ts';
import { mayLeave, onTrial, type Outside } from './trial/on-trial.ts';
import { watchVersion } from './watch-version.ts';
import { serveHealth } from './worker-health.ts';
import { bundleWorkflows } from './workflow-bundle.ts';

export interface WorkerSurroundings {
  readonly log: Logger;
  /** A queue of its own keeps one deployment's cases from another's workers on the same Temporal server. */
  readonly taskQueue?: string;
  /** The workflows' code, where it is made already. */
  readonly workflowBundle?: WorkflowBundleOption;
}

export interface RunningWorker {
  readonly healthPort: number;
  stop(): Promise<void>;
}

/** The worker itself gives up what is under way a second before (milliseconds). */
const WORK_ENDS_WITHIN = 25_000;
/** Each is done in transactions, which are taken back when nobody ends them. */
const OTHERS_END_WITHIN = 5_000;
const CLOSED_WITHIN = 1_000;

/** Runs the cases' workflows and all they do in the world, and starts those that wait in PostgreSQL. */
export async function composeWorker(
  settings: WorkerSettings,
  { log, taskQueue = TASK_QUEUE, workflowBundle }: WorkerSurroundings,
): Promise<RunningWorker> {
  const faultOf = (error: unknown) => (error instanceof Error ? error.name : typeof error);
  const database = await untilThere(
    () => openDatabase(settings.DATABASE_URL, { maxPoolSize: 20 }),
    () => log.warn('PostgreSQL is not there yet'),
  );
  const findings = openFindings(database, (error) =>
    log.warn({ fault: faultOf(error) }, 'what was found at providers could not be written now'),
  );
  const directory = await openProviderDirectory(database, log, findings.note);
  const mail = createMail({
    smtpUrl: settings.SMTP_URL,
    tlsRequired: isTlsRequired(settings),
    from: settings.MAIL_FROM,
    replyTo: settings.MAIL_REPLY_TO ?? settings.SUPPORT_EMAIL,
  });
  const sms = createSms({
    accountSid: settings.TWILIO_ACCOUNT_SID,
    authToken: settings.TWILIO_AUTH_TOKEN,
    sender: settings.TWILIO_FROM,
    baseUrl: settings.TWILIO_BASE_URL,
  });
  const real: Outside = { mail, sms, bookingSystemOf: (id) => directory.systemOf(id) };
  const isProduction = settings.ENVIRONMENT === 'production';
  const mayAlert = isProduction || mayLeave(settings).mail;
  const trial = { ...createTrialMessages(database), ...createTrialRefusals(database) };
  const outside = isProduction ? real : onTrial(real, trial, settings);
  if (!isProduction) log.info(mayLeave(settings), 'a test environment: which messages leave it');
  const alert = createOperatorAlert({
    mail,
    operatorEmail: settings.OPERATOR_EMAIL ?? settings.SUPPORT_EMAIL,
  });
  const linkTo = (caseId: CaseId) =>
    settings.TEMPORAL_UI_URL === undefined
      ? null
      : `${settings.TEMPORAL_UI_URL}/namespaces/${settings.TEMPORAL_NAMESPACE}/workflows/${workflowIdOf(caseId)}`;
  const client = openTemporal({
    address: settings.TEMPORAL_ADDRESS,
    namespace: settings.TEMPORAL_NAMESPACE,
    apiKey: settings.TEMPORAL_API_KEY,
  });
  const activities = createActivities({
    bookingSystemOf: outside.bookingSystemOf,
    claims: createClaims(database),
    bookingDetails: (caseId) => bookingDetails(database, caseId),
    graceDeadline: () => graceDeadline(new Date()),
    mailbag: createMailbag(database),
    post: createPost({
      mail: outside.mail,
      sms: outside.sms,
      senderEmail: settings.MAIL_FROM.address,
      publicUrl: settings.PUBLIC_URL,
      supportEmail: settings.SUPPORT_EMAIL,
      supportPhone: settings.SUPPORT_PHONE,
    }),
    isAddressRefused: (error) => error instanceof AddressRefused,
    statusCallbackOf: (channel, dedupId) =>
      channel === 'sms'
        ? `${settings.PUBLIC_URL}/callbacks/twilio/status?message=${encodeURIComponent(dedupId)}`
        : null,
    now: async () => instant(new Date()),
    alertBook: createAlertBook(database),
    alertPost: mayAlert ? (letter) => alert({ ...letter, caseLink: linkTo(letter.caseId) }) : null,
    writeSnapshot: (snapshot) => projectCase(database, snapshot),
    registered: () => [...directory.systems.keys()],
    calendarBook: createCalendarBook(database),
    leftovers: createLeftovers(database),
    caseLine: createCaseLine(client),
    noteFinding: findings.note,
  });
  const reconciling = createReconcileActivities({
    caseBooks: createCaseBooks(database),
    workflows: createCaseWorkflows(client, taskQueue),
    writeSnapshot: (snapshot) => projectCase(database, snapshot),
    now: async () => instant(new Date()),
  });

  const version = watchVersion(
    createWorkerVersions(client, taskQueue).current,
    settings.WORKER_BUILD_ID ?? UNVERSIONED,
    (isOurs, current) => {
      if (isOurs) log.info({ current }, 'the cases go to the workers of this version');
      else log.warn({ current }, 'the cases go to the workers of another version, and none comes here');
    },
  );
  const startBatch = createStartBatch(database, client, taskQueue);
  const starter = runStarter({
    // what a case is started with is for the workflow's code of the same version
    startBatch: async () => (version.isOurs() ? startBatch() : { started: 0, failure: null }),
    listen: (wake, lost) => listen(settings.DATABASE_URL, CASES_CHANNEL, wake, lost),
    onError: (error) => log.warn({ fault: faultOf(error) }, 'cases could not be started now'),
  });

  const house = keepHouse(database, (error) =>
    log.warn({ fault: faultOf(error) }, 'old rows could not be deleted now'),
  );

  let isStopping = false;
  const scheduled = untilThere(
    async () => (isStopping ? undefined : makeSchedules(client, taskQueue)),
    (error) => log.warn({ fault: faultOf(error) }, 'the schedules could not be made now'),
  );

  const bundle = workflowBundle ?? (await bundleWorkflows());
  const worker = keepWorking(settings, { activities, reconciling, bundle, taskQueue }, (error) =>
    log.warn({ fault: faultOf(error) }, 'Temporal is not there; trying again'),
  );
  const health = await serveHealth(settings.WORKER_HEALTH_PORT, async () => {
    if (!worker.isRunning()) return false;
    const [hasDatabase, hasTemporal] = await Promise.all([answers(database), isReachable(client)]);
    return hasDatabase && hasTemporal;
  });

  return {
    healthPort: health.port,
    async stop() {
      isStopping = true;
      const others = [scheduled, starter.stop(), version.stop(), house.stop()];
      await endWithin(WORK_ENDS_WITHIN, [worker.stop(), endWithin(OTHERS_END_WITHIN, others)]);
      directory.close();
      mail.close();
      health.stop();
      await endWithin(CLOSED_WITHIN, [findings.close()]);
      await endWithin(CLOSED_WITHIN, [client.connection.close(), database.end()]);
    },
  };
}
