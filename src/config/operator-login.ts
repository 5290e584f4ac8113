import { z } from 'zod';
import { type Role, ROLES } from '../identity/operators/actor.ts';
import { claimName, issuer, scope } from './eid.ts';

/** `support=Booking support, reveal=booking-reveal`, or nothing where the roles are called there as here. */
const roleNames = z
  .string()
  .default('')
  .transform((text, context): ReadonlyMap<string, Role> => {
    if (text.trim() === '') return new Map(ROLES.map((role) => [role, role]));
    const names = new Map<string, Role>();
    for (const pair of text.split(',')) {
      const [, left = '', name = ''] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      const role = ROLES.find((each) => each === left);
      if (role === undefined || name === '' || names.has(name)) {
        const what = `must be pairs such as support=booking-support, each of ${ROLES.join(', ')}, and no name twice`;
        context.addIssue({ code: 'custom', message: what });
        return z.NEVER;
      }
      names.set(name, role);
    }
    return names;
  });

/** The organisation's own login server, an OpenID Connect provider, where operators log in. docs/operations/login.md. */
export const operatorLoginVariables = {
  OPERATOR_OIDC_ISSUER: issuer,
  /** Whom access tokens have to be for (`aud`): the operator API, as it is registered there. */
  OPERATOR_OIDC_AUDIENCE: z.string().min(1),
  /** The back office, a client with a secret. */
  OPERATOR_OIDC_CLIENT_ID: z.string().min(1),
  OPERATOR_OIDC_CLIENT_SECRET: z.string().min(1),
  /** The command line, a public client that may use the device flow. */
  OPERATOR_OIDC_CLI_CLIENT_ID: z.string().min(1),
  /** What both ask for: whatever makes the server issue a token for the audience, and one to renew it with. */
  OPERATOR_OIDC_SCOPE: scope('openid profile offline_access'),
  /** Where the roles are in an access token: the name of a claim, or a path with dots; Keycloak: `realm_access.roles`. */
  OPERATOR_OIDC_ROLES_CLAIM: claimName('roles'),
  /** What the roles are called there, where it is not as here: `support=booking-support, reveal=…`. */
  OPERATOR_OIDC_ROLES: roleNames,
  /** Where the person's name is. */
  OPERATOR_OIDC_NAME_CLAIM: claimName('name'),
};

export type OperatorLoginSettings = z.infer<z.ZodObject<typeof operatorLoginVariables>>;

/** An ID token is for the client that asked for it: where that is the audience too, it would pass for an access token. */
export function requireOwnAudience(settings: OperatorLoginSettings, context: z.RefinementCtx): void {
  const { OPERATOR_OIDC_AUDIENCE, OPERATOR_OIDC_CLIENT_ID, OPERATOR_OIDC_CLI_CLIENT_ID } = settings;
  if (![OPERATOR_OIDC_CLIENT_ID, OPERATOR_OIDC_CLI_CLIENT_ID].includes(OPERATOR_OIDC_AUDIENCE)) return;
  const message = 'must be the operator API itself, and none of the clients that log in to it';
  context.addIssue({ code: 'custom', path: ['OPERATOR_OIDC_AUDIENCE'], message });
}
