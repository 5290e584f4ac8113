import type { Command } from '@commander-js/extra-typings';
import { formatTimestamp } from '../calendar/format.ts';
import type { PartnerId } from '../domain/ids.ts';
import type { Queries } from '../postgres/database.ts';
import { addPartner, findPartner, listPartners, renamePartner } from '../postgres/partners.ts';
import { examples, label, newId } from './arguments.ts';
import { answer, logged, type Run } from './operation.ts';
import { alreadyExists, notFound, type OperatorError } from './operator-error.ts';
import { parts, table } from './terminal.ts';

/** The insurers, who hand cases over. */
export function partnerCommands(program: Command, run: Run): void {
  const partner = program.command('partner').description('insurers, who hand cases over');

  partner
    .command('add')
    .description('register a partner')
    .argument('<id>', 'short, and for good: it stands in the log, in Temporal and in every command', newId)
    .requiredOption('--name <name>', 'what customers read in messages and on pages', label)
    .addHelpText(
      'after',
      examples(['partner add fjordtrygd --name "Fjordtrygd Forsikring"', 'a new insurer']),
    )
    .action((id, { name }) =>
      run(async (operation) => {
        await logged(operation, { action: 'partner.add', subject: id }, async () => {
          if (!(await addPartner(operation.database, id, name)))
            throw alreadyExists(`There is a partner ${id} already.`);
        });
        return answer(
          parts(
            `Partner ${id} is registered.`,
            `Next: \`operator key create ${id} --name <name>\` for its first API key, or \`operator user add ${id} <e-mail>\` for somebody who manages its keys.`,
          ),
          { id, name },
        );
      }),
    );

  partner
    .command('list')
    .description('all partners, and how many cases each has')
    .addHelpText('after', examples(['partner list', 'all of them']))
    .action(() =>
      run(async ({ database }) => {
        const rows = await listPartners(database);
        return answer(
          table(
            ['Id', 'Name', 'Cases', 'Registered'],
            rows.map(({ id, name, cases, created_at }) => [
              id,
              name,
              String(cases),
              formatTimestamp(created_at),
            ]),
            'No partner is registered yet: `operator partner add` does that.',
          ),
          {
            data: rows.map(({ id, name, cases, created_at }) => ({ id, name, cases, createdAt: created_at })),
          },
        );
      }),
    );

  partner
    .command('rename')
    .description('give a partner another name; messages and pages have it from then on')
    .argument('<id>', 'which partner')
    .requiredOption('--name <name>', 'what customers read', label)
    .addHelpText(
      'after',
      examples(['partner rename fjordtrygd --name "Fjordtrygd"', 'the insurer goes by another name']),
    )
    .action((id, { name }) =>
      run(async (operation) => {
        const { database } = operation;
        const partnerId = await requirePartner(database, id);
        await logged(operation, { action: 'partner.rename', subject: id }, () =>
          renamePartner(database, partnerId, name),
        );
        return answer(`Partner ${id} is now called ${name}.`, { id, name });
      }),
    );
}

/** @throws Ending when there is no such partner */
export async function requirePartner(queries: Queries, id: string): Promise<PartnerId> {
  const partnerId = await findPartner(queries, id);
  if (!partnerId) throw await unknownPartner(queries, id);
  return partnerId;
}

async function unknownPartner(queries: Queries, id: string): Promise<OperatorError> {
  const known = (await listPartners(queries)).map((partner) => partner.id);
  const there = known.length > 0 ? `There are: ${known.join(', ')}.` : 'None is registered yet.';
  return notFound(`There is no partner "${id}". ${there}`, { partners: known });
}
