import type { Command } from '@commander-js/extra-typings';
import { timeInList } from '../calendar/format.ts';
import type { PartnerId } from '../domain/ids.ts';
import { hashOfKey, hintOfKey, issueKey } from '../keys/api-key.ts';
import {
  createKey,
  keysOf,
  MAX_LIVE_KEYS,
  revokeKey,
  rotateKey,
  type KeyRefusal,
  type KeyRow,
} from '../postgres/partner-keys.ts';
import { confirm, YES } from './confirm.ts';
import { Ending, notFound, wrongUsage } from './ending.ts';
import { examples } from './examples.ts';
import { label, whole } from './inputs.ts';
import { answer, logged, type Operation, type Run } from './operation.ts';
import { requirePartner } from './partner.ts';
import { json, shownOnce, standing } from './key-text.ts';
import { table } from './text.ts';

const KEY = ['<key>', "the key's id or its beginning, as `key list` shows them"] as const;
const DEFAULT_OVERLAP = 24;

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
        const rows = await keysOf(database, await requirePartner(database, partner));
        return answer(
          table(
            ['Begins', 'Name', 'Standing', 'Last used', 'Created', 'Id'],
            rows.map((row) => [
              row.hint ? `${row.hint}…` : '',
              row.name,
              standing(row, now()),
              row.last_used_at ? timeInList(row.last_used_at) : 'never',
              timeInList(row.created_at),
              row.id,
            ]),
            `${partner} has no keys yet: \`operator key create ${partner} --name <name>\` makes one.`,
          ),
          { data: rows.map(json) },
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
      'how long the old key goes on; 0 ends it at once',
      whole(0, 720),
      DEFAULT_OVERLAP,
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
          return answer(`That key was revoked ${timeInList(found.revoked_at)}.`, {
            ...json(found),
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
        return answer(`The key "${found.name}" is revoked.`, { ...json(revoked ?? found), changed: true });
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
  throw new Ending('refused', result.refused.toUpperCase(), REFUSED[result.refused]);
}

async function findKey({ database }: Operation, partnerId: PartnerId, text: string): Promise<KeyRow> {
  const keys = await keysOf(database, partnerId);
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
