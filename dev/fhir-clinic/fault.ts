import { z } from 'zod';
import { commonEffects, delayMs, effect } from '../faults.ts';

/** What a FHIR server can do wrong. "Does it" means that the request is carried out, whatever becomes of the answer. */
export const faultSchema = z.discriminatedUnion('effect', [
  commonEffects.answer,
  commonEffects.delay,
  /** Does it so much later, also when nobody waits for the answer any more. */
  effect('late', { delayMs }),
  commonEffects.drop,
  commonEffects.dropAfterCommit,
  commonEffects.half,
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
  commonEffects.ignoreConditions,
  /** Somebody at the clinic is a moment quicker: sets these elements of that resource (null removes one) first. */
  effect('meanwhile', {
    reference: z.string().regex(/^[A-Za-z]+\/[\w.-]+$/),
    set: z.record(z.string(), z.unknown()),
  }),
]);

export type Fault = z.infer<typeof faultSchema>;
/** A fault with this effect. */
export type FaultOf<E extends Fault['effect']> = Extract<Fault, { effect: E }>;
