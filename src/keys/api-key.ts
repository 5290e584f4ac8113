import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type Environment = 'test' | 'production';

const PREFIX: Record<Environment, string> = { test: 'tb_test_', production: 'tb_live_' };
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** A new key: prefix, 256 random bits, and a checksum by which a mistyped one is told without looking it up. */
export function issueKey(environment: Environment): string {
  const secret = randomBytes(32).toString('base64url');
  return `${PREFIX[environment]}${secret}${checksum(PREFIX[environment] + secret)}`;
}

export type KeyReading =
  | { readonly ok: true; readonly hash: Buffer }
  | { readonly ok: false; readonly reason: 'malformed' | 'wrong_environment' };

/** What a key says of itself. Whether it is accepted, only the table of keys knows. */
export function readKey(text: string, environment: Environment): KeyReading {
  const own = Object.entries(PREFIX).find(([, prefix]) => text.startsWith(prefix));
  if (!own) return { ok: false, reason: 'malformed' };
  const [issuedFor, prefix] = own;
  const secret = text.slice(prefix.length, -CHECKSUM_LENGTH);
  if (!SECRET.test(secret) || !text.endsWith(checksum(prefix + secret)))
    return { ok: false, reason: 'malformed' };
  if (issuedFor !== environment) return { ok: false, reason: 'wrong_environment' };
  return { ok: true, hash: hashOfKey(text) };
}

export const hashOfKey = (key: string): Buffer => createHash('sha256').update(key).digest();

const CHECKSUM_LENGTH = 7;
const checksum = (text: string): string => crc32(text).toString(36).padStart(CHECKSUM_LENGTH, '0');
