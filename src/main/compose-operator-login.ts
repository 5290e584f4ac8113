import type { Logger } from 'pino';
import type { OperatorApiSettings } from '../config/settings.ts';
import { createDiscovery } from '../identity/discovery.ts';
import { createAccessTokens } from '../identity/operators/access-tokens.ts';
import { type Actor, Denied } from '../identity/operators/actor.ts';
import { readBreakGlass } from '../identity/operators/break-glass.ts';
import { createBrowserLogin } from '../identity/operators/browser-login.ts';
import { createOperatorSessions } from '../identity/operators/sessions.ts';
import type { OperatorLogin } from '../operator/pages/login.ts';
import type { Database } from '../postgres/database.ts';
import { createSessionStore } from '../postgres/operator-sessions.ts';
import { addLogEntry, recordOutcome } from '../postgres/operators.ts';

const TIMEOUT_SECONDS = 5;

/** Operators' login, from settings to who it is. */
export function composeOperatorLogin(
  settings: OperatorApiSettings,
  { database, log, now }: { database: Database; log: Logger; now: () => Date },
): Omit<OperatorLogin, 'limit'> & {
  readonly authenticate: (authorization: string | undefined) => Promise<Actor>;
} {
  const issuer = settings.OPERATOR_OIDC_ISSUER;
  const discovery = createDiscovery({
    issuer,
    variable: 'OPERATOR_OIDC_ISSUER',
    clientId: settings.OPERATOR_OIDC_CLIENT_ID,
    clientSecret: settings.OPERATOR_OIDC_CLIENT_SECRET,
    // only where the issuer is on this machine, see src/config/eid.ts
    allowInsecure: issuer.startsWith('http:'),
    timeoutSeconds: TIMEOUT_SECONDS,
  });
  // it may be away: then it is asked again when somebody comes
  void discovery.find().catch((error: unknown) => {
    const login = error instanceof Error ? error.message : 'unknown';
    log.warn({ login }, "operators' identity provider unreachable at start; will retry at the next login");
  });
  const accessTokens = createAccessTokens({
    discovery,
    issuer,
    now,
    rules: {
      audience: settings.OPERATOR_OIDC_AUDIENCE,
      rolesClaim: settings.OPERATOR_OIDC_ROLES_CLAIM,
      roleNames: settings.OPERATOR_OIDC_ROLES,
      nameClaim: settings.OPERATOR_OIDC_NAME_CLAIM,
    },
  });
  const cookies = {
    secrets: settings.OPERATOR_SESSION_SECRETS,
    secure: settings.OPERATOR_API_URL.startsWith('https:'),
    now,
  };
  const scope = settings.OPERATOR_OIDC_SCOPE;
  const browser = createBrowserLogin({
    discovery,
    accessTokens,
    redirectUri: `${settings.OPERATOR_API_URL}/login/callback`,
    scope,
    cookies,
  });
  return {
    url: settings.OPERATOR_API_URL,
    place: { issuer, clientId: settings.OPERATOR_OIDC_CLI_CLIENT_ID, scope },
    browser,
    sessions: createOperatorSessions({ store: createSessionStore(database), login: browser, ...cookies }),
    async authenticate(authorization) {
      const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
      if (token === undefined) throw new Denied('LOGIN_REQUIRED');
      return (await accessTokens.verify(token)).actor;
    },
  };
}

/** Who comes over the socket. Each call of theirs is in the operators' log, by which operators are alarmed. */
export const breakGlassAuthentication =
  ({ database, log }: { database: Database; log: Logger }) =>
  async (authorization: string | undefined): Promise<Actor> => {
    const { actor, reason } = readBreakGlass(authorization);
    log.error({ operator: actor.name }, 'break-glass: an operator comes in without a login');
    const id = await addLogEntry(database, { actor, action: 'break-glass', note: reason });
    await recordOutcome(database, id, 'done');
    return actor;
  };
