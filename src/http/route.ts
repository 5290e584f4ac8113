import { AsyncLocalStorage } from 'node:async_hooks';
import type { Request, Response, Router } from 'express';
import type { z } from 'zod';
import type { CaseView } from '../postgres/cases.ts';
import type { KeyedRequest } from '../postgres/idempotency.ts';
import { parseCaseId } from '../domain/ids.ts';
import { type Callers, createAuthentication } from './authentication.ts';
import { createCaseAccess } from './booking/customer-login.ts';
import { partnersCase } from './cases/partners-case.ts';
import type { Dependencies } from './dependencies.ts';
import { accessorOf, identify, noteRequest } from './access-notes.ts';
import { ApiError, originNotAllowed, outcomeUnknown, toApiError } from './errors.ts';
import { keyOf, type KeyTaken, replay, type SentRequest } from './idempotency.ts';
import { type InputContext, memoizeByContext, type Operation } from './operation.ts';
import { parseQuery, readBody } from './request-input.ts';
import { noteCase } from './request-log.ts';

type Output<Make> = Make extends (context: InputContext) => infer S
  ? S extends z.ZodType
    ? z.output<S>
    : never
  : undefined;
type Answer<O extends Operation> = z.input<O['answer']['schema']>;

/** Who calls, and which case: all that is judged before the body. */
export type JudgedCall<O extends Operation> = {
  readonly req: Request;
  readonly res: Response;
  /** A parameter of the path. */
  readonly param: (name: string) => string;
} & Callers[O['access']] &
  (O['path'] extends `${string}{caseId}${string}` ? { readonly view: CaseView } : object);

/** A call as its handler gets it. */
export type Call<O extends Operation> = JudgedCall<O> & {
  readonly query: Output<O['query']>;
  readonly input: Output<O['body']>;
  /** By its `Idempotency-Key`; null without one. */
  readonly request: KeyedRequest | null;
  /** Begins the access log's entry already, for what is as good as done. The answer waits for it, as for each. */
  readonly noteDone: (body: { readonly id: string }) => void;
};

/** Adds a described call to the API. What `handle` resolves to is the answer's body. */
export type Add = <const O extends Operation>(
  described: O,
  handle: (call: Call<O>) => Promise<Answer<O> | (O['idempotent'] extends 'within' ? KeyTaken : never)>,
  /** What else is judged before the body. */
  before?: (call: JudgedCall<O>) => Promise<void>,
) => void;

/**
 * The only way in which a route gets into the API: what is not described is not served. A request is judged in the order
 * limit, key or session, case, body; then `handle` is called with what came of it.
 */
