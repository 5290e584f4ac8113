import type { z } from 'zod';
import type { CalendarDate } from '../domain/instant.ts';
import type { ErrorCode } from './error-codes.ts';

/** What a caller has to bring. */
export type Access = 'api key' | 'access token' | 'customer' | 'anybody';

/** What each kind of call is for, by who calls, in the order in which the documentation shows them. */
export const TAGS = {
  'For your systems': {
    Cases: 'Hand cases over, read them, correct them, recall them.',
    Events: 'Learn what happened to your cases, without asking case by case.',
    Verification: 'Ask the registries about a policy or a referral.',
    Sandbox: 'In the test environment only: make happen what otherwise takes a customer, a provider or days.',
    'API description': 'This description, for machines.',
  },
  'For your users': { 'Partner login': 'For your users: an account, and the API keys of your systems.' },
  'The customer’s browser': {
    Booking: 'The customer’s own calls, from the customer’s browser. **Your systems need none of them.**',
  },
} as const;
type Groups = typeof TAGS;
export type Tag = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];

/** What the rules of some inputs depend on, and the API's description. */
export interface InputContext {
  /** In Norway. */
  readonly today: CalendarDate;
  /** The codes of what `GET /treatment-types` lists. */
  readonly offered: readonly string[];
  /** To whose numbers SMS are sent (ISO 3166). */
  readonly smsCountries: readonly string[];
}

/** Makes it once for a context, and not for each call: a schema takes longer to make than to parse by. */
export function memoizeByContext<T>(make: (context: InputContext) => T): (context: InputContext) => T {
  let kept: { readonly of: string; readonly made: T } | null = null;
  return (context) => {
    const of = [context.today, ...context.offered, ...context.smsCountries].join(' ');
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
 * (src/http/openapi). What a call's access, method, path and body can go wrong with is implied; `refusals` are the codes beyond.
 */
export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Below `/api/v1`, parameters in braces. */
  readonly path: `/${string}`;
  readonly tag: Tag;
  readonly access: Access;
  readonly summary: string;
  /** Markdown. */
  readonly description?: string;
  readonly query?: (context: InputContext) => z.ZodType;
  readonly body?: (context: InputContext) => z.ZodType;
  readonly bodyExamples?: Examples;
  /**
   * Takes an `Idempotency-Key`. `around`: the key is claimed before the call is done, and its answer kept afterwards;
   * `within`: in the transaction that does it.
   */
  readonly idempotent?: 'around' | 'within';
  /** A try to log in, which is counted by address and by this, in place of the limit for all public calls. */
  readonly countLogin?: 'case' | ((input: Readonly<Record<string, unknown>>) => string);
  /**
   * No other site may have a browser send it. `required`: it rides on the session's cookie, so its `Origin` has to be
   * ours; `unless unsaid`: it needs no session, so a caller that is no browser, and sends no `Origin`, may do it.
   */
  readonly sameOrigin?: 'required' | 'unless unsaid';
  readonly answer: {
    readonly status: 200 | 201;
    readonly description: string;
    readonly schema: z.ZodType;
    readonly examples: Examples;
    /** Says in `Location` where what was made is. */
    readonly location?: true;
  };
  readonly refusals?: readonly ErrorCode[];
  /** What it changes keeps who did it, with which key, in the same transaction: an event of the case. */
  readonly tellsWho?: true;
  /** Which cases are in its answer, for the access log, where its path names none: the one answered, or all in `data`. */
  readonly touches?: 'answered' | 'listed';
}

/** The identity, which lets the compiler keep what exactly is described. */
export const defineOperation = <const O extends Operation>(described: O): O => described;

/** Describes calls of one tag that have the same to bring. */
export const operationsFor =
  <const T extends Tag, const A extends Access>(tag: T, access: A) =>
  <const O extends Omit<Operation, 'tag' | 'access'>>(described: O) =>
    defineOperation({ ...described, tag, access });
