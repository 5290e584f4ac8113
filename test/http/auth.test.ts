import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import * as argon2 from '@node-rs/argon2';
import { Secret } from 'otpauth';
import { sql } from 'slonik';
import { z } from 'zod';
import { createPasswords } from '../../src/identity/passwords.ts';
import { issueKey, issueToken, readToken } from '../../src/identity/secrets.ts';
import { removePartnerUser } from '../../src/postgres/partner-users.ts';
import { createCaller, type ErrorBody, freshAddress, type Reply } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { codeOf, partnerAccounts, type TestUser, USERS_PASSWORD } from '../support/partner-user.ts';
import { refusalOf } from '../support/partners-cases.ts';
import { QUICK_HASHES } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

const PASSWORD = 'korrekt hest batteri stift';
const HOUR = 3_600_000;

describe('partner login', () => {
  const service = useService('api');

  const { invite, newUser, activate, activeUser, enrolledUser, logIn, withToken } = partnerAccounts(
    () => service,
  );
  const login = (email: unknown, password: unknown, headers?: Record<string, string>) =>
    service.nobody.post('/auth/login', { email, password }, headers);
  const expire = (table: 'access_tokens' | 'partner_users', column: string) =>
    service.database.query(sql.type(z.object({}))`
      UPDATE ${sql.identifier([table])} SET ${sql.identifier([column])} = now() - interval '1 second'
      WHERE ${sql.identifier([column])} IS NOT NULL`);

  describe('activation', () => {
    it('201: sets the password, and from then on one logs in', async () => {
      const { email, activationToken } = await newUser();
      expect((await login(email, PASSWORD)).status).toBe(401);
      const { status, body } = await activate(activationToken, PASSWORD);
      expect([status, body]).toEqual([
        201,
        {
          email,
          partner: { id: service.partnerId, name: 'Fjordtrygd Forsikring' },
          otpauthUri: expect.stringMatching(
            /^otpauth:\/\/totp\/127\.0\.0\.1:Utvikler-.*&secret=[A-Z2-7]{32}&/,
          ),
        },
      ]);
      expect((await login(email, PASSWORD)).status).toBe(200);
    });

    it.each([
      ['of 12 characters', 'q9X$kd02Lm#f'],
      ['of 256 characters', randomBytes(128).toString('hex')],
      ['of characters that count as one, though they take two', '🔑🐴🔋📎🌧🎿🧀🚲🐟🏔🧦🪵'],
      ['with blanks around it, which belong to it', '  to blanke ord  '],
      ['with a NUL in it', 'tolv tegn\0og noen'],
    ])('201: takes a password %s', async (_, password) => {
      const { email, activationToken } = await newUser();
      expect((await activate(activationToken, password)).status).toBe(201);
      expect((await login(email, password)).status).toBe(200);
      expect((await login(email, password.trim() + '!')).status).toBe(401);
    });

    it('201: a password is the same however its letters are composed', async () => {
      const { email, activationToken } = await newUser();
      await activate(activationToken, 'blåbærsyltetøy på brød'.normalize('NFD'));
      expect((await login(email, 'blåbærsyltetøy på brød'.normalize('NFC'))).status).toBe(200);
    });

    it('400 ACTIVATION_TOKEN_INVALID for one that is unknown, mistyped, used, replaced or too old', async () => {
      const used = await newUser();
      await activate(used.activationToken, PASSWORD);
      const replaced = await newUser();
      const replacement = await invite(replaced.email);
      const words = new Set<string>();
      for (const token of [
        issueToken('activation').token,
        'hunter2',
        issueToken('access').token,
        `${replacement}x`,
        used.activationToken,
        replaced.activationToken,
      ]) {
        const reply = await activate(token, PASSWORD);
        expect(refusalOf(reply)).toEqual({ http: 400, code: 'ACTIVATION_TOKEN_INVALID' });
        words.add(reply.body.error);
      }
      const old = await newUser();
      await expire('partner_users', 'activation_expires_at');
      const reply = await activate(old.activationToken, PASSWORD);
      expect(refusalOf(reply)).toEqual({ http: 400, code: 'ACTIVATION_TOKEN_INVALID' });
      words.add(reply.body.error);
      expect([...words]).toEqual([expect.stringMatching(/ask our operator for a new one/)]);
    });

    it('400 for all but one of those who use it at the same moment', async () => {
      const { email, activationToken } = await newUser();
      const passwords = Array.from({ length: 8 }, (_, i) => `${PASSWORD} ${i}`);
      const replies = await Promise.all(passwords.map((password) => activate(activationToken, password)));
      const won = replies.findIndex(({ status }) => status === 201);
      expect(replies.filter(({ status }) => status === 400)).toHaveLength(7);
      expect((await login(email, passwords[won])).status).toBe(200);
      expect((await login(email, passwords[(won + 1) % 8])).status).toBe(401);
    });

    it('400 VALIDATION_FAILED for a password that is too short, too long, or the address, and the token stays good', async () => {
      const { email, activationToken } = await newUser();
      const half = '\ud83d'.repeat(20);
      for (const [password, code] of [
        ['a'.repeat(11), 'too_small'],
        ['🔑'.repeat(11), 'too_small'],
        ['a'.repeat(257), 'too_big'],
        [half, 'invalid'],
        [email.toUpperCase(), 'is_email'],
        [17, 'invalid_type'],
        [undefined, 'required'],
      ] as const) {
        const reply = await service.nobody.post('/auth/activate', { activationToken, password });
        expect(refusalOf(reply)).toMatchObject({
          http: 400,
          code: 'VALIDATION_FAILED',
          fields: [{ field: 'password', code }],
        });
      }
      expect((await activate(activationToken, PASSWORD)).status).toBe(201);
    });

    it.each([
      ['from the lists of common ones', 'passwordpassword'],
      ['from them, with another case and letters', 'P@ssw0rd1234'],
      ['of one letter', 'a'.repeat(40)],
      ['of a sequence', 'abcdefghijklmn'],
      ['of a row of the keyboard', 'qwertyuiop123'],
      ['of digits in a row', '123456789012'],
      ['of the company’s name', 'FjordtrygdForsikring'],
      ['of the account’s address', 'Utvikler12345'],
    ])('400 VALIDATION_FAILED for a password %s, and the token stays good', async (_, password) => {
      const { activationToken } = await newUser();
      expect(refusalOf(await activate(activationToken, password))).toMatchObject({
        http: 400,
        code: 'VALIDATION_FAILED',
        fields: [{ field: 'password', code: 'too_common' }],
      });
      expect((await activate(activationToken, PASSWORD)).status).toBe(201);
    });

    it('400 BODY_TOO_LARGE for a password of 10 MB', async () => {
      const { activationToken } = await newUser();
      const reply = await activate(activationToken, 'a'.repeat(10_000_000));
      expect(refusalOf(reply)).toEqual({ http: 400, code: 'BODY_TOO_LARGE' });
      expect(refusalOf(await login('a@b.example', 'a'.repeat(10_000_000)))).toEqual({
        http: 400,
        code: 'BODY_TOO_LARGE',
      });
    });

    it('anew, for a forgotten password, voids the old one and ends all sessions at once', async () => {
      const user = await activeUser();
      const [first, second] = [await logIn(user), await logIn(user)];
      const activationToken = await invite(user.email.toUpperCase());
      for (const token of [first, second]) expect((await withToken(token).get('/auth/me')).status).toBe(401);
      expect((await login(user.email, user.password)).status).toBe(401);
      await activate(activationToken, PASSWORD);
      expect((await login(user.email, user.password)).status).toBe(401);
      expect((await login(user.email, PASSWORD)).status).toBe(200);
    });
  });

  describe('POST /auth/login', () => {
    it('200: an opaque token of 60 minutes, of which only a hash is kept', async () => {
      const { email, password } = await activeUser();
      const { status, body } = await service.nobody.post<Record<string, string>>('/auth/login', {
        email,
        password,
      });
      expect([status, body]).toEqual([
        200,
        {
          accessToken: expect.stringMatching(/^tb_at_[\w-]{50}$/),
          tokenType: 'Bearer',
          expiresAt: expect.stringMatching(/Z$/),
        },
      ]);
      expect(Math.abs(Date.parse(body['expiresAt'] ?? '') - Date.now() - HOUR)).toBeLessThan(10_000);
      const kept = await service.database.any(sql.type(z.object({ row: z.string() }))`
        SELECT access_tokens::text AS row FROM access_tokens`);
      expect(JSON.stringify(kept)).not.toContain(body['accessToken']?.slice(6, 20));
      const hash = readToken(body['accessToken'] ?? '', 'access')?.toString('hex');
      expect(JSON.stringify(kept)).toContain(hash);
    });

    it('200: an e-mail address is the same in upper and lower case, and with blanks around it', async () => {
      const { email, password } = await activeUser();
      expect((await login(` ${email.toUpperCase()} `, password)).status).toBe(200);
    });

    it('401 INVALID_CREDENTIALS in the same words for a wrong password, an unknown and an unactivated account', async () => {
      const { email } = await activeUser();
      const awaiting = await newUser();
      const words = new Set<string>();
      for (const [account, password] of [
        [email, PASSWORD],
        ['nobody@fjordtrygd.example', PASSWORD],
        ['no address', PASSWORD],
        [awaiting.email, PASSWORD],
        [email, 'x'.repeat(50_000)],
      ]) {
        const reply = await login(account, password);
        expect(refusalOf(reply)).toEqual({ http: 401, code: 'INVALID_CREDENTIALS' });
        words.add(reply.body.error);
      }
      expect(words.size).toBe(1);
    });

    it('401 INVALID_CREDENTIALS for an account that was removed, and its sessions have ended', async () => {
      const user = await activeUser();
      const token = await logIn(user);
      expect(await removePartnerUser(service.database, user.email.toUpperCase())).toBe(true);
      expect((await login(user.email, user.password)).status).toBe(401);
      expect((await withToken(token).get('/auth/me')).status).toBe(401);
    });

    it('400 for a body that is none, with every fault at once', async () => {
      const { email } = await activeUser();
      const post = (body: unknown, headers = {}) => service.nobody.post('/auth/login', body, headers);
      expect(refusalOf(await post(undefined))).toMatchObject({
        code: 'VALIDATION_FAILED',
        fields: [
          { field: 'email', code: 'required' },
          { field: 'password', code: 'required' },
        ],
      });
      expect(refusalOf(await post({ email, password: { $ne: null }, remember: true }))).toMatchObject({
        fields: [{ field: 'password' }, { field: 'remember', code: 'unknown_field' }],
      });
      expect(refusalOf(await post('{'))).toEqual({ http: 400, code: 'INVALID_JSON' });
      expect(refusalOf(await post(Buffer.from([0x7b, 0xff])))).toEqual({ http: 400, code: 'INVALID_JSON' });
      expect(refusalOf(await post('email=a', { 'Content-Type': 'text/plain' }))).toEqual({
        http: 400,
        code: 'INVALID_CONTENT_TYPE',
      });
      expect(refusalOf(await post({ email: 'a\0b', password: 'x' }))).toMatchObject({
        fields: [{ field: 'email' }],
      });
    });

    it('is logged without address, password or token', async () => {
      const user = await activeUser();
      const token = await logIn(user);
      await withToken(token).get(`/auth/me?access_token=${token}`);
      await withToken(token).post('/auth/logout');
      const log = service.log.join('');
      expect(log).toContain('/auth/login');
      for (const secret of [user.email, user.password, token.slice(6), 'access_token'])
        expect(log).not.toContain(secret);
    });
  });

  describe('one-time codes', () => {
    const withCode = (user: TestUser, oneTimeCode: unknown, at = service.apiUrl) =>
      createCaller(at).post('/auth/login', { email: user.email, password: user.password, oneTimeCode });

    it('401 INVALID_CREDENTIALS for a code that is wrong, of somebody else, or too old', async () => {
      const [user, other] = [await enrolledUser(), await enrolledUser()];
      const codes = [
        codeOf(other.otpauthUri),
        codeOf(user.otpauthUri, -3),
        codeOf(user.otpauthUri, 3),
        codeOf(user.otpauthUri) === '000000' ? '111111' : '000000',
      ];
      for (const code of codes)
        expect(refusalOf(await withCode(user, code))).toEqual({ http: 401, code: 'INVALID_CREDENTIALS' });
      expect((await withCode(user, codeOf(user.otpauthUri).replace(/^.../, '$& '))).status).toBe(200);
    });

    it('401 for a code that was seen over somebody’s shoulder: each is good once, also of many at once', async () => {
      const user = await enrolledUser();
      const code = codeOf(user.otpauthUri);
      const replies = await Promise.all(Array.from({ length: 5 }, () => withCode(user, code)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
      // nor is one that came before it
      expect((await withCode(user, codeOf(user.otpauthUri, -1))).status).toBe(401);
      expect((await withCode(user, codeOf(user.otpauthUri, 1))).status).toBe(200);
    });

    it('400 VALIDATION_FAILED for what is no code', async () => {
      const user = await enrolledUser();
      for (const code of ['12345', '1234567', 'abcdef', 123456, null])
        expect(refusalOf(await withCode(user, code))).toMatchObject({
          code: 'VALIDATION_FAILED',
          fields: [{ field: 'oneTimeCode' }],
        });
    });

    it('in production, a password alone opens nothing', async () => {
      const production = `${await service.again({ settings: () => ({ ENVIRONMENT: 'production' }) })}/api/v1`;
      const user = await enrolledUser();
      const withoutCode = await withCode(user, undefined, production);
      expect(refusalOf(withoutCode)).toMatchObject({
        http: 400,
        fields: [{ field: 'oneTimeCode', code: 'required' }],
      });
      expect((await withCode(user, '000000', production)).status).toBe(401);
      expect((await withCode(user, codeOf(user.otpauthUri), production)).status).toBe(200);
      // nor does an account that was never enrolled
      await service.database.query(sql.type(z.object({}))`
        UPDATE partner_users SET one_time_secret = NULL WHERE email = ${user.email}`);
      expect((await withCode(user, codeOf(user.otpauthUri, 1), production)).status).toBe(401);
    });

    it('a new activation has a new secret, and the old one is void', async () => {
      const user = await enrolledUser();
      const { body } = await activate(await invite(user.email), user.password);
      expect(body.otpauthUri).not.toBe(user.otpauthUri);
      expect((await withCode(user, codeOf(user.otpauthUri))).status).toBe(401);
      expect((await withCode(user, codeOf(body.otpauthUri))).status).toBe(200);
    });

    it('the secret is kept so that the database alone does not tell it', async () => {
      const { email, otpauthUri } = await enrolledUser();
      const secret = /secret=([A-Z2-7]+)/.exec(otpauthUri)?.[1] ?? '';
      const kept = await service.database.oneFirst(sql.type(z.object({ row: z.string() }))`
        SELECT partner_users::text AS row FROM partner_users WHERE email = ${email}`);
      for (const form of [secret, Secret.fromBase32(secret).hex, Secret.fromBase32(secret).latin1])
        expect(kept.toUpperCase()).not.toContain(form.toUpperCase());
      expect(service.log.join('')).not.toContain(secret);
    });
  });

  describe('an account', () => {
    const wrong = (email: string) => login(email, 'a wrong password');
    const closed = { http: 429, code: 'RATE_LIMIT_EXCEEDED' };
    const failed = (times: number, email: string) =>
      Promise.all(Array.from({ length: times }, () => wrong(email)));
    const shift = (email: string, by: string) =>
      service.database.query(sql.type(z.object({}))`
        UPDATE login_failures SET at = at - ${by}::interval
        WHERE account = sha256(convert_to(lower(${email}), 'UTF8'))`);

    it('is closed for an hour by ten failures within an hour, from whatever addresses, to the right password too', async () => {
      const user = await activeUser();
      const token = await logIn(user);
      for (let i = 0; i < 10; i += 1) expect((await wrong(user.email.toUpperCase())).status).toBe(401);
      const refused = await login(user.email, user.password);
      expect(refusalOf(refused)).toEqual(closed);
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(3_500);
      expect(refused.body.error).toMatch(/closed after 10 failures/);
      // who is in stays in, and other accounts are open
      expect((await withToken(token).get('/auth/me')).status).toBe(200);
      expect((await login((await activeUser()).email, USERS_PASSWORD)).status).toBe(200);
      await shift(user.email, '59 minutes');
      expect(refusalOf(await login(user.email, user.password))).toEqual(closed);
      await shift(user.email, '2 minutes');
      expect((await login(user.email, user.password)).status).toBe(200);
    });

    it('is not closed by ten that took longer, and a login in between forgives none', async () => {
      const user = await activeUser();
      await failed(9, user.email);
      await shift(user.email, '59 minutes');
      expect((await login(user.email, user.password)).status).toBe(200);
      await shift(user.email, '2 minutes');
      await wrong(user.email);
      expect((await login(user.email, user.password)).status).toBe(200);
      await failed(9, user.email);
      expect(refusalOf(await login(user.email, user.password))).toEqual(closed);
    });

    it('that there is not is closed likewise, so nobody learns which there are', async () => {
      const email = 'nobody-at-all@fjordtrygd.example';
      await failed(10, email);
      expect(refusalOf(await wrong(email))).toEqual(closed);
    });

    it('gives in to no burst: of sixty guesses at once, the right one among the last is refused with the others', async () => {
      const user = await activeUser();
      const guesses = Array.from({ length: 60 }, (_, i) => (i === 59 ? user.password : `wrong guess ${i}`));
      const replies = await Promise.all(guesses.map((guess) => login(user.email, guess)));
      expect(replies.map(({ status }) => status)).not.toContain(200);
    });

    it('is open again once the operator has issued a new activation', async () => {
      const user = await activeUser();
      await failed(10, user.email);
      await activate(await invite(user.email), PASSWORD);
      expect((await login(user.email, PASSWORD)).status).toBe(200);
    });
  });

  describe('limits', () => {
    it('5 in 15 minutes for an address and account, however it is written, right or wrong', async () => {
      const user = await activeUser();
      const headers = { 'X-Forwarded-For': freshAddress() };
      for (const [email, password] of [
        [user.email, user.password],
        [user.email.toUpperCase(), PASSWORD],
        [` ${user.email}`, PASSWORD],
        [user.email, PASSWORD],
        [user.email, PASSWORD],
      ]) {
        const { headers: answered } = await login(email, password, headers);
        expect(answered.get('RateLimit-Policy')).toMatch(/"login"; q=5; w=900/);
      }
      const refused = await login(user.email, user.password, headers);
      expect(refusalOf(refused)).toEqual({ http: 429, code: 'RATE_LIMIT_EXCEEDED' });
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
      // somebody else from there, and the same one from elsewhere
      const other = await activeUser();
      expect((await login(other.email, other.password, headers)).status).toBe(200);
      expect((await login(user.email, user.password)).status).toBe(200);
    });

    it('5 for an address and activation token, before it is looked at', async () => {
      const { activationToken } = await newUser();
      const headers = { 'X-Forwarded-For': freshAddress() };
      const post = (token: string) =>
        service.nobody.post('/auth/activate', { activationToken: token, password: PASSWORD }, headers);
      for (let i = 0; i < 5; i += 1) expect((await post('tb_act_guessed')).status).toBe(400);
      expect((await post('tb_act_guessed')).status).toBe(429);
      expect((await post(activationToken)).status).toBe(201);
    });

    it('5 for bodies that say nobody', async () => {
      const headers = { 'X-Forwarded-For': freshAddress() };
      const replies = [];
      for (let i = 0; i < 6; i += 1) replies.push(await service.nobody.post('/auth/login', '{', headers));
      expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 429]);
    });

    it('a flood from many addresses is refused for now, and logins go on', async () => {
      const user = await activeUser();
      const { promise: hashed, resolve: hash } = Promise.withResolvers<null>();
      const verify: typeof argon2.verify = (...asked) => hashed.then(() => argon2.verify(...asked));
      const passwords = createPasswords({ parameters: QUICK_HASHES, hasher: { hash: argon2.hash, verify } });
      const flooded = createCaller(`${await service.again({ passwords })}/api/v1`);
      const loginAs = (email: string, password: string) => flooded.post('/auth/login', { email, password });
      const refused: Reply<ErrorBody>[] = [];
      const flood = Array.from({ length: 80 }, async (_, i) => {
        const reply = await loginAs(`${i}-${user.email}`, 'a wrong password');
        if (reply.status !== 401) refused.push(reply);
      });
      // two are hashed and 64 wait, so the others are answered before them
      await eventually(() => refused.length === 80 - 2 - 64);
      hash(null);
      await Promise.all(flood);
      expect(refused).toHaveLength(80 - 2 - 64);
      for (const reply of refused) {
        expect(refusalOf(reply)).toEqual({ http: 500, code: 'TEMPORARILY_UNAVAILABLE' });
        expect(reply.headers.get('Retry-After')).toBe('5');
      }
      expect((await loginAs(user.email, user.password)).status).toBe(200);
    });

    it('50 for an address, whoever it says it is', async () => {
      const headers = { 'X-Forwarded-For': freshAddress() };
      const user = await activeUser();
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          service.nobody.post(
            '/auth/activate',
            { activationToken: `guess-${i}`, password: PASSWORD },
            headers,
          ),
        ),
      );
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([400]));
      expect((await login(user.email, user.password, headers)).status).toBe(429);
      expect((await login(user.email, user.password)).status).toBe(200);
    });

    it('500 a minute for a user who is logged in, and none else suffers', async () => {
      const user = await activeUser();
      const { headers } = await withToken(await logIn(user)).get('/auth/me');
      expect(headers.get('RateLimit-Policy')).toMatch(/"authenticated"; q=500; w=60/);
      // the user is counted, not the token
      const again = await withToken(await logIn(user)).get('/auth/me');
      expect(again.headers.get('RateLimit')).toMatch(/r=498;/);
    });
  });

  describe('GET /auth/me', () => {
    it('200: who is logged in, for which partner, and until when', async () => {
      const user = await activeUser(service.otherPartnerId);
      const { status, body } = await withToken(await logIn(user)).get('/auth/me');
      expect([status, body]).toEqual([
        200,
        {
          email: user.email,
          partner: { id: service.otherPartnerId, name: 'Polar Forsikring' },
          expiresAt: expect.stringMatching(/Z$/),
        },
      ]);
    });

    it('takes the scheme in lower case too', async () => {
      const token = await logIn(await activeUser());
      const caller = createCaller(service.apiUrl, { Authorization: `bearer ${token}` });
      expect((await caller.get('/auth/me')).status).toBe(200);
    });
  });

  describe('POST /auth/logout', () => {
    it('200: ends this session, and no other', async () => {
      const user = await activeUser();
      const [one, other] = [await logIn(user), await logIn(user)];
      const { status, body } = await withToken(one).post('/auth/logout');
      expect([status, body]).toEqual([200, { authenticated: false }]);
      const again = await withToken(one).post('/auth/logout');
      expect(refusalOf(again)).toMatchObject({ http: 401, reason: 'not_accepted' });
      expect((await withToken(other).get('/auth/me')).status).toBe(200);
    });
  });

  describe('401 INVALID_ACCESS_TOKEN', () => {
    const refusal = (reason: string) => ({ http: 401, code: 'INVALID_ACCESS_TOKEN', reason });
    const me = (authorization: string) =>
      createCaller(service.apiUrl, { Authorization: authorization }).get('/auth/me');

    it('when it is missing, on every endpoint for those who are logged in', async () => {
      for (const [method, path] of [
        ['GET', '/auth/me'],
        ['POST', '/auth/logout'],
        ['GET', '/auth/api-keys'],
        ['POST', '/auth/api-keys'],
        ['POST', '/auth/api-keys/6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d/rotate'],
        ['DELETE', '/auth/api-keys/6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d'],
      ] as const) {
        const reply = await service.nobody.call(method, path, method === 'POST' ? '{ no JSON' : undefined);
        expect(refusalOf(reply)).toEqual(refusal('missing'));
        expect(reply.headers.get('WWW-Authenticate')).toBe('Bearer');
        expect(reply.headers.get('RateLimit')).toMatch(/"public"; r=99/);
      }
    });

    it('with an API key only: keys are for cases', async () => {
      const reply = await service.partner.get('/auth/me');
      expect(refusalOf(reply)).toEqual(refusal('missing'));
      expect(reply.body.error).toMatch(/keys are for cases/);
    });

    it('when it is in the address', async () => {
      const token = await logIn(await activeUser());
      const reply = await service.nobody.get(`/auth/me?access_token=${token}`);
      expect(refusalOf(reply)).toEqual(refusal('missing'));
    });

    it('when it is mistyped, cut off, an API key, or no token at all', async () => {
      const token = await logIn(await activeUser());
      for (const wrong of [
        token.slice(0, -1),
        `${token}x`,
        `${token} x`,
        `${token},${token}`,
        issueKey('test'),
        issueToken('activation').token,
        'eyJhbGciOiJub25lIn0.e30.',
      ])
        expect(refusalOf(await me(`Bearer ${wrong}`))).toEqual(refusal('malformed'));
    });

    it('with another scheme', async () => {
      const token = await logIn(await activeUser());
      const basic = `Basic ${Buffer.from(`a:${token}`).toString('base64')}`;
      for (const wrong of [token, basic, 'Bearer', `Bearer${token}`])
        expect(refusalOf(await me(wrong))).toEqual(refusal('wrong_scheme'));
    });

    it('when two are sent, even the same one twice', async () => {
      const token = await logIn(await activeUser());
      const body = await new Promise<ErrorBody>((resolve, reject) => {
        const headers = { Authorization: [`Bearer ${token}`, `Bearer ${token}`] };
        request(`${service.apiUrl}/auth/me`, { headers: headers }, (response) => {
          response.setEncoding('utf8').on('data', (text: string) => resolve(JSON.parse(text) as ErrorBody));
        })
          .on('error', reject)
          .end();
      });
      expect(body).toMatchObject({
        statusCode: 401,
        details: { code: 'INVALID_ACCESS_TOKEN', reason: 'ambiguous' },
      });
    });

    it('when it is unknown, or has expired', async () => {
      const token = await logIn(await activeUser());
      await expire('access_tokens', 'expires_at');
      expect(refusalOf(await me(`Bearer ${token}`))).toEqual(refusal('not_accepted'));
      expect(refusalOf(await me(`Bearer ${issueToken('access').token}`))).toEqual(refusal('not_accepted'));
    });
  });

  it('an access token opens no case, in whichever header', async () => {
    const token = await logIn(await activeUser());
    expect(refusalOf(await withToken(token).get('/cases'))).toMatchObject({ http: 401, reason: 'missing' });
    const asKey = await createCaller(service.apiUrl, { 'X-API-Key': token }).get('/cases');
    expect(refusalOf(asKey)).toMatchObject({ http: 401, reason: 'malformed' });
  });

  it('404 for what is not there, and for other methods', async () => {
    for (const [method, path] of [
      ['GET', '/auth'],
      ['GET', '/auth/login'],
      ['PUT', '/auth/login'],
      ['POST', `/auth/${randomBytes(8).toString('hex')}`],
    ] as const)
      expect(refusalOf(await service.nobody.call(method, path))).toEqual({ http: 404, code: 'NOT_FOUND' });
  });
});
