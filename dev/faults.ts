import { setTimeout as wait } from 'node:timers/promises';
import { json, type Request, type Response, Router } from 'express';
import { z } from 'zod';

/** Which requests a fault is for. */
const faultRule = z.strictObject({
  /** HTTP method; any when left out. */
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'REPORT']).optional(),
  /** Resource type, e.g. `Slot`, or `Bundle` for a transaction; or the id of a calendar. Any when left out. */
  resource: z.string().optional(),
  /** How many matching requests go well before the first that does not. */
  after: z.int().min(0).default(0),
  /** From there on, each one (1), every second one (2) … */
  every: z.int().min(1).default(1),
  /** How many requests it is for; null: all, until it is cleared. */
  times: z.int().min(1).nullable().default(1),
});
type FaultRule = z.infer<typeof faultRule>;

export const effect = <E extends string, S extends z.core.$ZodLooseShape>(name: E, shape: S) =>
  z.strictObject({ ...faultRule.shape, effect: z.literal(name), ...shape });

export const delayMs = z.int().min(1).max(600_000);

/** What any clinic can do wrong. "Does it" means that the request is carried out, whatever becomes of the answer. */
export const commonEffects = {
  /** Answers this and does nothing: a refusal, an outage, a page of HTML. */
  answer: effect('answer', {
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.string().default(''),
  }),
  /** Does it, and answers so much later. */
  delay: effect('delay', { delayMs }),
  /** Closes the connection and does nothing. */
  drop: effect('drop', {}),
  /** Does it, and closes the connection without an answer. */
  dropAfterCommit: effect('drop-after-commit', {}),
  /**
   * Does it, and sends the first half of the answer. `end`: as if that were all, `content-length` included. `reset`:
   * announces all of it, and resets the connection in the middle.
   */
  half: effect('half', { then: z.enum(['end', 'reset']).default('end') }),
  /** Pays no heed to If-Match and If-None-Exist, as some servers do. */
  ignoreConditions: effect('ignore-conditions', {}),
};
type CommonFault = z.infer<(typeof commonEffects)[keyof typeof commonEffects]>;

/** Makes the fault happen, to the request or to its answer. @returns whether the request is to be carried out */
export function applyCommonFault(fault: CommonFault, request: Request, response: Response): boolean {
  switch (fault.effect) {
    case 'answer':
      response.status(fault.status).set(fault.headers).end(fault.body);
      return false;
    case 'drop':
      request.socket.destroy();
      return false;
    case 'drop-after-commit':
      interceptEnd(response, () => request.socket.destroy());
      return true;
    case 'delay':
      interceptEnd(response, (body, usual) => {
        void delayWhileConnected(fault.delayMs, request.socket).then(() => usual(body));
      });
      return true;
    case 'half':
      (fault.then === 'end' ? sendHalf : resetHalfway)(response);
      return true;
    case 'ignore-conditions':
      delete request.headers['if-match'];
      delete request.headers['if-none-exist'];
      return true;
  }
}

/** A fault with what has come of it. */
type ActiveFault<F> = F & {
  /** How many requests it was for, had it not waited for a later one. */
  seen: number;
  fired: number;
};

export interface Faults<F> {
  /** @throws z.ZodError when it is no fault. */
  add(input: unknown): F;
  list(): readonly ActiveFault<F>[];
  clear(): void;
  /** The oldest fault whose turn it is with this request. */
  take(method: string, resource: string): F | null;
}

export function createFaults<F extends FaultRule>(schema: z.ZodType<F>): Faults<F> {
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
export function createFaultRoutes(faults: Faults<unknown>): Router {
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

const sendHalf = (response: Response): void =>
  interceptEnd(response, (body, usual) => {
    const half = body.subarray(0, body.length / 2);
    response.set('content-length', String(half.length));
    usual(half);
  });

/** The half is on the wire before the connection is reset. */
const resetHalfway = (response: Response): void =>
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
