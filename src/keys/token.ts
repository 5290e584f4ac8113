import { hashOfSecret, isSecret, issueSecret } from './random-secret.ts';

/** What a login gives, and what the operator gives to whoever is to set a password. */
export type TokenKind = 'access' | 'activation';

const PREFIX: Record<TokenKind, string> = { access: 'tb_at_', activation: 'tb_act_' };

export interface Token {
  readonly token: string;
  readonly tokenHash: Buffer;
}

export function issueToken(kind: TokenKind): Token {
  const token = issueSecret(PREFIX[kind]);
  return { token, tokenHash: hashOfSecret(token) };
}

/** @returns the hash to look it up by; null when it is cut off, mistyped or something else */
export const readToken = (text: string, kind: TokenKind): Buffer | null =>
  isSecret(text, PREFIX[kind]) ? hashOfSecret(text) : null;
