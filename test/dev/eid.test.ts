import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oidc from 'openid-client';
import { type RunningEid, startEid } from '../../dev/eid/server.ts';
import { pickPort } from '../../dev/ports.ts';
import { type Browser, openBrowser } from '../support/browser.ts';

const REDIRECT_URI = 'http://127.0.0.1:1/eid/callback';
const KARI = { givenName: 'Kari Anne', familyName: 'Nordmann', birthDate: '1985-03-02' };

describe('the local eID', () => {
  let eid: RunningEid;
  let config: oidc.Configuration;
  const failures: string[] = [];
  beforeAll(async () => {
    const { port } = await pickPort();
    eid = await startEid({
      port,
      clientId: 'service',
      clientSecret: 'a development secret',
      redirectUris: [REDIRECT_URI],
      log: (line) => failures.push(line),
    });
    config = await oidc.discovery(
      new URL(eid.issuer),
      'service',
      undefined,
      oidc.ClientSecretBasic('a development secret'),
      // oxlint-disable-next-line typescript/no-deprecated -- the eID of a test is on this machine
      { execute: [oidc.allowInsecureRequests] },
    );
  });
  afterAll(() => eid.stop());

  async function begin(extra: Record<string, string> = {}) {
    const checks = {
      pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
      expectedState: 'state',
      expectedNonce: 'nonce',
    };
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: 'openid profile',
      state: checks.expectedState,
      nonce: checks.expectedNonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
      ...extra,
    });
    return { url, checks };
  }

  async function logIn(browser: Browser, person: Record<string, string>) {
    const { url, checks } = await begin();
    const login = await browser.get(url);
    const back = await browser.post(login.url, person);
    return oidc.authorizationCodeGrant(config, back.url, checks);
  }

  it('says in the ID token who was played, with no question after the login', async () => {
    const tokens = await logIn(openBrowser(REDIRECT_URI), KARI);
    expect(tokens.claims()).toMatchObject({
      sub: expect.stringMatching(/^test-/) as unknown,
      bankid_altsub: expect.stringMatching(/^test-alt-/) as unknown,
      given_name: 'Kari Anne',
      family_name: 'Nordmann',
      name: 'Kari Anne Nordmann',
      birthdate: '1985-03-02',
      acr: 'urn:bankid:bid;LOA=4',
      nonce: 'nonce',
    });
  });

  it('gives the same person the same sub, and asks again so that another can follow', async () => {
    const browser = openBrowser(REDIRECT_URI);
    const kari = (await logIn(browser, KARI)).claims();
    const ola = (await logIn(browser, { givenName: 'Ola', familyName: 'Hansen', birthDate: '' })).claims();
    const kariAgain = (
      await logIn(openBrowser(REDIRECT_URI), { ...KARI, familyName: ' nordmann ' })
    ).claims();
    expect(ola).toMatchObject({ name: 'Ola Hansen' });
    expect(ola).not.toHaveProperty('birthdate');
    expect(ola?.sub).not.toBe(kari?.sub);
    expect(kariAgain?.sub).toBe(kari?.sub);
  });

  it('answers the same at the userinfo endpoint', async () => {
    const tokens = await logIn(openBrowser(REDIRECT_URI), KARI);
    const sub = tokens.claims()?.sub ?? '';
    expect(await oidc.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({
      name: 'Kari Anne Nordmann',
    });
  });

  it('comes back with access_denied when the customer cancels', async () => {
    const browser = openBrowser(REDIRECT_URI);
    const { url } = await begin();
    const login = await browser.get(url);
    const back = await browser.post(new URL(`${login.url.pathname}/cancel`, login.url), {});
    expect(back.url.searchParams.get('error')).toBe('access_denied');
    expect(back.url.searchParams.get('state')).toBe('state');
  });

  it('refuses a login without PKCE', async () => {
    const { url } = await begin();
    url.searchParams.delete('code_challenge');
    url.searchParams.delete('code_challenge_method');
    const back = await openBrowser(REDIRECT_URI).get(url);
    expect(back.url.searchParams.get('error')).toBe('invalid_request');
  });

  it('shows the form again, escaped, with what is wrong', async () => {
    const browser = openBrowser(REDIRECT_URI);
    const { url } = await begin();
    const login = await browser.get(url);
    const again = await browser.post(login.url, {
      givenName: '<b>',
      familyName: '',
      birthDate: '1985-02-30',
    });
    expect(again.status).toBe(400);
    expect(again.text).toContain('value="&lt;b&gt;"');
    expect(again.text).toContain('id="familyName-fault"');
    expect(again.text).toContain('id="birthDate-fault"');
  });

  it('takes no form of a login that this browser has not begun', async () => {
    const login = await openBrowser(REDIRECT_URI).get((await begin()).url);
    expect((await openBrowser(REDIRECT_URI).post(login.url, KARI)).status).toBe(400);
  });

  it('logs out', async () => {
    const browser = openBrowser(REDIRECT_URI);
    const tokens = await logIn(browser, KARI);
    const page = await browser.get(oidc.buildEndSessionUrl(config, { id_token_hint: tokens.id_token ?? '' }));
    const [, action = '', xsrf = ''] = /action="([^"]+)".*name="xsrf" value="([^"]+)"/s.exec(page.text) ?? [];
    const done = await browser.post(new URL(action, eid.issuer), { xsrf, logout: 'yes' });
    expect(done.text).toContain('Du er logget ut');
  });

  it('had no failure of its own in all of this', () => {
    expect(failures).toEqual([]);
  });
});
