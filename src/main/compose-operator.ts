import { TASK_QUEUE } from '../../workflows/contract.ts';
import { reachOf } from '../config/egress.ts';
import { type OperatorSettings, readCredential } from '../config/settings.ts';
import type { OpenedService } from '../operator/command-line.ts';
import { openDatabase } from '../postgres/database.ts';
import { listProviders } from '../postgres/providers.ts';
import { readTakenSlots } from '../postgres/slot-claims.ts';
import { createAvailability } from '../providers/availability.ts';
import { connectBookingSystem, PROVIDER_KINDS } from '../providers/connect.ts';
import { createProviderDirectory } from '../providers/directory.ts';
import { ProviderUnavailable } from '../providers/port.ts';
import { createCaseClient } from '../temporal/case-client.ts';
import { runReconciliation } from '../temporal/schedules.ts';
import { createWorkerVersions } from '../worker/versions.ts';
import { openTemporal } from './connections.ts';

export interface OperatorContext {
  /** Tells the operator something that is no part of an answer. */
  readonly say: (line: string) => void;
  /** Where the workers of this deployment listen; the usual one when left out. */
  readonly taskQueue?: string;
  /** How long a workflow's verdict is waited for (milliseconds); the usual time when left out. */
  readonly timeout?: number;
  /** When a worker looks again at what is not as expected (milliseconds); at the usual time when left out. */
  readonly recheckAfter?: number;
}

/** What the operator's commands work with, from settings to a connection. @throws when PostgreSQL is not there */
export async function composeOperator(
  settings: OperatorSettings,
  { say, taskQueue, timeout, recheckAfter }: OperatorContext,
): Promise<OpenedService> {
  say(`${describeDatabase(settings.DATABASE_URL)}, ${settings.ENVIRONMENT} environment.`);
  const database = await openDatabase(settings.DATABASE_URL, { maxPoolSize: 4 });
  const client = openTemporal(settings);
  const directory = await createProviderDirectory({
    listRegistrations: () => listProviders(database),
    secretOf: readCredential,
    mayReach: reachOf(settings.EGRESS_HOSTS),
  }).catch(async (error: unknown) => {
    // an open pool would keep the process
    await database.end();
    throw error;
  });
  const availability = createAvailability({
    systems: directory.systems,
    claimedSlots: (range) => readTakenSlots(database, range),
    onUnavailable: (providerId, error) => {
      // only this class promises a message without data
      if (error instanceof ProviderUnavailable) say(`${providerId}: ${error.message}`);
    },
  });
  return {
    operatorName: settings.OPERATOR_NAME,
    service: {
      settings: {
        environment: settings.ENVIRONMENT,
        publicUrl: settings.PUBLIC_URL,
        smsCountries: settings.SMS_COUNTRIES,
      },
      database,
      caseClient: createCaseClient({ client, taskQueue, timeout }),
      reconcile: (task) =>
        runReconciliation(
          client,
          { ...task, ...(recheckAfter === undefined ? {} : { recheckAfter }) },
          taskQueue,
        ),
      workerVersions: createWorkerVersions(client, taskQueue ?? TASK_QUEUE),
      availability,
      connect: ({ base_url: baseUrl, ...row }, observer) =>
        connectBookingSystem(
          { ...row, baseUrl },
          { secretOf: readCredential, mayReach: reachOf(settings.EGRESS_HOSTS), ...observer },
        ),
      kinds: PROVIDER_KINDS,
      isSet: (variable) => readCredential(variable) !== null,
    },
    async close() {
      directory.close();
      await client.connection.close();
      await database.end();
    },
  };
}

/** Which database it is, without its password. */
function describeDatabase(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'The database of DATABASE_URL';
  const { host, pathname } = new URL(databaseUrl);
  return `Database ${pathname.slice(1)} at ${host}`;
}
