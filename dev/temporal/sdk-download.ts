import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Child, spawnChild } from '../child-process.ts';
import type { Fetch } from './programs.ts';

/** A version of a server, and the file that the SDK's download makes of it. */
export type SdkDownload =
  | { readonly server: 'dev-server'; readonly version: string; readonly file: `temporal-v${string}` }
  | {
      readonly server: 'time-skipping';
      readonly version: string;
      readonly file: `temporal-test-server-v${string}`;
    };

/**
 * Lets the SDK download a server, over HTTPS from its makers, as it does for everybody who tests with it. In a process
 * of its own, because the SDK's download can't be interrupted: where the network swallows packets it would wait for
 * minutes.
 */
export function fetchWithSdk(
  { server, version, file }: SdkDownload,
  { connectMs = 5_000, downloadMs = 300_000 }: { connectMs?: number; downloadMs?: number } = {},
): Fetch {
  return async (directory) => {
    const path = join(directory, file);
    const child = await spawnChild({
      command: process.execPath,
      args: [fileURLToPath(import.meta.url), server, version, directory],
      graceMs: 500,
    });
    // begun as soon as there is a file, under the name that it has until it is complete
    const limit = () => (sizeOf(`${path}.downloading`) + sizeOf(path) > 0 ? downloadMs : connectMs);
    const isLate = await outlives(child, limit);
    await child.stop();
    if (sizeOf(path) > 0) return path;
    throw new Error(isLate ? 'no answer from temporal.download' : (child.tail().split('\n').at(-1) ?? ''));
  };
}

async function outlives(child: Child, limit: () => number): Promise<boolean> {
  const started = Date.now();
  while (child.running() && Date.now() - started <= limit()) await Promise.race([child.exited, delay(100)]);
  return child.running();
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** In the process of its own: to start a server once is the only way to make the SDK download it. */
async function download([server, version, downloadDir]: readonly string[]): Promise<void> {
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const options = { server: { executable: { type: 'cached-download' as const, version, downloadDir } } };
  const environment =
    server === 'time-skipping'
      ? await TestWorkflowEnvironment.createTimeSkipping(options)
      : await TestWorkflowEnvironment.createLocal(options);
  await environment.teardown();
}

if (import.meta.main) {
  await download(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}
