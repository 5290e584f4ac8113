import type { PartnerId } from '../../src/domain/ids.ts';
import { issueToken } from '../../src/identity/secrets.ts';
import { createPartnerUser, issueActivation } from '../../src/postgres/partner-users.ts';
import { type Caller, createCaller } from './caller.ts';
import type { TestService } from './service.ts';

let users = 0;

export interface TestUser {
  readonly email: string;
  readonly password: string;
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
    service().nobody.post('/auth/activate', { activationToken, password });
  const activeUser = async (partnerId?: PartnerId): Promise<TestUser> => {
    const { email, activationToken } = await newUser(partnerId);
    const password = `et passord til ${email.length}-${Math.random()}`;
    const { status } = await activate(activationToken, password);
    if (status !== 201) throw new Error(`activation answered ${status}`);
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
  return { invite, newUser, activate, activeUser, logIn, withToken, someone };
}
