import { sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { instantColumn, nothing, textColumn } from './case-row.ts';
import type { Database, Queries } from './database.ts';

const ownerRow = z.object({ keyId: z.string(), partnerId: textColumn<PartnerId>() });
export type KeyOwner = z.infer<typeof ownerRow>;

const isLive = sql.fragment`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`;

/**
 * Whose key has this hash, if it is live. The look-up is by the SHA-256 of a key of 256 random bits: what its timing
 * tells of a hash is of no use for finding a key.
 */
export const findKeyOwner = (queries: Queries, keyHash: Buffer): Promise<KeyOwner | null> =>
  queries.maybeOne(sql.type(ownerRow)`
    SELECT id AS "keyId", partner_id AS "partnerId" FROM api_keys
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
  expires_at: instantColumn.nullable(),
  revoked_at: instantColumn.nullable(),
});
export type KeyRow = z.infer<typeof keyRow>;

const keyColumns = sql.fragment`id, name, hint, created_at, last_used_at, expires_at, revoked_at`;

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

/** Refused: `unknown_partner`, `limit_reached`. */
export const createKey = (
  database: Database,
  { partnerId, name, ...key }: NewKey & { readonly partnerId: PartnerId; readonly name: string },
): Promise<Created | Refused> =>
  withPartnerLocked(database, partnerId, async (tx) => {
    if ((await countLive(tx, partnerId)) >= MAX_LIVE_KEYS) return { refused: 'limit_reached' };
    return { created: await insertKey(tx, partnerId, name, key) };
  });

/**
 * Another key of the same name; the old one goes on for `overlapHours`, but never longer than it would have. Refused:
 * `unknown_partner`, `unknown_key`, `key_has_ended`, `limit_reached`.
 */
export const rotateKey = (
  database: Database,
  {
    partnerId,
    keyId,
    overlapHours,
    ...key
  }: NewKey & { readonly partnerId: PartnerId; readonly keyId: string; readonly overlapHours: number },
): Promise<Rotated | Refused> =>
  withPartnerLocked(database, partnerId, async (tx) => {
    const old = await tx.maybeOne(sql.type(z.object({ name: z.string(), is_live: z.boolean() }))`
      SELECT name, (${isLive}) AS is_live FROM api_keys WHERE id = ${keyId} AND partner_id = ${partnerId}`);
    if (!old) return { refused: 'unknown_key' };
    if (!old.is_live) return { refused: 'key_has_ended' };
    const goingOn = overlapHours > 0 ? 1 : 0;
    const others = (await countLive(tx, partnerId)) - 1;
    if (others + goingOn >= MAX_LIVE_KEYS) return { refused: 'limit_reached' };
    const oldEndsAt = await tx.oneFirst(sql.type(z.object({ expires_at: instantColumn }))`
      UPDATE api_keys SET expires_at = least(expires_at, now() + ${overlapHours} * interval '1 hour')
      WHERE id = ${keyId} RETURNING expires_at`);
    return { created: await insertKey(tx, partnerId, old.name, key), oldEndsAt };
  });

/** Ends a key at once; one that was revoked stays as it is. @returns null when the partner has no such key */
export const revokeKey = (queries: Queries, partnerId: PartnerId, keyId: string): Promise<KeyRow | null> =>
  queries.maybeOne(sql.type(keyRow)`
    UPDATE api_keys SET revoked_at = coalesce(revoked_at, now())
    WHERE id = ${keyId} AND partner_id = ${partnerId} RETURNING ${keyColumns}`);

/** Whoever adds a key to a partner's waits here for who does so at the same moment: both count, and then add. */
const withPartnerLocked = <T>(
  database: Database,
  partnerId: PartnerId,
  act: (tx: Queries) => Promise<T | Refused>,
): Promise<T | Refused> =>
  database.transaction(async (tx) => {
    const partner = await tx.maybeOne(sql.type(nothing)`
      SELECT id FROM partners WHERE id = ${partnerId} FOR NO KEY UPDATE`);
    return partner ? act(tx) : { refused: 'unknown_partner' };
  });

const countLive = (tx: Queries, partnerId: PartnerId): Promise<number> =>
  tx.oneFirst(sql.type(z.object({ count: z.number() }))`
    SELECT count(*) FROM api_keys WHERE partner_id = ${partnerId} AND ${isLive}`);

const insertKey = (tx: Queries, partnerId: PartnerId, name: string, key: NewKey): Promise<KeyRow> =>
  tx.one(sql.type(keyRow)`
    INSERT INTO api_keys (partner_id, name, key_hash, hint)
    VALUES (${partnerId}, ${name}, ${sql.binary(key.keyHash)}, ${key.hint}) RETURNING ${keyColumns}`);
