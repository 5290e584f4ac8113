import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadWorkflowBundle } from '../../src/worker/workflow-bundle.ts';

describe('the bundle of the workflows', () => {
  let directory: string;
  let bundles: readonly { readonly code: string }[];
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'treatment-booking-bundle-'));
    bundles = await Promise.all([loadWorkflowBundle(directory), loadWorkflowBundle(directory)]);
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('is made by whoever needs it first, in one file, and then read', async () => {
    const [file = '', ...others] = await readdir(directory);
    expect(others).toEqual([]);
    await writeFile(join(directory, file), '// read');
    expect(await loadWorkflowBundle(directory)).toEqual({ code: '// read' });
  });

  it('holds no code of ours beside the folders whose change makes it anew', () => {
    for (const { code } of bundles) {
      const [, map = ''] = /sourceMappingURL=data:[^,]*base64,(\S+)/.exec(code) ?? [];
      const { sources } = JSON.parse(Buffer.from(map, 'base64').toString()) as { sources: string[] };
      const folders = sources
        .filter((path) => path.startsWith(process.cwd()))
        .map((path) => relative(process.cwd(), path).split('/').slice(0, -1).join('/'))
        .filter((folder) => !folder.startsWith('node_modules/'));
      expect(new Set(folders)).toEqual(new Set(['src/domain', 'workflows']));
    }
  });

  it('is made where it can not be kept', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    expect((await loadWorkflowBundle(join(file, 'no-folder'))).code).toContain('treatmentCase');
  });
});
