import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';
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
} from '../postgres/idempotency.ts';
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
interface SentRequest {
  readonly req: Request;
  readonly keyHash: Buffer;
  readonly partnerId: PartnerId;
  readonly operationId: string;
}

/**
 * `Idempotency-Key`: the same request under the same key is done once, and answered the same each time.
 *
 * @param secret keeps what was asked for from being guessed; one that changes makes repeats look like other requests
 */
export function createIdempotency({
  database,
  secret,
}: {
  readonly database: Database;
  readonly secret: string;
}) {
  // with a secret, since a request may hold a number short enough to be guessed from a bare hash
  const hashKey = Buffer.from(hkdfSync('sha256', secret, '', 'idempotency', 32));
  const hashOf = (scope: string, content: string | Buffer): Buffer =>
    createHmac('sha256', hashKey).update(`${scope}\n`).update(content).digest();

  /** Tries as long as the same request is under way. @returns what was done, or what it was answered before */
  async function settle<T>(
    attempt: () => Promise<T | KeyTaken>,
  ): Promise<{ readonly done: T } | { readonly kept: KeptAnswer }> {
    const giveUpAt = performance.now() + TIMEOUT_MS;
    while (performance.now() < giveUpAt) {
      const done = await attempt();
      if (!(done instanceof KeyTaken)) return { done };
      if (done.use.claim === 'answered') return { kept: done.use.answer };
      if (done.use.claim === 'reused') throw new ApiError('IDEMPOTENCY_KEY_REUSED');
      await delay(POLL_INTERVAL_MS);
    }
    throw temporarilyUnavailable();
  }

  return {
    settle,

    requestOf: ({ req, keyHash, partnerId, operationId }: SentRequest, input: unknown): KeyedRequest => ({
      partnerId,
      keyHash,
      requestHash: hashOf(scopeOf(req, operationId), canonical(input)),
      sentHash: hashOf(scopeOf(req, operationId), bytesOf(req)),
    }),

    /** What the same bytes were answered: right when they were first sent, and refused now for a date that is past since. */
    findAnswerToSame: ({ req, keyHash, partnerId, operationId }: SentRequest): Promise<KeptAnswer | null> => {
      const sentHash = hashOf(scopeOf(req, operationId), bytesOf(req));
      return findAnswerToSame(database, { partnerId, keyHash, sentHash });
    },

    /** For what is done elsewhere than in PostgreSQL: claimed before it is done. @returns the answer, where it was done before */
    async claim(request: KeyedRequest): Promise<KeptAnswer | null> {
      const settled = await settle(async () => {
        const claim = await claimKey(database, request);
        return claim.claim === 'new' ? null : new KeyTaken(claim);
      });
      return 'kept' in settled ? settled.kept : null;
    },
    keep: (request: KeyedRequest, body: unknown) => saveAnswer(database, request, { body, location: null }),
    forget: (request: KeyedRequest) => forgetKey(database, request),
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
export function keyHashOf(req: Request): Buffer | null {
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
  return createHash('sha256').update(key).digest();
}

const bytesOf = (req: Request): Buffer => (Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0));

const scopeOf = ({ params }: Request, operationId: string): string =>
  `${operationId} ${String(params['caseId'] ?? '').toLowerCase()}`;

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