export function routeAdder(router: Router, deps: Dependencies, contextOf: () => Promise<InputContext>): Add {
  const { limits, sessions, settings, idempotency, noteAccess } = deps;
  const authenticate = createAuthentication(deps);
  const access = createCaseAccess(deps);
  const { read } = partnersCase(deps);

  const limitPublic = async (described: Operation, req: Request, res: Response) => {
    if (described.access === 'api key' || described.access === 'access token') return;
    if (described.countLogin === 'case')
      await limits.login(req, res, String(req.params['caseId']).toLowerCase());
    else if (!described.countLogin) await limits.publicCalls(req, res);
  };

  /** The case of the path, as far as the caller may have to do with it. */
  const caseOf = async (described: Operation, caller: object, req: Request, res: Response) => {
    const id = String(req.params['caseId']);
    const view =
      described.access === 'api key'
        ? await read(id, (caller as Callers['api key']).partnerId)
        : await access.find(id);
    noteCase(res, view);
    if (described.access === 'customer') {
      const session = await access.require(view, await sessions.read(req.headers.cookie));
      identify(res, { who: 'customer', whoId: session.personId });
      // it lives on by being used
      res.append('Set-Cookie', (await sessions.renew(session)).setCookie);
    }
    return view;
  };

  const judge = async (described: Operation, req: Request, res: Response) => {
    await limitPublic(described, req, res);
    const caller = await authenticate[described.access](req, res);
    const view = described.path.includes('{caseId}') ? await caseOf(described, caller, req, res) : null;
    if (described.sameOrigin) requireSameOrigin(req, described.sameOrigin, settings.publicUrl);
    return { req, res, param: (name: string) => String(req.params[name]), view, ...caller };
  };

  return (described: Operation, handle, before) => {
    const { id, method, path, answer, idempotent, countLogin } = described;
    const makeQuery = described.query && memoizeByContext(described.query);
    const makeBody = described.body && memoizeByContext(described.body);

    const readInput = async (req: Request, res: Response): Promise<unknown> => {
      if (!makeBody) return undefined;
      const reading = readBody(req, res, makeBody(await contextOf()));
      if (typeof countLogin !== 'function') return reading;
      // who tries is in the body, so it is read first; one that says nobody is counted too, as one account
      const account = await reading.then(countLogin as (input: unknown) => string, () => '');
      await limits.login(req, res, account);
      return reading;
    };

    /** Whoever is known, and whatever is about a case or is a login; how often strangers are turned away is counted. */
    const note = async (req: Request, res: Response, outcome: string, body?: unknown): Promise<void> => {
      const asked = parseCaseId(String(req.params['caseId'] ?? ''));
      const caseIds = asked ? [asked] : casesIn(described, body);
      const isNews = accessorOf(res).who !== 'nobody' || asked !== null || countLogin !== undefined;
      if (isNews && outcome !== 'RATE_LIMIT_EXCEEDED')
        await noteRequest(noteAccess, req, res, {
          ...{ action: id, outcome, caseIds },
          ...((method === 'get' || described.tellsWho) && { commit: 'soon' }),
        });
    };

    router[method](expressPath(path), async (req, res) => {
      let noted: Promise<void> | null = null;
      const noteDone = (body: unknown) => (noted ??= note(req, res, 'done', body));
      const body = await answerTo(req, res, noteDone).catch(async (error: unknown) => {
        // where that can't be written, the refusal itself says more
        await note(req, res, toApiError(error).code).catch(() => undefined);
        throw error;
      });
      const entry = noteDone(body);
      // meanwhile
      const text = JSON.stringify(body);
      await entry.catch((error: unknown) => {
        // what was done is done
        throw method === 'get' ? error : outcomeUnknown();
      });
      res.status(answer.status).type('json').send(text);
    });

    const answerTo = async (
      req: Request,
      res: Response,
      noted: (body: unknown) => Promise<void>,
    ): Promise<unknown> => {
      const judged = await judge(described, req, res);
      await before?.(judged as never);
      const query = makeQuery && parseQuery(makeQuery(await contextOf()), req);
      // out of a transaction in which it may be called, too; what comes of it is asked for with the answer
      const noteDone = AsyncLocalStorage.bind((body: unknown) => void noted(body).catch(() => undefined));
      // the compiler knows them by what is described, which it can't follow here
      const call = (input: unknown, request: KeyedRequest | null): Promise<unknown> =>
        handle({ ...judged, query, input, request, noteDone } as never);

      const key = idempotent ? keyOf(req) : null;
      if (!idempotent || key === null) return call(await readInput(req, res), null);
      const sent = { req, key, operationId: id, ...ownerOf(judged) };
      const once = idempotency.once[idempotent];
      try {
        const input = await readInput(req, res);
        const settled = await once(await idempotency.requestOf(sent, input), (request) =>
          call(input, request),
        );
        return 'kept' in settled ? replay(res, settled.kept) : settled.done;
      } catch (error) {
        if (!isFault(error)) throw error;
        const kept = await idempotency.findAnswerToSame(sent);
        if (!kept) throw error;
        return replay(res, kept);
      }
    };
  };
}

/** A described path, as Express has it. */
export const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Of an answer whose path names no case. */
function casesIn({ touches }: Operation, body: unknown): string[] {
  if (body === undefined || touches === undefined) return [];
  if (touches === 'answered') return [(body as { id: string }).id];
  const { data } = body as { data: readonly { readonly id: string; readonly caseId?: string }[] };
  return [...new Set(data.map(({ id, caseId = id }) => caseId))];
}

/** Of whom an `Idempotency-Key` is. */
function ownerOf(judged: object): Pick<SentRequest, 'partnerId' | 'userId'> {
  const caller = judged as Callers['api key'] | Callers['access token'];
  if ('partnerId' in caller) return { partnerId: caller.partnerId, userId: null };
  return { partnerId: caller.user.partner_id, userId: caller.user.user_id };
}

const isFault = (error: unknown): boolean => error instanceof ApiError && error.code === 'VALIDATION_FAILED';

/** What another site has a browser send is refused (see {@link Operation.sameOrigin}). @throws ORIGIN_NOT_ALLOWED */
function requireSameOrigin(
  req: Request,
  rule: NonNullable<Operation['sameOrigin']>,
  publicUrl: string,
): void {
  const own = new URL(publicUrl).origin;
  const from = req.get('origin');
  // an old browser sends no Origin, but says that the request crosses sites; or is too old to do either
  const isUnsaid =
    from === undefined && [undefined, 'same-origin', 'none'].includes(req.get('sec-fetch-site'));
  if (from !== own && !(rule === 'unless unsaid' && isUnsaid)) throw originNotAllowed(own);
}
