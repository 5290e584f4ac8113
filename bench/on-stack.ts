import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase } from '../test/support/database.ts';
import { createProgress, type Progress } from '../dev/stack/context.ts';
import { type StackDescription, startStack } from '../dev/stack/stack.ts';
import { startTemporalOnPostgres } from '../test/chaos/temporal-on-postgres.ts';
import type { PartnerId } from '../src/domain/ids.ts';
import { hashOfKey, issueKey } from '../src/identity/secrets.ts';
import { addKey } from '../src/postgres/api-keys.ts';
import type { Database } from '../src/postgres/database.ts';
import { savePartner } from '../src/postgres/providers.ts';
import { processWith } from './load/process-costs.ts';

/** What a part of the benchmark measures: the stack that `npm run dev` runs, new, and with a database of its own. */
export interface BenchStack extends StackDescription {
  readonly database: Database;
  readonly progress: Progress;
  /** The operator API without a login. */
  readonly operatorSocket: string;
  /** Process ids of the servers behind it, by what they are. */
  readonly servers: Readonly<Record<string, number>>;
}

/**
 * Temporal as in production, with a PostgreSQL of its own, where `TEMPORAL_PROGRAMS` names the folder that its programs are
 * in (docs/testing.md, Drill); otherwise the stack has its development server.
 */
async function startProductionTemporal(directory: string) {
  const programs = process.env['TEMPORAL_PROGRAMS'];
  if (programs === undefined) return null;
  const temporal = await startTemporalOnPostgres(programs, directory);
  process.env['TEMPORAL_ADDRESS'] = temporal.address;
  const servers = {
    Temporal: processWith('temporal-server'),
    'PostgreSQL of Temporal': processWith(POSTGRES),
  };
  return { servers, stop: () => temporal.stop() };
}

const POSTGRES = 'server-process.ts';

export async function onStack<T>(work: (stack: BenchStack) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'treatment-booking-bench-'));
  const progress = createProgress((text) => process.stdout.write(text));
  const temporal = await startProductionTemporal(join(directory, 'temporal'));
  const stack = await startStack({
    directory,
    defaultPorts: false,
    progress,
    // each customer may say where it is, so that limits by address are not in the way
    apiSettings: { TRUST_PROXY: '1' },
    onEnded: (name, why) => {
      throw new Error(`the ${name} ended: ${why}`);
    },
  });
  const database = await openTestDatabase(stack.description.databaseUrl, {
    keys: stack.description.masterKeys,
  });
  try {
    return await work({
      ...stack.description,
      ...{ database, progress, operatorSocket: join(directory, 'operator.sock') },
      servers: {
        PostgreSQL: processWith(POSTGRES, Object.values(temporal?.servers ?? {})),
        ...(temporal?.servers ?? { Temporal: processWith('server start-dev') }),
      },
    });
  } finally {
    await database.end();
    await stack.stop();
    await temporal?.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** The least that an answer takes, to compare others with. */
export const healthCheck = async (web: string): Promise<string> =>
  (await fetch(`${web}/health/ready`)).text();

/** A partner of the benchmark with so many keys, since each is good for 500 calls a minute. */
export async function newPartner(
  database: Database,
  i: number,
  keys = 1,
): Promise<{ readonly id: PartnerId; readonly keys: readonly string[] }> {
  const id = `bench-${i}` as PartnerId;
  const issued = Array.from({ length: keys }, () => issueKey('test'));
  await savePartner(database, { id, name: `Bench ${i}` });
  for (const key of issued) await addKey(database, { partnerId: id, name: 'bench', keyHash: hashOfKey(key) });
  return { id, keys: issued };
}
