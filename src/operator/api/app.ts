import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import { type BaseAppContext, createBaseApp } from '../../http/base-app.ts';
import { requestIdOf } from '../../http/request-log.ts';
import { plainAddress } from '../../identity/networks.ts';
import type { Actor } from '../../identity/operators/actor.ts';
import { type Description, pathOf } from '../description.ts';
import { DESCRIPTIONS } from '../descriptions/index.ts';
import type { Service } from '../operation.ts';
import { notFound, wrongUsage } from '../operator-error.ts';
import { backOffice, showProblem } from '../pages/office.ts';
import type { OperatorLogin } from '../pages/login.ts';
import { codecServer, type CodecServerDeps } from './codec-server.ts';
import { errorBody, errorHandler, noteError, toOperatorError } from './errors.ts';
import { execute } from './execute.ts';
import { openApi } from './openapi.ts';

export interface OperatorApiContext extends Pick<
  BaseAppContext,
  'log' | 'metrics' | 'isDraining' | 'trustProxy'
> {
  readonly service: Service;
  /** Who calls, by the header `Authorization`. @throws Denied */
  readonly authenticate: (authorization: string | undefined) => Promise<Actor>;
  /** Where operators log in; null where nobody does, as over a socket. */
  readonly login: OperatorLogin | null;
  /** What is encrypted at Temporal, and how often one operator may have it decrypted; only who logs in may. */
  readonly payloads: Pick<CodecServerDeps, 'codec' | 'limit'>;
}

/** Files that operators pass travel in the body: two thousand cases, with all that happened to each. */
const BODY_LIMIT = '10mb';
/** Proxies and servers take a connection on which nothing is said for a minute as dead. */
const HEARTBEAT_MS = 10_000;

/** The operator API: a call for each description, and what describes them. */
export function createOperatorApi({
  service,
  authenticate,
  login,
  payloads,
  log,
  ...context
}: OperatorApiContext): Express {
  const { database, settings } = service;
  const overTls = login?.url.startsWith('https:') ?? settings.environment === 'production';
  const app = createBaseApp({ ...context, log, database, overTls });
  app.get('/operator/v1/openapi.json', (_req, res) => {
    res.json(openApi());
  });
  const identify: RequestHandler = async (req, res, next) => {
    res.locals['actor'] = await authenticate(req.headers.authorization);
    next();
  };
  const readJson = express.json({ limit: BODY_LIMIT, type: () => true });
  for (const description of DESCRIPTIONS)
    app.post(`/operator/v1${pathOf(description)}`, identify, readJson, answerCall(service, description, log));
  const pages = login && { ...login, service, log };
  if (pages) {
    const { sessions } = pages;
    app.use('/codec', codecServer({ service, authenticate, sessions, ...payloads }));
    app.use(backOffice(pages));
  }
  app.use(() => {
    throw notFound('There is nothing here. GET /operator/v1/openapi.json describes what there is.');
  });
  if (pages) app.use(showProblem(pages));
  app.use(errorHandler(log));
  return app;
}

const answerCall =
  (service: Service, { name }: Pick<Description, 'name'>, log: Logger): RequestHandler =>
  async (req, res) => {
    const actor = res.locals['actor'] as Actor;
    const progress = progressOf(req, res);
    const { settings } = service;
    try {
      const { result, view } = await execute(service, {
        ...{ name, actor, input: bodyOf(req), say: (line) => progress.say(line), signal: progress.signal },
        from: { address: plainAddress(req.ip ?? ''), requestId: requestIdOf(res) },
      });
      progress.end(200, { result, view, as: actor.name, environment: settings.environment });
    } catch (thrown) {
      if (!progress.hasBegun()) throw thrown;
      const error = toOperatorError(thrown);
      noteError(log, res, thrown);
      progress.end(error.status, errorBody(error, res));
    }
  };

function bodyOf({ body }: Request): Readonly<Record<string, unknown>> {
  if (body === undefined) return {};
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw wrongUsage('The body must be a JSON object.');
}

/**
 * For whoever takes `application/x-ndjson` the answer may come in lines: `{"say": …}` for how far it is, empty ones while
 * there is nothing to say, and at last `{"status": …, "body": …}`. Where it comes at once it is JSON as for all others.
 */
function progressOf(req: Request, res: Response) {
  const takesLines = /\bapplication\/x-ndjson\b/.test(req.headers.accept ?? '');
  const gone = new AbortController();
  const said: string[] = [];
  let hasBegun = false;
  const write = (line: string) => {
    if (!hasBegun) res.status(200).type('application/x-ndjson').set('Cache-Control', 'no-store');
    hasBegun = true;
    res.write(`${line}\n`);
  };
  const heartbeat = takesLines ? setInterval(() => write(''), HEARTBEAT_MS) : undefined;
  res.once('close', () => {
    clearInterval(heartbeat);
    if (!res.writableFinished) gone.abort();
  });
  return {
    signal: gone.signal,
    hasBegun: () => hasBegun,
    say(line: string) {
      if (takesLines) write(JSON.stringify({ say: line }));
      else said.push(line);
    },
    end(status: number, body: Readonly<Record<string, unknown>>) {
      if (hasBegun) res.end(`${JSON.stringify({ status, body })}\n`);
      else
        res
          .status(status)
          .set('Cache-Control', 'no-store')
          .json(said.length > 0 ? { ...body, said } : body);
    },
  };
}
