import { Client } from 'pg';

/** A server that takes connections and says nothing is away, too (milliseconds). */
const PATIENCE = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 };

/**
 * Listens on a channel with a connection of its own (a pool's connections come and go).
 *
 * @param lost called when the connection breaks; listen again then. @throws when the database is not there.
 */
export async function listen(
  url: string,
  channel: string,
  heard: () => void,
  lost: () => void,
): Promise<{ close(): Promise<void> }> {
  const client = new Client({ connectionString: url, keepAlive: true, ...PATIENCE });
  let closing = false;
  client.on('notification', heard);
  client.on('error', () => undefined);
  client.on('end', () => {
    if (!closing) lost();
  });
  await client.connect();
  await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
  return {
    async close() {
      closing = true;
      await client.end();
    },
  };
}
