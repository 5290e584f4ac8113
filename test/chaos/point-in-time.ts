import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';

/** A PostgreSQL that can be put back to any time, as docs/operations/recovery.md says. */
export interface Archived {
  /** A base backup while cases go on: what `pg_basebackup` does, which embedded PostgreSQL lacks. */
  backUp(): Promise<void>;
  /** Waits until all that was written by now is archived. */
  untilArchived(): Promise<void>;
  /**
   * Puts the base backup where the lost disk was, to be brought forward by the archived log when the server is started.
   *
   * @param to Unix time in milliseconds; null for the last that was archived
   */
  putBack(to: number | null): Promise<void>;
}

const run = promisify(execFile);

export async function withServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // it is killed
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * @param url with the account that may do everything
 * @param data the server's directory; what belongs to the backups is beside it
 * @param restart has the server end, and start again
 */
export async function archiveLog(
  { url, data }: { readonly url: string; readonly data: string },
  restart: () => Promise<void>,
): Promise<Archived> {
  const [archive, base, lost] = ['archive', 'base', 'lost'].map((name) => `${data}-${name}`) as [
    string,
    string,
    string,
  ];
  await mkdir(archive);
  // under root, PostgreSQL is another user
  await chmod(archive, 0o777);
  await withServer(url, async (client) => {
    await client.query('ALTER SYSTEM SET archive_mode = on');
    await client.query('ALTER SYSTEM SET archive_timeout = 2');
    await client.query(`ALTER SYSTEM SET archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`);
  });
  await restart();
  await eventually(
    () =>
      withServer(url, async (client) => {
        const { rows } = await client.query<{ archive_mode: string }>('SHOW archive_mode');
        return rows[0]?.archive_mode === 'on';
      }).catch(() => false),
    { what: 'PostgreSQL archives its log', withinMs: 60_000 },
  );

  /** Writes a file as whoever the server runs as. */
  const ownedBy = async (file: string, text: string): Promise<void> => {
    const { uid, gid } = await stat(join(base, 'PG_VERSION'));
    await writeFile(file, text);
    await chown(file, uid, gid);
  };

  return {
    async backUp() {
      await withServer(url, async (client) => {
        await client.query(`SELECT pg_backup_start('drill', true)`);
        // files that go meanwhile are no loss: the log has what they had
        await run('cp', ['-a', data, base]).catch(() => undefined);
        const { rows } = await client.query<{ labelfile: string }>(
          'SELECT labelfile FROM pg_backup_stop(false)',
        );
        await ownedBy(join(base, 'backup_label'), rows[0]?.labelfile ?? '');
      });
      await rm(join(base, 'postmaster.pid'), { force: true });
      await run('sh', ['-c', 'rm -f "$1"/pg_wal/0* "$1"/pg_wal/archive_status/*', 'rm', base]);
    },

    untilArchived: () =>
      withServer(url, async (client) => {
        const { rows } = await client.query<{ name: string }>(
          'SELECT pg_walfile_name(pg_current_wal_lsn()) AS name, pg_switch_wal()',
        );
        const wanted = rows[0]?.name ?? '';
        await eventually(
          async () => {
            const { rows: archived } = await client.query<{ last: string | null }>(
              'SELECT last_archived_wal AS last FROM pg_stat_archiver',
            );
            return (archived[0]?.last ?? '') >= wanted;
          },
          { what: `${wanted} is archived`, withinMs: 60_000 },
        );
      }),

    async putBack(to) {
      await rename(data, lost);
      await run('cp', ['-a', base, data]);
      const target = to && new Date(to).toISOString().replace('T', ' ').replace('Z', '+00');
      await appendFile(
        join(data, 'postgresql.auto.conf'),
        [
          `restore_command = 'cp ${archive}/%f "%p"'`,
          ...(target ? [`recovery_target_time = '${target}'`, `recovery_target_action = 'promote'`] : []),
          '',
        ].join('\n'),
      );
      await ownedBy(join(data, 'recovery.signal'), '');
    },
  };
}
