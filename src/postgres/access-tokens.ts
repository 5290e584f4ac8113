import { sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { instantColumn, nothing } from './case-row.ts';
import type { Queries } from './database.ts';

const accountRow = z.object({ id: z.string(), password_hash: z.string(), activated_at: instantColumn });
/** Somebody who may log in. */
export type Account = z.infer<typeof accountRow>;

/** @returns null when there is no such user, or none with a password */
export const accountOf = (queries: Queries, email: string): Promise<Account | null> =>
  queries.maybeOne(sql.type(accountRow)`
    SELECT id, password_hash, activated_at FROM partner_users
    WHERE lower(email) = lower(${email}) AND password_hash IS NOT NULL AND activated_at IS NOT NULL`);

/**
 * Lets a token in for 60 minutes, unless the password was voided or set anew since the account was read.
 *
 * @returns until when; null when it was not let in
 */
export const openSession = (
  queries: Queries,
  { account, tokenHash }: { readonly account: Account; readonly tokenHash: Buffer },
): Promise<Instant | null> =>
  queries.maybeOneFirst(sql.type(z.object({ expires_at: instantColumn }))`
    WITH over AS (DELETE FROM access_tokens WHERE user_id = ${account.id} AND expires_at <= now())
    INSERT INTO access_tokens (token_hash, user_id, expires_at)
    SELECT ${sql.binary(tokenHash)}, id, now() + interval '60 minutes' FROM partner_users
    WHERE id = ${account.id} AND password_hash IS NOT NULL AND activated_at = ${account.activated_at}
    -- who voids the password waits for this, and then ends this session too
    FOR SHARE
    RETURNING expires_at`);

/** The same password, hashed anew; unless another one was set meanwhile. */
export async function replaceHash(queries: Queries, account: Account, passwordHash: string): Promise<void> {
  await queries.query(sql.type(nothing)`
    UPDATE partner_users SET password_hash = ${passwordHash}
    WHERE id = ${account.id} AND password_hash = ${account.password_hash}`);
}

const sessionRow = z.object({
  user_id: z.string(),
  email: z.string(),
  partner_id: z.custom<PartnerId>((id) => typeof id === 'string'),
  partner_name: z.string(),
  expires_at: instantColumn,
});
export type Session = z.infer<typeof sessionRow>;

/** Whose token has this hash, if it is good still. Looked up as keys are: see `ownerOfKey`. */
export const sessionOf = (queries: Queries, tokenHash: Buffer): Promise<Session | null> =>
  queries.maybeOne(sql.type(sessionRow)`
    SELECT u.id AS user_id, u.email, p.id AS partner_id, p.name AS partner_name, t.expires_at
    FROM access_tokens t JOIN partner_users u ON u.id = t.user_id JOIN partners p ON p.id = u.partner_id
    WHERE t.token_hash = ${sql.binary(tokenHash)} AND t.expires_at > now()`);

export async function endSession(queries: Queries, tokenHash: Buffer): Promise<void> {
  await queries.query(sql.type(nothing)`
    DELETE FROM access_tokens WHERE token_hash = ${sql.binary(tokenHash)}`);
}
