import type { Request, Response, Router } from 'express';
import type { z } from 'zod';
import type { CalendarDate } from '../domain/instant.ts';
import type { ErrorCode } from './error-codes.ts';
import { parse, readBody, readQuery } from './request-input.ts';

/** What a caller has to bring: contract §1, §3, §4. */
export type Access = 'api key' | 'access token' | 'customer' | 'anybody';

/** In the order in which the documentation shows them. */
export const TAGS = [
  'Cases',
  'Events',
  'Verification',
  'Partner login',
  'Sandbox',
  'Booking',
  'API description',
] as const;
export type Tag = (typeof TAGS)[number];

/** What the rules of some inputs depend on, and the API's description. */
export interface InputContext {
  /** In Norway. */
  readonly today: CalendarDate;
  /** The codes of what `GET /treatment-types` lists. */
  readonly offered: readonly string[];
}

/** Makes it once for a context, and not for each call: a schema takes longer to make than to parse by. */
export function memoizeByContext<T>(make: (context: InputContext) => T): (context: InputContext) => T {
  let kept: { readonly of: string; readonly made: T } | null = null;
  return (context) => {
    const of = [context.today, ...context.offered].join(' ');
    if (kept?.of !== of) kept = { of, made: make(context) };
    return kept.made;
  };
}

/** A named example; dates in it are made from the day on which it is read, or else it would be wrong tomorrow. */
export interface Example {
  readonly summary: string;
  readonly value: (today: CalendarDate) => unknown;
}
export type Examples = Readonly<Record<string, Example>>;

/**
 * One call of the API, described once: its route parses by it, and the API's description is made from it
 * (src/http/openapi). What a call's access, path and body can go wrong with is implied; `refusals` are the codes beyond.
 */
export interface Operation<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly id: string;
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Below `/api/v1`, parameters in braces. */
  readonly path: `/${string}`;
  readonly tag: Tag;
  readonly access: Access;
  readonly summary: string;
  /** Markdown. */
  readonly description?: string;
  readonly query?: (context: InputContext) => Query;
  readonly body?: (context: InputContext) => Body;
  readonly bodyExamples?: Examples;
  /** Takes an `Idempotency-Key` (contract §1). */
  readonly idempotent?: true;
  readonly answer: {
    readonly status: 200 | 201;
    readonly description: string;
    readonly schema: Answer;
    readonly examples: Examples;
    /** Says in `Location` where what was made is. */
    readonly location?: true;
  };
  readonly refusals?: readonly ErrorCode[];
}

/** The identity, which lets the compiler keep the schemas' types. */
export const defineOperation = <Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  described: Operation<Q, B, A>,
): Operation<Q, B, A> => described;

/** A call under way. A request is judged in the order limit, key, case, body, so the inputs are read when asked for. */
export interface Call<Query extends z.ZodType, Body extends z.ZodType> {
  readonly req: Request;
  readonly res: Response;
  /** A parameter of the path. */
  readonly param: (name: string) => string;
  /** @throws ApiError `VALIDATION_FAILED` */
  readonly query: () => Promise<z.output<Query>>;
  /** @throws ApiError that names every fault at once */
  readonly body: () => Promise<z.output<Body>>;
}

/** What a handler resolves to is the answer's body. */
export type Handler<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType> = (
  call: Call<Q, B>,
) => Promise<z.input<A>>;

/** Adds a described call to the API. */
export type Add = <Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  described: Operation<Q, B, A>,
  handle: Handler<Q, B, A>,
) => void;

/** The only way in which a route gets into the API: what is not described is not served. */
export const operationAdder =
  (router: Router, contextOf: () => Promise<InputContext>): Add =>
  (described, handle) => {
    const { method, path, answer } = described;
    const query = described.query && memoizeByContext(described.query);
    const body = described.body && memoizeByContext(described.body);
    router[method](path.replace(/\{(\w+)\}/g, ':$1'), async (req, res) => {
      const answered = await handle({
        req,
        res,
        param: (name) => String(req.params[name]),
        async query() {
          if (!query) throw new Error(`${described.id} has no query`);
          return parse(query(await contextOf()), readQuery(req));
        },
        async body() {
          if (!body) throw new Error(`${described.id} has no body`);
          return readBody(req, res, body(await contextOf()));
        },
      });
      res.status(answer.status).json(answered);
    });
  };
