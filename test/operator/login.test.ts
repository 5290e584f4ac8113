import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { pino } from 'pino';
import { sql } from 'slonik';
import { z } from 'zod';
import { organisationsRole, ROLES_CLAIM } from '../../dev/operator-login/people.ts';
import { type RunningOperatorLogin, startOperatorLogin } from '../../dev/operator-login/server.ts';
import { visitLogin } from '../../dev/operator-login/visitor.ts';
import { pickPort } from '../../dev/ports.ts';
import { asRole } from '../../dev/postgres/server.ts';
import { operatorApiSettings, readSettings } from '../../src/config/settings.ts';
import { ROLES } from '../../src/identity/operators/actor.ts';
import { breakGlassAuthorization } from '../../src/identity/operators/break-glass.ts';
import { createTokenFile } from '../../src/identity/operators/token-file.ts';
import { composeOperatorApi } from '../../src/main/compose-operator-api.ts';
import { breakGlassConnection, createLogin, loginCommands } from '../../src/operator/command-line/login.ts';
import { runOperator } from '../../src/operator/command-line/program.ts';
import { listAttention, sweepAttention } from '../../src/postgres/attention.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { openBrowser } from '../support/browser.ts';
import { createTestDatabase } from '../support/database.ts';
import { LOGIN_SETTINGS } from './login-settings.ts';

const CLIENTS = { backOffice: 'booking-back-office', commandLine: 'booking-command-line' };
const SECRET = 'a secret of the back office';

