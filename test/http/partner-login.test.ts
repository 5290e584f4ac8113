import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PartnerId } from '../../src/domain/ids.ts';
import { type CredentialDeps, logIn as logInWith } from '../../src/http/partner-login/credentials.ts';
import { createOneTimeCodes } from '../../src/identity/one-time-codes.ts';
import { createPasswords, type Passwords } from '../../src/identity/passwords.ts';
import { issueToken, readToken } from '../../src/identity/secrets.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import {
  activate,
  createPartnerUser,
  findAccount,
  findSession,
  issueActivation,
} from '../../src/postgres/partner-users.ts';
import { savePartner } from '../../src/postgres/providers.ts';
import { createTestDatabase } from '../support/database.ts';

const PASSWORD = 'korrekt hest batteri stift';
const oneTimeCodes = createOneTimeCodes({
  sealingKey: () => Promise.resolve(new Uint8Array(32)),
  issuer: 'booking.example.com',
  now: () => new Date(),
});
const WEAK = { memoryCost: 8_192, timeCost: 1, parallelism: 1 };

describe('logging in', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(await createTestDatabase());
    await savePartner(database, { id: 'fjordtrygd' as PartnerId, name: 'Fjordtrygd' });
  });
  afterAll(() => database.end());

  const createUser = async (email: string, passwordHash: string | null) => {
    await createPartnerUser(database, { partnerId: 'fjordtrygd' as PartnerId, email });
    const { tokenHash } = issueToken('activation');
    await issueActivation(database, { email, tokenHash });
    if (passwordHash !== null) await activate(database, { tokenHash, passwordHash });
  };
  const logIn = (
    deps: Pick<CredentialDeps, 'database' | 'passwords'>,
    credentials: { readonly email: string; readonly password: string; readonly oneTimeCode?: string },
  ) =>
    logInWith({ ...deps, oneTimeCodes, environment: 'test' }, credentials, '192.0.2.7').catch(
      (error: unknown) => {
        expect(error).toMatchObject({ code: 'INVALID_CREDENTIALS' });
        return null;
      },
    );
  /** The real ones, and what they were asked for. */
  const watched = () => {
    const passwords = createPasswords();
    const asked: string[] = [];
    const watching: Passwords = {
      ...passwords,
      hash: (password) => {
        asked.push('hash');
        return passwords.hash(password);
      },
      matches: (passwordHash, password) => {
        asked.push('verify');
        return passwords.matches(passwordHash, password);
      },
    };
    return { asked, passwords: watching };
  };

  it('verifies one hash for whoever fails, so that time tells nothing: a wrong password, no account, none active', async () => {
    await createUser('active@example.com', await createPasswords().hash(PASSWORD));
    await createUser('awaiting@example.com', null);
    for (const email of ['active@example.com', 'nobody@example.com', 'awaiting@example.com'])
      for (const more of [{}, { oneTimeCode: '123456' }]) {
        const { asked, passwords } = watched();
        const tried = { email, password: 'a wrong password', ...more };
        expect(await logIn({ database, passwords }, tried)).toBeNull();
        expect(asked).toEqual(['verify']);
      }
  });

  it('gives a token that is known by its hash', async () => {
    await createUser('right@example.com', await createPasswords().hash(PASSWORD));
    const { asked, passwords } = watched();
    const login = await logIn({ database, passwords }, { email: 'right@example.com', password: PASSWORD });
    const tokenHash = readToken(login?.accessToken ?? '', 'access');
    expect(tokenHash && (await findSession(database, tokenHash))).toMatchObject({
      email: 'right@example.com',
      expires_at: login?.expiresAt,
    });
    expect(asked).toEqual(['verify']);
  });

  it('hashes the password anew once the parameters were raised, and not for a wrong one', async () => {
    const email = 'outdated@example.com';
    await createUser(email, await createPasswords({ parameters: WEAK }).hash(PASSWORD));
    const { passwords } = watched();
    const hash = async () => (await findAccount(database, email))?.password_hash ?? '';
    const before = await hash();
    await logIn({ database, passwords }, { email, password: 'a wrong password' });
    expect(await hash()).toBe(before);
    expect(await logIn({ database, passwords }, { email, password: PASSWORD })).not.toBeNull();
    expect([passwords.isOutdated(before), passwords.isOutdated(await hash())]).toEqual([true, false]);
    expect(await logIn({ database, passwords }, { email, password: PASSWORD })).not.toBeNull();
  });
});
