import { Client, Connection } from '@temporalio/client';

export interface TemporalOptions {
  /** `host:port` */
  readonly address: string;
  readonly namespace: string;
  /** For a server that asks for one; it is sent over TLS only. */
  readonly apiKey?: string | undefined;
}

/** A client that is made at once and connects with its first call, so that the API starts while Temporal is away. */
export function openTemporal({ address, namespace, apiKey }: TemporalOptions): Client {
  const connection = Connection.lazy({ address, ...(apiKey ? { apiKey, tls: true } : {}) });
  return new Client({ connection, namespace });
}
