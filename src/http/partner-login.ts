import type { Passwords } from '../keys/password.ts';
import { issueToken } from '../keys/token.ts';
import type { Instant } from '../domain/instant.ts';
import { accountOf, openSession, replaceHash } from '../postgres/access-tokens.ts';
import type { Database } from '../postgres/database.ts';

export interface Login {
  readonly accessToken: string;
  readonly expiresAt: Instant;
}

/**
 * Logs a partner's user in. An unknown account, one that awaits its activation and a wrong password are one answer,
 * null, and cost the same: one look-up and one hash.
 */
export async function logIn(
  { database, passwords }: { readonly database: Database; readonly passwords: Passwords },
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Login | null> {
  const account = await accountOf(database, email);
  const isRight = await passwords.matches(account?.password_hash ?? null, password);
  if (!account || !isRight) return null;
  const { token, tokenHash } = issueToken('access');
  const expiresAt = await openSession(database, { account, tokenHash });
  if (!expiresAt) return null;
  if (passwords.isOutdated(account.password_hash))
    await replaceHash(database, account, await passwords.hash(password));
  return { accessToken: token, expiresAt };
}
