import pg from 'pg';
import { asRole } from '../../dev/postgres/server.ts';

/** Each entry of the access log while `work` is done, and whether its transaction waited for the disk where others do. */
export async function commitsWhile(
  databaseUrl: string,
  work: () => Promise<unknown>,
): Promise<readonly [action: string, commit: 'durable' | 'soon'][]> {
  const owner = new pg.Client({ connectionString: asRole(databaseUrl, 'booking_owner') });
  await owner.connect();
  try {
    // deferred, so that it sees the setting with which the transaction is about to commit
    await owner.query(`
      CREATE TABLE commits (action text, commit text);
      CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        INSERT INTO commits SELECT NEW.action, CASE WHEN source = 'session' THEN 'soon' ELSE 'durable' END
          FROM pg_settings WHERE name = 'synchronous_commit';
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER note_commit AFTER INSERT ON access_log DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION note_commit()`);
    await work();
    const { rows } = await owner.query<[string, 'durable' | 'soon']>({
      text: 'SELECT action, commit FROM commits',
      rowMode: 'array',
    });
    return rows;
  } finally {
    await owner.query(`
      DROP TRIGGER IF EXISTS note_commit ON access_log;
      DROP FUNCTION IF EXISTS note_commit; DROP TABLE IF EXISTS commits`);
    await owner.end();
  }
}
