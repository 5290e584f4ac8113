import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StackDescription } from '../../dev/stack/stack.ts';
import { eventually } from '../support/eventually.ts';
import { childrenOf } from '../support/own-process.ts';

const DEV = fileURLToPath(new URL('../../dev/dev.ts', import.meta.url));

export interface DevStack {
  readonly description: StackDescription;
  readonly directory: string;
  /** The process ids of its parts whose command line has these words. */
  processes(words: string): number[];
  /** All that it said so far. */
  output(): string;
  /** As Ctrl-C does. @returns the exit code */
  interrupt(): Promise<number | null>;
  /** Stops it, and forgets its data. */
  remove(): Promise<void>;
}

/** Runs `npm run dev` as a process of its own, on free ports, with its data in a folder of its own. */
export async function startDevStack(directory?: string): Promise<DevStack> {
  const dataIn = directory ?? (await mkdtemp(join(tmpdir(), 'treatment-booking-dev-')));
  // the rig's own Temporal must not be taken for one that somebody asked for
  const { TEMPORAL_ADDRESS: _ofTheRig, ...env } = process.env;
  const child = spawn(process.execPath, [DEV, '--any-ports', '--directory', dataIn], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const interrupt = async () => {
    child.kill('SIGINT');
    return ended;
  };
  const description = await eventually(
    async () => {
      if (child.exitCode !== null) throw new Error(`it ended:\n${said}`);
      const text = await readFile(join(dataIn, 'stack.json'), 'utf8').catch(() => null);
      return text === null ? null : (JSON.parse(text) as StackDescription);
    },
    { what: 'the stack answers', withinMs: 60_000, everyMs: 100 },
  );
  return {
    description,
    directory: dataIn,
    processes: (words) =>
      childrenOf(child.pid ?? 0)
        .filter(({ args }) => args.includes(words))
        .map(({ pid }) => pid),
    output: () => said,
    interrupt,
    async remove() {
      await interrupt();
      await rm(dataIn, { recursive: true, force: true });
    },
  };
}
