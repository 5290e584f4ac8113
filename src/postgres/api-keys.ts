import { sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { KEY_SCOPES, type KeyScope } from '../domain/limits.ts';
import { tellUsers } from './account-mails.ts';
import { instantColumn, nothing, textColumn } from './case-row.ts';
import type { Queries } from './database.ts';

const scopes = z.array(z.enum(KEY_SCOPES));
const networks = z.array(z.string()).nullable();

const ownerRow = z.object({
  keyId: z.string(),
  partnerId: textColumn<PartnerId>(),
  scopes,
  allowedNetworks: networks,
});
export type KeyOwner = z.infer<typeof ownerRow>;

/** The sooner of its own end and the one that a rotation has set; null: none. */
const end = sql.fragment`least(api_keys.expires_at, api_keys.replaced_until)`;
const isLive = sql.fragment`revoked_at IS NULL AND coalesce(${end} > now(), true)`;

/**
 * Whose key has this hash, if it is live and its partner is not suspended. The look-up is by the SHA-256 of a key of 256 random bits: what its timing
 * tells of a hash is of no use for finding a key.
 */
export const findKeyOwner = (queries: Queries, keyHash: Buffer): Promise<KeyOwner | null> =>
  queries.maybeOne(sql.type(ownerRow)`
    SELECT api_keys.id AS "keyId", p.id AS "partnerId", scopes, allowed_networks AS "allowedNetworks"
    FROM api_keys JOIN partners p ON p.id = partner_id AND p.suspended_at IS NULL
    WHERE key_hash = ${sql.binary(keyHash)} AND ${isLive}`);

/** Notes the use, at most once a minute a key, since it is only for people to read. */
export async function noteKeyUse(queries: Queries, keyId: string): Promise<void> {
  await queries.query(sql.type(nothing)`
    UPDATE api_keys SET last_used_at = now()
    WHERE id = ${keyId} AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`);
}

/** A key that is known already (a sandbox's, a test's), without a look at the limit; the same one again is no news. */
export async function addKey(
  queries: Queries,
  key: {
    readonly partnerId: PartnerId;
    readonly name: string;
    readonly keyHash: Buffer;
    readonly hint?: string;
  },
): Promise<void> {
  await queries.query(sql.type(nothing)`
    INSERT INTO api_keys (partner_id, name, key_hash, hint)
    VALUES (${key.partnerId}, ${key.name}, ${sql.binary(key.keyHash)}, ${key.hint ?? ''})
    ON CONFLICT (key_hash) DO NOTHING`);
}

/** Everything about a key that may be shown: never its hash. */
const keyRow = z.object({
  id: z.string(),
  name: z.string(),
  /** The key's beginning. */
  hint: z.string(),
  created_at: instantColumn,
  last_used_at: instantColumn.nullable(),
  /** When it ends or ended, by itself or because another one is in its place. */
  expires_at: instantColumn.nullable(),
  revoked_at: instantColumn.nullable(),
  scopes,
  /** CIDR; null: from everywhere. */
  allowed_networks: networks,
});
export type KeyRow = z.infer<typeof keyRow>;

const keyColumns = sql.fragment`
  id, name, hint, created_at, last_used_at, ${end} AS expires_at, revoked_at, scopes, allowed_networks`;

/** A list is for people: all live keys, and the latest of those that ended. */
const MAX_LISTED_KEYS = 100;

/** The partner's keys: the live ones first, the newest of each first. */
export const listKeys = (queries: Queries, partnerId: PartnerId): Promise<readonly KeyRow[]> =>
  queries.any(sql.type(keyRow)`
    SELECT ${keyColumns} FROM api_keys WHERE partner_id = ${partnerId}
    ORDER BY (${isLive}) DESC, created_at DESC, id LIMIT ${MAX_LISTED_KEYS}`);

/** Whether the partner has such a key, live or not. */
export const hasKey = (queries: Queries, partnerId: PartnerId, keyId: string): Promise<boolean> =>
  queries.exists(sql.type(nothing)`
    SELECT FROM api_keys WHERE id = ${keyId} AND partner_id = ${partnerId}`);

/** How many keys of a partner may be live at once, those that a rotation lets run out included. */
export const MAX_LIVE_KEYS = 20;

/** What was just made for somebody: its hash, and the beginning by which it is recognised. */
export interface NewKey {
  readonly keyHash: Buffer;
  readonly hint: string;
  /** The address of the user who makes it; null: an operator does. */
  readonly by: string | null;
}

export type KeyRefusal = 'unknown_partner' | 'unknown_key' | 'key_has_ended' | 'limit_reached';
interface Refused {
  readonly refused: KeyRefusal;
}
interface Created {
  readonly created: KeyRow;
}
interface Rotated extends Created {
  /** When the old key does. */
  readonly oldEndsAt: Instant;
}

/** What a key is for, and what it may do. */
export interface KeyTerms {
  readonly name: string;
  /** Null: it goes on until it is revoked. */
  readonly expiresAt: Instant | null;
  readonly scopes: readonly KeyScope[];
  /** CIDR; null: from everywhere. */
  readonly allowedNetworks: readonly string[] | null;
}

/** All users of the partner are told. Refused: `unknown_partner`, `limit_reached`. */
export const createKey = (
  queries: Queries,
  { partnerId, ...key }: NewKey & KeyTerms & { readonly partnerId: PartnerId },
): Promise<Created | Refused> =>
  withPartnerLocked(queries, partnerId, async (tx) => {
    if ((await countLive(tx, partnerId)) >= MAX_LIVE_KEYS) return { refused: 'limit_reached' };
    return { created: await insertKey(tx, partnerId, key) };
  });

/**
 * Another key on the same terms, its end included unless `expiresAt` is another; the old one goes on for `overlapHours`,
 * but never longer than it would have. All users of the partner are told. Refused: `unknown_partner`, `unknown_key`, `key_has_ended`, `limit_reached`.
 */
export const rotateKey = (
  queries: Queries,
  {
    partnerId,
    keyId,
    overlapHours,
    expiresAt,
    ...key
  }: NewKey & {
    readonly partnerId: PartnerId;
    readonly keyId: string;
    readonly overlapHours: number;
    readonly expiresAt?: Instant | undefined;
  },
): Promise<Rotated | Refused> =>
  withPartnerLocked(queries, partnerId, async (tx) => {
    const old = await tx.maybeOne(sql.type(termsRow)`
      SELECT name, expires_at, scopes, allowed_networks, (${isLive}) AS is_live
      FROM api_keys WHERE id = ${keyId} AND partner_id = ${partnerId}`);
    if (!old) return { refused: 'unknown_key' };
    if (!old.is_live) return { refused: 'key_has_ended' };
    const goingOn = overlapHours > 0 ? 1 : 0;
    const others = (await countLive(tx, partnerId)) - 1;
    if (others + goingOn >= MAX_LIVE_KEYS) return { refused: 'limit_reached' };
    const oldEndsAt = await tx.oneFirst(sql.type(z.object({ expires_at: instantColumn }))`
      UPDATE api_keys SET replaced_until = least(replaced_until, now() + ${overlapHours} * interval '1 hour')
      WHERE id = ${keyId} RETURNING ${end} AS expires_at`);
    const terms = {
      name: old.name,
      expiresAt: expiresAt ?? old.expires_at,
      scopes: old.scopes,
      allowedNetworks: old.allowed_networks,
    };
    return { created: await insertKey(tx, partnerId, { ...key, ...terms }), oldEndsAt };
  });

const termsRow = z.object({
  name: z.string(),
  /** Its own end, not that of a rotation. */
  expires_at: instantColumn.nullable(),
  scopes,
  allowed_networks: networks,
  is_live: z.boolean(),
});

/** Ends a key at once; one that was revoked stays as it is. @returns null when the partner has no such key */
export const revokeKey = (queries: Queries, partnerId: PartnerId, keyId: string): Promise<KeyRow | null> =>
  queries.maybeOne(sql.type(keyRow)`
    UPDATE api_keys SET revoked_at = coalesce(revoked_at, now())
    WHERE id = ${keyId} AND partner_id = ${partnerId} RETURNING ${keyColumns}`);

/** Whoever adds a key to a partner's waits here for who does so at the same moment: both count, and then add. */
const withPartnerLocked = <T>(
  queries: Queries,
  partnerId: PartnerId,
  act: (tx: Queries) => Promise<T | Refused>,
): Promise<T | Refused> =>
  queries.transaction(async (tx) => {
    const partner = await tx.maybeOne(sql.type(nothing)`
      SELECT id FROM partners WHERE id = ${partnerId} FOR NO KEY UPDATE`);
    return partner ? act(tx) : { refused: 'unknown_partner' };
  });

const countLive = (tx: Queries, partnerId: PartnerId): Promise<number> =>
  tx.oneFirst(sql.type(z.object({ count: z.number() }))`
    SELECT count(*) FROM api_keys WHERE partner_id = ${partnerId} AND ${isLive}`);

async function insertKey(tx: Queries, partnerId: PartnerId, key: NewKey & KeyTerms): Promise<KeyRow> {
  const { name: keyName, hint, by } = key;
  await tellUsers(tx, partnerId, { kind: 'key_created', keyName, hint, by });
  return tx.one(sql.type(keyRow)`
    INSERT INTO api_keys (partner_id, name, key_hash, hint, expires_at, scopes, allowed_networks)
    VALUES (${partnerId}, ${keyName}, ${sql.binary(key.keyHash)}, ${hint}, ${key.expiresAt},
      ${sql.array(key.scopes, 'text')}, ${key.allowedNetworks && sql.array(key.allowedNetworks, 'text')})
    RETURNING ${keyColumns}`);
}
