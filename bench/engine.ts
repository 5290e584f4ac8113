import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pickPort } from '../dev/ports.ts';
import { startTemporal } from '../dev/temporal/server.ts';
import { startTemporalOnPostgres } from '../test/chaos/temporal-on-postgres.ts';
import { openBare } from './load/bare/bare.ts';
import { atOnce, line, rateOf } from './load/ground.ts';
import { cpuOfAll, processWith } from './load/process-costs.ts';
import { type Measured, type Row } from './measure.ts';

const STARTS = 300;
const LIVES = 100;
/** As many as a booked case has. */
const ACTIVITIES = 7;

/**
 * What the engine alone does a second, and takes of the processor: the development server, and the server of production
 * with PostgreSQL where `TEMPORAL_PROGRAMS` names the folder that its programs are in (docs/testing.md, Drill).
 */
export async function engine(): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), 'treatment-booking-bench-'));
  const programs = process.env['TEMPORAL_PROGRAMS'];
  try {
    const { port } = await pickPort();
    const storage = { dbFile: join(directory, 'temporal.db') };
    const development = await startTemporal({ storage, port, log: () => undefined });
    const words = ['server start-dev'];
    const rows = await measured('development server', development, words);
    if (programs === undefined) return { rows, notes: ['TEMPORAL_PROGRAMS is not set: no other server'] };
    const production = await startTemporalOnPostgres(programs, directory);
    const parts = ['temporal-server', 'server-process.ts'];
    const more = await measured('on PostgreSQL', production, parts);
    return { rows: [...rows, ...more], notes: [] };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** @param programs words of the command lines of what the server consists of */
async function measured(
  what: string,
  server: { readonly address: string; stop(): Promise<void> },
  programs: readonly string[],
): Promise<Row[]> {
  const bare = await openBare(server.address);
  const cpu = () => programs.map((words) => cpuOfAll(processWith(words)));
  try {
    await atOnce(20, 10, () => bare.live(ACTIVITIES));
    const starts = await rateOf(STARTS, 40, () => bare.start());
    const before = cpu();
    const lives = await rateOf(LIVES, 10, () => bare.live(ACTIVITIES));
    const spent = cpu().map((ms, i) => (ms - (before[i] ?? 0)) / LIVES);
    return [
      line(`${what}: workflows started a second`, starts),
      line(`${what}: lives of ${ACTIVITIES} activities a second`, lives),
      ...spent.map((ms, i) => line(`${what}: CPU a life, ${programs[i]} (ms)`, ms)),
    ];
  } finally {
    await bare.stop();
    await server.stop();
  }
}
