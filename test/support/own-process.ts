import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { spawnChild } from '../../dev/child-process.ts';
import { eventually } from './eventually.ts';

const SOURCES = join(import.meta.dirname, '../../src/main');

export interface OwnProcess {
  /** The port that it logged under this name. Waits for it. */
  port(name: 'port' | 'health'): Promise<number>;
  /** The last lines that it wrote. */
  said(): string;
  signal(name: NodeJS.Signals): void;
  /** How it ended, e.g. `exit code 0`, and how long after the first signal (milliseconds). */
  readonly ended: Promise<{ readonly how: string; readonly ms: number }>;
  kill(): void;
}

/**
 * Runs one of our roots as a process of its own, set up by this environment.
 *
 * @param sources where the roots are: another version's
 */
export async function runOwnProcess(
  root: 'api' | 'worker' | 'migrate',
  environment: Readonly<Record<string, string | undefined>>,
  sources = SOURCES,
): Promise<OwnProcess> {
  const settings = Object.entries(environment).map(([name, value]) => [name, value ?? ''] as const);
  const child = await spawnChild({
    command: process.execPath,
    args: [join(sources, `${root}.ts`)],
    env: { ...Object.fromEntries(settings), LOG_LEVEL: 'info' },
  });
  let begun: number | null = null;
  const signal: OwnProcess['signal'] = (name) => {
    begun ??= performance.now();
    if (child.running()) process.kill(child.pid, name);
  };
  return {
    said: () => child.tail(),
    signal,
    kill: () => signal('SIGKILL'),
    ended: child.exited.then((how) => ({ how, ms: performance.now() - (begun ?? performance.now()) })),
    port: (name) =>
      eventually(
        () => {
          if (!child.running()) throw new Error(`${root} ended:\n${child.tail()}`);
          const port = new RegExp(`"${name}":(\\d+)`).exec(child.tail())?.[1];
          return port === undefined ? null : Number(port);
        },
        { what: () => `${root} listens:\n${child.tail()}` },
      ),
  };
}

/** The processes that a process of this machine has begun, with their command lines. */
export function childrenOf(parent: number): { pid: number; args: string }[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null && Number(match[2]) === parent)
    .map((match) => ({ pid: Number(match?.[1]), args: match?.[3] ?? '' }));
}
