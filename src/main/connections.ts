import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { reachOf } from '../config/network.ts';
import { type OperatorApiSettings, type PromoteSettings, readCredential } from '../config/settings.ts';
import { faultOf, reasonOf } from '../domain/fault.ts';
import { ServerUnavailable } from '../http-client/exchange.ts';
import { type Database, openDatabase } from '../postgres/database.ts';
import { createFindings } from '../postgres/provider-findings.ts';
import { listProviders, noteCircuit } from '../postgres/providers.ts';
import { createRateCounter } from '../postgres/rate-limits.ts';
import { localMasterKeys } from '../postgres/sealing.ts';
import { readTakenSlots } from '../postgres/slot-claims.ts';
import { createAvailability } from '../providers/availability.ts';
import { createProviderDirectory } from '../providers/directory.ts';
import { ProviderUnavailable } from '../providers/port.ts';
import { createTemporalClient } from '../temporal/connection.ts';
import { temporalConnection } from '../temporal/profile.ts';
import { openMasterKeys } from './master-keys.ts';
import { retryUntilAvailable, settleWithin } from './process.ts';

interface ConnectionOptions {
  readonly databaseUrl: string;
  readonly maxPoolSize: number;
  /** Whether what is found at clinics is written down, for operators. */
  readonly notesFindings: boolean;
}

/** What processes work with. Waits for PostgreSQL; Temporal is connected with the first call. */
export async function openConnections(
  settings: PromoteSettings &
    Pick<OperatorApiSettings, 'EGRESS_HOSTS' | 'TEMPORAL_PAYLOAD_KEYS'> &
    Parameters<typeof openMasterKeys>[0],
  log: Logger,
  { databaseUrl, maxPoolSize, notesFindings }: ConnectionOptions,
) {
  const masterKeys = await retryUntilAvailable(
    () => openMasterKeys(settings),
    (error) =>
      log.warn(
        { reason: error instanceof ServerUnavailable ? error.message : reasonOf(error) },
        'Vault unreachable, retrying',
      ),
  );
  const pools: Database[] = [];
  const open = async (url: string, size: number) => {
    const pool = await retryUntilAvailable(
      () => openDatabase(url, { maxPoolSize: size, masterKeys: localMasterKeys(masterKeys) }),
      (error) => log.warn({ reason: reasonOf(error) }, 'PostgreSQL unreachable, retrying'),
    );
    pools.push(pool);
    return pool;
  };
  const database = await open(databaseUrl, maxPoolSize);
  const findings = notesFindings
    ? createFindings(database, (error) =>
        log.warn({ fault: faultOf(error) }, 'could not save provider findings, retrying'),
      )
    : { note: () => undefined, close: () => Promise.resolve() };
  const mayReach = reachOf(settings.EGRESS_HOSTS);
  const directory = await createProviderDirectory({
    listRegistrations: () => listProviders(database),
    secretOf: readCredential,
    mayReach,
    log,
    note: findings.note,
    onCircuit: (id, answer) =>
      void noteCircuit(database, id, answer).catch((error: unknown) =>
        log.warn({ fault: faultOf(error) }, 'could not save that a circuit opened or closed'),
      ),
  });
  const client = openTemporal(settings);
  return {
    database,
    /** Another pool, by another address. */
    openAlso: open,
    client,
    directory,
    mayReach,
    noteFinding: findings.note,

    /** Also whatever else is given, before the pools. Each step is waited for no longer than so many milliseconds. */
    async close(timeout: number, others: readonly Promise<unknown>[] = []): Promise<void> {
      directory.close();
      await settleWithin(timeout, [findings.close(), client.connection.close(), ...others]);
      await settleWithin(
        timeout,
        pools.map((pool) => pool.end()),
      );
    },
  };
}
type Connections = Awaited<ReturnType<typeof openConnections>>;

/** The clinics' free times, asked of them now. */
export const openAvailability = (
  { database, directory, noteFinding }: Pick<Connections, 'database' | 'directory' | 'noteFinding'>,
  log: Logger,
) =>
  createAvailability({
    systems: directory.systems,
    claimedSlots: (range) => readTakenSlots(database, range),
    onUnavailable(providerId, error) {
      noteFinding({ providerId, kind: 'unreachable', about: 'search' });
      // only this class promises a message without data
      const fault = error instanceof ProviderUnavailable ? error.message : faultOf(error);
      log.warn({ providerId, fault }, 'provider unavailable');
    },
  });

/** What requests are counted with, over all processes. */
export const openRateCounter = (databaseUrl: string, log: Logger) =>
  createRateCounter(databaseUrl, {
    onUnavailable: (error) =>
      log.warn({ reason: reasonOf(error) }, 'rate limits: PostgreSQL unreachable, counting per process'),
    onAvailable: () => log.info('rate limits: PostgreSQL back, counting across processes'),
  });

/** All processes that speak to Temporal have these settings. */
export const openTemporal = (
  settings: PromoteSettings & Partial<Pick<OperatorApiSettings, 'TEMPORAL_PAYLOAD_KEYS'>>,
): Client =>
  createTemporalClient({
    ...temporalConnection(settings),
    namespace: settings.TEMPORAL_NAMESPACE,
    payloadKeys: settings.TEMPORAL_PAYLOAD_KEYS ?? [],
  });
