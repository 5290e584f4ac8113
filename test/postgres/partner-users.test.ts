import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId } from '../../src/domain/ids.ts';
import { issueToken } from '../../src/identity/secrets.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import {
  type Account,
  activate,
  createPartnerUser,
  findAccount,
  findActivation,
  findSession,
  issueActivation,
  listPartnerUsers,
  openSession,
  removePartnerUser,
  replacePasswordHash,
} from '../../src/postgres/partner-users.ts';
import { savePartner } from '../../src/postgres/providers.ts';
import { createTestDatabase } from '../support/database.ts';

const HOUR = 3_600_000;
const PARTNER = 'fjordtrygd' as PartnerId;

describe('partner users', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(await createTestDatabase(), { maxPoolSize: 20 });
    for (const id of [PARTNER, 'polar' as PartnerId]) await savePartner(database, { id, name: `${id} AS` });
  });
  afterAll(() => database.end());

  let users = 0;
  const newUser = async () => {
    const email = `Utvikler.${(users += 1)}@example.com`;
    await createPartnerUser(database, { partnerId: PARTNER, email });
    return email;
  };
  const invite = async (email: string) => {
    const { tokenHash } = issueToken('activation');
    return { tokenHash, until: await issueActivation(database, { email, tokenHash }) };
  };
  const activeUser = async (passwordHash = 'a hash') => {
    const email = await newUser();
    const { tokenHash } = await invite(email);
    await activate(database, { tokenHash, passwordHash });
    const account = await findAccount(database, email);
    if (!account) throw new Error('not active');
    return { email, account };
  };
  const open = async (account: Account, how: { oneTimeStep?: number; address?: string | null } = {}) => {
    const { tokenHash } = issueToken('access');
    const login = { account, tokenHash, oneTimeStep: null, address: '192.0.2.7', ...how };
    return { tokenHash, until: await openSession(database, login) };
  };
  const shown = async (email: string) =>
    (await listPartnerUsers(database, PARTNER)).find((user) => user.email === email);

  describe('are created', () => {
    it('once for an address, whatever its case, also when two do so at once', async () => {
      const email = await newUser();
      const again = { partnerId: 'polar' as PartnerId, email: email.toUpperCase() };
      expect(await createPartnerUser(database, again)).toEqual({ refused: 'email_taken' });
      const outcomes = await Promise.all(
        ['a@example.com', 'A@EXAMPLE.COM', 'A@example.com'].map((address) =>
          createPartnerUser(database, { partnerId: PARTNER, email: address }),
        ),
      );
      expect(outcomes.filter((outcome) => 'created' in outcome)).toHaveLength(1);
    });

    it('not for a partner that there is not', async () => {
      const nobodys = { partnerId: 'nobody' as PartnerId, email: 'b@example.com' };
      expect(await createPartnerUser(database, nobodys)).toEqual({ refused: 'unknown_partner' });
    });

    it('without a password, so nobody logs in', async () => {
      const email = await newUser();
      expect(await findAccount(database, email)).toBeNull();
      expect(await shown(email)).toMatchObject({ activated_at: null, activation_expires_at: null });
    });
  });

  it('are listed by partner, without anything secret', async () => {
    const email = await newUser();
    await invite(email);
    const listed = await listPartnerUsers(database, PARTNER);
    expect(Object.keys(listed[0] ?? {}).sort()).toEqual([
      'activated_at',
      'activation_expires_at',
      'created_at',
      'email',
      'id',
      'suspended_at',
    ]);
    expect(await listPartnerUsers(database, 'polar' as PartnerId)).toEqual([]);
  });

  describe('an activation', () => {
    it('is good for 72 hours and once', async () => {
      const email = await newUser();
      const { tokenHash, until } = await invite(email.toLowerCase());
      expect(Math.abs(Date.parse(until ?? '') - Date.now() - 72 * HOUR)).toBeLessThan(10_000);
      expect(await findActivation(database, tokenHash)).toMatchObject({ email, partner_id: PARTNER });
      const used = await activate(database, { tokenHash, passwordHash: 'a hash' });
      expect(used).toEqual({ email, partner_id: PARTNER, partner_name: 'fjordtrygd AS' });
      expect(await findActivation(database, tokenHash)).toBeNull();
      expect(await activate(database, { tokenHash, passwordHash: 'another' })).toBeNull();
      expect(await findAccount(database, email.toUpperCase())).toMatchObject({ password_hash: 'a hash' });
    });

    it('is good no more after 72 hours', async () => {
      const email = await newUser();
      const { tokenHash } = await invite(email);
      await database.query(sql.type(z.object({}))`
        UPDATE partner_users SET activation_expires_at = now() - interval '1 second' WHERE email = ${email}`);
      expect(await findActivation(database, tokenHash)).toBeNull();
      expect(await activate(database, { tokenHash, passwordHash: 'a hash' })).toBeNull();
    });

    it('voids the one before, the password, and all sessions', async () => {
      const { email, account } = await activeUser();
      const session = await open(account);
      const [first, second] = [await invite(email), await invite(email)];
      expect(await findSession(database, session.tokenHash)).toBeNull();
      expect(await findAccount(database, email)).toBeNull();
      expect(await findActivation(database, first.tokenHash)).toBeNull();
      expect(await findActivation(database, second.tokenHash)).not.toBeNull();
    });

    it('is null for an address that nobody has', async () => {
      expect((await invite('nobody@example.com')).until).toBeNull();
    });
  });

  describe('a session', () => {
    it('is its user’s for 60 minutes', async () => {
      const { email, account } = await activeUser();
      const { tokenHash, until } = await open(account);
      expect(Math.abs(Date.parse(until ?? '') - Date.now() - HOUR)).toBeLessThan(10_000);
      expect(await findSession(database, tokenHash)).toMatchObject({
        user_id: account.id,
        email,
        partner_id: PARTNER,
        expires_at: until,
      });
    });

    it('sweeps away those of the user that have expired', async () => {
      const { account } = await activeUser();
      await open(account);
      await database.query(sql.type(z.object({}))`
        UPDATE access_tokens SET expires_at = now() - interval '1 second' WHERE user_id = ${account.id}`);
      await open(account);
      const left = await database.oneFirst(sql.type(z.object({ count: z.number() }))`
        SELECT count(*) FROM access_tokens WHERE user_id = ${account.id}`);
      expect(left).toBe(1);
    });

    it('is not opened with a password that was voided or replaced since it was looked at', async () => {
      const { email, account } = await activeUser();
      const { tokenHash } = await invite(email);
      expect((await open(account)).until).toBeNull();
      await activate(database, { tokenHash, passwordHash: 'another hash' });
      expect((await open(account)).until).toBeNull();
    });

    it('does not survive an activation that is issued at the same moment', async () => {
      for (let round = 0; round < 20; round += 1) {
        const { email, account } = await activeUser();
        const [sessions] = await Promise.all([
          Promise.all(Array.from({ length: 4 }, () => open(account))),
          invite(email),
        ]);
        for (const { tokenHash } of sessions) expect(await findSession(database, tokenHash)).toBeNull();
      }
    });

    it('takes a code that is newer than the last one, of many at once a single time', async () => {
      const { account } = await activeUser();
      const opened = await Promise.all([7, 7, 7].map((oneTimeStep) => open(account, { oneTimeStep })));
      expect(opened.filter(({ until }) => until !== null)).toHaveLength(1);
      expect((await open(account, { oneTimeStep: 6 })).until).toBeNull();
      expect((await open(account)).until).not.toBeNull();
      expect((await open(account, { oneTimeStep: 7 })).until).toBeNull();
      expect((await open(account, { oneTimeStep: 8 })).until).not.toBeNull();
    });

    it('from a network that is not known is told to the user, and from one that is, is not', async () => {
      const { account } = await activeUser();
      const news = async () => {
        const told = await database.anyFirst(sql.type(z.object({ about: z.any() }))`
          DELETE FROM account_mails WHERE user_id = ${account.id} RETURNING about`);
        return told.map(({ kind, network }) => (kind === 'new_network' ? network : kind));
      };
      for (const [address, told] of [
        ['192.0.2.7', ['192.0.2.0/24']],
        ['192.0.2.200', []],
        ['192.0.3.7', ['192.0.3.0/24']],
        ['2001:db8:1:2::3', ['2001:db8:1::/48']],
        ['2001:db8:1:9::9', []],
        ['2001:db8:2::1', ['2001:db8:2::/48']],
        [null, [null]],
      ] as const) {
        await open(account, { address });
        expect([address, await news()]).toEqual([address, told]);
      }
      await database.query(sql.type(z.object({}))`
        UPDATE partner_user_networks SET last_seen_at = now() - interval '91 days' WHERE user_id = ${account.id}`);
      await open(account, { address: '192.0.2.7' });
      expect(await news()).toEqual(['192.0.2.0/24']);
      // another account’s networks are its own
      const other = await activeUser();
      await open(other.account, { address: '192.0.2.7' });
      const count = await database.oneFirst(sql.type(z.object({ count: z.number() }))`
        SELECT count(*) FROM account_mails WHERE user_id = ${other.account.id}`);
      expect(count).toBe(1);
    });

    it('is opened though the same password was hashed anew meanwhile', async () => {
      const { email, account } = await activeUser();
      await replacePasswordHash(database, account, 'the same, hashed anew');
      expect(await findAccount(database, email)).toMatchObject({ password_hash: 'the same, hashed anew' });
      expect((await open(account)).until).not.toBeNull();
      // and nothing is hashed back
      await replacePasswordHash(database, account, 'an older one');
      expect(await findAccount(database, email)).toMatchObject({ password_hash: 'the same, hashed anew' });
    });
  });

  it('are removed with their sessions, and the address is free again', async () => {
    const { email, account } = await activeUser();
    const { tokenHash } = await open(account);
    expect(await removePartnerUser(database, email.toUpperCase())).toBe(true);
    expect(await findSession(database, tokenHash)).toBeNull();
    expect(await removePartnerUser(database, email)).toBe(false);
    expect(await createPartnerUser(database, { partnerId: PARTNER, email })).toHaveProperty('created');
  });
});
