import { z } from 'zod';

export const faultRule = z.strictObject({
  /** HTTP method; any when left out. */
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  /** Resource type, e.g. `Slot`, or `Bundle` for a transaction; any when left out. */
  resource: z.string().optional(),
  /** How many matching requests go well before the first that does not. */
  after: z.int().min(0).default(0),
  /** From there on, each one (1), every second one (2) … */
  every: z.int().min(1).default(1),
  /** How many requests it is for; null: all, until it is cleared. */
  times: z.int().min(1).nullable().default(1),
});
const effect = <E extends string, S extends z.core.$ZodLooseShape>(name: E, shape: S) =>
  z.strictObject({ ...faultRule.shape, effect: z.literal(name), ...shape });

const delayMs = z.int().min(1).max(600_000);

/** What a clinic can do wrong. "Does it" means that the request is carried out, whatever becomes of the answer. */
export const faultSchema = z.discriminatedUnion('effect', [
  /** Answers this and does nothing: a refusal, an outage, a page of HTML. */
  effect('answer', {
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.string().default(''),
  }),
  /** Does it, and answers so much later. */
  effect('delay', { delayMs }),
  /** Does it so much later, also when nobody waits for the answer any more. */
  effect('late', { delayMs }),
  /** Closes the connection and does nothing. */
  effect('drop', {}),
  /** Does it, and closes the connection without an answer. */
  effect('drop-after-commit', {}),
  /**
   * Does it, and sends the first half of the answer. `end`: as if that were all, `content-length` included. `reset`:
   * announces all of it, and resets the connection in the middle.
   */
  effect('half', { then: z.enum(['end', 'reset']).default('end') }),
  /** Does it, and sends the answer so slowly. */
  effect('trickle', { bytesPerSecond: z.int().min(1) }),
  /** Does it twice and sends the second answer, as a proxy that lost the first one. */
  effect('duplicate', {}),
  /** Does it, and answers with the versions (`meta.versionId`, `ETag`) before the last change. */
  effect('stale-etag', {}),
  /** Does it, and answers with the resources as they were before the last change, as a cache does. */
  effect('stale', {}),
  /** Does it, and writes these times of slots with another offset from UTC, the digits before it unchanged. */
  effect('wrong-offset', {
    offset: z.string().regex(/^(Z|[+-]\d\d:\d\d)$/),
    elements: z.array(z.enum(['start', 'end'])).default(['start', 'end']),
  }),
  /** Pays no heed to If-Match and If-None-Exist, as some servers do. */
  effect('ignore-conditions', {}),
  /** Somebody at the clinic is a moment quicker: sets these elements of that resource (null removes one) first. */
  effect('meanwhile', {
    reference: z.string().regex(/^[A-Za-z]+\/[\w.-]+$/),
    set: z.record(z.string(), z.unknown()),
  }),
]);

export type Fault = z.infer<typeof faultSchema>;
/** A fault with this effect. */
export type FaultOf<E extends Fault['effect']> = Extract<Fault, { effect: E }>;
