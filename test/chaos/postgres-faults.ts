import pg from 'pg';

/** What is done to the database from inside, over a connection that nothing is between. */
export function postgresTroubles(url: string) {
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'chaos',
      connectionTimeoutMillis: 15_000,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const once = async (...statements: string[]) => {
    const client = await connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };

  return {
    readOnly: () => once('ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()'),
    writable: () =>
      once(
        'SET default_transaction_read_only = off',
        'ALTER SYSTEM RESET default_transaction_read_only',
        'SELECT pg_reload_conf()',
      ),

    /** Takes every connection that there is, the service's as well. @returns what gives them back */
    async exhaust(): Promise<() => Promise<void>> {
      const own = await connect();
      const taken: pg.Client[] = [own];
      const takeAll = async () => {
        for (;;) {
          const more = await Promise.allSettled(Array.from({ length: 10 }, connect));
          for (const one of more) if (one.status === 'fulfilled') taken.push(one.value);
          if (more.some(({ status }) => status === 'rejected')) return;
        }
      };
      const giveBack = async () => {
        await Promise.allSettled(taken.map((client) => client.end()));
      };
      try {
        await takeAll();
        await own.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name <> 'chaos'",
        );
        await takeAll();
        return giveBack;
      } catch (error) {
        await giveBack();
        throw error;
      }
    },
  };
}
