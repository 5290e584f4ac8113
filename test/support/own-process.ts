import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { eventually } from './eventually.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface OwnProcess {
  /** What it logged with this number: where it listens. Waits for it. */
  port(name: 'port' | 'health'): Promise<number>;
  said(): string;
  signal(name: NodeJS.Signals): void;
  /** How it ended, and how long after the first signal (milliseconds). */
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly ms: number;
  }>;
  /** For a test that has failed. */
  kill(): void;
}

/** Runs one of our roots as a process of its own, set up by this environment alone. */
export function runOwnProcess(
  root: 'api' | 'worker',
  environment: Readonly<Record<string, string | undefined>>,
): OwnProcess {
  const child = spawn(process.execPath, [join(ROOT, 'src', `${root}.ts`)], {
    cwd: ROOT,
    env: { ...environment, PATH: process.env['PATH'], LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  let begun: number | null = null;
  const ended: OwnProcess['ended'] = new Promise((resolve) => {
    child.once('close', (code, signal) =>
      resolve({ code, signal, ms: performance.now() - (begun ?? performance.now()) }),
    );
  });
  return {
    said: () => said,
    ended,
    port: (name) =>
      eventually(
        () => {
          if (child.exitCode !== null) throw new Error(`${root} ended:\n${said}`);
          const port = new RegExp(`"${name}":(\\d+)`).exec(said)?.[1];
          return port === undefined ? null : Number(port);
        },
        { what: () => `${root} listens:\n${said}` },
      ),
    signal(name) {
      begun ??= performance.now();
      child.kill(name);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
