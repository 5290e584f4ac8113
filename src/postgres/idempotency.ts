import { sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId } from '../domain/ids.ts';
import { nothing } from './case-row.ts';
import type { Queries } from './database.ts';

/** A key as it was sent with some bytes, as hashes. */
export interface SentKey {
  readonly partnerId: PartnerId;
  readonly keyHash: Buffer;
  /** Of the bytes of the request. */
  readonly sentHash: Buffer;
  /** For who sends the key again, and nobody else, to open. */
  readonly seal: (answer: KeptAnswer) => Promise<string>;
  /** What was sealed under the same key. */
  readonly open: (sealed: string) => Promise<KeptAnswer>;
}

/** A request that carries a key. */
export interface KeyedRequest extends SentKey {
  /** Of what was understood of it: the same for requests that mean the same. */
  readonly requestHash: Buffer;
}

/** The request, and what it is to be answered from now on. */
export interface Keyed<T> {
  readonly request: KeyedRequest;
  readonly answerOf: (done: T) => KeptAnswer;
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
  /** Opened when it is asked for: nobody who waits for the connection is to wait for that. */
  | { readonly claim: 'answered'; readonly answer: () => Promise<KeptAnswer> };

const answerColumn = z.string().nullable();
const keyRow = z.object({
  request_hash: z.instanceof(Buffer),
  answer: answerColumn,
});

/**
 * Does it once for its key, in one transaction with the key and the answer: what throws leaves the key free.
 *
 * @returns what was done, or what there is to say of the key
 */
export const once = <T extends object>(
  queries: Queries,
  keyed: Keyed<T> | null,
  act: (queries: Queries) => Promise<T>,
): Promise<T | KeyInUse> =>
  queries.transaction(async (tx) => {
    const claim = keyed && (await claimKey(tx, keyed.request));
    if (claim && claim.claim !== 'new') return claim;
    const done = await act(tx);
    if (keyed) await saveAnswer(tx, keyed.request, keyed.answerOf(done));
    return done;
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
  const { answer } = row;
  return answer === null
    ? { claim: 'in_progress' }
    : { claim: 'answered', answer: () => request.open(answer) };
}

export async function saveAnswer(queries: Queries, request: KeyedRequest, answer: KeptAnswer): Promise<void> {
  await queries.query(sql.type(nothing)`
    UPDATE idempotency_keys SET answer = ${await request.seal(answer)}
    WHERE partner_id = ${request.partnerId} AND key_hash = ${sql.binary(request.keyHash)}`);
}

/** The request was refused, so that the key may be used for a better one. */
export async function forgetKey(queries: Queries, { partnerId, keyHash }: KeyedRequest): Promise<void> {
  await queries.query(sql.type(nothing)`
    DELETE FROM idempotency_keys
    WHERE partner_id = ${partnerId} AND key_hash = ${sql.binary(keyHash)} AND answer IS NULL`);
}

/** What the very same bytes were answered under this key, however they would be judged today. */
export async function findAnswerToSame(queries: Queries, sent: SentKey): Promise<KeptAnswer | null> {
  const { partnerId, keyHash, sentHash } = sent;
  const sealed = await queries.maybeOneFirst(sql.type(z.object({ answer: answerColumn }))`
    SELECT answer FROM idempotency_keys
    WHERE partner_id = ${partnerId} AND key_hash = ${sql.binary(keyHash)} AND sent_hash = ${sql.binary(sentHash)}
      AND created_at > now() - interval '24 hours'`);
  return sealed === null ? null : sent.open(sealed);
}

/** Deletes what is older than 24 hours, personal data that it is. */
export async function deleteOldKeys(queries: Queries): Promise<void> {
  await queries.query(
    sql.type(nothing)`DELETE FROM idempotency_keys WHERE created_at < now() - interval '24 hours'`,
  );
}
