import { mkdir, writeFile } from 'node:fs/promises';
import { bulk } from './bulk.ts';
import { cost } from './cost.ts';
import { engine } from './engine.ts';
import { feed } from './feed.ts';
import { limits } from './limits.ts';
import { load } from './load.ts';
import type { Measured } from './measure.ts';
import { migrate } from './migrate.ts';
import { million } from './million.ts';
import { pages } from './pages.ts';
import { paint } from './paint.ts';
import { providers } from './providers.ts';
import { read } from './read.ts';
import { spine } from './spine.ts';

/**
 * How fast it is: `npm run bench` measures all, `npm run bench -- read` one part, `npm run bench -- load:burst` a part of
 * that. Each prints a table, and the numbers of the last run are in .dev/bench.json. What else this machine does is in them: compare within one run.
 */
const PARTS: Readonly<Record<string, (only?: string) => Promise<Measured>>> = {
  spine,
  read,
  cost,
  engine,
  feed,
  limits,
  pages,
  paint,
  providers,
  load,
  bulk,
  million,
  migrate,
};

const named = process.argv.slice(2).filter((argument) => argument !== '--keep');
const asked = new Map(
  named.map((name): [string, string | undefined] => {
    const [part = '', only] = name.split(':');
    return [part, only];
  }),
);
const unknown = [...asked.keys()].filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; there are: ${Object.keys(PARTS).join(', ')}.`);
  process.exit(1);
}

const results: Record<string, Measured> = {};
for (const [name, measure] of Object.entries(PARTS)) {
  if (asked.size > 0 && !asked.has(name)) continue;
  console.log(`\n${name}`);
  const measured = await measure(asked.get(name));
  console.table(measured.rows);
  for (const note of measured.notes) console.log(note);
  results[name] = measured;
}
await mkdir('.dev', { recursive: true });
await writeFile('.dev/bench.json', JSON.stringify(results, null, 2));
