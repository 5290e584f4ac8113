import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { z } from 'zod';
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
import { partnerOf } from './authentication.ts';
import { ApiError, temporarilyUnavailable, validationFailed } from './errors.ts';
import type { Call, Operation } from './operation.ts';

const MAX_KEY_LENGTH = 255;
/** How long a second request waits for the first (milliseconds): longer than a workflow takes to give its verdict. */
const TIMEOUT_MS = 20_000;
const POLL_INTERVAL_MS = 100;

/** Does what one request asks for; `request` is null where it carries no key. */
type Attempt<Input, Output> = (
  input: Input,
  request: KeyedRequest | null,
) => Promise<KeyInUse | { readonly claim: 'mine'; readonly output: Output }>;

/**
 * `Idempotency-Key`, contract §1: the same request under the same key is done once, and answered the same each time.
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

  /** Has `attempt` claim the key itself, in the transaction that does what is asked. */
  async function within<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
    call: Call<Q, B>,
    operation: Operation<Q, B, A>,
    attempt: Attempt<z.output<B>, z.input<A>>,
  ): Promise<z.input<A>> {
    const keyHash = keyHashOf(call.req);
    if (!keyHash) return outputOf(await attempt(await call.body(), null));
    const partnerId = partnerOf(call.res);
    let input: z.output<B>;
    try {
      input = await call.body();
    } catch (error) {
      // right when it was first sent, and refused now for a date that is past since
      const same = { partnerId, keyHash, sentHash: hashOf(scopeOf(call, operation), bytesOf(call.req)) };
      const answer = await findAnswerToSame(database, same);
      if (answer) return replay(call.res, answer) as z.input<A>;
      throw error;
    }
    const scope = scopeOf(call, operation);
    const request: KeyedRequest = {
      partnerId,
      keyHash,
      requestHash: hashOf(scope, canonical(input)),
      sentHash: hashOf(scope, bytesOf(call.req)),
    };
    const giveUpAt = performance.now() + TIMEOUT_MS;
    while (performance.now() < giveUpAt) {
      const done = await attempt(input, request);
      switch (done.claim) {
        case 'mine':
          return done.output;
        case 'answered':
          return replay(call.res, done.answer) as z.input<A>;
        case 'reused':
          throw new ApiError('IDEMPOTENCY_KEY_REUSED');
        case 'under_way':
          await delay(POLL_INTERVAL_MS);
      }
    }
    throw temporarilyUnavailable();
  }

  /** For what is done elsewhere than in PostgreSQL: the key is claimed first, and the answer kept afterwards. */
  const once = <Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
    call: Call<Q, B>,
    operation: Operation<Q, B, A>,
    run: (input: z.output<B>) => Promise<z.input<A>>,
  ): Promise<z.input<A>> =>
    within(call, operation, async (input, request) => {
      if (!request) return { claim: 'mine', output: await run(input) };
      const claim = await claimKey(database, request);
      if (claim.claim !== 'mine') return claim;
      try {
        const output = await run(input);
        await saveAnswer(database, request, { body: output, location: null });
        return { claim: 'mine', output };
      } catch (error) {
        await forgetKey(database, request);
        throw error;
      }
    });

  return { within, once };
}
export type Idempotency = ReturnType<typeof createIdempotency>;

/** It was this operation's answer when it was kept. */
function replay(res: Response, { body, location }: KeptAnswer): unknown {
  res.setHeader('Idempotent-Replayed', 'true');
  if (location !== null) res.location(location);
  return body;
}

function outputOf<A>(done: { readonly claim: string; readonly output?: A }): A {
  if (done.claim !== 'mine') throw new Error('a request without a key can not claim one');
  return done.output as A;
}

/** @throws ApiError when the header is no key */
function keyHashOf(req: Request): Buffer | null {
  const sent = req.headersDistinct['idempotency-key'] ?? [];
  const [key] = sent;
  if (key === undefined) return null;
  const fault =
    sent.length > 1
      ? 'has to be sent once.'
      : key.trim() === ''
        ? 'must not be empty; leave the header out, or send a value of your own such as a UUID.'
        : key.length > MAX_KEY_LENGTH
          ? `may have up to ${MAX_KEY_LENGTH} characters.`
          : null;
  if (fault) throw validationFailed([{ field: 'Idempotency-Key', code: 'invalid_key', message: fault }]);
  return createHash('sha256').update(key).digest();
}

const bytesOf = (req: Request): Buffer => (Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0));

const scopeOf = ({ req }: { readonly req: Request }, { id }: { readonly id: string }): string =>
  `${id} ${String(req.params['caseId'] ?? '').toLowerCase()}`;

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
