import { createPrivateKey } from 'node:crypto';
import { importJWK } from 'jose';
import type * as oidc from 'openid-client';
import { z } from 'zod';
import { jsonOrNull } from '../../http-client/exchange.ts';
import { ProviderUnavailable } from '../port.ts';
import { UnusableConnection } from './connection.ts';

const jwkSchema = z.looseObject({
  kty: z.enum(['RSA', 'EC']),
  /** Only a private key has it. */
  d: z.string(),
  crv: z.enum(['P-256', 'P-384', 'P-521']).optional(),
  alg: z.string().optional(),
  kid: z.string().optional(),
});

/** SMART servers must take RS384 and ES384; the curve of an elliptic key leaves no choice. */
const ALGORITHM = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' } as const;

/**
 * Reads the private key that assertions are signed with: one JWK, as JSON.
 *
 * @param variable where `text` comes from, for messages
 * @throws UnusableConnection when it is no such key
 */
export function readPrivateKey(
  variable: string,
  text: string,
  keyId: string | undefined,
): () => Promise<oidc.PrivateKey> {
  const unusable = (what: string) => new UnusableConnection(`${variable} ${what}`);
  const jwk = jwkSchema.safeParse(jsonOrNull(text)).data;
  if (jwk === undefined) throw unusable('holds no private key as a JWK of the type RSA or EC');
  try {
    createPrivateKey({ key: jwk, format: 'jwk' });
  } catch {
    // the reason could hold parts of the key
    throw unusable('holds a JWK that is no valid private key');
  }
  const kid = keyId ?? jwk.kid;
  if (kid === undefined) throw unusable('holds a JWK without a kid, and the registration names none either');
  const algorithm = jwk.alg ?? (jwk.crv === undefined ? 'RS384' : ALGORITHM[jwk.crv]);
  let key: Promise<oidc.CryptoKey> | null = null;
  const load = () =>
    importJWK(jwk, algorithm).catch(() => {
      throw new ProviderUnavailable(`${variable} holds a key that can not sign with ${algorithm}`);
    });
  return async () => ({ key: await (key ??= load()), kid });
}
