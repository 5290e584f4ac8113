import { z } from 'zod';

const rule = z.strictObject({
  /** HTTP method; any when left out. */
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  /** Resource type, e.g. `Slot`; any when left out. */
  resource: z.string().optional(),
  /** How many matching requests it is for; null: all, until it is cleared. */
  times: z.int().min(1).nullable().default(1),
});

const effect = z.discriminatedUnion('effect', [
  /** Answers this and does nothing: a refusal, an outage, a page of HTML, half a JSON. */
  z.strictObject({
    ...rule.shape,
    effect: z.literal('answer'),
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.string().default(''),
  }),
  /** Does it, and answers so much later. */
  z.strictObject({ ...rule.shape, effect: z.literal('delay'), delayMs: z.int().min(1).max(600_000) }),
  /** Closes the connection and does nothing. */
  z.strictObject({ ...rule.shape, effect: z.literal('drop') }),
  /** Does it, and closes the connection without an answer. */
  z.strictObject({ ...rule.shape, effect: z.literal('drop-after-commit') }),
  /** Pays no heed to If-Match and If-None-Exist, as some servers do. */
  z.strictObject({ ...rule.shape, effect: z.literal('ignore-conditions') }),
  /** Somebody at the clinic is a moment quicker: sets these elements of that resource (null removes one) first. */
  z.strictObject({
    ...rule.shape,
    effect: z.literal('meanwhile'),
    reference: z.string().regex(/^[A-Za-z]+\/[\w.-]+$/),
    set: z.record(z.string(), z.unknown()),
  }),
]);

export type Fault = z.infer<typeof effect>;

export interface Faults {
  /** @throws z.ZodError when it is no fault. */
  add(input: unknown): Fault;
  list(): readonly (Fault & { readonly fired: number })[];
  clear(): void;
  /** The oldest fault that is for this request, spent by it. */
  take(method: string, resource: string): Fault | null;
}

export function createFaults(): Faults {
  let faults: (Fault & { fired: number })[] = [];
  return {
    add(input) {
      const fault = { ...effect.parse(input), fired: 0 };
      faults.push(fault);
      return fault;
    },
    list: () => faults,
    clear: () => (faults = []),
    take(method, resource) {
      const fault = faults.find(
        (one) =>
          (one.method === undefined || one.method === method) &&
          (one.resource === undefined || one.resource === resource) &&
          (one.times === null || one.fired < one.times),
      );
      if (fault === undefined) return null;
      fault.fired += 1;
      return fault;
    },
  };
}
