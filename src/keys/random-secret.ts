import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const SECRET = /^[A-Za-z0-9_-]{43}$/;
const CHECKSUM_LENGTH = 7;
const checksum = (text: string): string => crc32(text).toString(36).padStart(CHECKSUM_LENGTH, '0');

/** `prefix`, 256 random bits, and a checksum by which a mistyped one is told without looking it up. */
export function issueSecret(prefix: string): string {
  const secret = randomBytes(32).toString('base64url');
  return `${prefix}${secret}${checksum(prefix + secret)}`;
}

/** Whether it is complete and typed without a slip. */
export function isSecret(text: string, prefix: string): boolean {
  const secret = text.slice(prefix.length, -CHECKSUM_LENGTH);
  return text.startsWith(prefix) && SECRET.test(secret) && text.endsWith(checksum(prefix + secret));
}

/** What is stored of it: 256 random bits need no slow hash. */
export const hashOfSecret = (text: string): Buffer => createHash('sha256').update(text).digest();
