import { Connection } from '@temporalio/client';

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
