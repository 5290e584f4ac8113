import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Client } from '@temporalio/client';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../src/postgres/database.ts';
import { TASK_QUEUE } from '../../workflows/contract.ts';
import { decoded } from '../chaos/outside/workflows.ts';

/** Something that people can read who are to read nothing personal. */
export interface Reading {
  readonly where: string;
  readonly text: string;
}

/** Every workflow: its history with payloads, failures and headers decoded, and what Temporal's pages show of it. */
export async function readTemporal(client: Client): Promise<Reading[]> {
  const readings: Reading[] = [];
  for await (const run of client.workflow.list()) {
    const { workflowId, runId } = run;
    const handle = client.workflow.getHandle(workflowId, runId);
    readings.push({ where: 'visibility', text: decoded(run.raw) });
    readings.push({ where: `the history of ${workflowId}`, text: decoded(await handle.fetchHistory()) });
    readings.push({
      where: `what Temporal shows of ${workflowId}`,
      text: decoded((await handle.describe()).raw),
    });
    if (run.status.name !== 'RUNNING' || run.taskQueue !== TASK_QUEUE) continue;
    // what the workflow itself writes on its page
    const ask = () => handle.query('__temporal_workflow_metadata');
    const shown = await client.withDeadline(Date.now() + 10_000, ask);
    readings.push({ where: `the page of ${workflowId}`, text: decoded(shown) });
  }
  return readings;
}

/** What a sandbox keeps of the messages that it would have sent: in production there are none. */
const SENT = 'test_messages';

/** Every row of every table, as a backup without the schema of the keys has them. */
export async function readTables(database: Database): Promise<Reading[]> {
  const tables = await database.anyFirst(sql.type(z.object({ name: z.string() }))`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> ${SENT}`);
  return Promise.all(
    tables.map(async (table) => {
      const rows = await database.anyFirst(sql.type(z.object({ row: z.string() }))`
        SELECT to_jsonb(it)::text AS row FROM ${sql.identifier([table])} AS it`);
      return { where: `the table ${table}`, text: rows.join('\n') };
    }),
  );
}

const PROGRAM = process.env['PG_DUMP'] || 'pg_dump';
const [VERSION, MAJOR = ''] = /(\d+)\.\d+/.exec(String(spawnSync(PROGRAM, ['--version']).stdout)) ?? [];
const HAS_PG_DUMP = Number(MAJOR) >= 18;
/** By what backups are made here. One that is older than the server is refused by it. */
export const BACKUP = HAS_PG_DUMP
  ? `pg_dump ${VERSION}`
  : 'rows as text, since neither PG_DUMP nor the path has a pg_dump of 18 or later';

/** A backup of the database, as docs/operations/recovery.md has them made: its data, or the cases' keys. */
export async function readBackup(
  database: Database,
  databaseUrl: string,
  of: 'data' | 'keys',
): Promise<Reading[]> {
  if (HAS_PG_DUMP) {
    const parts =
      of === 'keys' ? ['--schema=keys'] : ['--exclude-schema=keys', `--exclude-table-data=${SENT}`];
    const run = promisify(execFile);
    const { stdout } = await run(PROGRAM, [...parts, databaseUrl], { maxBuffer: 1 << 30 });
    return stdout.split(/^(?=COPY )/m).map((text) => ({ where: `the ${of} as pg_dump writes them`, text }));
  }
  if (of === 'data') return readTables(database);
  const rows = await database.anyFirst(sql.type(z.object({ row: z.string() }))`
    SELECT to_jsonb(it)::text AS row FROM keys.data_keys AS it`);
  return [{ where: 'keys.data_keys', text: rows.join('\n') }];
}

/** All that our own processes have written on standard output and standard error. */
export const readLogs = (directory: string): Promise<Reading[]> =>
  Promise.all(
    ['api', 'worker', 'operator-api'].map(async (name) => ({
      where: `the log of ${name}.ts`,
      text: await readFile(`${directory}/logs/${name}.log`, 'utf8'),
    })),
  );

/** What each process tells Prometheus. */
export const readMetrics = (addresses: readonly string[]): Promise<Reading[]> =>
  Promise.all(addresses.map(async (where) => ({ where, text: await (await fetch(where)).text() })));
