import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readOrCreateSecrets } from '../../dev/stack/secrets.ts';
import { seedDatabase } from '../../dev/stack/seed.ts';
import type { PartnerId } from '../../src/domain/ids.ts';
import { logIn } from '../../src/http/partner-login/credentials.ts';
import { createOneTimeCodes } from '../../src/identity/one-time-codes.ts';
import { createPasswords } from '../../src/identity/passwords.ts';
import { issueKey, issueToken } from '../../src/identity/secrets.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { issueActivation, listPartnerUsers } from '../../src/postgres/partner-users.ts';
import { createTestDatabase } from '../support/database.ts';

describe('the development secrets', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'treatment-booking-secrets-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('are the same at the next start', async () => {
    const file = join(directory, 'deeper', 'secrets.json');
    const made = await readOrCreateSecrets(file);
    expect(made.partnerPassword.length).toBeGreaterThan(11);
    expect(await readOrCreateSecrets(file)).toEqual(made);
  });

  it('that an earlier version did not know are made, and the others stay', async () => {
    const file = join(directory, 'secrets.json');
    const { partnerPassword: _, ...earlier } = await readOrCreateSecrets(file);
    await writeFile(file, JSON.stringify(earlier));
    const now = await readOrCreateSecrets(file);
    expect(now).toMatchObject(earlier);
    expect(now.partnerPassword).toMatch(/./);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(now);
  });

  it('are never made anew in place of a file that can not be read', async () => {
    const file = join(directory, 'broken.json');
    await writeFile(file, '{ "apiKey": ');
    await expect(readOrCreateSecrets(file)).rejects.toThrow();
    expect(await readFile(file, 'utf8')).toBe('{ "apiKey": ');
  });
});

describe('the development partner user', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(await createTestDatabase());
  });
  afterAll(() => database.end());

  const email = 'utvikler@fjordtrygd.example';
  const seedWith = (password: string) =>
    seedDatabase(database, {
      partners: [
        { id: 'fjordtrygd', name: 'Fjordtrygd', apiKey: issueKey('test'), user: { email, password } },
      ],
      providers: [],
    });
  const login = (password: string) => {
    const oneTimeCodes = createOneTimeCodes({
      sealingKey: () => Promise.resolve(new Uint8Array(32)),
      issuer: 'localhost',
      now: () => new Date(),
    });
    const deps = { database, passwords: createPasswords(), oneTimeCodes, environment: 'test' } as const;
    return logIn(deps, { email, password }, '127.0.0.1').catch(() => null);
  };

  it('logs in after every start with the development password, whatever was done to it', async () => {
    await seedWith('the first password');
    expect(await login('the first password')).not.toBeNull();
    await seedWith('the first password');
    expect(await login('the first password')).not.toBeNull();
    await issueActivation(database, { email, tokenHash: issueToken('activation').tokenHash });
    await seedWith('the first password');
    expect(await login('the first password')).not.toBeNull();
    await seedWith('another password');
    expect(await login('the first password')).toBeNull();
    expect(await login('another password')).not.toBeNull();
    expect(await listPartnerUsers(database, 'fjordtrygd' as PartnerId)).toHaveLength(1);
  });
});
