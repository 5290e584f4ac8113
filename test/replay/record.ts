/**
 * Writes the histories that every later version must be able to replay: `npm run histories`. Run it when a story is
 * new; a history that a released version wrote is never written over (promise P7), so what is there stays. Where the
 * workflow does something in another way than before, `npm run histories -- <the change>` has every story written anew
 * beside the old ones.
 */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import setUp from '../support/global-setup.ts';
import tearDown from '../support/global-teardown.ts';
import { onTeardown } from '../support/teardown.ts';
import { createWorld } from '../workflows/support/world.ts';
import { CONTINUED, liveContinued } from './continued.ts';
import { STORIES } from './stories.ts';
import { writeHistory } from './written-history.ts';

const [change] = process.argv.slice(2);
const directory = join(import.meta.dirname, 'histories');
const pathOf = (story: string) => join(directory, `${change ? `${story}.${change}` : story}.json`);
const isThere = (story: string) => existsSync(pathOf(story));
const write = async (story: string, history: History) => {
  await writeFile(pathOf(story), writeHistory(history));
  process.stdout.write(`${pathOf(story)}\n`);
};
await mkdir(directory, { recursive: true });
await setUp();
try {
  const world = await createWorld();
  onTeardown(() => world.close());
  for (const [story, live] of Object.entries(STORIES)) {
    if (isThere(story)) continue;
    await write(story, await (await live(world)).history());
  }
  if (!CONTINUED.every(isThere))
    for (const [story, history] of Object.entries(await liveContinued()))
      if (!isThere(story)) await write(story, history);
} finally {
  await tearDown();
}
