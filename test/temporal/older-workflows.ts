import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A version of the workflows' code that differs from this one's in one place. */
export interface Older {
  /** Of `workflows/`. */
  readonly file: string;
  readonly now: string;
  readonly then: string;
}

/** Bundles the workflows as an older version had them. @returns the file with their code, and a way to delete it */
export async function bundleOlder({
  file,
  now,
  then,
}: Older): Promise<{ codePath: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'treatment-booking-older-'));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const copy = join(directory, 'workflows');
    await cp(join(ROOT, 'workflows'), copy, { recursive: true });
    for (const name of ['src', 'node_modules']) await symlink(join(ROOT, name), join(directory, name));
    const text = await readFile(join(copy, file), 'utf8');
    if (!text.includes(now)) throw new Error(`workflows/${file} has no such line any more: ${now}`);
    await writeFile(join(copy, file), text.replace(now, then));
    const { code } = await bundleWorkflowCode({
      workflowsPath: join(copy, 'index.ts'),
      logger: new DefaultLogger('WARN'),
    });
    const codePath = join(directory, 'bundle.js');
    await writeFile(codePath, code);
    return { codePath, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
