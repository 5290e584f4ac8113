import { Client, Connection } from '@temporalio/client';

export interface TemporalOptions {
  /** `host:port` */
  readonly address: string;
  readonly namespace: string;
  /** For a server that asks for one; it is sent over TLS only. */
  readonly apiKey?: string | undefined;
}

/**
 * After an outage of minutes, gRPC would wait for two more before it looks again; unstarted cases are to be started within
 * 15 seconds of its end.
 */
const LOOKS_AGAIN_WITHIN = 3_000;

const REACHED_WITHIN = 1_000;

/** Whether Temporal answers now. */
export const isReachable = (client: Client): Promise<boolean> =>
  client
    .withDeadline(Date.now() + REACHED_WITHIN, () => client.workflowService.getSystemInfo({}))
    .then(
      () => true,
      () => false,
    );

/** A client that is made at once and connects with its first call, so that the API starts while Temporal is away. */
export function openTemporal({ address, namespace, apiKey }: TemporalOptions): Client {
  const connection = Connection.lazy({
    address,
    channelArgs: { 'grpc.max_reconnect_backoff_ms': LOOKS_AGAIN_WITHIN },
    ...(apiKey ? { apiKey, tls: true } : {}),
  });
  return new Client({ connection, namespace });
}
