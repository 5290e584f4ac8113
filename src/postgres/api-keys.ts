import { sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId } from '../domain/ids.ts';
import { nothing } from './case-row.ts';
import type { Queries } from './database.ts';

export interface KeyOwner {
  readonly keyId: string;
  readonly partnerId: PartnerId;
}

const ownerRow = z.object({
  id: z.string(),
  partner_id: z.custom<PartnerId>((id) => typeof id === 'string'),
});

export const isLive = sql.fragment`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`;

/**
 * Whose key has this hash, if it is live. The look-up is by the SHA-256 of a key of 256 random bits: what its timing
 * tells of a hash is of no use for finding a key.
 */
export async function ownerOfKey(queries: Queries, keyHash: Buffer): Promise<KeyOwner | null> {
  const row = await queries.maybeOne(sql.type(ownerRow)`
    SELECT id, partner_id FROM api_keys WHERE key_hash = ${sql.binary(keyHash)} AND ${isLive}`);
  return row && { keyId: row.id, partnerId: row.partner_id };
}

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
    VALUES (${key.partnerId}, ${key.name}, ${sql.binary(key.keyHash)}, ${key.hint ?? null})
    ON CONFLICT (key_hash) DO NOTHING`);
}
