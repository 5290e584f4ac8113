import { Client, Connection } from '@temporalio/client';
import { dataConverterOf, type PayloadKey } from './payload-codec.ts';
import type { TemporalConnection } from './profile.ts';
import { passTraceOn } from './trace-header.ts';

export interface TemporalOptions extends TemporalConnection {
  readonly namespace: string;
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
  namespace,
  payloadKeys = [],
  ...connection
}: TemporalOptions): Client {
  const lazy = Connection.lazy({
    ...connection,
    channelArgs: { 'grpc.max_reconnect_backoff_ms': MAX_RECONNECT_BACKOFF },
  });
  return new Client({
    ...{ connection: lazy, namespace, dataConverter: dataConverterOf(payloadKeys) },
    interceptors: { workflow: [passTraceOn] },
  });
}
