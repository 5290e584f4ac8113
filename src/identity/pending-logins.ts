import { ownCookie } from './cookies.ts';
import { PENDING_LOGIN_MINUTES, type PendingLogin } from './eid.ts';
import { createSeal } from './seal.ts';

/** More tabs than this at once, and the oldest login has to start again. Three still fit well into one cookie. */
const KEPT = 3;

/**
 * Logins under way, in one sealed cookie. Several at a time, since people open the link in two tabs. They are kept until
 * they expire, and not taken away by the callback: one that comes twice (double click, back button) still tells which
 * case it was about.
 */
export interface PendingLogins {
  /** @returns the value of a `Set-Cookie` header. */
  add(cookieHeader: string | undefined, pending: PendingLogin): Promise<string>;
  /** @returns the login that this callback ends; null when this browser never began it, or too long ago. */
  find(cookieHeader: string | undefined, callbackUrl: URL): Promise<PendingLogin | null>;
}

export function createPendingLogins({
  secrets,
  secure,
  now,
}: {
  secrets: readonly [string, ...string[]];
  /** Whether the service is reached over https. */
  secure: boolean;
  now?: () => Date;
}): PendingLogins {
  const maxAgeSeconds = PENDING_LOGIN_MINUTES * 60;
  const cookie = ownCookie({ name: 'login', secure, maxAgeSeconds });
  const sealed = createSeal<PendingLogin[]>({
    secrets,
    purpose: 'login',
    maxAgeSeconds,
    ...(now && { now }),
  });

  async function read(cookieHeader: string | undefined): Promise<PendingLogin[]> {
    const value = cookie.read(cookieHeader);
    return value === null ? [] : ((await sealed.unseal(value)) ?? []);
  }

  return {
    async add(cookieHeader, pending) {
      const others = await read(cookieHeader);
      return cookie.set(await sealed.seal([pending, ...others].slice(0, KEPT)));
    },

    async find(cookieHeader, callbackUrl) {
      const state = callbackUrl.searchParams.get('state');
      const logins = await read(cookieHeader);
      return logins.find((pending) => pending.state === state) ?? null;
    },
  };
}
