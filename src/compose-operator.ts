import { credential, type OperatorSettings } from './config.ts';
import { createLogger } from './logger.ts';
import type { Opened } from './operator/run.ts';
import { openDatabase } from './postgres/database.ts';
import { takenHours } from './postgres/claims.ts';
import { openProviderDirectory } from './provider-directory.ts';
import { createAvailability } from './providers/availability.ts';
import { connectTo, PROVIDER_KINDS } from './providers/index.ts';
import { ProviderUnavailable } from './providers/port.ts';
import { openTemporal } from './temporal/connect.ts';
import { createDoor } from './temporal/door.ts';
import { createCaseWorkflows } from './temporal/case-workflows.ts';
import { reconcileNow } from './temporal/reconcile-now.ts';
import { restartCase, startCase } from './temporal/start-case.ts';
import { createWorkerVersions } from './temporal/worker-versions.ts';
import { createCaseBooks } from './postgres/reconciling.ts';
import { TASK_QUEUE } from '../workflows/contract.ts';

export interface OperatorSurroundings {
  /** Tells the operator something that is no part of an answer. */
  readonly say: (line: string) => void;
  /** Where the workers of this deployment listen; the usual one when left out. */
  readonly taskQueue?: string;
  /** How long a workflow's verdict is waited for (milliseconds); the usual time when left out. */
  readonly patience?: number;
  /** When a worker looks again at what is not as expected (milliseconds); at the usual time when left out. */
  readonly lookAgainAfter?: number;
}

const RESTARTS_WITHIN = 5_000;

/** What the operator's commands work with, from settings to a connection. @throws when PostgreSQL is not there */
export async function composeOperator(
  settings: OperatorSettings,
  { say, taskQueue, patience, lookAgainAfter }: OperatorSurroundings,
): Promise<Opened> {
  say(`${nameOf(settings.DATABASE_URL)}, ${settings.ENVIRONMENT} environment.`);
  const database = await openDatabase(settings.DATABASE_URL, { maxPoolSize: 4 });
  const client = openTemporal({
    address: settings.TEMPORAL_ADDRESS,
    namespace: settings.TEMPORAL_NAMESPACE,
    apiKey: settings.TEMPORAL_API_KEY,
  });
  const directory = await openProviderDirectory(database, createLogger('operator', 'silent')).catch(
    async (error: unknown) => {
      // an open pool would keep the process
      await database.end();
      throw error;
    },
  );
  const availability = createAvailability({
    systems: directory.systems,
    takenHours: (range) => takenHours(database, range),
    onUnavailable: (providerId, error) => {
      // only this class promises a message without data
      if (error instanceof ProviderUnavailable) say(`${providerId}: ${error.message}`);
    },
  });
  return {
    operatorName: settings.OPERATOR_NAME,
    service: {
      settings: { environment: settings.ENVIRONMENT, publicUrl: settings.PUBLIC_URL },
      database,
      door: createDoor({
        client,
        start: (row) => startCase(client, row, taskQueue),
        ...(patience === undefined ? {} : { patience }),
      }),
      workflows: {
        statusOf: async (caseId) =>
          (await createCaseWorkflows(client, taskQueue ?? TASK_QUEUE).describe(caseId)).status,
        restart: async (view) => {
          const runs = await client.withDeadline(Date.now() + RESTARTS_WITHIN, () =>
            restartCase(client, view, taskQueue),
          );
          if (runs) await createCaseBooks(database).noteLost(view.id, null);
          return runs;
        },
        reconcile: (task) =>
          reconcileNow(
            client,
            { ...task, ...(lookAgainAfter === undefined ? {} : { lookAgainAfter }) },
            taskQueue,
          ),
      },
      workerVersions: createWorkerVersions(client, taskQueue ?? TASK_QUEUE),
      availability,
      connect: ({ base_url: baseUrl, ...row }, onMalformed) =>
        connectTo(
          { ...row, baseUrl },
          {
            secretOf: credential,
            onMalformed: (_, ...what) => onMalformed(...what),
          },
        ),
      kinds: PROVIDER_KINDS,
      isSet: (variable) => credential(variable) !== null,
    },
    async close() {
      directory.close();
      await client.connection.close();
      await database.end();
    },
  };
}

/** Which database it is, without its password. */
function nameOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'The database of DATABASE_URL';
  const { host, pathname } = new URL(databaseUrl);
  return `Database ${pathname.slice(1)} at ${host}`;
}
