import { z } from 'zod';
import { listRequests } from '../../postgres/partner-requests.ts';
import type { Instant } from '../../domain/instant.ts';
import { isGuessable } from '../../identity/guessable.ts';
import { plainAddress } from '../../identity/networks.ts';
import { hashOfKey, hintOfKey, issueKey, readToken } from '../../identity/secrets.ts';
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
import type { Queries } from '../../postgres/database.ts';
import { type KeyedRequest, once } from '../../postgres/idempotency.ts';
import { activate, endSession, findActivation } from '../../postgres/partner-users.ts';
import { identify } from '../access-notes.ts';
import type { Dependencies } from '../dependencies.ts';
import type { FieldCode } from '../error-codes.ts';
import { ApiError, validationFailed } from '../errors.ts';
import { KeyTaken } from '../idempotency.ts';
import { pageOf, requireOwnCursor } from '../pagination.ts';
import type { Add } from '../route.ts';
import { confirmPassword, logIn } from './credentials.ts';
import * as described from './operations.ts';
import { requestCursors } from './schemas.ts';
import type { KeyAnswer } from './schemas.ts';

/** A partner user's account (docs/contract.md §4). */
export function authRoutes(add: Add, deps: Dependencies): void {
  const { database, passwords, oneTimeCodes } = deps;
  const { environment } = deps.settings;

  add(described.activate, async ({ input: { activationToken, password } }) => {
    const tokenHash = readToken(activationToken, 'activation');
    const awaited = tokenHash && (await findActivation(database, tokenHash));
    if (!awaited) throw new ApiError('ACTIVATION_TOKEN_INVALID');
    if (password.toLowerCase() === awaited.email.toLowerCase()) throw passwordIsTheAddress();
    if (await isGuessable(password, [awaited.email, awaited.partner_name])) throw passwordIsGuessable();
    const passwordHash = await passwords.hash(password);
    const { uri: otpauthUri, sealed: oneTimeSecret } = await oneTimeCodes.enrol(awaited.email);
    const activated = await activate(database, { tokenHash, passwordHash, oneTimeSecret });
    if (!activated) throw new ApiError('ACTIVATION_TOKEN_INVALID');
    const { email, partner_id, partner_name } = activated;
    return { email, partner: { id: partner_id, name: partner_name }, otpauthUri };
  });

  add(described.login, async ({ req, res, input }) => {
    const address = plainAddress(req.ip ?? '');
    const login = await logIn({ ...deps, environment }, input, address, (account) =>
      identify(res, { who: 'partner_user', whoId: account.id, partnerId: account.partner_id }),
    );
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

const badPassword = (code: FieldCode, message: string) =>
  validationFailed([{ field: 'password', code, message }]);
const passwordIsTheAddress = () => badPassword('is_email', 'must not be the e-mail address of the account.');
const passwordIsGuessable = () =>
  badPassword(
    'too_common',
    'is one of the first that are tried: a common password, a variation of one, a sequence, or what others know of you. ' +
      'Choose another, such as four words that have nothing to do with each other.',
  );

/** A partner's keys, managed by its users (docs/contract.md §4). A key is of the environment that issues it. */
export function apiKeyRoutes(add: Add, { database, passwords, settings, log, now }: Dependencies): void {
  const newKey = (by: string) => {
    const apiKey = issueKey(settings.environment);
    return { apiKey, keyHash: hashOfKey(apiKey), hint: hintOfKey(apiKey), by };
  };

  const requireInFuture = (expiresAt: Instant | undefined) => {
    if (expiresAt !== undefined && Date.parse(expiresAt) <= now().getTime()) throw endIsPast();
  };

  add(described.listApiKeys, async ({ user }) => {
    const rows = await listKeys(database, user.partner_id);
    return { data: rows.map(keyJson) };
  });

  /** Makes a key once for each `Idempotency-Key`. @returns what is answered */
  async function issue<T extends { readonly created: KeyRow }, A extends object>(
    request: KeyedRequest | null,
    store: (queries: Queries) => Promise<T | { readonly refused: KeyRefusal }>,
    bodyOf: (stored: T) => A,
  ): Promise<A | KeyTaken> {
    const outcome = await once(
      database,
      request && { request, answerOf: (stored: T) => ({ body: bodyOf(stored), location: null }) },
      async (tx) => {
        const stored = await store(tx);
        if ('refused' in stored) throw keyRefused(stored.refused);
        return stored;
      },
    );
    return 'claim' in outcome ? new KeyTaken(outcome) : bodyOf(outcome);
  }

  add(described.createApiKey, async ({ user, input, request }) => {
    const { partner_id: partnerId, user_id: userId, email } = user;
    const { password, expiresAt, ...terms } = input;
    requireInFuture(expiresAt);
    await confirmPassword({ database, passwords }, { email, password });
    const { apiKey, ...key } = newKey(email);
    const answer = await issue(
      request,
      (tx) => createKey(tx, { partnerId, ...key, ...terms, expiresAt: expiresAt ?? null }),
      ({ created }) => ({ ...keyJson(created), apiKey }),
    );
    if (!(answer instanceof KeyTaken)) log.info({ userId, keyId: answer.id }, 'an API key was created');
    return answer;
  });

  add(
    described.rotateApiKey,
    async ({ user, param, input, request }) => {
      const { partner_id: partnerId, user_id: userId, email } = user;
      const { password, overlapHours, expiresAt } = input;
      requireInFuture(expiresAt);
      await confirmPassword({ database, passwords }, { email, password });
      const keyId = keyIdOf(param('keyId'));
      const { apiKey, ...key } = newKey(email);
      const answer = await issue(
        request,
        (tx) => rotateKey(tx, { partnerId, keyId, overlapHours, expiresAt, ...key }),
        ({ created, oldEndsAt }) => ({
          ...keyJson(created),
          apiKey,
          replaces: { id: keyId, expiresAt: oldEndsAt },
        }),
      );
      if (!(answer instanceof KeyTaken))
        log.info({ userId, keyId, newKeyId: answer.id, overlapHours }, 'an API key was rotated');
      return answer;
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

/** What a partner's own systems and people called. */
export function requestRoutes(add: Add, { asPartner, requestList }: Dependencies): void {
  add(described.listRequests, async ({ user: { partner_id: partnerId }, query: { cursor, limit } }) => {
    requireOwnCursor(cursor, partnerId);
    await requestList.write();
    const before = cursor?.number ?? Number.MAX_SAFE_INTEGER;
    const rows = await listRequests(asPartner(partnerId), { partnerId, before, limit: limit + 1 });
    return pageOf(rows, limit, {
      json: (row) => ({
        ...{ at: row.at, method: row.method, route: row.route, status: row.status },
        ...{ requestId: row.request_id, correlationId: row.correlation_id },
        ...{ apiKeyId: row.api_key_id, userId: row.user_id },
      }),
      cursor: ({ number }) => requestCursors.encode(partnerId, number),
    });
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
