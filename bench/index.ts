import { mkdir, writeFile } from 'node:fs/promises';
import { bulk } from './bulk.ts';
import { limits } from './limits.ts';
import { load } from './load.ts';
import type { Measured } from './measure.ts';
import { pages } from './pages.ts';
import { paint } from './paint.ts';
import { providers } from './providers.ts';
import { read } from './read.ts';
import { spine } from './spine.ts';

/**
 * How fast it is: `npm run bench` measures all, `npm run bench -- read` one part. Each part prints a table, and the
 * numbers of the last run are in .dev/bench.json. What else this machine does is in them: compare within one run.
 */
const PARTS: Readonly<Record<string, () => Promise<Measured>>> = {
  spine,
  read,
  limits,
  pages,
  paint,
  providers,
  load,
  bulk,
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; there are: ${Object.keys(PARTS).join(', ')}.`);
  process.exit(1);
}

const results: Record<string, Measured> = {};
for (const [name, measure] of Object.entries(PARTS)) {
  if (named.length > 0 && !named.includes(name)) continue;
  console.log(`\n${name}`);
  const measured = await measure();
  console.table(measured.rows);
  for (const note of measured.notes) console.log(note);
  results[name] = measured;
}
await mkdir('.dev', { recursive: true });
await writeFile('.dev/bench.json', JSON.stringify(results, null, 2));
