import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createTail } from './tail.ts';

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to our own environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Output is appended here; without it only the tail is kept. */
  readonly logFile?: string;
  /** How long SIGTERM may take before SIGKILL follows. Milliseconds. */
  readonly graceMs?: number;
}

export interface Child {
  readonly pid: number;
  /** The last lines that it wrote, for error messages. */
  tail(): string;
  /** Says how it ended, e.g. `exit code 1`. Settles when the process is gone; never rejects. */
  readonly exited: Promise<string>;
  running(): boolean;
  /** SIGTERM, then SIGKILL after the grace. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts a process that ends with us. It gets a session of its own, so that Ctrl-C reaches only us and we stop the
 * parts in order; and a guard, so that it doesn't outlive us when we are killed with -9.
 *
 * @throws when the command can't be started at all
 */
export async function spawnChild(options: ChildOptions): Promise<Child> {
  const child = spawn(options.command, [...options.args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const exited = new Promise<string>((resolve) => {
    // 'close' and not 'exit': the last words are still in the pipe when the process ends
    child.once('close', (code, signal) =>
      resolve(signal === null ? `exit code ${code ?? '?'}` : `signal ${signal}`),
    );
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${options.command} has no process id`);

  const tail = createTail(100);
  const file = options.logFile === undefined ? undefined : createWriteStream(options.logFile, { flags: 'a' });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      tail.add(text);
      file?.write(text);
    });
  }
  const guard = startGuard(pid);
  const running = () => child.exitCode === null && child.signalCode === null;
  void exited.then(() => {
    guard.kill('SIGKILL');
    file?.end();
  });

  const stop = async () => {
    if (running()) child.kill('SIGTERM');
    const patience = new AbortController();
    const late = delay(options.graceMs ?? 10_000, 'late', { signal: patience.signal }).catch(() => 'gone');
    if ((await Promise.race([exited, late])) === 'late') child.kill('SIGKILL');
    await exited;
    patience.abort();
  };
  return { pid, tail: tail.text, exited, running, stop };
}

/**
 * A shell that waits on a pipe from us. When we end, however that happens, the pipe closes and the shell ends `pid`.
 * It needs neither the child's co-operation nor a second Node; there is no such shell on Windows, nor a guard.
 */
function startGuard(pid: number): ChildProcess {
  const script = `read -r _; kill -TERM "$1"; for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$1" || exit; sleep 1; done; kill -KILL "$1"`;
  const guard = spawn('/bin/sh', ['-c', script, 'guard', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  // the guard must not keep us alive: that we end is what it waits for
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard;
}
