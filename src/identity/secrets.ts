import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const SECRET = /^[A-Za-z0-9_-]{43}$/;
const CHECKSUM_LENGTH = 7;
const checksum = (text: string): string => crc32(text).toString(36).padStart(CHECKSUM_LENGTH, '0');

/** `prefix`, 256 random bits, and a checksum by which a mistyped one is told without looking it up. */
function issueSecret(prefix: string): string {
  const secret = randomBytes(32).toString('base64url');
  return `${prefix}${secret}${checksum(prefix + secret)}`;
}

/** Whether it is complete and typed without a slip. */
function isSecret(text: string, prefix: string): boolean {
  const secret = text.slice(prefix.length, -CHECKSUM_LENGTH);
  return text.startsWith(prefix) && SECRET.test(secret) && text.endsWith(checksum(prefix + secret));
}

/** What is stored of it: 256 random bits need no slow hash. */
const hashOfSecret = (text: string): Buffer => createHash('sha256').update(text).digest();

export type Environment = 'test' | 'production';

const KEY_PREFIX: Record<Environment, string> = { test: 'tb_test_', production: 'tb_live_' };
/** How much of a key people see, to tell it from others: 24 of its 256 bits. */
const HINT_LENGTH = 'tb_test_abcd'.length;

export const issueKey = (environment: Environment): string => issueSecret(KEY_PREFIX[environment]);

export type KeyReading =
  | { readonly ok: true; readonly hash: Buffer }
  | { readonly ok: false; readonly reason: 'malformed' | 'wrong_environment' };

/** What a key says of itself. Whether it is accepted, only the table of keys knows. */
export function readKey(text: string, environment: Environment): KeyReading {
  const own = Object.entries(KEY_PREFIX).find(([, prefix]) => text.startsWith(prefix));
  if (!own) return { ok: false, reason: 'malformed' };
  const [issuedFor, prefix] = own;
  if (!isSecret(text, prefix)) return { ok: false, reason: 'malformed' };
  if (issuedFor !== environment) return { ok: false, reason: 'wrong_environment' };
  return { ok: true, hash: hashOfKey(text) };
}

export const hashOfKey = hashOfSecret;

/** The beginning, such as `tb_test_Q3xZ`. */
export const hintOfKey = (key: string): string => key.slice(0, HINT_LENGTH);

/** What a login gives, and what the operator gives to whoever is to set a password. */
export type TokenKind = 'access' | 'activation';

const TOKEN_PREFIX: Record<TokenKind, string> = { access: 'tb_at_', activation: 'tb_act_' };

export interface Token {
  readonly token: string;
  readonly tokenHash: Buffer;
}

export function issueToken(kind: TokenKind): Token {
  const token = issueSecret(TOKEN_PREFIX[kind]);
  return { token, tokenHash: hashOfSecret(token) };
}

/** @returns the hash to look it up by; null when it is cut off, mistyped or something else */
export const readToken = (text: string, kind: TokenKind): Buffer | null =>
  isSecret(text, TOKEN_PREFIX[kind]) ? hashOfSecret(text) : null;
