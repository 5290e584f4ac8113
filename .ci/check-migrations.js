// Refuses a migration that would keep a table in use locked for long (docs/decisions/0116): `npm run check:migrations`, or
// of another folder `node .ci/check-migrations.js FOLDER`. What makes the database anew locks nobody out.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const INITIAL = /^1763683200\d{3}_/;
const [folder = 'migrations'] = process.argv.slice(2);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.sql') && !INITIAL.test(name))
  .map((name) => join(folder, name));
const isAlone = (file) => /^-- Alone\b/m.test(readFileSync(file, 'utf8'));
for (const file of files.filter((each) => !isAlone(each)))
  if (/^(UPDATE|DELETE)\b/im.test(readFileSync(file, 'utf8'))) {
    console.error(`${file}: rows are changed some at a time, by a migration that is alone (CONTRIBUTING.md)`);
    process.exitCode = 1;
  }
const squawk = createRequire(import.meta.url).resolve('squawk-cli/js/bin/squawk');

/** As src/postgres/migrate.ts runs them: each in a transaction of its own, or alone. */
const groups = [
  [files.filter((file) => !isAlone(file)), ['--assume-in-transaction']],
  [files.filter(isAlone), []],
];
for (const [group, options] of groups) {
  if (group.length === 0) continue;
  const { status } = spawnSync(process.execPath, [squawk, ...options, ...group], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
