import { createHash } from 'node:crypto';
import { type CaseId, parseCaseId } from '../domain/ids.ts';
import { createCookie, createSeal, listCookies } from './cookies.ts';
import type { Instant } from '../domain/instant.ts';
import { PENDING_LOGIN_MINUTES } from './eid.ts';

/** More logins than this at once, and the oldest has to start again. */
const KEPT = 5;
/** Longer than a login may take, so that who comes too late is told just that. */
const COOKIE_MINUTES = 4 * PENDING_LOGIN_MINUTES;

/**
 * Logins under way, each in a sealed cookie of its own: people click twice, or open the link in two tabs, and answers that
 * cross each other must not lose a login. They are kept for a while, and not taken away by the callback, which may
 * come twice.
 */
export interface PendingLogins<Login> {
  /** @returns the values of `Set-Cookie` headers. */
  add(cookieHeader: string | undefined, pending: Login): Promise<string[]>;
  /** @returns the login that this callback ends; null when this browser never began it, or too long ago. */
  find(cookieHeader: string | undefined, callbackUrl: URL): Promise<Login | null>;
  /** For a logout: nobody after it may go on with them. @returns the values of `Set-Cookie` headers. */
  forget(cookieHeader: string | undefined): string[];
}

export function createPendingLogins<Login extends { readonly state: string; readonly startedAt: Instant }>({
  name: purpose = 'login',
  secrets,
  secure,
  now,
}: {
  /** Of the cookies, and of what they are sealed for. */
  name?: string;
  secrets: readonly [string, ...string[]];
  /** Whether the service is reached over https. */
  secure: boolean;
  now?: () => Date;
}): PendingLogins<Login> {
  const maxAgeSeconds = COOKIE_MINUTES * 60;
  const sealed = createSeal<Login>({ secrets, purpose, maxAgeSeconds, ...(now && { now }) });
  const cookieFor = (state: string) => {
    const id = createHash('sha256').update(state).digest('hex').slice(0, 12);
    return cookieNamed(`${purpose}-${id}`);
  };
  const cookieNamed = (name: string) => createCookie({ name, secure, maxAgeSeconds });
  const inBrowser = (cookieHeader: string | undefined): string[] =>
    listCookies(cookieHeader, new RegExp(`^${purpose}-[0-9a-f]{12}$`), secure);

  /** Those of an unknown time first: they are of no use. */
  async function oldestFirst(cookieHeader: string | undefined): Promise<string[]> {
    const begun = inBrowser(cookieHeader).map(async (name) => {
      const pending = await sealed.unseal(cookieNamed(name).read(cookieHeader) ?? '');
      return { name, at: pending?.startedAt ?? '' };
    });
    return (await Promise.all(begun)).sort((a, b) => a.at.localeCompare(b.at)).map(({ name }) => name);
  }

  return {
    async add(cookieHeader, pending) {
      const others = await oldestFirst(cookieHeader);
      const tooMany = others.slice(0, Math.max(0, others.length + 1 - KEPT));
      return [
        cookieFor(pending.state).set(await sealed.seal(pending)),
        ...tooMany.map((name) => cookieNamed(name).clear()),
      ];
    },

    async find(cookieHeader, callbackUrl) {
      const state = callbackUrl.searchParams.get('state');
      const value = state === null ? null : cookieFor(state).read(cookieHeader);
      const pending = value === null ? null : await sealed.unseal(value);
      return pending?.state === state ? pending : null;
    },

    forget: (cookieHeader) => inBrowser(cookieHeader).map((name) => cookieNamed(name).clear()),
  };
}

const A_DAY = 24 * 60 * 60;

/**
 * The `state` that goes to the eID and comes back: nobody can guess it, nor read it, but the case is in it. So a login
 * that ends in another browser than it began in, or after its cookie has expired, is still led back to its case. It lets
 * nobody in: a login is finished by the browser only that has its {@link PendingLogins}.
 */
export interface LoginStates {
  issue(caseId: CaseId): Promise<string>;
  /** @returns null for what we never issued, or longer ago than a day. */
  caseOf(state: string | null): Promise<CaseId | null>;
}

export function createLoginStates(options: {
  secrets: readonly [string, ...string[]];
  now?: () => Date;
}): LoginStates {
  const sealed = createSeal<string>({ ...options, purpose: 'login-state', maxAgeSeconds: A_DAY });
  return {
    // the seal's random nonce makes each one different
    issue: (caseId) => sealed.seal(caseId),
    async caseOf(state) {
      const caseId = state === null ? null : await sealed.unseal(state);
      return caseId === null ? null : parseCaseId(caseId);
    },
  };
}
