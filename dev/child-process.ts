import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

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
  const guard = startWatchdog(pid);
  const running = () => child.exitCode === null && child.signalCode === null;
  void exited.then(() => {
    guard.kill('SIGKILL');
    file?.end();
  });

  const stop = async () => {
    if (running()) child.kill('SIGTERM');
    const timer = new AbortController();
    const late = delay(options.graceMs ?? 10_000, 'late', { signal: timer.signal }).catch(() => 'gone');
    if ((await Promise.race([exited, late])) === 'late') child.kill('SIGKILL');
    await exited;
    timer.abort();
  };
  return { pid, tail: tail.text, exited, running, stop };
}

/**
 * A shell that waits on a pipe from us. When we end, however that happens, the pipe closes and the shell ends `pid`.
 * It needs neither the child's co-operation nor a second Node; there is no such shell on Windows, nor a guard.
 */
function startWatchdog(pid: number): ChildProcess {
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

export interface NodeProcessOptions {
  /** As it is called in messages, e.g. `the API`. */
  readonly name: string;
  /** Absolute path of the TypeScript root. */
  readonly script: string;
  readonly args?: readonly string[];
  /** For node itself, before the script. */
  readonly execArgv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile?: string;
  /** Ready when a GET of `url` answers 200, or when `line` is part of its output. */
  readonly ready: { readonly url: string } | { readonly line: string };
  readonly readyTimeoutMs?: number;
  readonly graceMs?: number;
}

/**
 * Runs one of our own roots in a Node process of its own; see {@link spawnChild} for how it ends with us.
 *
 * @throws with the last lines of its output when it ends, or isn't ready in time
 */
export async function startNodeProcess(options: NodeProcessOptions): Promise<Child> {
  const child = await spawnChild({
    command: process.execPath,
    args: [...(options.execArgv ?? []), options.script, ...(options.args ?? [])],
    env: options.env,
    logFile: options.logFile,
    graceMs: options.graceMs,
  });
  const { ready } = options;
  const probe = 'url' in ready ? () => isOk(ready.url) : () => child.tail().includes(ready.line);
  await waitUntilReady(child, { name: options.name, probe, timeoutMs: options.readyTimeoutMs ?? 30_000 });
  return child;
}

async function isOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000), redirect: 'manual' });
  await response.body?.cancel();
  return response.status === 200;
}

export interface Readiness {
  /** What is started, as it is called in an error message. */
  readonly name: string;
  /** True once it answers. A rejection counts as "not yet". */
  readonly probe: () => boolean | Promise<boolean>;
  readonly timeoutMs: number;
}

/**
 * Waits until `probe` holds while the child lives.
 *
 * @throws with the child's last output when it ends first, or is not ready in time; it is stopped then
 */
export async function waitUntilReady(child: Child, { name, probe, timeoutMs }: Readiness): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answers = await Promise.resolve(probe()).catch(() => false);
    // asked after the answer: somebody else on our port would answer for a child that has given up
    if (!child.running()) throw new Error(`${name} ended with ${await child.exited}:\n${child.tail()}`);
    if (answers) return;
    if (Date.now() > deadline) {
      await child.stop();
      throw new Error(`${name} was not ready after ${Math.round(timeoutMs / 1000)} s:\n${child.tail()}`);
    }
    await Promise.race([child.exited, delay(50)]);
  }
}

/**
 * Waits for a child that has an end, and says every ten seconds that it goes on, since nothing else shows it.
 *
 * @returns how it ended; it is stopped when that takes too long
 */
export async function waitForExit(
  child: Child,
  { what, timeoutMs, log }: { what: string; timeoutMs: number; log: (line: string) => void },
): Promise<string> {
  const started = Date.now();
  for (;;) {
    const how = await Promise.race([child.exited, delay(10_000, undefined, { ref: false })]);
    if (how !== undefined) return how;
    const elapsed = Date.now() - started;
    log(`still ${what} (${Math.round(elapsed / 1000)} s)`);
    if (elapsed > timeoutMs) await child.stop();
  }
}

/** Keeps the last `limit` lines of a process's output, for the message that says why it ended. */
function createTail(limit: number): { add: (text: string) => void; text: () => string } {
  let lines = [''];
  return {
    add(text) {
      const [first = '', ...rest] = text.split('\n');
      lines[lines.length - 1] = (lines.at(-1) ?? '') + first;
      lines = [...lines, ...rest].slice(-limit);
    },
    text: () => lines.join('\n').trim(),
  };
}
