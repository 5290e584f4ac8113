/**
 * Records the histories that later versions must be able to replay: `npm run histories`, for each story that has none.
 * From v1.0.0 on, what a released version has recorded is never overwritten (workflows/README.md): where the workflow then
 * does something in another way, `npm run histories -- <the change>` records every story anew beside the old ones. Until
 * then none is kept that no longer replays: delete it, and record anew.
 */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import setUp from '../support/global-setup.ts';
import tearDown from '../support/teardown.ts';
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
