import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pickPort } from '../ports.ts';
import { type DevSecrets, readOrCreateSecrets } from './secrets.ts';

/** The usual ports. */
export const DEFAULT_PORTS = {
  web: 3000,
  workerHealth: 3001,
  operatorApi: 3002,
  apiMetrics: 9464,
  workerMetrics: 9465,
  operatorApiMetrics: 9466,
  postgres: 54329,
  temporal: 7233,
  temporalUi: 8233,
  smtp: 1025,
  mail: 1080,
  phone: 4010,
  alerts: 4020,
  traces: 4318,
  eid: 4000,
  operatorLogin: 4001,
  clinics: [4101, 4102],
  calendarClinic: 4103,
  tokens: 4110,
  registries: 4201,
};

export interface StackOptions {
  /** Where everything is kept from one start to the next. */
  readonly directory: string;
  /** The usual ports where they are free; otherwise, and for tests, any. */
  readonly defaultPorts: boolean;
  readonly progress: Progress;
  /** Ends the start early: what is up by then is stopped. */
  readonly signal?: AbortSignal;
  /** Told when a process ends by itself; it is started again, once what this returns has come to its end. */
  readonly onEnded: (name: string, why: string) => void | Promise<void>;
  /** Settings of the API beside the sandbox's own. */
  readonly apiSettings?: Readonly<Record<string, string>>;
  readonly insertProxy?: InsertProxy;
  /** Whether a clinic with a CalDAV server is beside those that speak FHIR. */
  readonly calendarClinic?: boolean;
  /** How many APIs, and how many workers: one each when left out. */
  readonly instances?: number;
}

/**
 * Puts something of the caller's between our own processes and a server: told the server's address, a URL or host:port,
 * it answers with the one that our processes are given.
 */
export type InsertProxy = (server: string, address: string) => Promise<string>;

/** What every part of the stack stands on. */
export interface DevContext extends Required<
  Pick<StackOptions, 'progress' | 'apiSettings' | 'insertProxy' | 'calendarClinic' | 'instances'>
> {
  readonly secrets: DevSecrets;
  /** A path in the stack's directory. */
  readonly pathTo: (...path: string[]) => string;
  /** The usual port, or a free one. */
  readonly port: (usual: number) => Promise<number>;
  /** Starts a process that comes back when it ends by itself. */
  readonly run: <P extends SupervisedProcess>(name: string, start: () => Promise<P>) => Promise<P>;
  /** Remembers what must be stopped. */
  readonly stopLater: <T extends { stop(): Promise<void> }>(part: T) => T;
  /** Stops everything, what was started last first: it depends on what was started before. */
  readonly stop: () => Promise<void>;
}

export async function createDevContext(options: StackOptions): Promise<DevContext> {
  const { directory, defaultPorts, onEnded } = options;
  const stops: (() => Promise<void>)[] = [];
  const inside = (...path: string[]) => join(directory, ...path);
  // what this process and those that it starts write is for nobody else to read; PostgreSQL, under root a user of its own,
  // has to get through to its directory
  process.umask(0o066);
  await mkdir(inside('logs'), { recursive: true });
  return {
    secrets: await readOrCreateSecrets(inside('secrets.json')),
    progress: options.progress,
    apiSettings: options.apiSettings ?? {},
    insertProxy: options.insertProxy ?? (async (_server, address) => address),
    calendarClinic: options.calendarClinic ?? false,
    instances: options.instances ?? 1,
    pathTo: inside,
    port: async (usual) => (await pickPort(defaultPorts ? usual : undefined)).port,
    async run(name, start) {
      const supervised = await supervise(start, (why) => onEnded(name, why));
      stops.push(() => supervised.stop());
      return supervised.first;
    },
    stopLater(part) {
      stops.push(() => part.stop());
      return part;
    },
    async stop() {
      for (const end of stops.reverse().splice(0)) await end();
    },
  };
}

/** A part that is a process of its own. */
export interface SupervisedProcess {
  /** Says how it ended; never rejects. Absent where it is not ours to start. */
  readonly exited?: Promise<string>;
  stop(): Promise<void>;
}

const RESTART_DELAY_MS = 1_500;

/**
 * Starts a part, and starts it anew whenever it ends by itself: what is killed comes back, as it would in production.
 *
 * @param onEnded told why, each time
 * @throws when it does not start the first time
 */
async function supervise<P extends SupervisedProcess>(
  start: () => Promise<P>,
  onEnded: (why: string) => void | Promise<void>,
): Promise<{ readonly first: P; stop(): Promise<void> }> {
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const first = await start();
  let part: SupervisedProcess = first;

  const startAnew = async () => {
    while (!isStopping()) {
      await delay(RESTART_DELAY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (isStopping()) return;
      try {
        part = await start();
        return;
      } catch (error) {
        await onEnded(error instanceof Error ? error.message : String(error));
      }
    }
  };
  const watch = async () => {
    while (part.exited) {
      const why = await part.exited;
      if (isStopping()) return;
      await onEnded(why);
      await startAnew();
      if (isStopping()) return;
    }
  };
  const watching = watch();

  return {
    first,
    async stop() {
      stopping.abort();
      await part.stop();
      if (first.exited) await watching;
      // one that was just being started
      await part.stop();
    },
  };
}

/** Says what is being done, and how long it took; lines that a step has to say are shown below it. */
export function createProgress(write: (text: string) => void) {
  return async <T>(what: string, step: (log: (line: string) => void) => Promise<T>): Promise<T> => {
    const begun = performance.now();
    const result = await step((line) => write(`    ${what}: ${line}\n`));
    write(`  ✓ ${what} (${((performance.now() - begun) / 1000).toFixed(1)} s)\n`);
    return result;
  };
}
export type Progress = ReturnType<typeof createProgress>;
