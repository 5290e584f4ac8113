import * as oidc from 'openid-client';
import { z } from 'zod';
import { retryAfterSeconds } from '../../fhir/unavailable.ts';
import { ProviderUnavailable } from '../port.ts';

/**
 * What it means that the protocol's library threw, in words for the operator. The error itself is not kept as a cause: it
 * holds the response, and maybe what we sent.
 */
export function tokenFailure(error: unknown): ProviderUnavailable {
  if (error instanceof ProviderUnavailable) return error;
  if (error instanceof oidc.ResponseBodyError)
    return failure(`refuses us (${protocolCode(error.error)})`, error.response);
  if (error instanceof oidc.WWWAuthenticateChallengeError)
    return failure(`refuses us (HTTP ${error.status})`, error.response);
  if (!(error instanceof oidc.ClientError) || error.code === undefined)
    return failure(`does not answer${networkCode(error)}`);
  // an answer of an unexpected status or type comes as the cause
  const response = error.cause instanceof Response ? error.cause : undefined;
  if (response && response.status !== 200) return failure(`answers with HTTP ${response.status}`, response);
  return failure(WHAT[error.code] ?? 'answers with no bearer token');
}

const WHAT: Readonly<Record<string, string>> = {
  OAUTH_TIMEOUT: 'does not answer in time',
  OAUTH_RESPONSE_IS_NOT_JSON: 'answers with no JSON: is it the right address?',
  OAUTH_PARSE_ERROR: 'answers with half a JSON',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'has no https:// address',
};

const failure = (what: string, response?: Response): ProviderUnavailable =>
  new ProviderUnavailable(`the token endpoint ${what}`, {
    retryAfterSeconds: retryAfterSeconds(response?.headers.get('retry-after') ?? null),
  });

/** RFC 6749 §5.2. Codes come from outside: only what looks like one reaches a log. */
const protocolCode = (code: string): string => (/^[a-z_]{1,50}$/.test(code) ? code : 'unknown code');

/** Only the code, e.g. ` (ECONNREFUSED)`: the message of a network error can hold the address. */
function networkCode(error: unknown): string {
  const known = caused.safeParse(error);
  if (!known.success) return '';
  const { code, cause } = known.data;
  return code !== undefined && /^[A-Z_]{1,50}$/.test(code) ? ` (${code})` : networkCode(cause);
}

const caused = z.looseObject({ code: z.string().optional(), cause: z.unknown().optional() });
