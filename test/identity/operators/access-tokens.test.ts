import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startEid } from '../../../dev/eid/server.ts';
import { pickPort } from '../../../dev/ports.ts';
import { rolesIn } from '../../../src/identity/operators/access-tokens.ts';
import type { Role } from '../../../src/identity/operators/actor.ts';
import { createCommandLineLogin } from '../../../src/identity/operators/device-login.ts';
import { eventually } from '../../support/eventually.ts';
import {
  AUDIENCE,
  codeOf,
  COMMAND_LINE,
  denialOf,
  logInDevice,
  loginServer,
  type LoginServerHere,
} from './login-server.ts';

describe('an access token of the organisation’s login server', () => {
  const clock = { ahead: 0 };
  let here: LoginServerHere;
  beforeAll(async () => {
    here = await loginServer({}, {}, () => new Date(Date.now() + clock.ahead));
  });
  afterAll(() => here.server.stop());

  it('says who it is and what they may do here, whatever the roles are called there', async () => {
    const { actor, issuedAt } = await here.accessTokens.verify(await here.tokenOf('runar'));
    expect(actor).toEqual({
      subject: 'runar',
      name: 'Runar Innsyn',
      roles: ['support', 'reveal'],
      via: 'token',
    });
    expect(Math.abs(Date.now() - issuedAt.getTime())).toBeLessThan(10_000);
  });

  it('of somebody without a role here is an actor’s who may do nothing', async () => {
    const { actor } = await here.accessTokens.verify(await here.tokenOf('nils'));
    expect(actor.roles).toEqual([]);
  });

  it('is good for ten minutes, though it were longer by its own end', async () => {
    const long = await loginServer(
      { accessTokenSeconds: 3600 },
      {},
      () => new Date(Date.now() + clock.ahead),
    );
    const token = await long.tokenOf('siri');
    try {
      clock.ahead = 9 * 60_000;
      expect((await long.accessTokens.verify(token)).actor.roles).toEqual(['support']);
      clock.ahead = 11 * 60_000;
      const denied = await denialOf(long.accessTokens.verify(token));
      expect(denied).toMatchObject({ code: 'LOGIN_EXPIRED', status: 401 });
      expect(denied.challenge).toBe('Bearer realm="operator", error="invalid_token"');
    } finally {
      clock.ahead = 0;
      await long.server.stop();
    }
  });

  it('is refused when it was altered, cut off, or is none', async () => {
    const token = await here.tokenOf('siri');
    const [head = '', body = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
    const asAda = { ...claims, realm_access: { roles: ['booking-platform'] } };
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    const altered = Buffer.from(JSON.stringify(asAda)).toString('base64url');
    for (const bad of [
      `${head}.${altered}.${signature}`,
      `${unsigned}.${altered}.`,
      `${head}.${body}`,
      token.slice(0, -8),
      'opaque-token',
      '',
    ])
      expect(await codeOf(here.accessTokens.verify(bad))).toBe('LOGIN_INVALID');
  });

  it('is refused from another realm, and for another service', async () => {
    const other = await loginServer();
    const elsewhere = await loginServer({ audience: 'https://another.example' });
    try {
      const foreign = await other.tokenOf('ada');
      expect(await codeOf(here.accessTokens.verify(foreign))).toBe('LOGIN_FOREIGN');
      const token = await elsewhere.tokenOf('ada');
      expect(await codeOf(elsewhere.accessTokens.verify(token))).toBe('LOGIN_FOREIGN');
    } finally {
      await other.server.stop();
      await elsewhere.server.stop();
    }
  });

  it('is none of the customers’ eID', async () => {
    const { port } = await pickPort();
    const client = { clientId: AUDIENCE, clientSecret: 'a secret', redirectUris: ['http://127.0.0.1:9/eid'] };
    const eid = await startEid({ port, ...client, log: () => undefined });
    try {
      const claims = Buffer.from(JSON.stringify({ iss: eid.issuer, sub: 'kari', aud: AUDIENCE }));
      const token = `e30.${claims.toString('base64url')}.AAAA`;
      expect(await codeOf(here.accessTokens.verify(token))).toBe('LOGIN_FOREIGN');
    } finally {
      await eid.stop();
    }
  });

  it('is taken after the login server has changed its key, and the one from before it too', async () => {
    const before = await here.tokenOf('siri');
    await here.accessTokens.verify(before);
    await here.server.rotateKeys('ES256');
    const after = await here.tokenOf('oda');
    await eventually(async () => (await here.accessTokens.verify(after)).actor.name === 'Oda Oppstart');
    expect((await here.accessTokens.verify(before)).actor.name).toBe('Siri Saksbehandler');
  });

  it('is an expired login’s no more once its role was taken away: the next one has it no longer', async () => {
    const { refreshToken } = await logInDevice(here.commandLine, 'pia');
    here.server.change('pia', { roles: [] });
    const { accessToken } = await here.commandLine.renew(refreshToken ?? '');
    expect((await here.accessTokens.verify(accessToken)).actor).toMatchObject({
      name: 'Pia Plattform',
      roles: [],
    });
  });
});

describe('while the login server is away', () => {
  const realNow = Date.now;
  afterEach(() => {
    Date.now = realNow;
  });

  it('tokens of before are taken as long as they last, by the keys that are known, and no others', async () => {
    const here = await loginServer();
    const token = await here.tokenOf('siri');
    const unseen = await loginServer();
    const unseenToken = await unseen.tokenOf('siri');
    await here.accessTokens.verify(token);
    await here.server.stop();
    await unseen.server.stop();
    expect((await here.accessTokens.verify(token)).actor.name).toBe('Siri Saksbehandler');
    // longer than keys are kept without being asked for again
    Date.now = () => realNow() + 8 * 60_000;
    expect((await here.accessTokens.verify(token)).actor.name).toBe('Siri Saksbehandler');
    // and this one’s keys nobody has ever seen
    expect(await denialOf(unseen.accessTokens.verify(unseenToken))).toMatchObject({
      code: 'LOGIN_UNAVAILABLE',
      status: 503,
      challenge: null,
    });
  });

  it('logins and renewals say so', async () => {
    const here = await loginServer();
    const { refreshToken } = await logInDevice(here.commandLine, 'siri');
    await here.server.stop();
    expect(await codeOf(here.commandLine.renew(refreshToken ?? ''))).toBe('LOGIN_UNAVAILABLE');
    const fresh = createCommandLineLogin({
      issuer: here.server.issuer,
      clientId: COMMAND_LINE,
      scope: 'openid',
    });
    expect(await codeOf(fresh.begin())).toBe('LOGIN_UNAVAILABLE');
  });
});

describe('roles in a token', () => {
  const roles = (claims: Record<string, unknown>, rolesClaim: string, names: [string, Role][] = []) =>
    rolesIn(claims, { rolesClaim, roleNames: names.length > 0 ? new Map(names) : PLAIN });
  const PLAIN = new Map<string, Role>([
    ['support', 'support'],
    ['auditor', 'auditor'],
  ]);

  it('are found where Keycloak, Entra ID and others put them', () => {
    expect(roles({ realm_access: { roles: ['support'] } }, 'realm_access.roles')).toEqual(['support']);
    const client = { resource_access: { 'booking.operators': { roles: ['auditor', 'x'] } } };
    expect(roles(client, 'resource_access.booking.operators.roles')).toEqual(['auditor']);
    expect(roles({ 'https://house.example/roles': ['support'] }, 'https://house.example/roles')).toEqual([
      'support',
    ]);
    expect(roles({ roles: 'support auditor' }, 'roles')).toEqual(['support', 'auditor']);
    const group = '5b0f4e0a-5c0e-4a1d-8f6e-7d1c6d6b2a11';
    expect(roles({ groups: [group] }, 'groups', [[group, 'reveal']])).toEqual(['reveal']);
    expect(roles({ groups: ['Booking support'] }, 'groups', [['Booking support', 'support']])).toEqual([
      'support',
    ]);
  });

  it('are none where nothing of the kind is, or something else', () => {
    for (const claims of [
      {},
      { roles: null },
      { roles: 7 },
      { roles: [null, {}, 7] },
      { roles: { support: true } },
    ])
      expect(roles(claims, 'roles')).toEqual([]);
    expect(roles({ roles: ['SUPPORT', 'supporter'] }, 'roles')).toEqual([]);
    expect(roles({ roles: ['support'] }, 'roles', [['booking-support', 'support']])).toEqual([]);
    expect(roles({ roles: ['support'] }, '__proto__.roles')).toEqual([]);
  });
});
