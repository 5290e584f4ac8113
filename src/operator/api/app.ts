import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { faultOf } from '../../domain/fault.ts';
import { assignRequestId, logRequests, requestIdOf } from '../../http/request-log.ts';
import { type Actor, Denied } from '../../identity/operators/actor.ts';
import { databaseFaultOf } from '../../postgres/database-errors.ts';
import { isDatabaseReachable } from '../../postgres/database.ts';
import { type Description, pathOf } from '../description.ts';
import { DESCRIPTIONS } from '../descriptions/index.ts';
import type { Service } from '../operation.ts';
import { notFound, OperatorError, wrongUsage } from '../operator-error.ts';
import { execute } from './execute.ts';
import { loginRoutes, type OperatorLogin } from './login.ts';
import { openApi } from './openapi.ts';

export interface OperatorApiContext {
  readonly service: Service;
  /** Who calls, by the header `Authorization`. @throws Denied */
  readonly authenticate: (authorization: string | undefined) => Promise<Actor>;
  /** Where operators log in; null where nobody does, as over a socket. */
  readonly login: OperatorLogin | null;
  readonly log: Logger;
  readonly isDraining: () => boolean;
}

/** Files that operators pass travel in the body. */
const BODY_LIMIT = '1mb';
/** Proxies and servers take a connection on which nothing is said for a minute as dead. */
const HEARTBEAT_MS = 10_000;

/** The operator API: a call for each description, and what describes them. */
export function createOperatorApi({
  service,
  authenticate,
  login,
  log,
  isDraining,
}: OperatorApiContext): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(assignRequestId);
  app.use(logRequests(log));
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
      },
    }),
  );
  app.get('/health/live', (_req, res) => {
    res.json({ status: 'ok' });
  });
  app.get('/health/ready', async (_req, res) => {
    const isThere = !isDraining() && (await isDatabaseReachable(service.database));
    res.status(isThere ? 200 : 503).json({ status: isThere ? 'ok' : 'unavailable' });
  });
  app.get('/operator/v1/openapi.json', (_req, res) => {
    res.json(openApi());
  });
  if (login !== null) app.use(loginRoutes(login, log));
  const identify: RequestHandler = async (req, res, next) => {
    res.locals['actor'] = await authenticate(req.headers.authorization);
    next();
  };
  const readJson = express.json({ limit: BODY_LIMIT, type: () => true });
  for (const description of DESCRIPTIONS)
    app.post(`/operator/v1${pathOf(description)}`, identify, readJson, answerCall(service, description, log));
  app.use(() => {
    throw notFound('There is nothing here. GET /operator/v1/openapi.json describes what there is.');
  });
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
      });
      progress.end(200, { result, view, as: actor.name, environment: settings.environment });
    } catch (thrown) {
      if (!progress.hasBegun()) throw thrown;
      const error = toOperatorError(thrown);
      if (error.status === 500) logFault(log, res, thrown);
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

/** As everywhere (docs/contract.md §5). `view` is for people, below the words. */
const errorBody = ({ message, status, code, details, view }: OperatorError, res: Response) => ({
  error: message,
  statusCode: status,
  details: { code, requestId: requestIdOf(res), ...details },
  ...(view === null ? {} : { view }),
});

const logFault = (log: Logger, res: Response, thrown: unknown) =>
  log.error({ requestId: requestIdOf(res), fault: faultOf(thrown) }, 'operation failed');

const errorHandler =
  (log: Logger): ErrorRequestHandler =>
  (thrown: unknown, _req, res, next) => {
    if (res.headersSent) {
      next(thrown);
      return;
    }
    const error = toOperatorError(thrown);
    if (thrown instanceof Denied) {
      log.warn({ requestId: requestIdOf(res), code: thrown.code, detail: thrown.detail }, 'not let in');
      if (thrown.challenge !== null) res.setHeader('WWW-Authenticate', thrown.challenge);
    } else if (error.status === 500) logFault(log, res, thrown);
    res.status(error.status).set('Cache-Control', 'no-store').json(errorBody(error, res));
  };

const DENIAL_KINDS = { 400: 'usage', 401: 'login', 403: 'role', 503: 'unavailable' } as const;

/** What we did not foresee says nothing about our insides. */
function toOperatorError(thrown: unknown): OperatorError {
  if (thrown instanceof OperatorError) return thrown;
  if (thrown instanceof Denied) {
    const kind = DENIAL_KINDS[thrown.status];
    return new OperatorError(kind, thrown.code, thrown.message);
  }
  if (thrown instanceof Error && 'type' in thrown && String(thrown.type).startsWith('entity.'))
    return wrongUsage(
      thrown.type === 'entity.too.large'
        ? `The body may have up to ${BODY_LIMIT}.`
        : 'The body must be a JSON object.',
    );
  switch (databaseFaultOf(thrown)) {
    case 'away':
      return new OperatorError(
        'unavailable',
        'DATABASE_AWAY',
        'PostgreSQL unreachable. Try again in a moment.',
      );
    case 'read_only':
      return new OperatorError(
        'unavailable',
        'DATABASE_READ_ONLY',
        'PostgreSQL takes no writes now, so nothing was changed; looking goes on. Try again in a moment.',
      );
    case 'not_let_in':
      return new OperatorError(
        'unavailable',
        'DATABASE_REFUSES',
        'PostgreSQL refuses the user, password or database of OPERATOR_DATABASE_URL.',
      );
    case 'tls':
      return new OperatorError(
        'unavailable',
        'DATABASE_REFUSES',
        'PostgreSQL has no TLS, or a certificate that is not trusted: OPERATOR_DATABASE_URL asks for it.',
      );
    case 'not_migrated':
      return new OperatorError(
        'unavailable',
        'NOT_MIGRATED',
        'Database schema out of date: run `node src/main/migrate.ts` first.',
      );
    case null:
      return new OperatorError(
        'internal',
        'INTERNAL_ERROR',
        'Internal error. Please report it with the request id.',
      );
  }
}
