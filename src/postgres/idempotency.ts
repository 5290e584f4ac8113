import { sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId } from '../domain/ids.ts';
import { nothing } from './case-row.ts';
import type { Queries } from './database.ts';

/** A request that carries a key, as hashes. */
export interface KeyedRequest {
  readonly partnerId: PartnerId;
  readonly keyHash: Buffer;
  /** Of what was understood of it: the same for requests that mean the same. */
  readonly requestHash: Buffer;
  /** Of its bytes. */
  readonly sentHash: Buffer;
}

/** What is given again. */
export interface KeptAnswer {
  readonly body: unknown;
  readonly location: string | null;
}

/**
 * `new`: nobody has sent it before, so do it, and {@link saveAnswer} or {@link forgetKey}. `answered`: give that
 * again. `in_progress`: its first one is being done. `reused`: the key belongs to another request.
 */
export type Claim = { readonly claim: 'new' } | KeyInUse;
export type KeyInUse =
  | { readonly claim: 'in_progress' }
  | { readonly claim: 'reused' }
  | { readonly claim: 'answered'; readonly answer: KeptAnswer };

const answerColumn = z.object({ body: z.unknown(), location: z.string().nullable() }).nullable();
const keyRow = z.object({
  request_hash: z.instanceof(Buffer),
  answer: answerColumn,
});

/**
 * Takes the key for this request. In a transaction that is doing the same, this waits for its end. A claim whose process
 * died is given up after a minute, which is longer than any request takes.
 */
export async function claimKey(queries: Queries, request: KeyedRequest): Promise<Claim> {
  const { partnerId, keyHash, requestHash, sentHash } = request;
  const claimed = await queries.maybeOne(sql.type(nothing)`
    INSERT INTO idempotency_keys (partner_id, key_hash, request_hash, sent_hash)
    VALUES (${partnerId}, ${sql.binary(keyHash)}, ${sql.binary(requestHash)}, ${sql.binary(sentHash)})
    ON CONFLICT (partner_id, key_hash) DO UPDATE
      SET request_hash = excluded.request_hash, sent_hash = excluded.sent_hash, created_at = now(), answer = NULL
      WHERE idempotency_keys.created_at < now() - interval '24 hours'
         OR (idempotency_keys.answer IS NULL AND idempotency_keys.created_at < now() - interval '1 minute')
    RETURNING 1 AS one`);
  if (claimed) return { claim: 'new' };
  const row = await queries.maybeOne(sql.type(keyRow)`
    SELECT request_hash, answer FROM idempotency_keys
    WHERE partner_id = ${partnerId} AND key_hash = ${sql.binary(keyHash)}`);
  // forgotten since, because its first one was refused: the next look takes it
  if (!row) return { claim: 'in_progress' };
  if (!row.request_hash.equals(requestHash)) return { claim: 'reused' };
  return row.answer ? { claim: 'answered', answer: row.answer } : { claim: 'in_progress' };
}

export async function saveAnswer(queries: Queries, request: KeyedRequest, answer: KeptAnswer): Promise<void> {
  await queries.query(sql.type(nothing)`
    UPDATE idempotency_keys SET answer = ${JSON.stringify(answer)}::json
    WHERE partner_id = ${request.partnerId} AND key_hash = ${sql.binary(request.keyHash)}`);
}

/** The request was refused, so that the key may be used for a better one. */
export async function forgetKey(queries: Queries, { partnerId, keyHash }: KeyedRequest): Promise<void> {
  await queries.query(sql.type(nothing)`
    DELETE FROM idempotency_keys
    WHERE partner_id = ${partnerId} AND key_hash = ${sql.binary(keyHash)} AND answer IS NULL`);
}

/** What the very same bytes were answered under this key, however they would be judged today. */
export const findAnswerToSame = async (
  queries: Queries,
  { partnerId, keyHash, sentHash }: Omit<KeyedRequest, 'requestHash'>,
): Promise<KeptAnswer | null> =>
  queries.maybeOneFirst(sql.type(z.object({ answer: answerColumn }))`
    SELECT answer FROM idempotency_keys
    WHERE partner_id = ${partnerId} AND key_hash = ${sql.binary(keyHash)} AND sent_hash = ${sql.binary(sentHash)}
      AND created_at > now() - interval '24 hours'`);

/** Deletes what is older than 24 hours, personal data that it is. */
export async function deleteOldKeys(queries: Queries): Promise<void> {
  await queries.query(
    sql.type(nothing)`DELETE FROM idempotency_keys WHERE created_at < now() - interval '24 hours'`,
  );
}