describe('the operators’ login', () => {
  let directory = '';
  let databaseUrl: string;
  let idp: RunningOperatorLogin;
  let api: Awaited<ReturnType<typeof composeOperatorApi>>;
  let url = '';
  let socketPath = '';
  const logged: string[] = [];
  /** How far ahead the operator API's clock is when it judges the next token. */
  const clock = { aheadOnce: 0 };
  const now = () => {
    const at = new Date(Date.now() + clock.aheadOnce);
    clock.aheadOnce = 0;
    return at;
  };
  const expireTheNext = () => (clock.aheadOnce = 11 * 60_000);

  const startIdp = async (port: number) =>
    startOperatorLogin({
      port,
      audience: LOGIN_SETTINGS.OPERATOR_OIDC_AUDIENCE,
      backOffice: {
        clientId: CLIENTS.backOffice,
        clientSecret: SECRET,
        redirectUris: [`${url}/login/callback`],
      },
      commandLine: { clientId: CLIENTS.commandLine },
      log: (line) => logged.push(line),
    });
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'operator-login-'));
    databaseUrl = await createTestDatabase();
    socketPath = join(directory, 'operator.sock');
    // as a process that was killed leaves it
    await writeFile(socketPath, '');
    const [{ port }, { port: idpPort }] = [await pickPort(), await pickPort()];
    url = `http://127.0.0.1:${port}`;
    idp = await startIdp(idpPort);
    api = await composeOperatorApi(
      readSettings(operatorApiSettings, {
        ...LOGIN_SETTINGS,
        OPERATOR_DATABASE_URL: asRole(databaseUrl, 'booking_operator'),
        TEMPORAL_ADDRESS: '127.0.0.1:9',
        ENVIRONMENT: 'test',
        PUBLIC_URL: 'http://127.0.0.1:9',
        OPERATOR_API_PORT: String(port),
        METRICS_PORT: '0',
        OPERATOR_API_URL: url,
        OPERATOR_SOCKET: socketPath,
        TRUST_PROXY: 'loopback',
        OPERATOR_OIDC_ISSUER: idp.issuer,
        OPERATOR_OIDC_CLIENT_ID: CLIENTS.backOffice,
        OPERATOR_OIDC_CLIENT_SECRET: SECRET,
        OPERATOR_OIDC_CLI_CLIENT_ID: CLIENTS.commandLine,
        OPERATOR_OIDC_ROLES_CLAIM: ROLES_CLAIM,
        OPERATOR_OIDC_ROLES: ROLES.map((role) => `${role}=${organisationsRole(role)}`).join(', '),
      }),
      { log: pino({}, { write: (line: string) => logged.push(line) }), now },
    );
  });
  afterAll(async () => {
    await api.stop();
    await idp.stop();
    await rm(directory, { recursive: true });
  });

  /** The command line of one colleague, who approves each login. */
  function commandLineOf(colleague: string) {
    const loginFile = join(directory, colleague, 'logins.json');
    const login = createLogin({ url, loginFile });
    const run = async (...argv: string[]) => {
      const written = { out: '', err: '' };
      let visit: Promise<unknown> = Promise.resolve();
      const sink = (name: 'out' | 'err') =>
        new Writable({
          decodeStrings: false,
          write(text: string, _encoding, done) {
            written[name] += text;
            const [, uri] = /Open (\S+)/.exec(text) ?? [];
            if (uri !== undefined) visit = visitLogin(uri, colleague);
            done();
          },
        });
      const exit = await runOperator(argv, {
        streams: { stdin: new PassThrough(), stdout: sink('out'), stderr: sink('err') },
        connect: (why) => (why === undefined ? login.connection : breakGlassConnection(socketPath, why)),
        addCommands: (program, context) => loginCommands(program, context, () => login),
      });
      await visit;
      return { exit, ...written };
    };
    const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).out);
    return { run, json, kept: () => createTokenFile(loginFile).read(url) };
  }
  /** As the operator API answers whoever presents that. */
  async function asks(authorization: string, operation = 'whoami') {
    const response = await fetch(`${url}/operator/v1/${operation}`, {
      method: 'POST',
      headers: { authorization },
    });
    const { details } = (await response.json()) as { details?: { code: string } };
    return [response.status, details?.code, response.headers.get('www-authenticate')];
  }

  describe('on the command line', () => {
    it('shows where to approve it and which code, waits, and is kept for its owner alone', async () => {
      const siri = commandLineOf('siri');
      expect(await siri.run('partner', 'list')).toMatchObject({
        exit: 1,
        err: expect.stringContaining('Log in first: `operator login`'),
      });
      const { exit, out, err } = await siri.run('login');
      expect([exit, out]).toEqual([0, 'Logged in. `operator whoami` says with which roles.\n']);
      expect(err).toMatch(
        /Open http:\S+\/device\?user_code=\S+\nand approve it if you see \w{4}-\w{4} there/,
      );
      expect(await siri.json('whoami')).toEqual({
        ...{ subject: 'siri', name: 'Siri Saksbehandler', roles: ['support'], via: 'token' },
      });
      expect((await stat(join(directory, 'siri', 'logins.json'))).mode & 0o777).toBe(0o600);
    });

    it('lets do what the roles let, and names the role that lacks; the log says who did it', async () => {
      const [oda, aksel] = [commandLineOf('oda'), commandLineOf('aksel')];
      for (const each of [oda, aksel]) await each.run('login');
      expect((await oda.run('partner', 'add', 'fjordtrygd', '--name', 'Fjordtrygd')).exit).toBe(0);
      const refused = await aksel.run('partner', 'rename', 'fjordtrygd', '--name', 'Anything');
      expect(refused).toMatchObject({ exit: 1, err: expect.stringContaining('takes the role onboarding') });
      expect(refused.err).toContain('Aksel Revisor has auditor');
      expect((await aksel.json('log')).data).toMatchObject([
        { operator: 'Oda Oppstart', operatorSubject: 'oda', via: 'token', action: 'partner.add' },
      ]);
      expect((await oda.run('log')).err).toContain('takes the role auditor');
    });

    it('goes on by itself when its token has expired, for as long as the colleague may', async () => {
      const runar = commandLineOf('runar');
      await runar.run('login');
      const before = await runar.kept();
      expireTheNext();
      expect(await runar.json('whoami')).toMatchObject({ roles: ['support', 'reveal'] });
      const after = await runar.kept();
      expect(after?.accessToken).not.toBe(before?.accessToken);
      // a role that was taken away meanwhile
      idp.change('runar', { roles: ['support'] });
      expect(await runar.json('whoami')).toMatchObject({ roles: ['support', 'reveal'] });
      expireTheNext();
      expect(await runar.json('whoami')).toMatchObject({ roles: ['support'] });
      // and who has left
      idp.change('runar', { isDisabled: true });
      expireTheNext();
      expect(await runar.json('whoami')).toMatchObject({ error: { code: 'LOGIN_EXPIRED' } });
      expect(await runar.kept()).toBeNull();
    });

    it('gives other tools a token that is new, which shows what Temporal keeps', async () => {
      const siri = commandLineOf('siri');
      expect((await commandLineOf('nobody').run('token')).err).toContain('Nobody is logged in here');
      const before = (await siri.kept())?.accessToken;
      const { exit, out } = await siri.run('token');
      expect([exit, out.trim() === before]).toEqual([0, false]);
      const decode = async (token: string) => {
        const headers = { authorization: `Bearer ${token}` };
        const response = await fetch(`${url}/codec/decode`, {
          method: 'POST',
          headers,
          body: '{"payloads":[]}',
        });
        return [response.status, ((await response.json()) as { details?: { code: string } }).details?.code];
      };
      expect(await decode(out.trim())).toEqual([200, undefined]);
      expect(await decode('made-up')).toEqual([401, 'LOGIN_INVALID']);
    });

    it('is renewed once for many commands at the same moment', async () => {
      const ada = commandLineOf('ada');
      await ada.run('login');
      const before = await ada.kept();
      const stale = `Bearer ${before?.accessToken}`;
      const logins = Array.from({ length: 6 }, () =>
        createLogin({ url, loginFile: join(directory, 'ada', 'logins.json') }).connection.authorization(
          stale,
        ),
      );
      const renewed = await Promise.all(logins);
      expect(new Set(renewed).size).toBe(1);
      expect(renewed[0]).not.toBe(stale);
      expect(await ada.json('whoami')).toMatchObject({ name: 'Ada Allmakt' });
    });

    it('ends with logout, at the login server too', async () => {
      const pia = commandLineOf('pia');
      await pia.run('login');
      const before = await pia.kept();
      expect((await pia.run('logout')).out).toBe('Logged out.\n');
      expect(await pia.json('whoami')).toMatchObject({ error: { code: 'LOGIN_REQUIRED' } });
      expect((await pia.run('logout')).out).toBe('Nobody was logged in.\n');
      const token = new URLSearchParams({
        ...{ grant_type: 'refresh_token', client_id: CLIENTS.commandLine },
        refresh_token: before?.refreshToken ?? '',
      });
      expect((await fetch(`${idp.issuer}/token`, { method: 'POST', body: token })).status).toBe(400);
    });
  });

  it('takes no token of another realm, and none that was made up', async () => {
    const { port } = await pickPort();
    const other = await startIdp(port);
    try {
      const [{ issuer }, loginFile] = [other, join(directory, 'other.json')];
      const device = await fetch(`${issuer}/device/auth`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: CLIENTS.commandLine, scope: 'openid' }),
      });
      expect(device.status).toBe(200);
      const claims = Buffer.from(JSON.stringify({ iss: issuer, sub: 'ada' })).toString('base64url');
      expect(await asks(`Bearer e30.${claims}.AAAA`)).toEqual([
        ...[401, 'LOGIN_FOREIGN', 'Bearer realm="operator", error="invalid_token"'],
      ]);
      expect(await asks('Bearer tb_live_something')).toEqual([
        ...[401, 'LOGIN_INVALID', 'Bearer realm="operator", error="invalid_token"'],
      ]);
      expect(await asks('Basic b2xhOm9sYQ==')).toEqual([401, 'LOGIN_REQUIRED', 'Bearer realm="operator"']);
      expect(await createTokenFile(loginFile).read(url)).toBeNull();
    } finally {
      await other.stop();
    }
  });

  it('says at the command line and by page that the login server is away; who is logged in works on', async () => {
    const oda = commandLineOf('oda');
    await oda.run('login');
    const { port } = new URL(idp.issuer);
    await idp.stop();
    try {
      expect((await oda.run('partner', 'list')).exit).toBe(0);
      const late = await commandLineOf('nobody').run('login');
      expect(late).toMatchObject({ exit: 69, err: expect.stringContaining('can not be reached') });
      expireTheNext();
      const expired = await oda.run('partner', 'list');
      expect(expired).toMatchObject({ exit: 69, err: expect.stringContaining('can not be reached') });
      expect(await oda.kept()).not.toBeNull();
    } finally {
      idp = await startIdp(Number(port));
    }
  });

  describe('in the browser', () => {
    const logIn = async (colleague: string) => {
      const browser = openBrowser();
      const choice = await browser.get(`${url}/?page=2`);
      expect(choice.text).toContain('Choose who you are');
      return { browser, page: await browser.post(choice.url, { colleague }) };
    };

    it('is one click, and leads back to the page that was asked for', async () => {
      const { browser, page } = await logIn('siri');
      expect(page).toMatchObject({
        status: 200,
        text: expect.stringMatching(/Siri Saksbehandler <small>\(support\)/),
      });
      expect(page.url.href).toBe(`${url}/?page=2`);
      expect((await browser.get(`${url}/`)).text).toContain('Nothing needs an operator');
    });

    it('leads to no other site, whatever the address says', async () => {
      for (const to of [
        'https://evil.example/',
        '//evil.example',
        '/\\evil.example',
        'javascript:alert(1)',
      ]) {
        const browser = openBrowser();
        const choice = await browser.get(`${url}/login?to=${encodeURIComponent(to)}`);
        const { url: end } = await browser.post(choice.url, { colleague: 'siri' });
        expect(end.origin).toBe(url);
      }
    });

    it('tells who has no role here, who said no, and who comes back in another browser', async () => {
      expect((await logIn('nils')).page).toMatchObject({
        status: 403,
        text: expect.stringContaining('no role'),
      });
      const browser = openBrowser();
      const choice = await browser.get(`${url}/login`);
      const no = await browser.post(`${choice.url.href}/cancel`, {});
      expect(no).toMatchObject({ status: 400, text: expect.stringContaining('was cancelled') });
      expect(logged.some((line) => line.includes('LOGIN_CANCELLED'))).toBe(true);
      const stranger = await openBrowser().get(`${url}/login/callback?code=x&state=y`);
      expect(stranger).toMatchObject({ status: 400, text: expect.stringContaining('was not finished') });
    });

    it('has the roles of the last ten minutes: one that was taken away is not asked for again', async () => {
      const { browser } = await logIn('oda');
      const at = async (path: string) => (await browser.get(url + path)).status;
      const elevenMinutesLater = async () => {
        const pool = await openDatabase(databaseUrl);
        await pool.query(sql.type(z.object({}))`
          UPDATE operator_sessions SET checked_at = checked_at - interval '11 minutes' WHERE subject = 'oda'`);
        await pool.end();
      };
      idp.change('oda', { roles: ['auditor'] });
      expect(await at('/do/partner/add')).toBe(200);
      await elevenMinutesLater();
      expect([await at('/do/partner/add'), await at('/do/log')]).toEqual([403, 200]);
      idp.change('oda', { isDisabled: true });
      await elevenMinutesLater();
      // sent to log in, where they no longer can
      expect((await browser.get(`${url}/do/log`)).url.origin).not.toBe(url);
      idp.change('oda', { isDisabled: false, roles: ['onboarding'] });
    });

    it('is refused to an address that begins too many, and to no other', async () => {
      const begin = async (address: string) => {
        const headers = { 'x-forwarded-for': address, accept: 'text/html' };
        const answer = await fetch(`${url}/login`, { redirect: 'manual', headers });
        return [answer.status, await answer.text(), answer.headers.get('retry-after')] as const;
      };
      for (let i = 0; i < 100; i += 1) expect((await begin('203.0.113.7'))[0]).toBe(303);
      const [status, text, retryAfter] = await begin('203.0.113.7');
      expect([status, text]).toEqual([429, expect.stringContaining('Too many requests')]);
      expect(Number(retryAfter)).toBeGreaterThan(0);
      expect((await begin('203.0.113.8'))[0]).toBe(303);
    });

    it('ends with a logout that a page of ours sends, and with no other', async () => {
      const { browser, page } = await logIn('siri');
      const [, token = ''] = /name="token" value="([^"]+)"/.exec(page.text) ?? [];
      const isIn = async () => (await browser.get(`${url}/`)).text.includes('Log out');
      const send = async (origin: string, body: Record<string, string>) =>
        (await browser.post(`${url}/logout`, body, { origin })).status;
      expect(await send('https://evil.example', { token })).toBe(401);
      expect(await send(url, {})).toBe(401);
      expect(await send(url, { token: 'x'.repeat(43) })).toBe(401);
      expect((await browser.post(`${url}/logout`, { token })).status).toBe(401);
      expect(await isIn()).toBe(true);
      expect(await send(url, { token })).toBe(200);
      expect(await isIn()).toBe(false);
    });
  });

  describe('over the socket, without a login', () => {
    afterEach(() => {
      logged.length = 0;
    });

    it('is for the user of the operator API’s process alone, in the system’s name for them, with all roles', async () => {
      expect((await stat(socketPath)).mode & 0o777).toBe(0o600);
      const { exit, out, err } = await commandLineOf('nobody').run(
        ...['--break-glass', 'the login server is away, INC-17', 'partner', 'list'],
      );
      expect([exit, out]).toEqual([0, expect.stringContaining('Fjordtrygd')]);
      expect(err).toMatch(/^As \S+ \(break-glass\), test environment/);
    });

    it('is in the log before anything else happens, with the reason, and tells of itself', async () => {
      const ada = commandLineOf('ada');
      await ada.run('login');
      const nobody = commandLineOf('nobody');
      await nobody.run('--break-glass', 'INC-18', 'partner', 'rename', 'fjordtrygd', '--name', 'Fjord');
      const [renamed, came] = (await ada.json('log')).data;
      const operator = expect.stringMatching(/ \(break-glass\)$/);
      const subject = expect.stringMatching(/^break-glass:/);
      expect(renamed).toMatchObject({
        operator,
        operatorSubject: subject,
        via: 'break_glass',
        action: 'partner.rename',
      });
      expect(came).toMatchObject({ operator, via: 'break_glass', action: 'break-glass', note: 'INC-18' });
      const alarms = logged.filter((line) =>
        line.includes('break-glass: an operator comes in without a login'),
      );
      expect(alarms.map((line) => (JSON.parse(line) as { level: number }).level)).toEqual([50]);
    });

    it('needs operators until an hour after the last time: they are told as of everything that does', async () => {
      await commandLineOf('nobody').run('--break-glass', 'INC-19', 'case', 'list');
      const pool = await openDatabase(databaseUrl);
      const noticed = async () => {
        await sweepAttention(pool);
        return listAttention(pool, { kinds: ['break_glass'], limit: 5 });
      };
      expect(await noticed()).toMatchObject([
        { cause: expect.stringMatching(/ \(break-glass\)$/), why: expect.stringContaining('socket') },
      ]);
      await pool.query(sql.type(z.object({}))`UPDATE operator_log SET at = at - interval '61 minutes'`);
      expect(await noticed()).toEqual([]);
      await pool.end();
    });

    it('takes a reason, and is no way in from the network', async () => {
      const nobody = commandLineOf('nobody');
      const silent = await nobody.run('--break-glass', ' ', 'partner', 'list');
      expect(silent).toMatchObject({ exit: 1, err: expect.stringContaining('say why') });
      const authorization = breakGlassAuthorization({ user: 'root', reason: 'because' });
      expect(await asks(authorization)).toEqual([401, 'LOGIN_REQUIRED', 'Bearer realm="operator"']);
    });
  });
});
