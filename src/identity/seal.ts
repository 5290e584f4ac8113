import { hkdfSync } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';

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
  const keys = secrets.map(
    (secret) => new Uint8Array(hkdfSync('sha256', secret, '', `cookie:${purpose}`, 32)),
  );
  const [sealingKey] = keys as [Uint8Array, ...Uint8Array[]];

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
