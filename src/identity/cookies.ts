import { parseCookie, stringifySetCookie } from 'cookie';

/** One cookie of ours: its name and attributes, the same wherever it is set, read or taken away. */
export interface OwnCookie {
  readonly name: string;
  /** @returns the value of a `Set-Cookie` header. */
  set(value: string): string;
  /** @returns the value of a `Set-Cookie` header that takes the cookie away. */
  clear(): string;
  /** @param header the request's `Cookie` header. */
  read(header: string | undefined): string | null;
}

/**
 * Lax and not Strict: the customer comes back from the eID by a navigation from another site, and the cookie must come
 * along. Over https the `__Host-` prefix keeps sister domains from planting one.
 */
export function ownCookie({
  name,
  secure,
  maxAgeSeconds,
}: {
  name: string;
  secure: boolean;
  maxAgeSeconds: number;
}): OwnCookie {
  const fullName = prefix(secure) + name;
  const attributes = { name: fullName, path: '/', httpOnly: true, secure, sameSite: 'lax' } as const;
  return {
    name: fullName,
    set: (value) => stringifySetCookie({ ...attributes, value, maxAge: maxAgeSeconds }),
    clear: () => stringifySetCookie({ ...attributes, value: '', maxAge: 0 }),
    read: (header) => (header === undefined ? null : (parseCookie(header)[fullName] ?? null)),
  };
}

/** @returns our own cookies that the browser has and that are called so, by their names without the prefix. */
export const cookiesNamed = (header: string | undefined, pattern: RegExp, secure: boolean): string[] =>
  Object.keys(parseCookie(header ?? ''))
    .filter((name) => name.startsWith(prefix(secure)))
    .map((name) => name.slice(prefix(secure).length))
    .filter((name) => pattern.test(name));

const prefix = (secure: boolean): string => (secure ? '__Host-' : '');
