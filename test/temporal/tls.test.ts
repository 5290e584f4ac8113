import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NativeConnection } from '@temporalio/worker';
import { promoteSettings, readSettings, SettingsError } from '../../src/config/settings.ts';
import { openTemporal } from '../../src/main/connections.ts';
import { isTemporalReachable } from '../../src/temporal/connection.ts';
import { temporalConnection } from '../../src/temporal/profile.ts';
import { createAuthority, issueCertificate } from '../support/certificates.ts';
import { runningServers } from '../support/running-servers.ts';

/** The real server, behind one that takes TLS with a certificate of ours only. */
describe('Temporal over TLS, with certificates on both sides', () => {
  let directory: string;
  let server: Server;
  const file = (name: string) => join(directory, name);
  const at = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'treatment-booking-temporal-tls-'));
    const [authority, other] = await Promise.all([createAuthority('ours'), createAuthority('another')]);
    const own = await issueCertificate(authority, 'temporal', { hosts: ['temporal.internal'] });
    const client = await issueCertificate(authority, 'booking');
    const files = { ca: authority.cert, other: other.cert, crt: client.cert, key: client.key };
    for (const [name, text] of Object.entries(files)) await writeFile(file(name), text);
    const [host, port] = runningServers().temporalAddress.split(':');
    server = createServer(
      { ...own, ca: authority.cert, requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] },
      (socket) => {
        const inner = connect(Number(port), host);
        for (const end of [socket, inner]) end.on('error', () => void (socket.destroy(), inner.destroy()));
        socket.pipe(inner).pipe(socket);
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await writeFile(
      file('profiles.toml'),
      `[profile.production]
address = "${at()}"
namespace = "default"
[profile.production.tls]
server_name = "temporal.internal"
server_ca_cert_path = "${file('ca')}"
client_cert_path = "${file('crt')}"
client_key_data = """${client.key}"""
`,
    );
  });
  afterAll(async () => {
    server.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** Whether a client, and a worker, get through with these. */
  async function reach(environment: Readonly<Record<string, string>>): Promise<[boolean, boolean]> {
    const settings = readSettings(promoteSettings, { ENVIRONMENT: 'production', ...environment });
    const client = openTemporal(settings);
    const worker = NativeConnection.connect(temporalConnection(settings)).then(
      async (connection) => {
        await connection.close();
        return true;
      },
      () => false,
    );
    const reached = await Promise.all([isTemporalReachable(client), worker]);
    await client.connection.close();
    return reached;
  }
  const whole = () => ({
    TEMPORAL_ADDRESS: at(),
    TEMPORAL_TLS_SERVER_NAME: 'temporal.internal',
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('ca'),
    TEMPORAL_TLS_CLIENT_CERT_PATH: file('crt'),
    TEMPORAL_TLS_CLIENT_KEY_PATH: file('key'),
  });
  const profile = () => ({ TEMPORAL_CONFIG_FILE: file('profiles.toml'), TEMPORAL_PROFILE: 'production' });

  it('is reached by clients and workers with variables, or with a profile of Temporal’s own file', async () => {
    expect(await reach(whole())).toEqual([true, true]);
    expect(await reach(profile())).toEqual([true, true]);
    // what is left empty is left out, and a variable comes before the profile
    expect(await reach({ ...profile(), TEMPORAL_TLS: '', TEMPORAL_API_KEY: '' })).toEqual([true, true]);
    expect(await reach({ ...profile(), TEMPORAL_TLS_SERVER_NAME: 'temporal.example' })).toEqual([
      false,
      false,
    ]);
  });

  it.each([
    ['another authority', { TEMPORAL_TLS_SERVER_CA_CERT_PATH: 'other' }],
    ['no authority but the system’s', { TEMPORAL_TLS_SERVER_CA_CERT_PATH: '' }],
    ['no certificate of ours', { TEMPORAL_TLS_CLIENT_CERT_PATH: '', TEMPORAL_TLS_CLIENT_KEY_PATH: '' }],
    ['the address for a name', { TEMPORAL_TLS_SERVER_NAME: '' }],
  ])('is not reached with %s', async (_, { ...changed }) => {
    const other = Object.fromEntries(
      Object.entries(changed).map(([name, value]) => [name, value && file(value)]),
    );
    expect(await reach({ ...whole(), ...other })).toEqual([false, false]);
  });

  it('is said to be set up wrongly at the start, without a word of what files hold', () => {
    const faultsOf = (environment: Readonly<Record<string, string>>) => {
      try {
        readSettings(promoteSettings, { ENVIRONMENT: 'production', ...environment });
        return [];
      } catch (error) {
        return (error as SettingsError).faults;
      }
    };
    expect(faultsOf({ ...whole(), TEMPORAL_TLS_CLIENT_KEY_PATH: '' })).toEqual([
      'TEMPORAL_TLS_CLIENT_CERT_PATH: must be given together with TEMPORAL_TLS_CLIENT_KEY_PATH',
    ]);
    expect(faultsOf({ ...whole(), TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('nowhere') })).toEqual([
      'TEMPORAL_TLS_CLIENT_CERT_PATH: a file of it or its neighbours can not be read (ENOENT)',
    ]);
    for (const TEMPORAL_CONFIG_FILE of [file('nowhere'), file('key')])
      expect(faultsOf({ ...whole(), TEMPORAL_CONFIG_FILE })).toEqual([
        expect.stringMatching(/^TEMPORAL_CONFIG_FILE: /),
      ]);
    expect(faultsOf({ ...profile(), TEMPORAL_PROFILE: 'staging' })).toContainEqual(
      expect.stringMatching(/^TEMPORAL_CONFIG_FILE: has no such profile/),
    );
  });
});
