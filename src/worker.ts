import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  NativeConnection,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { createActivities, type Activities } from '../activities/index.ts';
import { TASK_QUEUE } from '../workflows/contract.ts';
import { graceDeadline } from './calendar/deadline.ts';
import { readSettings, workerSettings, type WorkerSettings } from './config.ts';
import { createLogger } from './logger.ts';
import { AddressRefused } from './messaging/failures.ts';
import { createMail } from './messaging/mail.ts';
import { createPost } from './messaging/post.ts';
import { createSms } from './messaging/sms.ts';
import { bookingDetails } from './postgres/booking-details.ts';
import { createClaims } from './postgres/claims.ts';
import { CASES_CHANNEL } from './postgres/create-case.ts';
import { openDatabase } from './postgres/database.ts';
import { listen } from './postgres/listen.ts';
import { createMailbag } from './postgres/mailbag.ts';
import { projectCase } from './postgres/project-case.ts';
import { openProviderDirectory } from './provider-directory.ts';
import { runRoot, untilThere } from './root.ts';
import { openTemporal } from './temporal/connect.ts';
import { createStartBatch } from './temporal/start-batch.ts';
import { runStarter } from './temporal/starter.ts';
import { serveHealth } from './worker-health.ts';

/** Runs the cases' workflows and all they do in the world, and starts those that wait in PostgreSQL. */
await runRoot(async () => {
  const settings = readSettings(workerSettings);
  const log = createLogger('worker', settings.LOG_LEVEL);
  const faultOf = (error: unknown) => (error instanceof Error ? error.name : typeof error);
  Runtime.install({
    logger: {
      log: (level, message) => log.info({ level }, message),
      trace: () => undefined,
      debug: () => undefined,
      info: (message) => log.info(message),
      // what Temporal adds about an error may quote it, and errors are told where they happen
      warn: (message) => log.warn(message),
      error: (message) => log.error(message),
    },
    shutdownSignals: [],
  });

  const database = await untilThere(
    () => openDatabase(settings.DATABASE_URL, { maxPoolSize: 20 }),
    () => log.warn('PostgreSQL is not there yet'),
  );
  const directory = await openProviderDirectory(database, log);
  const mail = createMail({
    smtpUrl: settings.SMTP_URL,
    from: settings.MAIL_FROM,
    replyTo: settings.SUPPORT_EMAIL,
  });
  const activities = createActivities({
    bookingSystemOf: (id) => directory.systemOf(id),
    claims: createClaims(database),
    bookingDetails: (caseId) => bookingDetails(database, caseId),
    graceDeadline: () => graceDeadline(new Date()),
    mailbag: createMailbag(database),
    post: createPost({
      mail,
      sms: createSms({
        accountSid: settings.TWILIO_ACCOUNT_SID,
        authToken: settings.TWILIO_AUTH_TOKEN,
        from: settings.TWILIO_FROM,
        baseUrl: settings.TWILIO_BASE_URL,
      }),
      publicUrl: settings.PUBLIC_URL,
      supportEmail: settings.SUPPORT_EMAIL,
      supportPhone: settings.SUPPORT_PHONE,
    }),
    isAddressRefused: (error) => error instanceof AddressRefused,
    writeSnapshot: (snapshot) => projectCase(database, snapshot),
  });

  const client = openTemporal({
    address: settings.TEMPORAL_ADDRESS,
    namespace: settings.TEMPORAL_NAMESPACE,
    apiKey: settings.TEMPORAL_API_KEY,
  });
  const starter = runStarter({
    startBatch: createStartBatch(database, client),
    listen: (wake, lost) => listen(settings.DATABASE_URL, CASES_CHANNEL, wake, lost),
    onError: (error) => log.warn({ fault: faultOf(error) }, 'cases could not be started now'),
  });

  const bundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
  });
  const worker = keepWorking(settings, { activities, bundle }, (error) =>
    log.warn({ fault: faultOf(error) }, 'Temporal is not there; trying again'),
  );
  const health = await serveHealth(settings.WORKER_HEALTH_PORT, worker.isRunning);
  log.info({ health: health.port }, 'the worker is up');

  return {
    async stop() {
      await starter.stop();
      await worker.stop();
      directory.close();
      mail.close();
      health.stop();
      await client.connection.close();
      await database.end();
    },
  };
});

/** A worker that comes back after Temporal has been away. */
function keepWorking(
  settings: WorkerSettings,
  parts: { activities: Activities; bundle: WorkflowBundleWithSourceMap },
  onFailure: (error: unknown) => void,
) {
  let worker: Worker | null = null;
  let stopping = false;
  const run = async () => {
    const connection = await NativeConnection.connect({
      address: settings.TEMPORAL_ADDRESS,
      ...(settings.TEMPORAL_API_KEY ? { apiKey: settings.TEMPORAL_API_KEY, tls: true } : {}),
    });
    try {
      worker = await Worker.create({
        connection,
        namespace: settings.TEMPORAL_NAMESPACE,
        taskQueue: TASK_QUEUE,
        workflowBundle: parts.bundle,
        activities: parts.activities,
        maxCachedWorkflows: 1_000,
        // what is under way may finish; whoever stops us waits 30 s
        shutdownGraceTime: '15s',
        shutdownForceTime: '25s',
      });
      await worker.run();
    } finally {
      worker = null;
      await connection.close();
    }
    if (!stopping) throw new Error('the worker stopped by itself');
  };
  const running = untilThere(
    () => (stopping ? Promise.resolve() : run()),
    (error) => onFailure(error),
  );
  return {
    isRunning: () => worker?.getState() === 'RUNNING',
    async stop() {
      stopping = true;
      if (worker?.getState() === 'RUNNING') worker.shutdown();
      await running;
    },
  };
}
