import type { Payload, PayloadCodec } from '@temporalio/common';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { parseCaseId } from '../../domain/ids.ts';
import type { Limit } from '../../http/limits.ts';
import { requestIdOf } from '../../http/request-log.ts';
import { type Actor, Denied } from '../../identity/operators/actor.ts';
import type { OperatorSessions } from '../../identity/operators/sessions.ts';
import { plainAddress } from '../../identity/networks.ts';
import { UnreadablePayload } from '../../temporal/payload-codec.ts';
import type { Service } from '../operation.ts';
import { OperatorError, wrongUsage } from '../operator-error.ts';
import { requireRole } from './execute.ts';

export interface CodecServerDeps {
  readonly service: Pick<Service, 'noteAccess' | 'webUi'>;
  readonly authenticate: (authorization: string | undefined) => Promise<Actor>;
  readonly sessions: Pick<OperatorSessions, 'read'>;
  readonly codec: PayloadCodec;
  /** How often one operator may ask. */
  readonly limit: Limit;
}

const DECODE = { name: 'codec decode', roles: ['support', 'platform'] } as const;

/** As JSON has them: the bytes in base64. What else a payload has comes back as it was. */
const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'));
const requestBody = z.object({
  payloads: z
    .array(z.looseObject({ metadata: z.record(z.string(), bytes).nullish(), data: bytes.nullish() }))
    .max(1_000),
});

/**
 * What decrypts payloads for Temporal's Web UI and command line, by the protocol that those speak
 * (https://docs.temporal.io/codec-server): `POST /decode` with a login of ours, by a token or, from the Web UI's own pages,
 * by the back office's session. Each call is in the access log before its answer. Nothing is encrypted here: nobody writes.
 */
export function codecServer({ service, authenticate, sessions, codec, limit }: CodecServerDeps): Router {
  const router = Router();
  router.use(letWebUiAsk(service.webUi?.origin));

  const identify: RequestHandler = async (req, res, next) => {
    const { authorization } = req.headers;
    // a browser sends a session along for whoever asks, so the page that does has to be one of the Web UI's
    const isWebUi = req.headers.origin !== undefined && req.headers.origin === service.webUi?.origin;
    if (authorization === undefined && isWebUi) {
      const visit = await sessions.read(req.headers.cookie);
      res.append('Set-Cookie', visit.setCookie);
      res.locals['actor'] = visit.actor;
    } else res.locals['actor'] = await authenticate(authorization);
    next();
  };
  const countCalls: RequestHandler = async (req, res, next) => {
    await limit(req, res, actorOf(res).subject);
    next();
  };

  const decode = async (req: Request, res: Response): Promise<void> => {
    const actor = actorOf(res);
    const note = (outcome: string, payloads: readonly unknown[], decoded: readonly Payload[] = []) =>
      service.noteAccess({
        ...{ who: 'operator', whoId: actor.subject, whoName: actor.name, outcome },
        action: `codec.decode.${payloads.length}`,
        caseIds: casesIn(decoded),
        ...{ address: plainAddress(req.ip ?? ''), requestId: requestIdOf(res) },
      });
    const { payloads } = bodyOf(req);
    const decoded = await (async () => {
      requireRole(actor, DECODE, {});
      return codec.decode([...payloads]);
    })().catch(async (error: unknown) => {
      const isForeseen = error instanceof Denied || error instanceof UnreadablePayload;
      await note(isForeseen ? error.code : 'INTERNAL_ERROR', payloads).catch(() => undefined);
      if (error instanceof UnreadablePayload) throw new OperatorError('refused', error.code, error.message);
      throw error;
    });
    await note('done', payloads, decoded);
    res.set('Cache-Control', 'no-store').json({ payloads: decoded.map(inBase64) });
  };
  router.post('/decode', identify, countCalls, express.json({ limit: '4mb', type: () => true }), decode);
  return router;
}

const actorOf = (res: Response): Actor => res.locals['actor'] as Actor;

/** The Web UI has an origin of its own, and its pages send the session's cookie. */
const letWebUiAsk =
  (origin: string | undefined): RequestHandler =>
  (req, res, next) => {
    res.vary('Origin');
    if (origin !== undefined && req.headers.origin === origin)
      res.set({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Allow-Headers': 'Authorization, Authorization-Extras, Content-Type, X-Namespace',
        'Access-Control-Allow-Methods': 'POST',
        'Access-Control-Max-Age': '600',
      });
    if (req.method === 'OPTIONS') res.status(204).end();
    else next();
  };

function bodyOf({ body }: Request): { readonly payloads: readonly Payload[] } {
  const { data } = requestBody.safeParse(body);
  if (!data)
    throw wrongUsage('The body must be {"payloads": […]}, at most 1,000, as Temporal writes them in JSON.');
  return data;
}

const inBase64 = ({ metadata, data, ...rest }: Payload) => ({
  ...rest,
  metadata: Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
  ),
  ...(data && { data: Buffer.from(data).toString('base64') }),
});

/** Whoever asks does not say which case it is; most of what is kept does. */
function casesIn(payloads: readonly Payload[]): readonly string[] {
  const texts = payloads.map(({ data }) => Buffer.from(data ?? []).toString());
  const ids = texts.flatMap((text) =>
    [...text.matchAll(/"caseId":"([^"]{36})"/g)].map(([, id = '']) => parseCaseId(id)),
  );
  return [...new Set(ids.filter((id) => id !== null))];
}
