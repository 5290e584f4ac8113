import type { Request, Response } from 'express';
import type { Author } from '../domain/command.ts';
import type { PartnerId } from '../domain/ids.ts';
import type { KeyScope } from '../domain/limits.ts';
import { isWithin } from '../identity/networks.ts';
import { type Environment, readKey, readToken } from '../identity/secrets.ts';
import { findKeyOwner, noteKeyUse } from '../postgres/api-keys.ts';
import { findSession, type Session } from '../postgres/partner-users.ts';
import { identify } from './access-notes.ts';
import type { Dependencies } from './dependencies.ts';
import { ApiError } from './errors.ts';
import type { Access } from './operation.ts';
import { notePartner } from './request-log.ts';

const PREFIX: Record<Environment, string> = { test: 'tb_test_…', production: 'tb_live_…' };
const NEW_KEYS = 'Your users create keys with POST /auth/api-keys.';

/** `details.reason` of INVALID_API_KEY. */
export const KEY_FAULTS = {
  missing: (_environment, whereItIs) =>
    `This needs an API key in the header X-API-Key.${whereItIs} ${NEW_KEYS}`,
  malformed: (environment) =>
    `The API key is incomplete or mistyped. It begins with ${PREFIX[environment]}: copy it again, in full.`,
  wrong_environment: (environment) =>
    `This is the ${environment} environment: it takes keys that begin with ${PREFIX[environment]}.`,
  ambiguous: () => 'The header X-API-Key must be sent once.',
  not_accepted: () =>
    `This API key is not accepted: it is unknown, has expired, was revoked, or its partner is suspended. ${NEW_KEYS}`,
} satisfies Record<string, (environment: Environment, whereItIs: string) => string>;
type KeyFault = keyof typeof KEY_FAULTS;

export const invalidApiKey = (reason: KeyFault, environment: Environment, whereItIs = ''): ApiError =>
  new ApiError('INVALID_API_KEY', KEY_FAULTS[reason](environment, whereItIs), { reason });

/** `details.reason` of KEY_NOT_ALLOWED. */
export const KEY_BOUNDS = {
  network: () =>
    'This API key is not for the network that this call comes from: `allowedNetworks` names its own.',
  scope: (needed) => `This API key may not do this: it takes one with the scope ${needed}.`,
} satisfies Record<string, (needed: KeyScope) => string>;

export const keyNotAllowed = (reason: keyof typeof KEY_BOUNDS, needed: KeyScope): ApiError =>
  new ApiError('KEY_NOT_ALLOWED', KEY_BOUNDS[reason](needed), { reason, scope: needed });

/** Of a key: to look, or to do something. */
const scopeOf = ({ method }: Request): KeyScope =>
  method === 'GET' || method === 'HEAD' ? 'cases:read' : 'cases:write';

const NAMES_A_KEY = /^(x[-_]?)?api[-_]?key$/i;

/** Whoever brought a key to another place is told; what they brought is not even looked at. */
function whereItIs(req: Request): string {
  if (Object.keys(req.query).some((name) => NAMES_A_KEY.test(name)))
    return ' It is never read from the address, which others may log: replace the key that you sent there by another.';
  if (req.headers.authorization !== undefined) return ' The header Authorization is not read here.';
  return '';
}

type AuthenticationDeps = Pick<Dependencies, 'settings' | 'database' | 'limits' | 'requestList' | 'log'>;

/** Of keys and tokens that were found here: far more than a deployment has in use. */
const MOST_KNOWN = 10_000;

/**
 * Looks up whose a well-formed key or token is. One that was never found here may be made up, so it is counted as
 * public before PostgreSQL is asked, and no longer when it turns out to be somebody's: guessing costs at most as many
 * look-ups as the limit allows, and whoever has a key is not held up by others at their address.
 */
const createLookUp = <Found>(
  limits: AuthenticationDeps['limits'],
  find: (hash: Buffer) => Promise<Found | null>,
) => {
  const known = new Set<string>();
  return async (req: Request, res: Response, hash: Buffer): Promise<Found | null> => {
    const id = hash.toString('base64');
    const isKnown = known.has(id);
    const uncount = isKnown ? null : await limits.publicCalls(req, res);
    const found = await find(hash);
    if (found) {
      if (known.size >= MOST_KNOWN) known.clear();
      known.add(id);
      void uncount?.();
      return found;
    }
    known.delete(id);
    if (isKnown) await limits.publicCalls(req, res);
    return null;
  };
};

