import { hkdfSync } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';

/** One cookie of ours: its name and attributes, the same wherever it is set, read or taken away. */
export interface ServiceCookie {
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
export function createCookie({
  name,
  secure,
  maxAgeSeconds,
}: {
  name: string;
  secure: boolean;
  maxAgeSeconds: number;
}): ServiceCookie {
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
export const listCookies = (header: string | undefined, pattern: RegExp, secure: boolean): string[] =>
  Object.keys(parseCookie(header ?? ''))
    .filter((name) => name.startsWith(prefix(secure)))
    .map((name) => name.slice(prefix(secure).length))
    .filter((name) => pattern.test(name));

const prefix = (secure: boolean): string => (secure ? '__Host-' : '');

/** Puts JSON into a cookie value that only this service can read, and only for a while. */
export interface Seal<Value> {
  seal(value: Value): Promise<string>;
  /** @returns null for anything that is altered, expired, or sealed for another purpose or with an unknown secret. */
  unseal(sealed: string): Promise<Value | null>;
}

export interface SealOptions {
  /** The first seals, all unseal: put a new one first, and drop the old one when its cookies have expired. */
  readonly secrets: readonly [string, ...string[]];
  /** What the value is for. A cookie of one purpose is no cookie of another, though the secret is the same. */
  readonly purpose: string;
  readonly maxAgeSeconds: number;
  readonly now?: () => Date;
}

export function createSeal<Value>({
  secrets,
  purpose,
  maxAgeSeconds,
  now = () => new Date(),
}: SealOptions): Seal<Value> {
  const keyOf = (secret: string) => new Uint8Array(hkdfSync('sha256', secret, '', `cookie:${purpose}`, 32));
  const sealingKey = keyOf(secrets[0]);
  const keys = secrets.map(keyOf);

  async function open(sealed: string, key: Uint8Array): Promise<Value | null> {
    try {
      const { payload } = await jwtDecrypt(sealed, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        requiredClaims: ['exp'],
        currentDate: now(),
      });
      return payload['value'] as Value;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  return {
    seal(value) {
      const seconds = Math.floor(now().getTime() / 1000);
      return new EncryptJWT({ value })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(seconds + maxAgeSeconds)
        .encrypt(sealingKey);
    },

    async unseal(sealed) {
      for (const key of keys) {
        const value = await open(sealed, key);
        if (value !== null) return value;
      }
      return null;
    },
  };
}
