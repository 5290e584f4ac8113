import { expect } from '@jest/globals';
import { organisationsRole, ROLES_CLAIM } from '../../../dev/operator-login/people.ts';
import { type RunningOperatorLogin, startOperatorLogin } from '../../../dev/operator-login/server.ts';
import { pickPort } from '../../../dev/ports.ts';
import { createDiscovery, type Discovery } from '../../../src/identity/discovery.ts';
import { type AccessTokens, createAccessTokens } from '../../../src/identity/operators/access-tokens.ts';
import { type DenialCode, Denied, ROLES } from '../../../src/identity/operators/actor.ts';
import {
  type CommandLineLogin,
  createCommandLineLogin,
} from '../../../src/identity/operators/device-login.ts';
import { visitLogin } from '../../../dev/operator-login/visitor.ts';

export const AUDIENCE = 'https://operators.timebestilling.example';
export const REDIRECT = 'http://127.0.0.1:9/login/callback';
const BACK_OFFICE = {
  clientId: 'booking-back-office',
  clientSecret: 'sec ret:+%',
  redirectUris: [REDIRECT],
};
export const COMMAND_LINE = 'booking-command-line';
export const RULES = {
  audience: AUDIENCE,
  rolesClaim: ROLES_CLAIM,
  roleNames: new Map(ROLES.map((role) => [organisationsRole(role), role])),
  nameClaim: 'name',
};

export interface LoginServerHere {
  readonly server: RunningOperatorLogin;
  readonly discovery: Discovery;
  readonly accessTokens: AccessTokens;
  readonly commandLine: CommandLineLogin;
  /** Logs a command line in as the colleague, up to its access token. */
  tokenOf(colleague: string): Promise<string>;
}

/** The organisation's login server, and what the service makes of it. */
export async function loginServer(
  options: Partial<Parameters<typeof startOperatorLogin>[0]> = {},
  rules: Partial<typeof RULES> = {},
  now?: () => Date,
): Promise<LoginServerHere> {
  const { port } = await pickPort();
  const failures: string[] = [];
  const server = await startOperatorLogin({
    port,
    audience: AUDIENCE,
    backOffice: BACK_OFFICE,
    commandLine: { clientId: COMMAND_LINE },
    log: (line) => failures.push(line),
    ...options,
  });
  const { issuer } = server;
  const discovery = createDiscovery({
    ...{ issuer, variable: 'OPERATOR_OIDC_ISSUER', allowInsecure: true, timeoutSeconds: 5 },
    ...{ clientId: BACK_OFFICE.clientId, clientSecret: BACK_OFFICE.clientSecret },
  });
  const commandLine = createCommandLineLogin({
    ...{ issuer, clientId: COMMAND_LINE, scope: 'openid profile offline_access' },
  });
  return {
    server,
    discovery,
    accessTokens: createAccessTokens({
      discovery,
      issuer,
      rules: { ...RULES, ...rules },
      ...(now && { now }),
    }),
    commandLine,
    async tokenOf(colleague) {
      return (await logInDevice(commandLine, colleague)).accessToken;
    },
  };
}

/** The device flow, approved in a browser by the colleague. */
export async function logInDevice(commandLine: CommandLineLogin, colleague: string) {
  const device = await commandLine.begin();
  await visitLogin(device.completeUri ?? '', colleague);
  return device.approved();
}

/** Why somebody was not let in; fails the test when they were, or when it tells anything of a token. */
export async function denialOf(attempt: Promise<unknown>): Promise<Denied> {
  const denied: unknown = await attempt.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(denied instanceof Denied)) throw new Error('not Denied', { cause: denied });
  expect(`${denied.message} ${denied.detail}`).not.toMatch(/eyJ/);
  expect(denied).not.toHaveProperty('cause');
  return denied;
}

export const codeOf = async (attempt: Promise<unknown>): Promise<DenialCode> =>
  (await denialOf(attempt)).code;
