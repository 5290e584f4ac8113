import { createLocalJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { type Discovery, type LoginServer, SIGNING_ALGORITHMS } from '../discovery.ts';
import { LoginFailed } from '../login-failed.ts';
import { type Actor, Denied, type Role, ROLES } from './actor.ts';

/**
 * How old an access token may be, whatever its own end says (seconds). A role that is taken away at the identity provider
 * is in no token that is issued from then on, so it is gone here within that time.
 */
export const TOKEN_AGE_SECONDS = 10 * 60;
/** How much the identity provider's clock may differ from ours. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** So long the keys that are known are relied on while they can not be asked for again: longer than any token of them. */
const KEYS_RELIED_ON_MS = 30 * 60_000;

/** What is believed of an access token. */
export interface TokenRules {
  /** Whom it has to be for: this service, and nobody else. */
  readonly audience: string;
  /** Where the roles are in it: the name of a claim, or a path with dots, such as Keycloak's `realm_access.roles`. */
  readonly rolesClaim: string;
  /** What each of our roles is called there; a role may have several names. */
  readonly roleNames: ReadonlyMap<string, Role>;
  /** Where the person's name is in it. */
  readonly nameClaim: string;
}

export interface AccessTokens {
  /**
   * Who presents a token, as the identity provider signed it. Someone without a role is an actor too, who may do nothing.
   *
   * @throws Denied `LOGIN_INVALID`, `LOGIN_EXPIRED`, `LOGIN_FOREIGN`, or `LOGIN_UNAVAILABLE` where its keys are not to be had
   */
  verify(token: string): Promise<{ readonly actor: Actor; readonly issuedAt: Date }>;
}

export function createAccessTokens({
  discovery,
  issuer,
  rules,
  now = () => new Date(),
}: {
  discovery: Discovery;
  /** The setting's, before anything was asked for. */
  issuer: string;
  rules: TokenRules;
  now?: () => Date;
}): AccessTokens {
  const keysOf = rememberKeys(now);

  return {
    async verify(token) {
      const told = readUnverified(token);
      // without a look at any key: who brings another realm's token must hear just that
      if (!isSameIssuer(told.iss, issuer)) throw new Denied('LOGIN_FOREIGN', { detail: 'iss' });
      const server = await discovery.find().catch(unavailable);
      const { payload } = await jwtVerify(token, keysOf(server), {
        issuer: server.config.serverMetadata().issuer,
        audience: rules.audience,
        algorithms: SIGNING_ALGORITHMS,
        requiredClaims: ['sub', 'iat', 'exp'],
        maxTokenAge: TOKEN_AGE_SECONDS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: now(),
      }).catch((error: unknown) => {
        throw denialOf(error);
      });
      const { sub: subject = '', iat = 0 } = payload;
      return {
        actor: {
          subject,
          name: nameIn(payload, rules.nameClaim) ?? subject,
          roles: rolesIn(payload, rules),
          via: 'token',
        },
        issuedAt: new Date(iat * 1000),
      };
    },
  };
}

function readUnverified(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    throw new Denied('LOGIN_INVALID', { detail: 'not a JWT' });
  }
}

/** With or without a slash at its end, as in the settings. */
const isSameIssuer = (told: string | undefined, issuer: string): boolean =>
  told?.replace(/\/$/, '') === issuer.replace(/\/$/, '');

/** The server's keys, and while it can not be asked for them, those that it published last. */
function rememberKeys(now: () => Date): (server: LoginServer) => JWTVerifyGetKey {
  const knownAt = new WeakMap<LoginServer, number>();
  return (server) => async (header, token) => {
    try {
      const key = await server.keys(header, token);
      knownAt.set(server, now().getTime());
      return key;
    } catch (error) {
      const known = server.keys.jwks();
      const isAnswered = error instanceof errors.JWKSNoMatchingKey;
      const age = now().getTime() - (knownAt.get(server) ?? 0);
      if (isAnswered || known === undefined || age > KEYS_RELIED_ON_MS) throw error;
      const byKnown = createLocalJWKSet(known)(header, token);
      // a key that is new there: nobody knows it until it can be asked for
      return byKnown.catch(() => Promise.reject(error as Error));
    }
  };
}

function unavailable(error: unknown): never {
  if (!(error instanceof LoginFailed)) throw error;
  throw new Denied('LOGIN_UNAVAILABLE', error.detail === undefined ? {} : { detail: error.detail });
}

/** What it means that jose refuses a token. */
function denialOf(error: unknown): Denied {
  if (error instanceof errors.JWTExpired) return new Denied('LOGIN_EXPIRED', { detail: error.claim });
  if (error instanceof errors.JWTClaimValidationFailed) {
    const isForeign = error.claim === 'iss' || error.claim === 'aud';
    return new Denied(isForeign ? 'LOGIN_FOREIGN' : 'LOGIN_INVALID', { detail: error.claim });
  }
  const { code } = error instanceof errors.JOSEError ? error : { code: 'no answer' };
  return new Denied(NO_KEYS.has(code) ? 'LOGIN_UNAVAILABLE' : 'LOGIN_INVALID', { detail: code });
}

/** The keys are not to be had: no answer, none in time, none that is a set of keys; another status has jose's code for anything. */
const NO_KEYS = new Set(['no answer', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']);

const textClaim = z.string().trim().min(1).max(200);

/** Its claim, or how most servers call the account, without characters that no log shows. */
function nameIn(claims: JWTPayload, claim: string): string | null {
  const found = [claimAt(claims, claim), claims['preferred_username']].map((value) =>
    textClaim.safeParse(value),
  );
  const name = found.find(({ success }) => success)?.data;
  return name?.replace(/[\p{Cc}\p{Cf}]/gu, '') || null;
}

/** A list of texts, or one text with spaces between: whichever of them is a role of ours. */
export function rolesIn(
  claims: JWTPayload,
  { rolesClaim, roleNames }: Pick<TokenRules, 'rolesClaim' | 'roleNames'>,
): Role[] {
  const value = claimAt(claims, rolesClaim);
  const names: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? [value, ...value.split(' ')]
      : [];
  const held = new Set(names.map((name) => (typeof name === 'string' ? roleNames.get(name) : undefined)));
  return ROLES.filter((role) => held.has(role));
}

/** What stands at a path of names with dots between. Names may have dots in them too, as those of clients and addresses do. */
function claimAt(claims: unknown, path: string): unknown {
  if (typeof claims !== 'object' || claims === null) return undefined;
  const object = claims as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(object, path)) return object[path];
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    const found = Object.hasOwn(object, head) ? claimAt(object[head], path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
