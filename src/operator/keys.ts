import { type Command, Option } from '@commander-js/extra-typings';
import { formatTimestamp } from '../calendar/format.ts';
import type { PartnerId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { KEY_OVERLAP_HOURS, KEY_SCOPES, MAX_KEY_NETWORKS, MAX_KEY_OVERLAP_HOURS } from '../domain/limits.ts';
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
import { examples, label, parsedBy, repeatable, time, wholeNumber } from './arguments.ts';
import {
  answer,
  type Answer,
  confirm,
  inCamelCase,
  listed,
  logged,
  type Operation,
  type Run,
  YES,
} from './operation.ts';
import { notFound, refusal, wrongUsage } from './operator-error.ts';
import { forPartner } from './partners.ts';
import { facts, parts } from './terminal.ts';

const PARTNER = ['<partner>', "the partner's id"] as const;
const KEY = ['<key>', "the key's id or its beginning, as `key list` shows them"] as const;

const EXPIRES = [
  '--expires <time>',
  'when the key ends by itself: 2027-01-31, "2027-01-31 09:00"; a rotated one ends as the old one was to',
  time,
] as const;

function requireInFuture({ now }: Operation, expires: Instant | undefined): void {
  if (expires !== undefined && Date.parse(expires) <= now().getTime())
    throw wrongUsage('--expires must be a time to come.');
}

/** The keys that partners call the API with. */
export function keyCommands(program: Command, run: Run): void {
  const key = program.command('key').description('API keys of partners');

  key
    .command('create')
    .description('create a key for a partner; it is shown only once')
    .argument(...PARTNER)
    .requiredOption('--name <name>', 'what the key is for, to tell it from others', label)
    .option(...EXPIRES)
    .addOption(
      new Option('--scope <scope...>', 'what it may do: read (GET) only, or write only; both when left out')
        .choices(KEY_SCOPES)
        .default([...KEY_SCOPES]),
    )
    .option(
      '--network <cidr>',
      'from where it is good, such as 192.0.2.0/24; may be given several times; from everywhere when left out',
      repeatable(parsedBy(network)),
    )
    .addHelpText(
      'after',
      examples(
        'key create fjordtrygd --name "claims system"  # its first key',
        'key create fjordtrygd --name statistics --scope cases:read --network 192.0.2.0/24  # bounded',
      ),
    )
    .action((partner, { name, expires, scope, network: networks }) =>
      forPartner(run, partner, (operation, partnerId) => {
        requireInFuture(operation, expires);
        if (networks && networks.length > MAX_KEY_NETWORKS)
          throw wrongUsage(`A key names at most ${MAX_KEY_NETWORKS} networks.`);
        const terms = {
          name,
          expiresAt: expires ?? null,
          scopes: KEY_SCOPES.filter((one) => scope.includes(one)),
          allowedNetworks: networks ?? null,
        };
        return issued(operation, partnerId, { action: 'key.create', subject: partner }, (fresh) =>
          createKey(operation.database, { partnerId, ...terms, ...fresh }),
        );
      }),
    );

  key
    .command('list')
    .description("a partner's keys, the live ones first; never the keys themselves")
    .argument(...PARTNER)
    .addHelpText('after', examples('key list fjordtrygd  # all of them'))
    .action((partner) =>
      forPartner(run, partner, async ({ database, now }, partnerId) =>
        listed(
          (await listKeys(database, partnerId)).map(inCamelCase),
          {
            Begins: ({ hint }) => hint && `${hint}…`,
            Name: 'name',
            Status: (row) => keyStatus(row, now()),
            Bounds: ({ scopes, allowedNetworks }) =>
              [...(scopes.length < KEY_SCOPES.length ? scopes : []), ...(allowedNetworks ?? [])].join(', '),
            'Last used': ({ lastUsedAt }) => lastUsedAt ?? 'never',
            Created: 'createdAt',
            Id: 'id',
          },
          `${partner} has no keys yet: \`operator key create ${partner} --name <name>\` creates one.`,
        ),
      ),
    );

  key
    .command('rotate')
    .description('create a new key in place of one, which stays valid for a while')
    .argument(...PARTNER)
    .argument(...KEY)
    .option(
      '--overlap-hours <hours>',
      `how long the old key stays valid, at most ${MAX_KEY_OVERLAP_HOURS}; 0 ends it at once`,
      wholeNumber(0, MAX_KEY_OVERLAP_HOURS),
      KEY_OVERLAP_HOURS,
    )
    .option(...EXPIRES)
    .addHelpText(
      'after',
      examples('key rotate fjordtrygd tb_test_Q3xZ --overlap-hours 48  # two days to switch'),
    )
    .action((partner, text, { overlapHours, expires: expiresAt }) =>
      forPartner(run, partner, async (operation, partnerId) => {
        requireInFuture(operation, expiresAt);
        const old = await findKey(operation, partnerId, text);
        return issued(
          operation,
          partnerId,
          { action: 'key.rotate', subject: old.id },
          (fresh) =>
            rotateKey(operation.database, { partnerId, keyId: old.id, overlapHours, expiresAt, ...fresh }),
          overlapHours === 0
            ? 'The old key has ended.'
            : `The old key stays valid for ${overlapHours} hours.`,
        );
      }),
    );

  key
    .command('revoke')
    .description('end a key at once')
    .argument(...PARTNER)
    .argument(...KEY)
    .option(...YES)
    .addHelpText('after', examples('key revoke fjordtrygd tb_test_Q3xZ  # a key that was leaked'))
    .action((partner, text, { yes }) =>
      forPartner(run, partner, async (operation, partnerId) => {
        const found = await findKey(operation, partnerId, text);
        if (found.revoked_at) {
          const json = { ...inCamelCase(found), changed: false };
          return answer(`That key was revoked ${formatTimestamp(found.revoked_at)}.`, json);
        }
        await confirm(operation, `The key "${found.name}" of ${partner} will be refused from now on.`, {
          yes,
        });
        const revoked = await logged(operation, { action: 'key.revoke', subject: found.id }, () =>
          revokeKey(operation.database, partnerId, found.id),
        );
        return answer(`The key "${found.name}" is revoked.`, {
          ...inCamelCase(revoked ?? found),
          changed: true,
        });
      }),
    );
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
    throw wrongUsage(`${found.length} keys begin like this, use the id: ${ids.join(', ')}`, { keyIds: ids });
  }
  return only;
}

/** Has a new key stored, and shows it: the only time that it is seen. */
async function issued(
  operation: Operation,
  partnerId: PartnerId,
  entry: { action: string; subject: string },
  store: (key: NewKey) => ReturnType<typeof createKey>,
  more: string | null = null,
): Promise<Answer> {
  const { environment } = operation.settings;
  const secret = issueKey(environment);
  const created = await logged(operation, entry, async () => {
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
