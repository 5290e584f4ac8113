import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { spawnChild } from '../child-process.ts';

export type SdkServer = 'dev-server' | 'time-skipping';

/** The SDK names what it downloads after itself; a test asserts the version against the installed package. */
export const SDK_FILES: Record<SdkServer, string> = {
  'dev-server': 'temporal-sdk-typescript-1.24.0',
  'time-skipping': 'temporal-test-server-sdk-typescript-1.24.0',
};

/**
 * Lets the SDK download a server into `directory`. In a process of its own, because the SDK's download can't be
 * interrupted: where the network swallows packets it would wait for minutes.
 *
 * @returns the server's path, or why there is none
 */
export async function downloadWithSdk(
  server: SdkServer,
  directory: string,
  { connectMs = 15_000, downloadMs = 300_000 }: { connectMs?: number; downloadMs?: number } = {},
): Promise<{ path: string } | { reason: string }> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, SDK_FILES[server]);
  const script = fileURLToPath(new URL('./sdk-download-process.ts', import.meta.url));
  const child = await spawnChild({
    command: process.execPath,
    args: [script, server, directory],
    graceMs: 500,
  });
  const started = Date.now();
  while (child.running() && !existsSync(path)) {
    const limit = sizeOf(`${path}.downloading`) > 0 ? downloadMs : connectMs;
    if (Date.now() - started > limit) break;
    await Promise.race([child.exited, delay(100)]);
  }
  const timedOut = child.running();
  await child.stop();
  if (existsSync(path)) return { path };
  return {
    reason: timedOut ? 'no answer from temporal.download in time' : (child.tail().split('\n').at(-1) ?? ''),
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
