import { spawnChild, type Child } from './processes/child.ts';
import { untilReady } from './processes/ready.ts';

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
  const probe = 'url' in ready ? () => answersOk(ready.url) : () => child.tail().includes(ready.line);
  await untilReady(child, { name: options.name, probe, timeoutMs: options.readyTimeoutMs ?? 30_000 });
  return child;
}

async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000), redirect: 'manual' });
  await response.body?.cancel();
  return response.status === 200;
}
