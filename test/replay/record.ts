/**
 * Writes the histories that every later version must be able to replay: `npm run histories`. Run it when a story is
 * new; a history that a released version wrote is never written over (promise P7), so what is there stays. Where the
 * workflow does something in another way than before, `npm run histories -- <the change>` has every story written anew
 * beside the old ones.
 */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import setUp from '../support/global-setup.ts';
import tearDown from '../support/global-teardown.ts';
import { onTeardown } from '../support/teardown.ts';
import { createWorld } from '../workflows/support/world.ts';
import { STORIES } from './stories.ts';
import { writeHistory } from './written-history.ts';

const [change] = process.argv.slice(2);
const directory = join(import.meta.dirname, 'histories');
await mkdir(directory, { recursive: true });
await setUp();
try {
  const world = await createWorld();
  onTeardown(() => world.close());
  for (const [story, live] of Object.entries(STORIES)) {
    const name = change ? `${story}.${change}` : story;
    const path = join(directory, `${name}.json`);
    if (existsSync(path)) continue;
    const theCase = await live(world);
    await writeFile(path, writeHistory(await theCase.history()));
    process.stdout.write(`${name}\n`);
  }
} finally {
  await tearDown();
}
