import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadWorkflowBundle } from '../../src/worker/workflow-bundle.ts';
import { runningServers } from '../support/running-servers.ts';

describe('the bundle of the workflows', () => {
  let directory: string;
  let made = 0;
  const load = (into: string) => loadWorkflowBundle(into, async () => `// made ${(made += 1)}`);
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'treatment-booking-bundle-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('is made by whoever needs it first, in one file, and then read', async () => {
    // neither has written it by the time that the other looks
    const begun = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    const loads = begun.map((mine, index) =>
      loadWorkflowBundle(directory, async () => {
        mine.resolve(null);
        await Promise.all(begun.map(({ promise }) => promise));
        return `// made by ${index + 1}`;
      }),
    );
    const both = await Promise.all(loads);
    expect(both.map(({ code }) => code)).toEqual(['// made by 1', '// made by 2']);
    const [file = '', ...others] = await readdir(directory);
    expect(others).toEqual([]);
    await writeFile(join(directory, file), '// read');
    expect(await load(directory)).toEqual({ code: '// read' });
  });

  it('holds no code of ours beside the folders whose change makes it anew', async () => {
    const code = await readFile(runningServers().workflowBundle, 'utf8');
    const [, map = ''] = /sourceMappingURL=data:[^,]*base64,(\S+)/.exec(code) ?? [];
    const { sources } = JSON.parse(Buffer.from(map, 'base64').toString()) as { sources: string[] };
    // kept from an earlier run, maybe in another folder
    const root = sources.find((path) => path.endsWith('/workflows/index.ts'))?.slice(0, -19) ?? '';
    const folders = sources
      .filter((path) => path.startsWith(`${root}/`))
      .map((path) => relative(root, path).split('/').slice(0, -1).join('/'))
      .filter((folder) => !folder.startsWith('node_modules/'));
    expect(new Set(folders)).toEqual(new Set(['src/domain', 'workflows']));
  });

  it('is made where it can not be kept', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    expect((await load(join(file, 'no-folder'))).code).toMatch(/^\/\/ made/);
  });
});
