import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { sql } from 'slonik';
import { z } from 'zod';
import { pickPort } from '../../dev/ports.ts';
import { type RunningPostgres, startPostgres } from '../../dev/postgres/server.ts';
import { databaseFaultOf } from '../../src/postgres/database-errors.ts';
import { listen, openDatabase } from '../../src/postgres/database.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { createAuthority, issueCertificate } from '../support/certificates.ts';
import { eventually } from '../support/eventually.ts';

/** Against a server that takes nobody without TLS, so that whoever gets in has it. */
describe('PostgreSQL over TLS', () => {
  let directory: string;
  let server: RunningPostgres;
  const file = (name: string) => join(directory, name);
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'treatment-booking-tls-'));
    await chmod(directory, 0o711);
    const [authority, other] = await Promise.all([createAuthority('ours'), createAuthority('another')]);
    // the address that the tests connect to is not in it, and the name is
    const own = await issueCertificate(authority, 'postgresql', { hosts: ['localhost'] });
    const client = await issueCertificate(authority, 'booking');
    const data = file('data');
    await mkdir(file('no-migrations'));
    await Promise.all(
      Object.entries({
        'ca.pem': authority.cert,
        'other.pem': other.cert,
        'client.pem': client.cert,
        'client.key': client.key,
      }).map(([name, text]) => writeFile(file(name), text)),
    );
    server = await startPostgres({
      dataDir: data,
      port: (await pickPort()).port,
      durable: false,
      log: () => undefined,
    });
    const { uid, gid } = await stat(data);
    for (const [name, text] of Object.entries({
      'server.crt': own.cert,
      'server.key': own.key,
      'root.crt': authority.cert,
    })) {
      await writeFile(join(data, name), text, { mode: 0o600 });
      await chown(join(data, name), uid, gid);
    }
    const rules = await readFile(join(data, 'pg_hba.conf'), 'utf8');
    await writeFile(join(data, 'pg_hba.conf'), rules.replaceAll(/^host /gm, 'hostssl '));
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query(`ALTER SYSTEM SET ssl_ca_file = 'root.crt'`);
    await admin.query(`ALTER SYSTEM SET ssl = on`);
    await admin.query('SELECT pg_reload_conf()');
    await admin.end();
    await eventually(() => reaches('sslmode=require'));
  });
  afterAll(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** `{ca.pem}` is the file of that name. */
  const address = (parameters: string, host = '127.0.0.1') =>
    `${server.url.replace('127.0.0.1', host)}?${parameters.replaceAll(/\{(.+?)\}/g, (_, name: string) => file(name))}`;

  /** All ways in which we speak to it. @returns null for each that gets in, else what is wrong */
  async function faults(parameters: string, host?: string): Promise<(string | null)[]> {
    const url = address(parameters, host);
    const ways = await Promise.allSettled([
      openDatabase(url).then((database) => database.end()),
      listen(url, 'any', () => undefined, () => undefined).then((listener) => listener.close()), // prettier-ignore
      migrate(url, () => undefined, file('no-migrations')),
    ]);
    return ways.map((way) => (way.status === 'fulfilled' ? null : databaseFaultOf(way.reason)));
  }
  const reaches = async (parameters: string) => (await faults(parameters)).every((fault) => fault === null);

  it.each([
    ['require', '127.0.0.1', 'takes any certificate'],
    ['require&sslrootcert={ca.pem}', '127.0.0.1', 'has it of that authority'],
    ['verify-ca&sslrootcert={ca.pem}', '127.0.0.1', 'does not look at the name'],
    ['verify-full&sslrootcert={ca.pem}', 'localhost', 'finds the name in it'],
  ])('sslmode=%s at %s %s, for pools, who listens and migrations alike', async (parameters, host) => {
    expect(await faults(`sslmode=${parameters}`, host)).toEqual([null, null, null]);
  });

  it.each([
    ['disable', 'localhost', 'not_let_in'],
    ['require&sslrootcert={other.pem}', 'localhost', 'tls'],
    ['verify-ca&sslrootcert={other.pem}', 'localhost', 'tls'],
    ['verify-full&sslrootcert={other.pem}', 'localhost', 'tls'],
    ['verify-full&sslrootcert={ca.pem}', '127.0.0.1', 'tls'],
    ['verify-full', 'localhost', 'tls'],
    ['verify-full&sslrootcert=system', 'localhost', 'tls'],
  ])('sslmode=%s at %s is kept out, as %s', async (parameters, host, fault) => {
    expect(await faults(`sslmode=${parameters}`, host)).toEqual([fault, fault, fault]);
  });

  it('shows a certificate of our own where there is one', async () => {
    const database = await openDatabase(
      address(
        'sslmode=verify-full&sslrootcert={ca.pem}&sslcert={client.pem}&sslkey={client.key}',
        'localhost',
      ),
    );
    const found = await database.one(
      sql.type(z.object({ ssl: z.boolean(), client_dn: z.string() }))`
        SELECT ssl, client_dn FROM pg_stat_ssl WHERE pid = pg_backend_pid()`,
    );
    expect(found).toEqual({ ssl: true, client_dn: '/CN=booking' });
    await database.end();
  });
});
