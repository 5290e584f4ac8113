import type { z } from 'zod';
import type { Fault, rule } from './fault.ts';
import { faultSchema } from './fault.ts';

/** Which requests it is for: what faults of all kinds of servers have in common. */
type Rule = Omit<z.infer<typeof rule>, 'method'> & { readonly method?: string | undefined };

/** A fault with what has come of it. */
type Placed<F> = F & {
  /** How many requests it was for, had it not waited for a later one. */
  seen: number;
  fired: number;
};

export interface Faults<F = Fault> {
  /** @throws z.ZodError when it is no fault. */
  add(input: unknown): F;
  list(): readonly Placed<F>[];
  clear(): void;
  /** The oldest fault whose turn it is with this request. */
  take(method: string, resource: string): F | null;
}

export const createFaults = (): Faults => createFaultsOf(faultSchema);

/** Faults of another kind of server. */
export function createFaultsOf<F extends Rule>(schema: z.ZodType<F>): Faults<F> {
  let faults: Placed<F>[] = [];
  return {
    add(input) {
      const fault = { ...schema.parse(input), seen: 0, fired: 0 };
      faults.push(fault);
      return fault;
    },
    list: () => faults,
    clear: () => (faults = []),
    take(method, resource) {
      const matching = faults.filter(
        (one) =>
          (one.method === undefined || one.method === method) &&
          // A client reads the metadata when it likes: only a fault that is for them is for them.
          (one.resource === undefined ? resource !== 'metadata' : one.resource === resource),
      );
      for (const one of matching) one.seen += 1;
      const fault = matching.find(isDue);
      if (fault === undefined) return null;
      fault.fired += 1;
      return fault;
    },
  };
}

const isDue = ({ seen, fired, after, every, times }: Placed<Rule>): boolean =>
  (times === null || fired < times) && seen > after && (seen - after - 1) % every === 0;
