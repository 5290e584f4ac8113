import { hashOfSecret, isSecret, issueSecret } from './random-secret.ts';

export type Environment = 'test' | 'production';

const PREFIX: Record<Environment, string> = { test: 'tb_test_', production: 'tb_live_' };
/** How much of a key people see, to tell it from others: 24 of its 256 bits. */
const HINT_LENGTH = 'tb_test_abcd'.length;

export const issueKey = (environment: Environment): string => issueSecret(PREFIX[environment]);

export type KeyReading =
  | { readonly ok: true; readonly hash: Buffer }
  | { readonly ok: false; readonly reason: 'malformed' | 'wrong_environment' };

/** What a key says of itself. Whether it is accepted, only the table of keys knows. */
export function readKey(text: string, environment: Environment): KeyReading {
  const own = Object.entries(PREFIX).find(([, prefix]) => text.startsWith(prefix));
  if (!own) return { ok: false, reason: 'malformed' };
  const [issuedFor, prefix] = own;
  if (!isSecret(text, prefix)) return { ok: false, reason: 'malformed' };
  if (issuedFor !== environment) return { ok: false, reason: 'wrong_environment' };
  return { ok: true, hash: hashOfKey(text) };
}

export const hashOfKey = hashOfSecret;

/** The beginning, such as `tb_test_Q3xZ`. */
export const hintOfKey = (key: string): string => key.slice(0, HINT_LENGTH);
