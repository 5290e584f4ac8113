import { readToken } from '../../keys/token.ts';
import { endSession } from '../../postgres/access-tokens.ts';
import { activate, awaitedBy } from '../../postgres/partner-users.ts';
import { partnerUserOf } from '../access-token.ts';
import { ApiError, validationFailed } from '../api-error.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Add, Call } from '../operation.ts';
import * as described from '../operations/auth.ts';
import { logIn } from '../partner-login.ts';

/** A partner user's account: contract §4. */
export function authRoutes(add: Add, deps: Dependencies): void {
  const { database, passwords, limits } = deps;

  add(described.activate, async (call) => {
    const { activationToken, password } = await counted(call, (input) => input.activationToken);
    const tokenHash = readToken(activationToken, 'activation');
    const awaited = tokenHash && (await awaitedBy(database, tokenHash));
    if (!awaited) throw new ApiError('ACTIVATION_TOKEN_INVALID');
    if (password.toLowerCase() === awaited.email.toLowerCase()) throw passwordIsTheAddress();
    const passwordHash = await passwords.hash(password);
    const activated = await activate(database, { tokenHash, passwordHash });
    if (!activated) throw new ApiError('ACTIVATION_TOKEN_INVALID');
    const { email, partner_id, partner_name } = activated;
    return { email, partner: { id: partner_id, name: partner_name } };
  });

  add(described.login, async (call) => {
    const input = await counted(call, ({ email }) => email.toLowerCase());
    const login = await logIn(deps, input);
    if (!login) throw new ApiError('INVALID_CREDENTIALS');
    return { ...login, tokenType: 'Bearer' as const };
  });

  add(described.logout, async ({ res, body }) => {
    await body();
    await endSession(database, partnerUserOf(res).tokenHash);
    return { authenticated: false as const };
  });

  add(described.me, ({ res }) => {
    const { email, partner_id, partner_name, expires_at } = partnerUserOf(res);
    return Promise.resolve({
      email,
      partner: { id: partner_id, name: partner_name },
      expiresAt: expires_at,
    });
  });

  /** Who tries is in the body, so it is read first; one that says nobody is counted too, as one account. */
  async function counted<Input>(
    { req, res, body }: Pick<Call<never, never>, 'req' | 'res'> & { readonly body: () => Promise<Input> },
    accountIn: (input: Input) => string,
  ): Promise<Input> {
    const reading = await body().then(
      (input) => ({ input }),
      (error: unknown) => ({ error }),
    );
    await limits.login(req, res, 'input' in reading ? accountIn(reading.input) : '');
    if ('error' in reading) throw reading.error;
    return reading.input;
  }
}

const passwordIsTheAddress = () =>
  validationFailed([
    { field: 'password', code: 'is_email', message: 'must not be the e-mail address of the account.' },
  ]);
