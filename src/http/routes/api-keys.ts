import { z } from 'zod';
import { hashOfKey, hintOfKey, issueKey } from '../../keys/api-key.ts';
import {
  createKey,
  hasKey,
  keysOf,
  MAX_LIVE_KEYS,
  revokeKey,
  rotateKey,
  type KeyRefusal,
  type KeyRow,
} from '../../postgres/partner-keys.ts';
import { partnerUserOf } from '../access-token.ts';
import type { KeyAnswer } from '../answers/auth.ts';
import { ApiError } from '../api-error.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Add } from '../operation.ts';
import * as described from '../operations/api-keys.ts';

/** A partner's keys, managed by its users: contract §4. A key is of the environment that issues it. */
export function apiKeyRoutes(add: Add, { database, settings, log }: Dependencies): void {
  const newKey = () => {
    const apiKey = issueKey(settings.environment);
    return { apiKey, keyHash: hashOfKey(apiKey), hint: hintOfKey(apiKey) };
  };

  add(described.listApiKeys, async ({ res }) => {
    const rows = await keysOf(database, partnerUserOf(res).partner_id);
    return { data: rows.map(keyJson) };
  });

  add(described.createApiKey, async ({ res, body }) => {
    const { partner_id: partnerId, user_id: userId } = partnerUserOf(res);
    const { name } = await body();
    const { apiKey, ...key } = newKey();
    const outcome = await createKey(database, { partnerId, name, ...key });
    if ('refused' in outcome) throw refused(outcome.refused);
    log.info({ userId, keyId: outcome.created.id }, 'an API key was created');
    return { ...keyJson(outcome.created), apiKey };
  });

  add(described.rotateApiKey, async ({ res, param, body }) => {
    const { partner_id: partnerId, user_id: userId } = partnerUserOf(res);
    const keyId = keyIdOf(param('keyId'));
    if (!(await hasKey(database, partnerId, keyId))) throw refused('unknown_key');
    const { overlapHours } = await body();
    const { apiKey, ...key } = newKey();
    const outcome = await rotateKey(database, { partnerId, keyId, overlapHours, ...key });
    if ('refused' in outcome) throw refused(outcome.refused);
    log.info({ userId, keyId, newKeyId: outcome.created.id, overlapHours }, 'an API key was rotated');
    const replaces = { id: keyId, expiresAt: outcome.oldEndsAt };
    return { ...keyJson(outcome.created), apiKey, replaces };
  });

  add(described.revokeApiKey, async ({ res, param }) => {
    const { partner_id: partnerId, user_id: userId } = partnerUserOf(res);
    const keyId = keyIdOf(param('keyId'));
    const row = await revokeKey(database, partnerId, keyId);
    if (!row) throw refused('unknown_key');
    log.info({ userId, keyId }, 'an API key was revoked');
    return keyJson(row);
  });
}

function keyIdOf(text: string): string {
  const id = z.uuid().safeParse(text);
  if (!id.success) throw refused('unknown_key');
  return id.data.toLowerCase();
}

function refused(refusal: KeyRefusal): ApiError {
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
});
