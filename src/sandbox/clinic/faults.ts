import type { Fault } from './fault.ts';
import { faultSchema } from './fault.ts';

/** A fault with what has come of it. */
type Placed = Fault & {
  /** How many requests it was for, had it not waited for a later one. */
  seen: number;
  fired: number;
};

export interface Faults {
  /** @throws z.ZodError when it is no fault. */
  add(input: unknown): Fault;
  list(): readonly Placed[];
  clear(): void;
  /** The oldest fault whose turn it is with this request. */
  take(method: string, resource: string): Fault | null;
}

export function createFaults(): Faults {
  let faults: Placed[] = [];
  return {
    add(input) {
      const fault = { ...faultSchema.parse(input), seen: 0, fired: 0 };
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

const isDue = ({ seen, fired, after, every, times }: Placed): boolean =>
  (times === null || fired < times) && seen > after && (seen - after - 1) % every === 0;
