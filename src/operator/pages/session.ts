import express, { type Request, type RequestHandler, type Response } from 'express';
import { Denied } from '../../identity/operators/actor.ts';
import type { OperatorSession, OperatorSessions } from '../../identity/operators/sessions.ts';

export interface SessionDeps {
  /** Where operators reach us, without a trailing slash. */
  readonly url: string;
  readonly sessions: OperatorSessions;
}

/** Lets in who has a session ({@link visitOf}), and sends who has none to log in and back. */
export const requireSession =
  ({ url, sessions }: SessionDeps): RequestHandler =>
  async (req, res, next) => {
    try {
      const visit = await sessions.read(req.headers.cookie);
      res.append('Set-Cookie', visit.setCookie);
      res.locals['visit'] = visit;
    } catch (error) {
      const isRead = req.method === 'GET' || req.method === 'HEAD';
      if (!(error instanceof Denied && error.code === 'LOGIN_REQUIRED' && isRead)) throw error;
      leadTo(res, loginPath(req.originalUrl), []);
      return;
    }
    if (req.method === 'POST' && !isSameOrigin(req, url)) throw notOurs();
    next();
  };

/** The logged-in operator, behind {@link requireSession}. */
export const visitOf = (res: Response): OperatorSession | null =>
  (res.locals['visit'] as OperatorSession | undefined) ?? null;

/** Reads a form. @throws Denied when it was not one of ours, in this session */
export const readForm: RequestHandler[] = [
  express.urlencoded({ extended: false, limit: '2mb' }),
  (req, res, next) => {
    const { token } = (req.body ?? {}) as { token?: unknown };
    if (!visitOf(res)?.isFormToken(token)) throw notOurs();
    next();
  },
];

/** @param to the path of ours to be at afterwards */
const loginPath = (to: string): string => `/login?to=${encodeURIComponent(to)}`;

export function leadTo(res: Response, location: string, setCookie: readonly string[]): void {
  for (const each of setCookie) res.append('Set-Cookie', each);
  res.redirect(303, location);
}

/** What another site has a browser send is refused, whatever cookies come along: a page of ours has to have sent it. */
const isSameOrigin = (req: Request, url: string): boolean => {
  const origin = req.get('origin');
  return origin === undefined || origin === 'null'
    ? req.get('sec-fetch-site') === 'same-origin'
    : origin === new URL(url).origin;
};

const notOurs = () =>
  new Denied('LOGIN_REQUIRED', {
    message:
      'This was not sent by a page of ours, so nothing was done. Go back to the back office, and try again there.',
  });
