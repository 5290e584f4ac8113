import { CompactEncrypt, compactDecrypt, errors } from 'jose';
import { Secret, TOTP } from 'otpauth';

/** As RFC 4226, section 4, recommends; every authenticator app takes it. */
const SECRET_BYTES = 20;
/** Clocks differ, and people type slowly: the step before and the one after are good, too (RFC 6238, section 5.2). */
const STEPS_OFF = 1;

/** The second factor of a partner user's login: TOTP (RFC 6238), six digits of 30 seconds each. */
export interface OneTimeCodes {
  /** A new secret: for the app as an `otpauth` URI, and for the database as only this service can read it. */
  enrol(account: string): Promise<{ readonly uri: string; readonly sealed: string }>;
  /**
   * The step whose code this is: the number of half minutes since 1970, which grows with every code that may be used.
   *
   * @returns null for a wrong code, and for a secret that was sealed by another key
   */
  stepOf(sealed: string, code: string): Promise<number | null>;
}

export interface OneTimeCodeOptions {
  /** What seals the secrets (32 bytes). It must stay: what it has sealed, no other opens. */
  readonly sealingKey: () => Promise<Uint8Array>;
  /** What the app shows beside the account; without a colon. */
  readonly issuer: string;
  readonly now: () => Date;
}

export function createOneTimeCodes({ sealingKey, issuer, now }: OneTimeCodeOptions): OneTimeCodes {
  async function open(sealed: string): Promise<Secret | null> {
    const key = await sealingKey();
    try {
      const { plaintext } = await compactDecrypt(sealed, key);
      return new Secret({ buffer: Uint8Array.from(plaintext).buffer });
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  return {
    async enrol(account) {
      const fresh = new Secret({ size: SECRET_BYTES });
      const sealed = await new CompactEncrypt(fresh.bytes)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(await sealingKey());
      return { uri: new TOTP({ issuer, label: account, secret: fresh }).toString(), sealed };
    },

    async stepOf(sealed, code) {
      const opened = await open(sealed);
      if (!opened) return null;
      const timestamp = now().getTime();
      const off = new TOTP({ secret: opened }).validate({ token: code, timestamp, window: STEPS_OFF });
      return off === null ? null : TOTP.counter({ timestamp }) + off;
    },
  };
}
