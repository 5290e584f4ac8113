import { setTimeout as wait } from 'node:timers/promises';
import { json, type Response, Router } from 'express';
import type { z } from 'zod';
import { type Fault, type faultRule, faultSchema } from './fhir-clinic/fault.ts';

/** Which requests it is for: what faults of all kinds of servers have in common. */
type FaultRule = Omit<z.infer<typeof faultRule>, 'method'> & { readonly method?: string | undefined };

/** A fault with what has come of it. */
type ActiveFault<F> = F & {
  /** How many requests it was for, had it not waited for a later one. */
  seen: number;
  fired: number;
};

export interface Faults<F = Fault> {
  /** @throws z.ZodError when it is no fault. */
  add(input: unknown): F;
  list(): readonly ActiveFault<F>[];
  clear(): void;
  /** The oldest fault whose turn it is with this request. */
  take(method: string, resource: string): F | null;
}

export const createFaults = (): Faults => createFaultsOf(faultSchema);

/** Faults of another kind of server. */
export function createFaultsOf<F extends FaultRule>(schema: z.ZodType<F>): Faults<F> {
  let faults: ActiveFault<F>[] = [];
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

const isDue = ({ seen, fired, after, every, times }: ActiveFault<FaultRule>): boolean =>
  (times === null || fired < times) && seen > after && (seen - after - 1) % every === 0;

/** Where a clinic's faults are read, set and cleared. */
export function createFaultRoutes(faults: {
  list(): unknown;
  add(input: unknown): unknown;
  clear(): void;
}): Router {
  const router = Router();
  router.get('/', (_request, response) => void response.json(faults.list()));
  router.post(
    '/',
    json({ limit: '20mb' }),
    (request, response) => void response.status(201).json(faults.add(request.body)),
  );
  router.delete('/', (_request, response) => {
    faults.clear();
    response.json([]);
  });
  return router;
}

const PAUSE_MS = 50;

/** From now on, whoever ends this response with a body ends it so. */
export function interceptEnd(
  response: Response,
  end: (body: Buffer, usual: (body: Buffer) => void) => void,
): void {
  const usual = response.end.bind(response) as (body: Buffer) => Response;
  response.end = ((body: string | Buffer = '') => {
    end(Buffer.from(body), usual);
    return response;
  }) as Response['end'];
}

export const sendHalf = (response: Response): void =>
  interceptEnd(response, (body, usual) => usual(body.subarray(0, body.length / 2)));

/** The half is on the wire before the connection is reset. */
export const resetHalfway = (response: Response): void =>
  interceptEnd(response, (body) => {
    response.set('content-length', String(body.length));
    response.write(body.subarray(0, body.length / 2), () => response.socket?.resetAndDestroy());
  });

export const sendSlowly = (response: Response, bytesPerSecond: number): void =>
  interceptEnd(response, (body, usual) => {
    response.set('content-length', String(body.length));
    void trickle(response, body, Math.ceil((bytesPerSecond * PAUSE_MS) / 1000)).then(usual);
  });

/** @returns what is left when nobody listens any more: nothing. */
async function trickle(response: Response, body: Buffer, atOnce: number): Promise<Buffer> {
  for (let sent = 0; sent < body.length && !response.destroyed; sent += atOnce) {
    response.write(body.subarray(sent, sent + atOnce));
    if (response.socket) await delayWhileConnected(PAUSE_MS, response.socket);
  }
  return Buffer.alloc(0);
}

/** Until then, or until nobody waits for the answer any more. */
export async function delayWhileConnected(delayMs: number, socket: NodeJS.EventEmitter): Promise<void> {
  const gone = new AbortController();
  const stop = () => gone.abort();
  socket.once('close', stop);
  await wait(delayMs, undefined, { signal: gone.signal }).catch(() => undefined);
  socket.off('close', stop);
}
