import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  it('leaves nothing behind of a run in which one fails', async () => {
    await file('0001_good.sql', 'CREATE TABLE first (id int);');
    await file('0002_bad.sql', 'CREATE TABLE;');
    await expect(run()).rejects.toThrow('syntax error');
    await file('0002_bad.sql', 'CREATE TABLE second (id int);');
    expect(await run()).toEqual(['0001_good', '0002_bad']);
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
