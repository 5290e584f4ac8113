import { Client, Connection } from '@temporalio/client';
import { dataConverterOf, type PayloadKey } from './payload-codec.ts';

export interface TemporalOptions {
  /** `host:port` */
  readonly address: string;
  readonly namespace: string;
  readonly tls?: boolean;
  /** For a server that asks for one; over TLS only. */
  readonly apiKey?: string | undefined;
  /** What it writes is encrypted with the first, what it reads may be with any. Left out: nothing is. */
  readonly payloadKeys?: readonly PayloadKey[];
}

/**
 * After an outage of minutes, gRPC would wait for two more before it looks again; unstarted cases are to be started within
 * 15 seconds of its end.
 */
const MAX_RECONNECT_BACKOFF = 3_000;

const PING_TIMEOUT = 1_000;

/** Whether Temporal answers now. */
export const isTemporalReachable = (client: Client): Promise<boolean> =>
  client
    .withDeadline(Date.now() + PING_TIMEOUT, () => client.workflowService.getSystemInfo({}))
    .then(
      () => true,
      () => false,
    );

/** A client that is made at once and connects with its first call, so that the API starts while Temporal is away. */
export function createTemporalClient({
  address,
  namespace,
  tls = false,
  apiKey,
  payloadKeys = [],
}: TemporalOptions): Client {
  const connection = Connection.lazy({
    address,
    channelArgs: { 'grpc.max_reconnect_backoff_ms': MAX_RECONNECT_BACKOFF },
    tls,
    ...(apiKey ? { apiKey } : {}),
  });
  return new Client({ connection, namespace, dataConverter: dataConverterOf(payloadKeys) });
}
