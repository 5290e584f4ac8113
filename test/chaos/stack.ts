import { createProgress } from '../../dev/stack/context.ts';
import { type StackDescription, startStack } from '../../dev/stack/stack.ts';
import type { PartnerId } from '../../src/domain/ids.ts';
import { hashOfKey, issueKey } from '../../src/identity/secrets.ts';
import { addKey } from '../../src/postgres/api-keys.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { childrenOf } from '../support/own-process.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import type { ProcessName, WireName } from './plan.ts';

/** The whole service as separate processes, with a wire of ours between them and each server. */
export interface ChaosStack {
  readonly described: StackDescription;
  readonly directory: string;
  readonly wires: ReadonlyMap<WireName, TcpProxy>;
  /** The API as partners reach it: over a wire that can fail. */
  readonly partnersApi: string;
  /** A key of each partner for every so many calls, so that no limit ends the run early. */
  readonly keys: readonly (readonly string[])[];
  /** Those that run now, the one that has run longest first. */
  pidsOf(process: ProcessName): readonly number[];
  /** How often each process ended and was started again. */
  readonly restarts: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

const PARTNERS = ['fjordtrygd', 'polar'];
const KEYS = 10;

/** What their command lines have, and no other's. */
const COMMANDS: Record<ProcessName, string> = {
  worker: 'src/main/worker.ts',
  API: 'src/main/api.ts',
  Temporal: 'server start-dev',
  PostgreSQL: 'server-process.ts',
};

/**
 * @param instances how many APIs and workers
 * @param mayStart asked before a process that has ended is started again
 * @param temporalAddress of a server that the caller has started for this; left out: one of the stack's own
 * @throws when an address is not one of this machine: nothing else may be hurt
 */
export async function startChaosStack(
  directory: string,
  instances: number,
  say: (text: string) => void,
  mayStart: (name: string) => Promise<void> = () => Promise.resolve(),
  temporalAddress?: string,
): Promise<ChaosStack> {
  // the runner kills servers, so it has to have its own
  delete process.env.TEMPORAL_ADDRESS;
  if (temporalAddress !== undefined) process.env.TEMPORAL_ADDRESS = temporalAddress;
  const wires = new Map<WireName, TcpProxy>();
  const restarts = new Map<string, number>();
  /** @returns the address with the wire's port in place of the server's */
  const lay = async (name: string, address: string): Promise<string> => {
    const [, before = '', host = '', port = ''] =
      /^((?:\w+:\/\/)?(?:[^@/]*@)?)([\w.]+):(\d+)/.exec(address) ?? [];
    requireLoopback(host, name);
    const wire = await openTcpProxy({ host, port: Number(port) });
    wires.set(name as WireName, wire);
    return address.replace(`${before}${host}:${port}`, `${before}127.0.0.1:${wire.port}`);
  };
  let isUp = false;
  const stack = await startStack({
    directory,
    defaultPorts: false,
    instances,
    // what the stand-ins miss later on is what is meant to go wrong
    progress: createProgress((text) => {
      if (!isUp) say(text);
    }),
    onEnded: (name) => {
      restarts.set(name, (restarts.get(name) ?? 0) + 1);
      return mayStart(name);
    },
    // each customer says with X-Forwarded-For who it is, so that limits by address are not in the way
    apiSettings: { TRUST_PROXY: '1' },
    insertProxy: lay,
  });
  isUp = true;
  const closeWires = async () => {
    for (const wire of wires.values()) await wire.cut();
  };
  try {
    return {
      described: stack.description,
      directory,
      wires,
      restarts,
      partnersApi: await lay('API', stack.description.api.replace('localhost', '127.0.0.1')),
      keys: await issueKeys(stack.description.databaseUrl),
      pidsOf: (name) => childrenWith(COMMANDS[name]),
      async stop() {
        await stack.stop();
        await closeWires();
      },
    };
  } catch (error) {
    await stack.stop();
    await closeWires();
    throw error;
  }
}

function requireLoopback(host: string, name: string): void {
  if (host === 'localhost' || host === '127.0.0.1') return;
  throw new Error(`${name} is at ${host}, which is not this machine: chaos hurts what is here only`);
}

async function issueKeys(databaseUrl: string): Promise<string[][]> {
  const database = await openDatabase(databaseUrl);
  try {
    return await Promise.all(
      PARTNERS.map(async (id) => {
        const keys = Array.from({ length: KEYS }, () => issueKey('test'));
        for (const key of keys) {
          await addKey(database, { partnerId: id as PartnerId, name: 'chaos', keyHash: hashOfKey(key) });
        }
        return keys;
      }),
    );
  } finally {
    await database.end();
  }
}

const childrenWith = (words: string): number[] =>
  childrenOf(process.pid)
    .filter(({ args }) => args.includes(words))
    .map(({ pid }) => pid)
    .sort((one, other) => one - other);
