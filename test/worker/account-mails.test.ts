import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId } from '../../src/domain/ids.ts';
import { AddressRefused, DeliveryUnavailable } from '../../src/messaging/failures.ts';
import { type AccountMail, deleteOldAccountMails, tellUsers } from '../../src/postgres/account-mails.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { activate, createPartnerUser, issueActivation } from '../../src/postgres/partner-users.ts';
import { savePartner } from '../../src/postgres/providers.ts';
import { startAccountMails } from '../../src/worker/account-mails.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

const PARTNER = 'fjordtrygd' as PartnerId;
const NEWS = { kind: 'key_created', keyName: 'claims', hint: 'tb_test_abcd', by: null } as const;

describe('mails to partners’ users', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(await createTestDatabase());
    await savePartner(database, { id: PARTNER, name: 'Fjordtrygd' });
    for (const email of ['kim@example.com', 'per@example.com', 'awaiting@example.com'])
      await createPartnerUser(database, { partnerId: PARTNER, email });
    for (const email of ['kim@example.com', 'per@example.com']) {
      const tokenHash = Buffer.from(email);
      await issueActivation(database, { email, tokenHash });
      await activate(database, { tokenHash, passwordHash: 'a hash' });
    }
  });
  afterAll(() => database.end());

  const left = () =>
    database.oneFirst(sql.type(z.object({ count: z.number() }))`SELECT count(*) FROM account_mails`);
  const shift = (column: 'due_at' | 'created_at', by: string) =>
    database.query(sql.type(z.object({}))`
      UPDATE account_mails SET ${sql.identifier([column])} = now() - ${by}::interval`);
  const run = async (
    send: (mail: AccountMail) => Promise<unknown>,
    until: () => Promise<boolean> | boolean,
  ) => {
    const failures: unknown[] = [];
    const onFailure = (error: unknown) => failures.push(error);
    const isFinal = (error: unknown) => error instanceof AddressRefused;
    const jobs = [1, 2].map(() => startAccountMails(database, { send, isFinal, onFailure }));
    await eventually(until, { what: 'the mails are sent' });
    for (const job of jobs) await job.stop();
    return failures;
  };

  it('go once to each who has a password, however many workers there are', async () => {
    await tellUsers(database, PARTNER, NEWS);
    const sent: string[] = [];
    await run(
      async ({ email, partner_name, about }) => {
        expect([partner_name, about]).toEqual(['Fjordtrygd', NEWS]);
        sent.push(email);
      },
      async () => (await left()) === 0,
    );
    expect(sent.sort()).toEqual(['kim@example.com', 'per@example.com']);
  });

  it('are tried again when the mail server was away, and not where there is no such mailbox', async () => {
    await tellUsers(database, PARTNER, NEWS);
    const failures = await run(
      async ({ email }) => {
        throw email.startsWith('kim')
          ? new DeliveryUnavailable('smtp_451')
          : new AddressRefused('address_refused');
      },
      async () => (await left()) === 1,
    );
    expect(failures).toHaveLength(2);
    await shift('due_at', '1 second');
    const sent: string[] = [];
    await run(
      async ({ email }) => void sent.push(email),
      async () => (await left()) === 0,
    );
    expect(sent).toEqual(['kim@example.com']);
  });

  it('are forgotten after a day', async () => {
    await tellUsers(database, PARTNER, NEWS);
    await shift('created_at', '23 hours');
    await deleteOldAccountMails(database);
    expect(await left()).toBe(2);
    await shift('created_at', '25 hours');
    await deleteOldAccountMails(database);
    expect(await left()).toBe(0);
  });
});
