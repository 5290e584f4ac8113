import { formatTimestamp } from '../calendar/format.ts';
import type { PartnerId } from '../domain/ids.ts';
import { KEY_SCOPES } from '../domain/limits.ts';
import { network } from '../http/fields.ts';
import { hashOfKey, hintOfKey, issueKey } from '../identity/secrets.ts';
import {
  createKey,
  type KeyRefusal,
  type KeyRow,
  listKeys,
  MAX_LIVE_KEYS,
  type NewKey,
  revokeKey,
  rotateKey,
} from '../postgres/api-keys.ts';
import type { InputOf } from './descriptions/index.ts';
import { checked, requireInFuture, timeOf } from './input-rules.ts';
import { answer, type Answer, confirm, inCamelCase, listed, logged, type Operation } from './operation.ts';
import { choiceRequired, notFound, refusal } from './operator-error.ts';
import { requirePartner } from './partners.ts';
import { facts, parts, table, way } from './view.ts';

// The keys that partners call the API with.

export async function create(operation: Operation, input: InputOf<'key create'>): Promise<Answer> {
  const { name, scope } = input;
  const expires = timeOf('expires', input.expires);
  requireInFuture('expires', expires, operation.now());
  const { network: networks } = checked({ network: network.array() }, input);
  const partnerId = await requirePartner(operation, input.partner);
  const terms = {
    name,
    expiresAt: expires ?? null,
    scopes: KEY_SCOPES.filter((one) => scope.includes(one)),
    allowedNetworks: networks ?? null,
  };
  return issued(operation, partnerId, input.partner, (fresh) =>
    createKey(operation.database, { partnerId, ...terms, ...fresh }),
  );
}

export async function list(operation: Operation, { partner }: InputOf<'key list'>): Promise<Answer> {
  const partnerId = await requirePartner(operation, partner);
  return listed(
    (await listKeys(operation.database, partnerId)).map(inCamelCase),
    {
      Begins: ({ hint }) => hint && `${hint}…`,
      Name: 'name',
      Status: (row) => keyStatus(row, operation.now()),
      Bounds: ({ scopes, allowedNetworks }) =>
        [...(scopes.length < KEY_SCOPES.length ? scopes : []), ...(allowedNetworks ?? [])].join(', '),
      'Last used': ({ lastUsedAt }) => lastUsedAt ?? 'never',
      Created: 'createdAt',
      Id: 'id',
    },
    `${partner} has no keys yet: \`operator key create ${partner} --name <name>\` creates one.`,
    ({ id, revokedAt }) =>
      revokedAt ? [] : [way('key rotate', { partner, key: id }), way('key revoke', { partner, key: id })],
  );
}

export async function rotate(operation: Operation, input: InputOf<'key rotate'>): Promise<Answer> {
  const { overlapHours } = input;
  const expiresAt = timeOf('expires', input.expires);
  requireInFuture('expires', expiresAt, operation.now());
  const partnerId = await requirePartner(operation, input.partner);
  const old = await findKey(operation, partnerId, input.key);
  return issued(
    operation,
    partnerId,
    old.id,
    (fresh) => rotateKey(operation.database, { partnerId, keyId: old.id, overlapHours, expiresAt, ...fresh }),
    overlapHours === 0 ? 'The old key has ended.' : `The old key stays valid for ${overlapHours} hours.`,
  );
}

export async function revoke(operation: Operation, input: InputOf<'key revoke'>): Promise<Answer> {
  const partnerId = await requirePartner(operation, input.partner);
  const found = await findKey(operation, partnerId, input.key);
  if (found.revoked_at) {
    const result = { ...inCamelCase(found), changed: false };
    return answer(`That key was revoked ${formatTimestamp(found.revoked_at)}.`, result);
  }
  confirm(operation, `The key "${found.name}" of ${partnerId} will be refused from now on.`);
  const revoked = await logged(operation, { subject: found.id }, () =>
    revokeKey(operation.database, partnerId, found.id),
  );
  return answer(`The key "${found.name}" is revoked.`, {
    ...inCamelCase(revoked ?? found),
    changed: true,
  });
}

const REFUSED: Record<KeyRefusal, string> = {
  unknown_partner: 'There is no such partner any more.',
  unknown_key: 'There is no such key any more.',
  key_has_ended: 'That key has ended, so it cannot be rotated: create another with `operator key create`.',
  limit_reached: `A partner has at most ${MAX_LIVE_KEYS} live keys: revoke one first.`,
};

async function findKey({ database }: Operation, partnerId: PartnerId, text: string): Promise<KeyRow> {
  const keys = await listKeys(database, partnerId);
  const begin = text.replace(/…$/, '');
  const found = keys.filter(({ id, hint }) => id === text || hint === begin);
  const [only, ...others] = found;
  if (!only)
    throw notFound(`${partnerId} has no key "${text}". \`operator key list ${partnerId}\` shows them.`);
  if (others.length > 0) {
    const ids = found.map(({ id }) => id);
    const columns = { Id: 'id', Name: 'name', Created: 'created_at' } as const;
    const message = `${found.length} keys begin like this, use the id:`;
    throw choiceRequired('key', ids, message, table(columns, found, ''), { keyIds: ids });
  }
  return only;
}

/** Has a new key stored, and shows it: the only time that it is seen. */
async function issued(
  operation: Operation,
  partnerId: PartnerId,
  subject: string,
  store: (key: NewKey) => ReturnType<typeof createKey>,
  more: string | null = null,
): Promise<Answer> {
  const { environment } = operation.settings;
  const secret = issueKey(environment);
  const created = await logged(operation, { subject }, async () => {
    const result = await store({ keyHash: hashOfKey(secret), hint: hintOfKey(secret), by: null });
    if ('created' in result) return result.created;
    throw refusal(result.refused.toUpperCase(), REFUSED[result.refused]);
  });
  return answer(
    parts(
      `Send this to ${partnerId} over a private channel. It is not shown again.`,
      facts([
        ['Key', secret],
        ['Name', created.name],
        ['For', `the ${environment} environment, in the header X-API-Key`],
        ['Id', created.id],
      ]),
      more,
    ),
    { ...inCamelCase(created), partnerId, key: secret },
  );
}

function keyStatus({ revokedAt, expiresAt }: ReturnType<typeof inCamelCase<KeyRow>>, now: Date): string {
  if (revokedAt) return `revoked ${formatTimestamp(revokedAt)}`;
  if (!expiresAt) return 'live';
  return `${Date.parse(expiresAt) <= now.getTime() ? 'ended' : 'live until'} ${formatTimestamp(expiresAt)}`;
}
