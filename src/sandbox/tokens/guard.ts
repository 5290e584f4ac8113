import type { RequestHandler } from 'express';
import { sendRefusal } from '../fhir/fhir-api.ts';
import type { RunningTokenServer } from './token-server.ts';

export interface Guard {
  /** In front of a FHIR API: lets who has a token through, and tells everybody where tokens come from. */
  readonly handle: RequestHandler;
  /** From here on it takes none of the tokens that it has seen, as after a restart of some servers. */
  forgetAll(): void;
}

/** Lets requests through that bear a token for this `audience` with this `scope`. */
export function createGuard(tokens: RunningTokenServer, audience: string, scope: string): Guard {
  const seen = new Set<string>();
  const refused = new Set<string>();
  return {
    async handle(request, response, next) {
      if (request.path === '/.well-known/smart-configuration') {
        response.json({
          token_endpoint: tokens.tokenUrl,
          grant_types_supported: ['client_credentials'],
          token_endpoint_auth_methods_supported: ['private_key_jwt'],
          token_endpoint_auth_signing_alg_values_supported: ['RS384', 'ES384'],
          scopes_supported: scope.split(' '),
          capabilities: ['client-confidential-asymmetric', 'permission-v2'],
        });
        return;
      }
      const token = /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? '';
      const payload = refused.has(token) ? null : await tokens.read(token, audience);
      if (payload === null) {
        response.set('www-authenticate', 'Bearer error="invalid_token"');
        sendRefusal(response, 401, 'Not authorized');
        return;
      }
      seen.add(token);
      const granted = typeof payload['scope'] === 'string' ? payload['scope'].split(' ') : [];
      if (scope.split(' ').every((each) => granted.includes(each))) next();
      else sendRefusal(response, 403, 'The token is not for this');
    },
    forgetAll() {
      for (const token of seen) refused.add(token);
    },
  };
}
