import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { reachOf } from '../config/egress.ts';
import { isTemporalTls } from '../config/production.ts';
import {
  type ApiSettings,
  type PromoteSettings,
  readCredential,
  type WorkerSettings,
} from '../config/settings.ts';
import { faultOf, reasonOf } from '../domain/fault.ts';
import { type Database, openDatabase } from '../postgres/database.ts';
import { createFindings, type Findings } from '../postgres/provider-findings.ts';
import { listProviders } from '../postgres/providers.ts';
import { createProviderDirectory, type ProviderDirectory } from '../providers/directory.ts';
import { createTemporalClient } from '../temporal/connection.ts';
import { retryUntilAvailable, settleWithin } from './process.ts';

/** What API and worker both work with. */
export interface Connections {
  readonly database: Database;
  readonly client: Client;
  readonly findings: Findings;
  readonly directory: ProviderDirectory;
  /** Also whatever else is given, before the database. Each step is waited for no longer than so many milliseconds. */
  close(timeout: number, others?: readonly Promise<unknown>[]): Promise<void>;
}

/** Waits for PostgreSQL; Temporal is connected with the first call. */
export async function openConnections(
  settings: ApiSettings | WorkerSettings,
  log: Logger,
): Promise<Connections> {
  const database = await retryUntilAvailable(
    () => openDatabase(settings.DATABASE_URL, { maxPoolSize: 20 }),
    (error) => log.warn({ reason: reasonOf(error) }, 'PostgreSQL unreachable, retrying'),
  );
  const findings = createFindings(database, (error) =>
    log.warn({ fault: faultOf(error) }, 'could not save provider findings, retrying'),
  );
  const directory = await createProviderDirectory({
    listRegistrations: () => listProviders(database),
    secretOf: readCredential,
    mayReach: reachOf(settings.EGRESS_HOSTS),
    log,
    note: findings.note,
  });
  const client = openTemporal(settings);
  return {
    database,
    client,
    findings,
    directory,
    async close(timeout, others = []) {
      directory.close();
      await settleWithin(timeout, [findings.close(), client.connection.close(), ...others]);
      await settleWithin(timeout, [database.end()]);
    },
  };
}

/** All processes that speak to Temporal have these settings. */
export const openTemporal = (settings: PromoteSettings): Client =>
  createTemporalClient({
    address: settings.TEMPORAL_ADDRESS,
    namespace: settings.TEMPORAL_NAMESPACE,
    tls: isTemporalTls(settings),
    apiKey: settings.TEMPORAL_API_KEY,
  });
