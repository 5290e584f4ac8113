import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../src/postgres/migrate.ts';
import { pickPort } from '../src/sandbox/ports.ts';
import { startPostgres } from '../src/sandbox/postgres.ts';
import { raceOn } from '../test/providers/races-track.ts';

/**
 * `npm run races -- --contests 10000 --seed 1`: lets cases meet over slots, so many times in each way, and ends with
 * status 1 when an appointment is too many or too few, or an hour is blocked for nobody. The seed decides who meets
 * over what, with which trouble; who is quicker is the machine's.
 */
const { values } = parseArgs({
  options: {
    contests: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [contests, seed] = [Number(values.contests), Number(values.seed)];

const directory = await mkdtemp(join(tmpdir(), 'treatment-booking-races-'));
const { port } = await pickPort();
const dataDir = join(directory, 'postgres');
const postgres = await startPostgres({ dataDir, port, durable: false, log: () => undefined });
try {
  await migrate(postgres.url);
  const begun = performance.now();
  let toldAt = 0;
  const { violations, ...report } = await raceOn(postgres.url, {
    seed,
    contests,
    onRound(done, { violations: soFar }) {
      if (performance.now() - toldAt < 10_000 && done < 1) return;
      toldAt = performance.now();
      const found = Object.values(soFar).reduce<number>((sum, count) => sum + Number(count), 0);
      console.log(`${Math.round(done * 100)} %, ${found} violations`);
    },
  });
  const seconds = Math.round((performance.now() - begun) / 1_000);
  console.log(`\n${contests} contests of each kind, seed ${seed}, ${seconds} s`);
  const { contests: held, outcomes, ...rest } = report;
  console.table({ ...held, ...outcomes, ...rest });
  console.table(violations);
  if (Object.values(violations).some((count) => count > 0)) process.exitCode = 1;
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
