import { parseArgs } from 'node:util';
import { race } from '../test/providers/races.ts';
import { onTrack } from '../test/providers/races-track.ts';
import { onPostgres } from './on-postgres.ts';

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
const TELL_EVERY_MS = 10_000;

let toldAt = 0;
const onRound = (done: number, { found }: { readonly found: readonly string[] }) => {
  if (performance.now() - toldAt < TELL_EVERY_MS && done < 1) return;
  toldAt = performance.now();
  console.log(`${Math.round(done * 100)} %, ${found.length} violations`, found.at(-1) ?? '');
};

const begun = performance.now();
const report = await onPostgres((url) =>
  onTrack(url, (track) => race({ ...track, seed, contests, onRound })),
);
const seconds = Math.round((performance.now() - begun) / 1_000);
const { contests: held, outcomes, violations, found, ...rest } = report;
console.log(`\n${contests} contests of each kind, seed ${seed}, ${seconds} s`);
console.table({ ...held, ...outcomes, ...rest });
console.table(violations);
for (const one of found) console.log(one);
if (found.length > 0) process.exitCode = 1;
