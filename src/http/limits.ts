import { createHmac, createSecretKey } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { RateCounter } from '../postgres/rate-limits.ts';
import { ApiError } from './errors.ts';
import { createLimitStore } from './limit-store.ts';

const MINUTE_MS = 60_000;
/** IPv6 addresses are counted by network, since a customer has a whole one. */
const IPV6_PREFIX = 64;

const addressOf = (req: Request): string => ipKeyGenerator(req.ip ?? '', IPV6_PREFIX);

/** Takes a request out of the count again, and what was said of the count out of the answer. */
export type Uncount = () => Promise<void>;

/** Counts a request; resolves when it may go on. @throws ApiError `RATE_LIMIT_EXCEEDED` */
export type Limit<Counted = unknown> = (req: Request, res: Response, key?: string) => Promise<Counted>;

export interface LimitDeps {
  readonly counter: RateCounter;
  /** Of all processes that count together. Who is counted can not be read from what is stored. */
  readonly secret: string;
}

/** What a caller may ask for in how long (docs/contract.md §5). */
export function createLimits(deps: LimitDeps) {
  const ofAddress = (identifier: string, limit: number): Limit<Uncount> => {
    const count = createLimit(identifier, { windowMs: MINUTE_MS, limit }, deps);
    return (req, res) => count(req, res, addressOf(req));
  };
  const loginsOfAddress = createLimit('login-address', { windowMs: 15 * MINUTE_MS, limit: 50 }, deps);
  const loginsOfAccount = createLimit('login', { windowMs: 15 * MINUTE_MS, limit: 5 }, deps);
  return {
    /** 100 a minute for each address: requests without a key, or with a bad one. */
    publicCalls: ofAddress('public', 100),
    /** 100 a minute for each address: the customer's pages, and callbacks that nobody has signed. */
    pages: ofAddress('pages', 100),
    /** Of those, 30 that ask clinics for free times. */
    timesPages: ofAddress('pages-times', 30),
    /** And 10 that make work for people: a request for help, and "this is not for me". */
    messagePages: ofAddress('pages-messages', 10),
    /** 500 a minute for each API key, or partner user. */
    authenticated: createLimit('authenticated', { windowMs: MINUTE_MS, limit: 500 }, deps),
    /** 5 in 15 minutes for each address and account (or token, or case), and 50 for each address. */
    login: async (req: Request, res: Response, account = '') => {
      try {
        await loginsOfAddress(req, res, addressOf(req));
        await loginsOfAccount(req, res, JSON.stringify([addressOf(req), account]));
      } finally {
        tightestFirst(res);
      }
    },
  };
}
export type Limits = ReturnType<typeof createLimits>;

/** Who reads one limit only reads the first, so that is the one that leaves least: where it was met, the one that stopped it. */
function tightestFirst(res: Response): void {
  const [left, policies] = ['RateLimit', 'RateLimit-Policy'].map((name) =>
    [res.getHeader(name) ?? []].flat(),
  );
  const order = (left ?? [])
    .map((text, i) => ({ i, remaining: Number(/r=(\d+)/.exec(String(text))?.[1]) }))
    .sort((a, b) => a.remaining - b.remaining);
  if (order.length < 2) return;
  const sorted = (values: readonly unknown[] = []) => order.map(({ i }) => String(values[i]));
  res.setHeader('RateLimit', sorted(left));
  res.setHeader('RateLimit-Policy', sorted(policies));
}

/** A login of operators is two calls, and an office may be behind one address. */
export function createOperatorLoginLimit(deps: LimitDeps): Limit {
  const limit = createLimit('operator-login', { windowMs: 15 * MINUTE_MS, limit: 100 }, deps);
  return (req, res) => limit(req, res, addressOf(req));
}

/** A page of a long case has Temporal's Web UI ask several hundred times. @param key which operator */
export const createCodecLimit = (deps: LimitDeps): Limit =>
  createLimit('operator-codec', { windowMs: MINUTE_MS, limit: 1_000 }, deps);

/** @param retryAfter seconds */
export function tooManyRequests({
  limit: allowed,
  windowMs,
  retryAfter,
}: {
  limit: number;
  windowMs: number;
  retryAfter: number;
}): ApiError {
  const window = windowMs === MINUTE_MS ? 'a minute' : `${windowMs / MINUTE_MS} minutes`;
  const text = `Too many requests: ${allowed} in ${window} are allowed. Please try again in ${retryAfter} seconds.`;
  return new ApiError('RATE_LIMIT_EXCEEDED', text, {}, retryAfter);
}

function createLimit(
  identifier: string,
  options: { windowMs: number; limit: number },
  { counter, secret }: LimitDeps,
): Limit<Uncount> {
  const hashKey = createSecretKey(Buffer.from(secret));
  const hashOf = (key: string) =>
    createHmac('sha256', hashKey)
      .update(JSON.stringify([identifier, key]))
      .digest('base64url');
  const keys = new WeakMap<object, string>();
  const store = createLimitStore({ ...options, counter });
  const middleware: RequestHandler = rateLimit({
    ...options,
    identifier,
    store,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (req) => keys.get(req) ?? '',
    // the handler throws, so that the answer is made where all errors are
    handler: (_req, res, next) => {
      // a window may end this very moment, but 0 would be no advice
      const retryAfter = Math.max(1, Number(res.getHeader('Retry-After') ?? options.windowMs / 1000));
      next(tooManyRequests({ ...options, retryAfter }));
    },
  });
  return async (req, res, key = '') => {
    const hash = hashOf(key);
    keys.set(req, hash);
    await new Promise<void>((resolve, reject) => {
      const next = (error?: unknown) => {
        if (error instanceof Error) reject(error);
        else resolve();
      };
      void middleware(req, res, next);
    });
    return async () => {
      for (const header of ['RateLimit', 'RateLimit-Policy']) res.removeHeader(header);
      await store.decrement(hash);
    };
  };
}
