import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pickPort } from '../ports.ts';
import type { Progress } from '../progress.ts';
import { sandboxSecrets, type SandboxSecrets } from '../secrets.ts';
import { supervise, type Part } from '../supervise.ts';

export interface StackOptions {
  /** Where everything is kept from one start to the next. */
  readonly directory: string;
  /** The usual ports where they are free; otherwise, and for tests, any. */
  readonly usualPorts: boolean;
  readonly progress: Progress;
  /** Ends the start early: what is up by then is stopped. */
  readonly signal?: AbortSignal;
  /** Told when a process ends by itself; it is started again. */
  readonly onEnded: (name: string, why: string) => void;
  /** Settings of the API beside the sandbox's own. */
  readonly apiSettings?: Readonly<Record<string, string>>;
  readonly detour?: Detour;
  /** Whether a clinic with a CalDAV server is beside those that speak FHIR. */
  readonly calendarClinic?: boolean;
}

/**
 * Puts something of the caller's between our own processes and a server: told the server's address, a URL or host:port,
 * it answers with the one that our processes are given.
 */
export type Detour = (server: string, address: string) => Promise<string>;

/** What every part of the stack stands on. */
export interface Ground {
  readonly secrets: SandboxSecrets;
  readonly progress: Progress;
  readonly apiSettings: Readonly<Record<string, string>>;
  readonly detour: Detour;
  readonly hasCalendarClinic: boolean;
  /** A path in the stack's directory. */
  readonly inside: (...path: string[]) => string;
  /** The usual port, or a free one. */
  readonly port: (usual: number) => Promise<number>;
  /** Starts a process that comes back when it ends by itself. */
  readonly run: <P extends Part>(name: string, start: () => Promise<P>) => Promise<P>;
  /** Remembers what has to be stopped. */
  readonly keep: <T extends { stop(): Promise<void> }>(part: T) => T;
  /** Stops everything, what was started last first: it depends on what was started before. */
  readonly stop: () => Promise<void>;
}

export async function layGround(options: StackOptions): Promise<Ground> {
  const { directory, usualPorts, progress, onEnded, apiSettings = {} } = options;
  const { detour = async (_server, address) => address } = options;
  const stops: (() => Promise<void>)[] = [];
  const inside = (...path: string[]) => join(directory, ...path);
  await mkdir(inside('logs'), { recursive: true });
  return {
    secrets: await sandboxSecrets(inside('secrets.json')),
    progress,
    apiSettings,
    detour,
    hasCalendarClinic: options.calendarClinic ?? false,
    inside,
    port: async (usual) => (await pickPort(usualPorts ? usual : undefined)).port,
    async run(name, start) {
      const supervised = await supervise(start, (why) => onEnded(name, why));
      stops.push(() => supervised.stop());
      return supervised.first;
    },
    keep(part) {
      stops.push(() => part.stop());
      return part;
    },
    async stop() {
      for (const end of stops.reverse().splice(0)) await end();
    },
  };
}
