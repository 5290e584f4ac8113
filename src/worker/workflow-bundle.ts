import { createHash, randomUUID } from 'node:crypto';
import { glob, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/workflows');

/** All that a bundle is made of (the rule `workflows-are-deterministic` lets workflows import nothing else), and how. */
const SOURCES = ['workflows/**/*.{ts,cjs}', 'src/domain/**/*.ts', 'src/worker/workflow-bundle.ts'];

/** The code of the workflows as it runs in Temporal's sandbox. Takes seconds: see {@link loadWorkflowBundle}. */
async function bundleWorkflows(): Promise<string> {
  const workflowsPath = join(ROOT, 'workflows/index.ts');
  const tracePath = join(ROOT, 'workflows/trace.ts');
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: [tracePath],
    failureConverterPath: join(ROOT, 'workflows/failure-converter.cjs'),
    // Read once for all cases, and not for each anew. So no module of ours may keep anything: all that a case knows is
    // in its functions.
    preloadModules: [workflowsPath, tracePath],
    logger: new DefaultLogger('WARN'),
  });
  return code;
}

/**
 * The bundle of the code as it is now: made when the image is built, or by the first process that needs it. Several may
 * make it at once: each writes a file of its own, and the last one stays.
 */
export async function loadWorkflowBundle(
  directory = CACHE,
  bundle = bundleWorkflows,
): Promise<{ readonly code: string }> {
  const file = join(directory, `${await hashSources()}.js`);
  const cached = await readFile(file, 'utf8').catch(() => null);
  if (cached !== null) return { code: cached };
  const code = await bundle();
  // a read-only container goes without
  await save(directory, file, code).catch(() => undefined);
  return { code };
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256').update(await sdkVersion());
  const paths: string[] = [];
  for await (const path of glob(SOURCES, { cwd: ROOT })) paths.push(path);
  for (const path of paths.sort()) hash.update(`\0${path}\0`).update(await readFile(join(ROOT, path)));
  return hash.digest('hex').slice(0, 32);
}

const sdkVersion = async (): Promise<string> => {
  const file = createRequire(import.meta.url).resolve('@temporalio/worker/package.json');
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
};

async function save(directory: string, file: string, code: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const aside = `${file}.${randomUUID()}`;
  await writeFile(aside, code);
  await rename(aside, file);
  await removeOld(directory);
}

const MAX_AGE = 7 * 24 * 60 * 60 * 1000;

/** While workflows are being written, each edit leaves a bundle behind. */
async function removeOld(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const { mtimeMs } = await stat(join(directory, name));
    if (Date.now() - mtimeMs > MAX_AGE) await rm(join(directory, name), { force: true });
  }
}
