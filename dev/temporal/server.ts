import { Connection } from '@temporalio/client';
import { spawnChild, waitUntilReady } from '../child-process.ts';
import { findTemporalCli } from './find-cli.ts';

export interface TemporalOptions {
  /** An SQLite file, continued when it exists; or nothing is kept. */
  readonly storage: { readonly dbFile: string } | 'memory';
  readonly port: number;
  /** Without it there is no Web UI. */
  readonly uiPort?: number;
  readonly namespace?: string;
  readonly searchAttributes?: SearchAttributeTypes;
  /** Of the server's dynamic configuration. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly logFile?: string;
  readonly log: (line: string) => void;
}

export interface RunningTemporal {
  /** host:port */
  readonly address: string;
  /** Undefined without a Web UI, or when TEMPORAL_ADDRESS names a server whose UI we don't know. */
  readonly uiUrl: string | undefined;
  /** Says how it ended; absent where TEMPORAL_ADDRESS names a server. */
  readonly exited?: Promise<string>;
  /** Leaves a server that TEMPORAL_ADDRESS names alone. */
  stop(): Promise<void>;
}

/**
 * A Temporal server: the one at TEMPORAL_ADDRESS, or a dev server of ours that ends with us. It answers, and has the
 * search attributes, when this resolves.
 *
 * @throws with what to install when there is no server, with its last output when it doesn't start
 */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  const { namespace = 'default', searchAttributes = SEARCH_ATTRIBUTES, uiPort } = options;
  const given = process.env.TEMPORAL_ADDRESS;
  if (given !== undefined && given !== '') {
    await ensureSearchAttributes(given, namespace, searchAttributes);
    return { address: given, uiUrl: undefined, stop: async () => undefined };
  }

  const address = `127.0.0.1:${options.port}`;
  const child = await spawnChild({
    command: await findTemporalCli(options.log),
    args: [
      ...[
        'server',
        'start-dev',
        '--ip',
        '127.0.0.1',
        '--port',
        String(options.port),
        '--namespace',
        namespace,
      ],
      ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
      // a write that our machine's crash may take back need not be waited for: what a process's end leaves is whole
      ...(options.storage === 'memory'
        ? []
        : ['--db-filename', options.storage.dbFile, '--sqlite-pragma', 'synchronous=1']),
      ...Object.entries(searchAttributes).flatMap(([name, type]) => [
        '--search-attribute',
        `${name}=${type}`,
      ]),
      ...Object.entries(options.settings ?? {}).flatMap(([name, value]) => [
        '--dynamic-config-value',
        `${name}=${value}`,
      ]),
      ...['--log-level', 'error'],
    ],
    logFile: options.logFile,
  });
  await waitUntilReady(child, {
    name: 'the Temporal server',
    // it names its port only once that is bound: whoever answers there then is our child and no other server
    probe: async () => child.tail().includes(`:${options.port}`) && (await isServing(address, namespace)),
    timeoutMs: 60_000,
  });
  return {
    address,
    uiUrl: uiPort === undefined ? undefined : `http://127.0.0.1:${uiPort}`,
    exited: child.exited,
    stop: () => child.stop(),
  };
}

async function isServing(address: string, namespace: string): Promise<boolean> {
  await withConnection(address, 2_000, ({ workflowService }) =>
    workflowService.describeNamespace({ namespace }),
  );
  return true;
}

async function ensureSearchAttributes(
  address: string,
  namespace: string,
  searchAttributes: SearchAttributeTypes,
): Promise<void> {
  try {
    await withConnection(address, 5_000, (connection) =>
      addSearchAttributes(connection, namespace, searchAttributes),
    );
  } catch (cause) {
    throw new Error(`TEMPORAL_ADDRESS is ${address}, which doesn't serve the namespace ${namespace}`, {
      cause,
    });
  }
}

/** What operators search cases by. Names and types are for good: to rename one loses it for the cases that run. */
export const SEARCH_ATTRIBUTES = {
  CaseStatus: 'Keyword',
  PartnerId: 'Keyword',
  PartnerCaseId: 'Keyword',
  TreatmentType: 'Keyword',
  BookingDeadline: 'Datetime',
  NeedsAttention: 'Keyword',
} as const satisfies SearchAttributeTypes;

export type SearchAttributeTypes = Readonly<Record<string, 'Keyword' | 'Datetime'>>;

/** IndexedValueType of Temporal's API. */
const INDEXED_VALUE_TYPES = { Keyword: 2, Datetime: 6 } as const;

/** Adds what the server lacks; what it has already stays. `canList` is false for the time-skipping server. */
export async function addSearchAttributes(
  { operatorService }: Connection,
  namespace: string,
  wanted: SearchAttributeTypes,
  { canList = true } = {},
): Promise<void> {
  const existing = canList
    ? (await operatorService.listSearchAttributes({ namespace })).customAttributes
    : {};
  const missing = Object.entries(wanted).filter(([name]) => !Object.hasOwn(existing, name));
  if (missing.length === 0) return;
  await operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map(([name, type]) => [name, INDEXED_VALUE_TYPES[type]])),
  });
}

/**
 * Connects, asks, and hangs up, also when nobody answers: `Connection.connect` leaves its channel open then, and with
 * it the process.
 *
 * @throws when nobody answers within `timeoutMs`, and what `ask` throws
 */
export async function withConnection<T>(
  address: string,
  timeoutMs: number,
  ask: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = Connection.lazy({ address, connectTimeout: timeoutMs });
  try {
    await connection.ensureConnected();
    return await ask(connection);
  } finally {
    await connection.close();
  }
}
