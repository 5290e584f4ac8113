import { TOTP, URI } from 'otpauth';
import type { PartnerId } from '../../src/domain/ids.ts';
import { issueToken } from '../../src/identity/secrets.ts';
import { createPartnerUser, issueActivation } from '../../src/postgres/partner-users.ts';
import { type Caller, createCaller, type ErrorBody } from './caller.ts';
import type { TestService } from './service.ts';

let users = 0;

/** Of every user here. */
export const USERS_PASSWORD = 'gul sykkel over fjellet';

export interface TestUser {
  readonly email: string;
  readonly password: string;
}

/** What an authenticator app shows for an account, now or so many half minutes later. */
export function codeOf(otpauthUri: string, stepsLater = 0): string {
  const totp = URI.parse(otpauthUri);
  if (!(totp instanceof TOTP)) throw new Error('not a TOTP');
  return totp.generate({ timestamp: Date.now() + stepsLater * 30_000 });
}

/** What the operator and a partner's user do with accounts. */
export function partnerAccounts(service: () => TestService) {
  const invite = async (email: string) => {
    const { token, tokenHash } = issueToken('activation');
    await issueActivation(service().database, { email, tokenHash });
    return token;
  };
  /** A user of the partner, and the token to activate it with. */
  const newUser = async (partnerId = service().partnerId) => {
    const email = `Utvikler-${(users += 1)}@${partnerId}.example`;
    await createPartnerUser(service().database, { partnerId, email });
    return { email, activationToken: await invite(email) };
  };
  const activate = (activationToken: string, password: string) =>
    service().nobody.post<ErrorBody & { otpauthUri: string }>('/auth/activate', {
      activationToken,
      password,
    });
  /** With the secret of the one-time codes. */
  const enrolledUser = async (partnerId?: PartnerId): Promise<TestUser & { otpauthUri: string }> => {
    const { email, activationToken } = await newUser(partnerId);
    const { status, body } = await activate(activationToken, USERS_PASSWORD);
    if (status !== 201) throw new Error(`activation answered ${status}`);
    return { email, password: USERS_PASSWORD, otpauthUri: body.otpauthUri };
  };
  const activeUser = async (partnerId?: PartnerId): Promise<TestUser> => {
    const { email, password } = await enrolledUser(partnerId);
    return { email, password };
  };
  const logIn = async (user: TestUser): Promise<string> => {
    const { email, password } = user;
    const reply = await service().nobody.post<{ accessToken: string }>('/auth/login', { email, password });
    return reply.body.accessToken;
  };
  const withToken = (token: string): Caller =>
    createCaller(service().apiUrl, { Authorization: `Bearer ${token}` });
  /** Somebody of the partner who is logged in. */
  const someone = async (partnerId?: PartnerId): Promise<Caller> =>
    withToken(await logIn(await activeUser(partnerId)));
  return { invite, newUser, activate, enrolledUser, activeUser, logIn, withToken, someone };
}
