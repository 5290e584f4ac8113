import { z } from 'zod';
import type { Instant } from '../../domain/instant.ts';
import type { Passwords } from '../../identity/passwords.ts';
import { hashOfKey, hintOfKey, issueKey, issueToken, readToken } from '../../identity/secrets.ts';
import {
  createKey,
  hasKey,
  type KeyRefusal,
  type KeyRow,
  listKeys,
  MAX_LIVE_KEYS,
  revokeKey,
  rotateKey,
} from '../../postgres/api-keys.ts';
import type { Database } from '../../postgres/database.ts';
import {
  activate,
  endSession,
  findAccount,
  findActivation,
  openSession,
  replacePasswordHash,
} from '../../postgres/partner-users.ts';
import type { Dependencies } from '../dependencies.ts';
import { ApiError, validationFailed } from '../errors.ts';
import type { Add } from '../route.ts';
import * as described from './operations.ts';
import type { KeyAnswer } from './schemas.ts';

/** A partner user's account (docs/contract.md §4). */
export function authRoutes(add: Add, deps: Dependencies): void {
  const { database, passwords } = deps;

  add(described.activate, async ({ input: { activationToken, password } }) => {
    const tokenHash = readToken(activationToken, 'activation');
    const awaited = tokenHash && (await findActivation(database, tokenHash));
    if (!awaited) throw new ApiError('ACTIVATION_TOKEN_INVALID');
    if (password.toLowerCase() === awaited.email.toLowerCase()) throw passwordIsTheAddress();
    const passwordHash = await passwords.hash(password);
    const activated = await activate(database, { tokenHash, passwordHash });
    if (!activated) throw new ApiError('ACTIVATION_TOKEN_INVALID');
    const { email, partner_id, partner_name } = activated;
    return { email, partner: { id: partner_id, name: partner_name } };
  });

  add(described.login, async ({ input }) => {
    const login = await logIn(deps, input);
    if (!login) throw new ApiError('INVALID_CREDENTIALS');
    return { ...login, tokenType: 'Bearer' as const };
  });

  add(described.logout, async ({ user }) => {
    await endSession(database, user.tokenHash);
    return { authenticated: false as const };
  });

  add(described.me, ({ user: { email, partner_id, partner_name, expires_at } }) => {
    return Promise.resolve({
      email,
      partner: { id: partner_id, name: partner_name },
      expiresAt: expires_at,
    });
  });
}

const passwordIsTheAddress = () =>
  validationFailed([
    { field: 'password', code: 'is_email', message: 'must not be the e-mail address of the account.' },
  ]);

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
  const account = await findAccount(database, email);
  const isRight = await passwords.matches(account?.password_hash ?? null, password);
  if (!account || !isRight) return null;
  const { token, tokenHash } = issueToken('access');
  const expiresAt = await openSession(database, { account, tokenHash });
  if (!expiresAt) return null;
  if (passwords.isOutdated(account.password_hash))
    await replacePasswordHash(database, account, await passwords.hash(password));
  return { accessToken: token, expiresAt };
}

/** A partner's keys, managed by its users (docs/contract.md §4). A key is of the environment that issues it. */
export function apiKeyRoutes(add: Add, { database, settings, log, now }: Dependencies): void {
  const newKey = () => {
    const apiKey = issueKey(settings.environment);
    return { apiKey, keyHash: hashOfKey(apiKey), hint: hintOfKey(apiKey) };
  };

  const requireInFuture = (expiresAt: Instant | undefined) => {
    if (expiresAt !== undefined && Date.parse(expiresAt) <= now().getTime()) throw endIsPast();
  };

  add(described.listApiKeys, async ({ user }) => {
    const rows = await listKeys(database, user.partner_id);
    return { data: rows.map(keyJson) };
  });

  add(
    described.createApiKey,
    async ({ user: { partner_id: partnerId, user_id: userId }, input: { expiresAt, ...terms } }) => {
      requireInFuture(expiresAt);
      const { apiKey, ...key } = newKey();
      const outcome = await createKey(database, {
        partnerId,
        ...key,
        ...terms,
        expiresAt: expiresAt ?? null,
      });
      if ('refused' in outcome) throw keyRefused(outcome.refused);
      log.info({ userId, keyId: outcome.created.id }, 'an API key was created');
      return { ...keyJson(outcome.created), apiKey };
    },
  );

  add(
    described.rotateApiKey,
    async ({
      user: { partner_id: partnerId, user_id: userId },
      param,
      input: { overlapHours, expiresAt },
    }) => {
      requireInFuture(expiresAt);
      const keyId = keyIdOf(param('keyId'));
      const { apiKey, ...key } = newKey();
      const outcome = await rotateKey(database, { partnerId, keyId, overlapHours, expiresAt, ...key });
      if ('refused' in outcome) throw keyRefused(outcome.refused);
      log.info({ userId, keyId, newKeyId: outcome.created.id, overlapHours }, 'an API key was rotated');
      const replaces = { id: keyId, expiresAt: outcome.oldEndsAt };
      return { ...keyJson(outcome.created), apiKey, replaces };
    },
    async ({ user, param }) => {
      if (!(await hasKey(database, user.partner_id, keyIdOf(param('keyId')))))
        throw keyRefused('unknown_key');
    },
  );

  add(described.revokeApiKey, async ({ user: { partner_id: partnerId, user_id: userId }, param }) => {
    const keyId = keyIdOf(param('keyId'));
    const row = await revokeKey(database, partnerId, keyId);
    if (!row) throw keyRefused('unknown_key');
    log.info({ userId, keyId }, 'an API key was revoked');
    return keyJson(row);
  });
}

const endIsPast = () =>
  validationFailed([{ field: 'expiresAt', code: 'in_the_past', message: 'must be an instant to come.' }]);

function keyIdOf(text: string): string {
  const id = z.uuid().safeParse(text);
  if (!id.success) throw keyRefused('unknown_key');
  return id.data.toLowerCase();
}

export function keyRefused(refusal: KeyRefusal): ApiError {
  switch (refusal) {
    case 'unknown_partner':
    case 'unknown_key':
      return new ApiError('API_KEY_NOT_FOUND');
    case 'key_has_ended':
      return new ApiError('API_KEY_ENDED');
    case 'limit_reached':
      return new ApiError(
        'API_KEY_LIMIT_REACHED',
        `${MAX_LIVE_KEYS} keys are live, which is as many as there may be, those after a rotation included. Revoke one, ` +
          'or rotate one with overlapHours 0.',
      );
  }
}

const keyJson = (row: KeyRow): KeyAnswer => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  scopes: row.scopes,
  allowedNetworks: row.allowed_networks,
});
