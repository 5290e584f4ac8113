import { createHash, createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { compactDecrypt, CompactEncrypt } from 'jose';
import type { PartnerId } from '../domain/ids.ts';
import type { Database } from '../postgres/database.ts';
import {
  claimKey,
  findAnswerToSame,
  forgetKey,
  type KeptAnswer,
  type KeyedRequest,
  type KeyInUse,
  saveAnswer,
  type SentKey,
} from '../postgres/idempotency.ts';
import { purposeKey } from '../postgres/sealing.ts';
import { ApiError, temporarilyUnavailable, validationFailed } from './errors.ts';

export const MAX_KEY_LENGTH = 255;
/** How long a second request waits for the first (milliseconds): longer than a workflow takes to give its verdict. */
const TIMEOUT_MS = 20_000;
const POLL_INTERVAL_MS = 100;

/** The key belongs to another request, or to this one sent before. */
export class KeyTaken {
  readonly use: KeyInUse;
  constructor(use: KeyInUse) {
    this.use = use;
  }
}

/** A request with a key, before its body is judged. */
export interface SentRequest {
  readonly req: Request;
  readonly key: string;
  readonly partnerId: PartnerId;
  /** Whose access token it came with: what one was answered is not for another; null for an API key. */
  readonly userId: string | null;
  readonly operationId: string;
}

/** What was done just now, or the answer that was kept. */
type Settled = { readonly done: unknown } | { readonly kept: KeptAnswer };

/**
 * `Idempotency-Key`: the same request under the same key is done once, and answered the same each time.
 *
 * What is kept of a request can be neither opened nor guessed from by whoever has the database and the master keys, but not
 * the key: of that there is only a hash.
 */
export function createIdempotency({ database }: { readonly database: Database }) {
  async function sentKeyOf(
    sent: SentRequest,
  ): Promise<SentKey & { readonly hashOf: (content: string | Buffer) => Buffer }> {
    const { req, key, partnerId } = sent;
    const derived = await purposeKey(database, `idempotency ${partnerId} ${key}`, 64);
    const [hashKey, sealKey] = [derived.subarray(0, 32), derived.subarray(32)];
    const hashOf = (content: string | Buffer): Buffer =>
      createHmac('sha256', hashKey)
        .update(`${scopeOf(sent)}\n`)
        .update(content)
        .digest();
    return {
      hashOf,
      partnerId,
      keyHash: createHash('sha256').update(key).digest(),
      sentHash: hashOf(Buffer.isBuffer(req.body) ? req.body : ''),
      seal: (answer) =>
        new CompactEncrypt(Buffer.from(JSON.stringify(answer)))
          .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
          .encrypt(sealKey),
      open: async (sealed) => {
        const { plaintext } = await compactDecrypt(sealed, sealKey);
        return JSON.parse(Buffer.from(plaintext).toString()) as KeptAnswer;
      },
    };
  }

  /** Tries as long as the same request is under way. @returns what was done, or what it was answered before */
  async function settle(
    request: KeyedRequest,
    attempt: (request: KeyedRequest) => Promise<unknown>,
  ): Promise<Settled> {
    const giveUpAt = performance.now() + TIMEOUT_MS;
    while (performance.now() < giveUpAt) {
      const done = await attempt(request);
      if (!(done instanceof KeyTaken)) return { done };
      if (done.use.claim === 'answered') return { kept: await done.use.answer() };
      if (done.use.claim === 'reused') throw new ApiError('IDEMPOTENCY_KEY_REUSED');
      await delay(POLL_INTERVAL_MS);
    }
    throw temporarilyUnavailable();
  }

  /** The key is claimed before it is done, and the answer kept after. */
  async function around(
    request: KeyedRequest,
    act: (request: KeyedRequest) => Promise<unknown>,
  ): Promise<Settled> {
    const claimed = await settle(request, async () => {
      const claim = await claimKey(database, request);
      return claim.claim === 'new' ? null : new KeyTaken(claim);
    });
    if ('kept' in claimed) return claimed;
    try {
      const done = await act(request);
      await saveAnswer(database, request, { body: done, location: null });
      return { done };
    } catch (error) {
      await forgetKey(database, request);
      throw error;
    }
  }

  return {
    /** Does it once: `around` for what is done elsewhere than in PostgreSQL; `within` for what claims the key itself. */
    once: { around, within: settle },

    async requestOf(sent: SentRequest, input: unknown): Promise<KeyedRequest> {
      const { hashOf, ...sentKey } = await sentKeyOf(sent);
      return { ...sentKey, requestHash: hashOf(canonical(input)) };
    },

    /** What the same bytes were answered: right when they were first sent, and refused now for a date that is past since. */
    findAnswerToSame: async (sent: SentRequest): Promise<KeptAnswer | null> =>
      findAnswerToSame(database, await sentKeyOf(sent)),
  };
}
export type Idempotency = ReturnType<typeof createIdempotency>;

/** It was this operation's answer when it was kept. */
export function replay(res: Response, { body, location }: KeptAnswer): unknown {
  res.setHeader('Idempotent-Replayed', 'true');
  if (location !== null) res.location(location);
  return body;
}

/** @throws ApiError when the header is no key */
export function keyOf(req: Request): string | null {
  const sent = req.headersDistinct['idempotency-key'] ?? [];
  const [key] = sent;
  if (key === undefined) return null;
  const fault =
    sent.length > 1
      ? 'must be sent once.'
      : key.trim() === ''
        ? 'must not be empty; leave the header out, or send a value of your own such as a UUID.'
        : key.length > MAX_KEY_LENGTH
          ? `may have up to ${MAX_KEY_LENGTH} characters.`
          : null;
  if (fault) throw validationFailed([{ field: 'Idempotency-Key', code: 'invalid_key', message: fault }]);
  return key;
}

const scopeOf = ({ req, operationId, userId }: SentRequest): string =>
  [operationId, userId ?? '', ...Object.values(req.params).map((value) => String(value).toLowerCase())].join(
    ' ',
  );

/** The same text for requests that mean the same: keys in order, and what is null like what is left out. */
const canonical = (input: unknown): string =>
  JSON.stringify(input, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, inner]) => inner !== null)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : value,
  );
