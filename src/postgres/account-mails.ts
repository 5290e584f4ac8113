import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId } from '../domain/ids.ts';
import { instantColumn, nothing } from './case-row.ts';
import type { Queries } from './database.ts';

const about = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('key_created'),
    keyName: z.string(),
    /** The key's beginning. */
    hint: z.string(),
    /** Who made it; null: an operator. */
    by: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('new_network'),
    /** Null: the proxies in front did not say. */
    network: z.string().nullable(),
  }),
]);
/** What a partner's users are told of their accounts. */
export type AccountNews = z.infer<typeof about>;

const mailRow = z.object({
  id: z.string(),
  email: z.string(),
  partner_name: z.string(),
  created_at: instantColumn,
  about,
});
export type AccountMail = z.infer<typeof mailRow>;

const tell = (tx: Queries, news: AccountNews, whom: FragmentSqlToken) =>
  tx.query(sql.type(nothing)`
    INSERT INTO account_mails (user_id, about)
    SELECT id, ${sql.jsonb({ ...news })} FROM partner_users
    -- whoever has a password; by what operators may read of them, which is not the password
    WHERE activated_at IS NOT NULL AND activation_expires_at IS NULL AND ${whom}`);

/** In the transaction that does it: what is done is told, and nothing else is. */
export const tellUser = (tx: Queries, userId: string, news: AccountNews) =>
  tell(tx, news, sql.fragment`id = ${userId}`);

/** The same for everybody with a password at a partner. */
export const tellUsers = (tx: Queries, partnerId: PartnerId, news: AccountNews) =>
  tell(tx, news, sql.fragment`partner_id = ${partnerId}`);

/**
 * Takes the next mail to be sent; nobody else gets it for two minutes. Whoever has sent it calls {@link settleAccountMail}.
 *
 * @returns null when there is none
 */
export const takeAccountMail = (queries: Queries): Promise<AccountMail | null> =>
  queries.maybeOne(sql.type(mailRow)`
    UPDATE account_mails m SET due_at = now() + interval '2 minutes'
    FROM partner_users u JOIN partners p ON p.id = u.partner_id
    WHERE u.id = m.user_id AND m.id = (
      SELECT id FROM account_mails WHERE due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING m.id, u.email, p.name AS partner_name, m.created_at, m.about`);

/** It was sent, or never can be. */
export async function settleAccountMail(queries: Queries, id: string): Promise<void> {
  await queries.query(sql.type(nothing)`DELETE FROM account_mails WHERE id = ${id}`);
}

/** A mail that did not get through within a day is no news any more. */
export async function deleteOldAccountMails(queries: Queries): Promise<void> {
  await queries.query(sql.type(nothing)`
    DELETE FROM account_mails WHERE created_at < now() - interval '1 day'`);
}
