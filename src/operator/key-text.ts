import { timeInList } from '../calendar/format.ts';
import type { PartnerId } from '../domain/ids.ts';
import type { KeyRow } from '../postgres/partner-keys.ts';
import { answer, type Answer, type Operation } from './operation.ts';
import { facts, parts } from './text.ts';

/** A new key: the only time that it is seen. */
export const shownOnce = (
  { settings }: Operation,
  partnerId: PartnerId,
  created: KeyRow,
  secret: string,
  more?: string,
): Answer =>
  answer(
    parts(
      `Send this to ${partnerId}, by a way that nobody else reads. It is shown this once.`,
      facts([
        ['Key', secret],
        ['Name', created.name],
        ['For', `the ${settings.environment} environment, in the header X-API-Key`],
        ['Id', created.id],
      ]),
      more ?? null,
    ),
    { ...json(created), partnerId, key: secret },
  );

export function standing({ revoked_at, expires_at }: KeyRow, now: Date): string {
  if (revoked_at) return `revoked ${timeInList(revoked_at)}`;
  if (!expires_at) return 'live';
  return `${Date.parse(expires_at) <= now.getTime() ? 'ended' : 'live until'} ${timeInList(expires_at)}`;
}

export const json = ({ id, name, hint, created_at, last_used_at, expires_at, revoked_at }: KeyRow) => ({
  id,
  name,
  hint,
  createdAt: created_at,
  lastUsedAt: last_used_at,
  expiresAt: expires_at,
  revokedAt: revoked_at,
});
