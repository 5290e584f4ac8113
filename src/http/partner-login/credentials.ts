import type { Instant } from '../../domain/instant.ts';
import type { OneTimeCodes } from '../../identity/one-time-codes.ts';
import type { Passwords } from '../../identity/passwords.ts';
import { type Environment, issueToken } from '../../identity/secrets.ts';
import type { Database } from '../../postgres/database.ts';
import { closedFor, MAX_LOGIN_FAILURES, noteLoginFailure } from '../../postgres/login-failures.ts';
import { type Account, findAccount, openSession, replacePasswordHash } from '../../postgres/partner-users.ts';
import { ApiError, validationFailed } from '../errors.ts';

export interface CredentialDeps {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly oneTimeCodes: OneTimeCodes;
  /** In production a login takes a one-time code. */
  readonly environment: Environment;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly oneTimeCode?: string | undefined;
}

export interface Login {
  readonly accessToken: string;
  readonly expiresAt: Instant;
}

/**
 * Logs a partner's user in. An unknown account, one that awaits its activation, a wrong password, a wrong code and a code
 * that was used before are one answer, and cost the same: one look-up and one hash.
 *
 * @param address from where; null where it is not known
 * @param onAccount told whose account it is, where there is one, whether the login succeeds or not
 * @throws ApiError `INVALID_CREDENTIALS`, `RATE_LIMIT_EXCEEDED`, or `VALIDATION_FAILED` where the code is missing
 */
export async function logIn(
  deps: CredentialDeps,
  { email, password, oneTimeCode }: Credentials,
  address: string | null,
  onAccount: (account: Account) => void = () => undefined,
): Promise<Login> {
  const { database, passwords, oneTimeCodes, environment } = deps;
  if (environment === 'production' && oneTimeCode === undefined) throw codeRequired();
  return proven(database, email, async () => {
    const account = await accountOf(deps, email, password, onAccount);
    if (!account) return null;
    const step = oneTimeCode === undefined ? null : await stepOf(oneTimeCodes, account, oneTimeCode);
    if (oneTimeCode !== undefined && step === null) return null;
    await requireOpen(database, email);
    const { token: accessToken, tokenHash } = issueToken('access');
    const expiresAt = await openSession(database, { account, tokenHash, oneTimeStep: step, address });
    if (!expiresAt) return null;
    if (passwords.isOutdated(account.password_hash))
      await replacePasswordHash(database, account, await passwords.hash(password));
    return { accessToken, expiresAt };
  });
}

/**
 * For what an access token alone is not enough: it may be somebody else's by now.
 *
 * @throws ApiError `INVALID_CREDENTIALS`, `RATE_LIMIT_EXCEEDED`
 */
export async function confirmPassword(
  deps: Pick<CredentialDeps, 'database' | 'passwords'>,
  { email, password }: Pick<Credentials, 'email' | 'password'>,
): Promise<void> {
  await proven(deps.database, email, () => accountOf(deps, email, password));
  await requireOpen(deps.database, email);
}

/** Notes each failure. Of many at once, one that comes right after too many were wrong is refused with them. */
async function proven<T>(database: Database, email: string, prove: () => Promise<T | null>): Promise<T> {
  await requireOpen(database, email);
  const result = await prove();
  if (result !== null) return result;
  await noteLoginFailure(database, email);
  throw new ApiError('INVALID_CREDENTIALS');
}

async function requireOpen(database: Database, email: string): Promise<void> {
  const seconds = await closedFor(database, email);
  if (seconds === 0) return;
  const text = `This account is closed after ${MAX_LOGIN_FAILURES} failures within an hour. Please try again in ${seconds} seconds.`;
  throw new ApiError('RATE_LIMIT_EXCEEDED', text, {}, seconds);
}

async function accountOf(
  { database, passwords }: Pick<CredentialDeps, 'database' | 'passwords'>,
  email: string,
  password: string,
  onAccount: (account: Account) => void = () => undefined,
): Promise<Account | null> {
  const account = await findAccount(database, email);
  if (account) onAccount(account);
  return (await passwords.matches(account?.password_hash ?? null, password)) ? account : null;
}

const stepOf = async (
  oneTimeCodes: OneTimeCodes,
  { one_time_secret: sealed }: Account,
  code: string,
): Promise<number | null> => (sealed === null ? null : oneTimeCodes.stepOf(sealed, code));

const codeRequired = () =>
  validationFailed([
    {
      field: 'oneTimeCode',
      code: 'required',
      message: 'is required: the six digits that your authenticator app shows.',
    },
  ]);
