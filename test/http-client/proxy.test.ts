import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createProxy, type Server } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAuthority, issueCertificate } from '../support/certificates.ts';

const HOSTS = ['clinic.example', 'eid.example', 'api.twilio.com'];

/** A proxy that tunnels (RFC 9110, CONNECT) to a server that is all of them, and no name that could be found without it. */
describe('where only a proxy leads out', () => {
  let directory: string;
  const tunnels: (string | undefined)[] = [];
  const servers: Server[] = [];
  let proxy: Server;
  const portOf = (server: Server) => (server.address() as AddressInfo).port;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'treatment-booking-proxy-'));
    const authority = await createAuthority('ours');
    await writeFile(join(directory, 'ca.pem'), authority.cert);
    const outside = createServer(
      await issueCertificate(authority, 'outside', { hosts: HOSTS }),
      (_req, res) => void res.writeHead(201, { 'Content-Type': 'application/json' }).end('{"sid":"SM1"}'),
    );
    proxy = createProxy();
    proxy.on('connect', (request, socket, head) => {
      tunnels.push(request.url);
      const onward = connect(portOf(outside), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        onward.write(head);
        onward.pipe(socket).pipe(onward);
      });
      for (const end of [socket, onward]) end.on('error', () => void (socket.destroy(), onward.destroy()));
    });
    servers.push(outside, proxy);
    for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await rm(directory, { recursive: true, force: true });
  });

  /** What a call of a clinic, one of the eID and an SMS came to. */
  async function callOut(environment: Readonly<Record<string, string>>): Promise<string[]> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(import.meta.dirname, 'calls-out.ts')],
      { env: { NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem'), NODE_USE_ENV_PROXY: '1', ...environment } },
    );
    return stdout.trim().split('\n');
  }

  it('clinics, the eID and SMS go through it, and what NO_PROXY names goes by itself', async () => {
    const HTTPS_PROXY = `http://127.0.0.1:${portOf(proxy)}`;
    expect(await callOut({ HTTPS_PROXY })).toEqual(['201', '201', 'SM1']);
    expect(tunnels.splice(0).sort()).toEqual(HOSTS.map((host) => `${host}:443`).sort());

    const [clinic, ...others] = await callOut({ HTTPS_PROXY, NO_PROXY: 'clinic.example' });
    expect(clinic).toMatch(/^ServerUnavailable: GET: no answer/);
    expect(others).toEqual(['201', 'SM1']);
    expect(tunnels).not.toContain('clinic.example:443');
  });
});
