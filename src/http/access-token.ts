import type { Request, RequestHandler, Response } from 'express';
import { readToken } from '../keys/token.ts';
import { sessionOf, type Session } from '../postgres/access-tokens.ts';
import { ApiError } from './api-error.ts';
import type { Dependencies } from './dependencies.ts';

type Reason = 'missing' | 'ambiguous' | 'wrong_scheme' | 'malformed' | 'not_accepted';

const WHY: Record<Reason, string> = {
  missing:
    'This needs an access token: log in with POST /auth/login, and send it as Authorization: Bearer <accessToken>. API ' +
    'keys are for cases, and not accepted here.',
  ambiguous: 'The header Authorization has to be sent once.',
  wrong_scheme: 'The header Authorization has to read: Bearer <accessToken>.',
  malformed: 'The access token is incomplete or mistyped, or is something else: it begins with tb_at_.',
  not_accepted: 'This access token is not accepted: it has expired, or was ended. Please log in again.',
};

/** A partner user who is logged in, and by what. */
interface LoggedIn extends Session {
  readonly tokenHash: Buffer;
}

/** Lets a partner user in by the access token, within the user's limit; counts all others as public (contract §5). */
export const requirePartnerUser = ({
  database,
  limits,
}: Pick<Dependencies, 'database' | 'limits'>): RequestHandler => {
  return async (req, res, next) => {
    const user = await userOf(req);
    if (typeof user === 'string') {
      await limits.publicCalls(req, res);
      // RFC 9110, 15.5.2
      res.setHeader('WWW-Authenticate', 'Bearer');
      throw new ApiError('INVALID_ACCESS_TOKEN', WHY[user], { reason: user });
    }
    await limits.authenticated(req, res, user.user_id);
    res.locals['partnerUser'] = user;
    next();
  };

  async function userOf(req: Request): Promise<LoggedIn | Reason> {
    const [sent, ...others] = req.headersDistinct['authorization'] ?? [];
    if (sent === undefined || sent === '') return 'missing';
    if (others.length > 0) return 'ambiguous';
    const token = /^bearer +(.*)$/i.exec(sent)?.[1];
    if (token === undefined) return 'wrong_scheme';
    const tokenHash = readToken(token, 'access');
    if (!tokenHash) return 'malformed';
    const session = await sessionOf(database, tokenHash);
    return session ? { ...session, tokenHash } : 'not_accepted';
  }
};

export const partnerUserOf = (res: Response): LoggedIn => res.locals['partnerUser'] as LoggedIn;
