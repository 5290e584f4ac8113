import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrate, SchemaUnknown } from '../../src/postgres/migrate.ts';
import { eventually } from '../support/eventually.ts';
import { runningServers } from '../support/running-servers.ts';

describe('migrating', () => {
  let directory: string;
  let admin: pg.Client;
  let url: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'treatment-booking-migrations-'));
    const { postgresUrl } = runningServers();
    const name = `migrate_${Date.now()}`;
    url = postgresUrl.replace(/[^/]*$/, name);
    admin = new pg.Client({ connectionString: postgresUrl });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  });
  afterEach(async () => {
    // without force, which a connection that is about to close would hear of
    await eventually(() =>
      admin.query(`DROP DATABASE ${new URL(url).pathname.slice(1)}`).then(
        () => true,
        () => false,
      ),
    );
    await admin.end();
    await rm(directory, { recursive: true, force: true });
  });

  const file = (name: string, sql: string) => writeFile(join(directory, name), sql);
  const run = () => migrate(url, () => undefined, directory);

  it('runs what is new, once, and nothing but SQL files', async () => {
    await file('.gitkeep', '');
    await file('README.md', 'no SQL');
    await file('0001_first.sql', 'CREATE TABLE first (id int);');
    expect(await run()).toEqual(['0001_first']);
    await file('0002_second.sql', 'CREATE FUNCTION one() RETURNS int LANGUAGE sql AS $$ SELECT 1; $$;');
    expect(await run()).toEqual(['0002_second']);
    expect(await run()).toEqual([]);
  });

  it('leaves nothing behind of what fails, and goes on from there', async () => {
    await file('0001_good.sql', 'CREATE TABLE first (id int);');
    await file('0002_bad.sql', 'CREATE TABLE second (id int); CREATE TABLE;');
    await expect(run()).rejects.toThrow('syntax error');
    await file('0002_bad.sql', 'CREATE TABLE second (id int);');
    expect(await run()).toEqual(['0002_bad']);
  });

  it('lets those pass who wait behind it for a table that is locked, and tries again', async () => {
    await file('0001_first.sql', 'CREATE TABLE first (id int);');
    await run();
    await file('0002_second.sql', 'CREATE TABLE second (id int);');
    await file('0003_more.sql', 'ALTER TABLE first ADD COLUMN more int;');
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('BEGIN; SELECT FROM first');
    const lines: string[] = [];
    const running = migrate(url, (line) => lines.push(line), directory);
    await eventually(() => lines.includes('a migration found its table locked, trying again'));
    await holder.query('COMMIT');
    await holder.end();
    expect(await running).toEqual(['0002_second', '0003_more']);
  });

  it('makes an index outside a transaction, and anew where it was broken off', async () => {
    await file('0001_first.sql', 'CREATE TABLE first (id int); INSERT INTO first VALUES (1), (1);');
    const alone = (index: string) =>
      `-- Up Migration\n-- Alone\nCREATE ${index} IF NOT EXISTS ids ON first (id);`;
    await file('0002_ids.sql', alone('UNIQUE INDEX CONCURRENTLY'));
    await expect(run()).rejects.toThrow('could not create unique index');
    await file('0002_ids.sql', alone('INDEX CONCURRENTLY'));
    expect(await run()).toEqual(['0002_ids']);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query('SELECT indisvalid FROM pg_index WHERE indexrelid = $1::regclass', [
      'ids',
    ]);
    await client.end();
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  it.each([
    ['an index that keeps writers out', 'CREATE INDEX ids ON cases (id);'],
    ['a constraint that has all rows looked at', 'ALTER TABLE cases ADD CHECK (revision > 0);'],
    ['a column whose rows are written anew', 'ALTER TABLE cases ALTER COLUMN revision TYPE bigint;'],
    ['rows changed all at once', 'UPDATE cases SET revision = 1;'],
    ['a column taken from the version that still runs', 'ALTER TABLE cases DROP COLUMN revision;'],
  ])('is not to be checked in: %s', async (_, statement) => {
    await file('0001_bad.sql', `-- Up Migration\n${statement}\n`);
    const check = fileURLToPath(new URL('../../.ci/check-migrations.js', import.meta.url));
    expect(spawnSync(process.execPath, [check, directory]).status).toBe(1);
  });

  it('says so when the database was made by other files', async () => {
    await file('0001_first.sql', 'CREATE TABLE first (id int);');
    await run();
    await rm(join(directory, '0001_first.sql'));
    await file('0001_initial.sql', 'CREATE TABLE first (id int);');
    await expect(run()).rejects.toThrow(SchemaUnknown);
  });

  it('is done by one of several that start at the same time', async () => {
    await file('0001_first.sql', 'CREATE TABLE first (id int);');
    const done = await Promise.all([run(), run(), run()]);
    expect(done.flat()).toEqual(['0001_first']);
  });
});
