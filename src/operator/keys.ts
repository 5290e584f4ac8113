import type { Command } from '@commander-js/extra-typings';
import { formatTimestamp } from '../calendar/format.ts';
import type { PartnerId } from '../domain/ids.ts';
import { KEY_OVERLAP_HOURS, MAX_KEY_OVERLAP_HOURS } from '../domain/limits.ts';
import { hashOfKey, hintOfKey, issueKey } from '../identity/secrets.ts';
import {
  createKey,
  type KeyRefusal,
  type KeyRow,
  listKeys,
  MAX_LIVE_KEYS,
  revokeKey,
  rotateKey,
} from '../postgres/api-keys.ts';
import { examples, label, wholeNumber } from './arguments.ts';
import { answer, type Answer, confirm, logged, type Operation, type Run, YES } from './operation.ts';
import { notFound, OperatorError, wrongUsage } from './operator-error.ts';
import { requirePartner } from './partners.ts';
import { facts, parts, table } from './terminal.ts';

const KEY = ['<key>', "the key's id or its beginning, as `key list` shows them"] as const;

/** The keys that partners call the API with. */
export function keyCommands(program: Command, run: Run): void {
  const key = program.command('key').description('API keys of partners');

  key
    .command('create')
    .description('make a key for a partner; it is shown this once')
    .argument('<partner>', "the partner's id")
    .requiredOption('--name <name>', 'what the key is for, to tell it from others', label)
    .addHelpText('after', examples(['key create fjordtrygd --name "claims system"', 'its first key']))
    .action((partner, { name }) =>
      run(async (operation) => {
        const { database, settings } = operation;
        const partnerId = await requirePartner(database, partner);
        const secret = issueKey(settings.environment);
        const created = await logged(operation, { action: 'key.create', subject: partner }, async () =>
          orRefuse(
            await createKey(database, {
              partnerId,
              name,
              keyHash: hashOfKey(secret),
              hint: hintOfKey(secret),
            }),
          ),
        );
        return shownOnce(operation, partnerId, created, secret);
      }),
    );

  key
    .command('list')
    .description("a partner's keys, the live ones first; never the keys themselves")
    .argument('<partner>', "the partner's id")
    .addHelpText('after', examples(['key list fjordtrygd', 'all of them']))
    .action((partner) =>
      run(async ({ database, now }) => {
        const rows = await listKeys(database, await requirePartner(database, partner));
        return answer(
          table(
            ['Begins', 'Name', 'Standing', 'Last used', 'Created', 'Id'],
            rows.map((row) => [
              row.hint ? `${row.hint}…` : '',
              row.name,
              keyStatus(row, now()),
              row.last_used_at ? formatTimestamp(row.last_used_at) : 'never',
              formatTimestamp(row.created_at),
              row.id,
            ]),
            `${partner} has no keys yet: \`operator key create ${partner} --name <name>\` makes one.`,
          ),
          { data: rows.map(keyJson) },
        );
      }),
    );

  key
    .command('rotate')
    .description('make a new key in place of one, which goes on for a while')
    .argument('<partner>', "the partner's id")
    .argument(...KEY)
    .option(
      '--overlap-hours <hours>',
      `how long the old key goes on, at most ${MAX_KEY_OVERLAP_HOURS}; 0 ends it at once`,
      wholeNumber(0, MAX_KEY_OVERLAP_HOURS),
      KEY_OVERLAP_HOURS,
    )
    .addHelpText(
      'after',
      examples(['key rotate fjordtrygd tb_test_Q3xZ --overlap-hours 48', 'two days to change over']),
    )
    .action((partner, text, { overlapHours }) =>
      run(async (operation) => {
        const { database, settings } = operation;
        const partnerId = await requirePartner(database, partner);
        const old = await findKey(operation, partnerId, text);
        const secret = issueKey(settings.environment);
        const created = await logged(operation, { action: 'key.rotate', subject: old.id }, async () =>
          orRefuse(
            await rotateKey(database, {
              partnerId,
              keyId: old.id,
              overlapHours,
              keyHash: hashOfKey(secret),
              hint: hintOfKey(secret),
            }),
          ),
        );
        return shownOnce(
          operation,
          partnerId,
          created,
          secret,
          overlapHours === 0 ? 'The old key has ended.' : `The old key goes on for ${overlapHours} hours.`,
        );
      }),
    );

  key
    .command('revoke')
    .description('end a key at once')
    .argument('<partner>', "the partner's id")
    .argument(...KEY)
    .option(...YES)
    .addHelpText('after', examples(['key revoke fjordtrygd tb_test_Q3xZ', 'a key that got into wrong hands']))
    .action((partner, text, { yes }) =>
      run(async (operation) => {
        const { database } = operation;
        const partnerId = await requirePartner(database, partner);
        const found = await findKey(operation, partnerId, text);
        if (found.revoked_at) {
          return answer(`That key was revoked ${formatTimestamp(found.revoked_at)}.`, {
            ...keyJson(found),
            changed: false,
          });
        }
        await confirm(operation, {
          what: `The key "${found.name}" of ${partner} will be refused from now on.`,
          expected: 'yes',
          yes,
        });
        const revoked = await logged(operation, { action: 'key.revoke', subject: found.id }, () =>
          revokeKey(database, partnerId, found.id),
        );
        return answer(`The key "${found.name}" is revoked.`, { ...keyJson(revoked ?? found), changed: true });
      }),
    );
}

const REFUSED: Record<KeyRefusal, string> = {
  unknown_partner: 'There is no such partner any more.',
  unknown_key: 'There is no such key any more.',
  key_has_ended: 'That key has ended, so it can not be rotated: make another with `operator key create`.',
  limit_reached: `A partner has at most ${MAX_LIVE_KEYS} live keys: revoke one first.`,
};

function orRefuse(result: Awaited<ReturnType<typeof createKey>>): KeyRow {
  if ('created' in result) return result.created;
  throw new OperatorError('refused', result.refused.toUpperCase(), REFUSED[result.refused]);
}

async function findKey({ database }: Operation, partnerId: PartnerId, text: string): Promise<KeyRow> {
  const keys = await listKeys(database, partnerId);
  const begin = text.replace(/…$/, '');
  const found = keys.filter(({ id, hint }) => id === text || hint === begin);
  const [only, ...others] = found;
  if (!only)
    throw notFound(`${partnerId} has no key "${text}". \`operator key list ${partnerId}\` shows them.`);
  if (others.length > 0) {
    const ids = found.map(({ id }) => id);
    throw wrongUsage(`${found.length} keys begin so, use the id: ${ids.join(', ')}`, { keyIds: ids });
  }
  return only;
}

/** A new key: the only time that it is seen. */
const shownOnce = (
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
    { ...keyJson(created), partnerId, key: secret },
  );

function keyStatus({ revoked_at, expires_at }: KeyRow, now: Date): string {
  if (revoked_at) return `revoked ${formatTimestamp(revoked_at)}`;
  if (!expires_at) return 'live';
  return `${Date.parse(expires_at) <= now.getTime() ? 'ended' : 'live until'} ${formatTimestamp(expires_at)}`;
}

const keyJson = ({ id, name, hint, created_at, last_used_at, expires_at, revoked_at }: KeyRow) => ({
  id,
  name,
  hint,
  createdAt: created_at,
  lastUsedAt: last_used_at,
  expiresAt: expires_at,
  revokedAt: revoked_at,
});
