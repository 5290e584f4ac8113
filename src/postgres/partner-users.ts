import { ForeignKeyIntegrityConstraintViolationError, sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { tellUser } from './account-mails.ts';
import { instantColumn, nothing, textColumn } from './case-row.ts';
import { affects, type Database, type Queries } from './database.ts';
import { forgetLoginFailures } from './login-failures.ts';

/** Everything about a user that may be shown: no hashes. E-mail addresses are one whatever their case. */
const userRow = z.object({
  id: z.string(),
  email: z.string(),
  created_at: instantColumn,
  /** When the password was last set; null: never. */
  activated_at: instantColumn.nullable(),
  /** Until when an activation is awaited; nobody logs in meanwhile. */
  activation_expires_at: instantColumn.nullable(),
  /** Since when an operator keeps them out; null: nobody does. */
  suspended_at: instantColumn.nullable(),
});
export type PartnerUserRow = z.infer<typeof userRow>;

const userColumns = sql.fragment`id, email, created_at, activated_at, activation_expires_at, suspended_at`;

/** A user who can not log in yet: that takes an activation. */
export async function createPartnerUser(
  queries: Queries,
  { partnerId, email }: { readonly partnerId: PartnerId; readonly email: string },
): Promise<{ created: PartnerUserRow } | { refused: 'email_taken' | 'unknown_partner' }> {
  try {
    const created = await queries.maybeOne(sql.type(userRow)`
      INSERT INTO partner_users (partner_id, email) VALUES (${partnerId}, ${email})
      ON CONFLICT (lower(email)) DO NOTHING RETURNING ${userColumns}`);
    return created ? { created } : { refused: 'email_taken' };
  } catch (error) {
    if (error instanceof ForeignKeyIntegrityConstraintViolationError) return { refused: 'unknown_partner' };
    throw error;
  }
}

export const listPartnerUsers = (
  queries: Queries,
  partnerId: PartnerId,
): Promise<readonly PartnerUserRow[]> =>
  queries.any(sql.type(userRow)`
    SELECT ${userColumns} FROM partner_users WHERE partner_id = ${partnerId} ORDER BY lower(email)`);

/**
 * Takes the hash of a new one-time token, good for 72 hours. It voids the token before, the password, the secret of the
 * one-time codes and all sessions at once: whoever lost a password may have lost it to somebody. An account that was
 * closed by failures is open again.
 *
 * @returns until when it is good; null when there is no such user
 */
export const issueActivation = (
  database: Database,
  { email, tokenHash }: { readonly email: string; readonly tokenHash: Buffer },
): Promise<Instant | null> =>
  database.transaction(async (tx) => {
    const user = await tx.maybeOne(sql.type(z.object({ id: z.string(), until: instantColumn }))`
      UPDATE partner_users
      SET activation_hash = ${sql.binary(tokenHash)}, activation_expires_at = now() + interval '72 hours',
          password_hash = NULL, one_time_secret = NULL, one_time_step = NULL
      WHERE lower(email) = lower(${email}) RETURNING id, activation_expires_at AS until`);
    if (!user) return null;
    // a statement of its own: it sees the session of a login that the update waited for
    await tx.query(sql.type(nothing)`DELETE FROM access_tokens WHERE user_id = ${user.id}`);
    await forgetLoginFailures(tx, email);
    return user.until;
  });

const activatedRow = z.object({
  email: z.string(),
  partner_id: textColumn<PartnerId>(),
  partner_name: z.string(),
});
export type Activated = z.infer<typeof activatedRow>;

const isAwaitedBy = (tokenHash: Buffer) =>
  sql.fragment`activation_hash = ${sql.binary(tokenHash)} AND activation_expires_at > now()`;

/** Whom the token activates; null when it is unknown, was used or replaced, or has expired. */
export const findActivation = (queries: Queries, tokenHash: Buffer): Promise<Activated | null> =>
  queries.maybeOne(sql.type(activatedRow)`
    SELECT email, p.id AS partner_id, p.name AS partner_name
    FROM partner_users JOIN partners p ON p.id = partner_id WHERE ${isAwaitedBy(tokenHash)}`);

/**
 * Sets the password, and the sealed secret of the one-time codes; without one there are none. Of several at once with one
 * token the first does, and the others get null.
 */
export const activate = (
  queries: Queries,
  {
    tokenHash,
    passwordHash,
    oneTimeSecret = null,
  }: {
    readonly tokenHash: Buffer;
    readonly passwordHash: string;
    readonly oneTimeSecret?: string | null;
  },
): Promise<Activated | null> =>
  queries.maybeOne(sql.type(activatedRow)`
    UPDATE partner_users
    SET password_hash = ${passwordHash}, one_time_secret = ${oneTimeSecret}, activated_at = now(),
        activation_hash = NULL, activation_expires_at = NULL
    FROM partners p
    WHERE p.id = partner_id AND ${isAwaitedBy(tokenHash)}
    RETURNING email, p.id AS partner_id, p.name AS partner_name`);

/** Removes the account and ends its sessions; the partner's keys stay. @returns whether there was one */
export const removePartnerUser = (queries: Queries, email: string): Promise<boolean> =>
  affects(queries, sql.fragment`DELETE FROM partner_users WHERE lower(email) = lower(${email})`);

/** Keeps somebody out from now on: asked for at every call. @returns false when they are suspended already */
export const suspendPartnerUser = (queries: Queries, id: string): Promise<boolean> =>
  affects(
    queries,
    sql.fragment`UPDATE partner_users SET suspended_at = now() WHERE id = ${id} AND suspended_at IS NULL`,
  );

/** Lets somebody log in again. @returns false when they are not suspended */
export const resumePartnerUser = (database: Database, id: string): Promise<boolean> =>
  database.transaction(async (tx) => {
    const resumed = await affects(
      tx,
      sql.fragment`UPDATE partner_users SET suspended_at = NULL WHERE id = ${id} AND suspended_at IS NOT NULL`,
    );
    // no session of before comes to life again
    if (resumed) await tx.query(sql.type(nothing)`DELETE FROM access_tokens WHERE user_id = ${id}`);
    return resumed;
  });

const accountRow = z.object({
  id: z.string(),
  partner_id: z.string(),
  password_hash: z.string(),
  activated_at: instantColumn,
  /** Sealed; null: the account has no one-time codes. */
  one_time_secret: z.string().nullable(),
});
/** Somebody who may log in. */
export type Account = z.infer<typeof accountRow>;

/** Neither they nor their partner is suspended. */
const isLetIn = sql.fragment`u.suspended_at IS NULL AND p.suspended_at IS NULL`;

/** @returns null when there is no such user, or none with a password, or one who is suspended */
export const findAccount = (queries: Queries, email: string): Promise<Account | null> =>
  queries.maybeOne(sql.type(accountRow)`
    SELECT u.id, partner_id, password_hash, activated_at, one_time_secret FROM partner_users u JOIN partners p ON p.id = partner_id
    WHERE lower(email) = lower(${email}) AND password_hash IS NOT NULL AND activated_at IS NOT NULL AND ${isLetIn}`);

/** How long a network that somebody logs in from is remembered. */
const NETWORK_MEMORY = sql.fragment`interval '90 days'`;

/**
 * Lets a token in for 60 minutes, unless the password was voided or set anew since the account was read, or the one-time
 * code was used before. A login from a network that is not remembered is told to the user.
 *
 * @param oneTimeStep the half minute of the code that came with the password; null without a code
 * @param address IPv4 or IPv6; null where it is not known
 * @returns until when; null when it was not let in
 */
export const openSession = (
  database: Database,
  {
    account,
    tokenHash,
    oneTimeStep,
    address,
  }: {
    readonly account: Account;
    readonly tokenHash: Buffer;
    readonly oneTimeStep: number | null;
    readonly address: string | null;
  },
): Promise<Instant | null> =>
  database.transaction(async (tx) => {
    // who voids the password waits for this, and then ends this session too; so does the same code once more
    const isLetIn = await affects(
      tx,
      sql.fragment`
        UPDATE partner_users SET one_time_step = coalesce(${oneTimeStep}::bigint, one_time_step)
        WHERE id = ${account.id} AND password_hash IS NOT NULL AND activated_at = ${account.activated_at}
          AND coalesce(${oneTimeStep}::bigint > one_time_step, true)`,
    );
    if (!isLetIn) return null;
    const { network, is_new } = await noteNetwork(tx, account.id, address);
    if (is_new) await tellUser(tx, account.id, { kind: 'new_network', network });
    return tx.oneFirst(sql.type(z.object({ expires_at: instantColumn }))`
      WITH over AS (DELETE FROM access_tokens WHERE user_id = ${account.id} AND expires_at <= now())
      INSERT INTO access_tokens (token_hash, user_id, expires_at)
      VALUES (${sql.binary(tokenHash)}, ${account.id}, now() + interval '60 minutes')
      RETURNING expires_at`);
  });

const networkRow = z.object({ network: z.string().nullable(), is_new: z.boolean() });

/** Of an IPv4 address the /24, of an IPv6 address the /48: as much as one customer of a provider has at most. */
async function noteNetwork(tx: Queries, userId: string, address: string | null) {
  if (address === null) return { network: null, is_new: true };
  await tx.query(sql.type(nothing)`
    DELETE FROM partner_user_networks WHERE user_id = ${userId} AND last_seen_at < now() - ${NETWORK_MEMORY}`);
  return tx.one(sql.type(networkRow)`
    INSERT INTO partner_user_networks AS known (user_id, network)
    SELECT ${userId}, network(set_masklen(a, CASE family(a) WHEN 4 THEN 24 ELSE 48 END))
    FROM (SELECT ${address}::inet AS a) AS given
    ON CONFLICT (user_id, network) DO UPDATE SET last_seen_at = now()
    -- a row that was there before has been changed by this transaction
    RETURNING known.network::text, xmax = 0 AS is_new`);
}

/** The same password, hashed anew; unless another one was set meanwhile. */
export async function replacePasswordHash(
  queries: Queries,
  account: Account,
  passwordHash: string,
): Promise<void> {
  await queries.query(sql.type(nothing)`
    UPDATE partner_users SET password_hash = ${passwordHash}
    WHERE id = ${account.id} AND password_hash = ${account.password_hash}`);
}

const sessionRow = z.object({
  user_id: z.string(),
  email: z.string(),
  partner_id: textColumn<PartnerId>(),
  partner_name: z.string(),
  expires_at: instantColumn,
});
export type Session = z.infer<typeof sessionRow>;

/** Whose token has this hash, if it is good still. Looked up as keys are: see `findKeyOwner`. */
export const findSession = (queries: Queries, tokenHash: Buffer): Promise<Session | null> =>
  queries.maybeOne(sql.type(sessionRow)`
    SELECT u.id AS user_id, u.email, p.id AS partner_id, p.name AS partner_name, t.expires_at
    FROM access_tokens t JOIN partner_users u ON u.id = t.user_id JOIN partners p ON p.id = u.partner_id
    WHERE t.token_hash = ${sql.binary(tokenHash)} AND t.expires_at > now() AND ${isLetIn}`);

export async function endSession(queries: Queries, tokenHash: Buffer): Promise<void> {
  await queries.query(sql.type(nothing)`
    DELETE FROM access_tokens WHERE token_hash = ${sql.binary(tokenHash)}`);
}