/** Lets a partner's request in by its key, within the key's limit; counts all others as public. */
const authenticatePartner = ({ settings, database, limits, requestList, log }: AuthenticationDeps) => {
  const { environment } = settings;
  const noted = new Map<string, number>();
  const findOwner = createLookUp(limits, (hash) => findKeyOwner(database, hash));
  return async (req: Request, res: Response): Promise<Callers['api key']> => {
    const hash = hashIn(req);
    if (typeof hash === 'string') {
      await limits.publicCalls(req, res);
      throw invalidApiKey(hash, environment, whereItIs(req));
    }
    const owner = await findOwner(req, res, hash);
    if (!owner) throw invalidApiKey('not_accepted', environment, whereItIs(req));
    notePartner(res, owner.partnerId);
    requestList.follow(req, res, { partnerId: owner.partnerId, apiKeyId: owner.keyId });
    identify(res, { who: 'partner_key', whoId: owner.keyId, partnerId: owner.partnerId });
    const needed = scopeOf(req);
    if (owner.allowedNetworks && !isWithin(owner.allowedNetworks, req.ip ?? '')) {
      // as one without a key: whoever has found the key must not use up its limit
      await limits.publicCalls(req, res);
      throw keyNotAllowed('network', needed);
    }
    await limits.authenticated(req, res, owner.keyId);
    noteUse(owner.keyId);
    if (!owner.scopes.includes(needed)) throw keyNotAllowed('scope', needed);
    return { partnerId: owner.partnerId, author: { actor: 'partner', apiKeyId: owner.keyId } };
  };

  /** For people to read, so nobody waits for it, and once a minute will do. */
  function noteUse(keyId: string): void {
    const minute = Math.floor(Date.now() / 60_000);
    if (noted.get(keyId) === minute) return;
    noted.set(keyId, minute);
    noteKeyUse(database, keyId).catch((error: unknown) => {
      log.debug({ fault: error instanceof Error ? error.name : 'unknown' }, 'the use of a key was not noted');
    });
  }

  function hashIn(req: Request): Buffer | KeyFault {
    const sent = req.headersDistinct['x-api-key'] ?? [];
    const [key] = sent;
    if (key === undefined || key === '') return 'missing';
    if (sent.length > 1) return 'ambiguous';
    const reading = readKey(key, environment);
    return reading.ok ? reading.hash : reading.reason;
  }
};

/** `details.reason` of INVALID_ACCESS_TOKEN. */
export const TOKEN_FAULTS = {
  missing:
    'This needs an access token: log in with POST /auth/login, and send it as Authorization: Bearer <accessToken>. API ' +
    'keys are for cases, and not accepted here.',
  ambiguous: 'The header Authorization must be sent once.',
  wrong_scheme: 'The header Authorization has to read: Bearer <accessToken>.',
  malformed: 'The access token is incomplete or mistyped, or is something else: it begins with tb_at_.',
  not_accepted: 'This access token is not accepted: it has expired, or was ended. Please log in again.',
};
type TokenFault = keyof typeof TOKEN_FAULTS;

export const invalidAccessToken = (reason: TokenFault): ApiError =>
  new ApiError('INVALID_ACCESS_TOKEN', TOKEN_FAULTS[reason], { reason });

/** A partner user who is logged in, and by what. */
interface LoggedIn extends Session {
  readonly tokenHash: Buffer;
}

/** Lets a partner user in by the access token, within the user's limit; counts all others as public. */
const authenticateUser = ({ database, limits, requestList }: AuthenticationDeps) => {
  const findUser = createLookUp(limits, (hash) => findSession(database, hash));
  return async (req: Request, res: Response): Promise<Callers['access token']> => {
    const tokenHash = hashIn(req);
    if (typeof tokenHash === 'string') {
      await limits.publicCalls(req, res);
      throw invalidAccessToken(tokenHash);
    }
    const user = await findUser(req, res, tokenHash);
    if (!user) throw invalidAccessToken('not_accepted');
    notePartner(res, user.partner_id);
    requestList.follow(req, res, { partnerId: user.partner_id, userId: user.user_id });
    identify(res, { who: 'partner_user', whoId: user.user_id, partnerId: user.partner_id });
    await limits.authenticated(req, res, user.user_id);
    return { user: { ...user, tokenHash } };
  };

  function hashIn(req: Request): Buffer | TokenFault {
    const [sent, ...others] = req.headersDistinct['authorization'] ?? [];
    if (sent === undefined || sent === '') return 'missing';
    if (others.length > 0) return 'ambiguous';
    const token = /^bearer +(.*)$/i.exec(sent)?.[1];
    if (token === undefined) return 'wrong_scheme';
    return readToken(token, 'access') ?? 'malformed';
  }
};

/** Who calls, by what the call asks them to bring. A customer is known by the case: see src/http/route.ts. */
export interface Callers {
  readonly 'api key': { readonly partnerId: PartnerId; /** As events name them. */ readonly author: Author };
  readonly 'access token': { readonly user: LoggedIn };
  readonly customer: object;
  readonly anybody: object;
}

type Authentication = {
  readonly [A in Access]: (req: Request, res: Response) => Promise<Callers[A]>;
};

/** @returns how each kind of caller is known; each throws an ApiError where they are not */
export function createAuthentication(deps: AuthenticationDeps): Authentication {
  const anybody = () => Promise.resolve({});
  return {
    'api key': authenticatePartner(deps),
    'access token': authenticateUser(deps),
    customer: anybody,
    anybody,
  };
}
