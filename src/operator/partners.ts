import { type Command, Option } from '@commander-js/extra-typings';
import type { PartnerId } from '../domain/ids.ts';
import {
  addPartner,
  findPartner,
  hashReferences,
  listPartners,
  renamePartner,
  resumePartner,
  suspendPartner,
} from '../postgres/partners.ts';
import { examples, label, newId, note } from './arguments.ts';
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
import { alreadyExists, unknown } from './operator-error.ts';
import { parts } from './terminal.ts';

/** The insurers, who hand cases over. */
export function partnerCommands(program: Command, run: Run): void {
  const partner = program.command('partner').description('insurers, who hand cases over');

  partner
    .command('add')
    .description('register a partner')
    .argument('<id>', 'short and permanent: used in the log, in Temporal and in every command', newId)
    .requiredOption('--name <name>', 'what customers read in messages and on pages', label)
    .addHelpText('after', examples('partner add fjordtrygd --name "Fjordtrygd Forsikring"  # a new insurer'))
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
    .addHelpText('after', examples('partner list  # all of them'))
    .action(() =>
      run(async ({ database }) =>
        listed(
          (await listPartners(database)).map(inCamelCase),
          { Id: 'id', Name: 'name', Cases: 'cases', Registered: 'createdAt', Suspended: 'suspendedAt' },
          'No partner is registered yet: `operator partner add` does that.',
        ),
      ),
    );

  partner
    .command('rename')
    .description('give a partner another name; messages and pages have it from then on')
    .argument('<id>', 'which partner')
    .requiredOption('--name <name>', 'what customers read', label)
    .addHelpText(
      'after',
      examples('partner rename fjordtrygd --name "Fjordtrygd"  # the insurer has a new name'),
    )
    .action((id, { name }) =>
      forPartner(run, id, async (operation, partnerId) => {
        await logged(operation, { action: 'partner.rename', subject: id }, () =>
          renamePartner(operation.database, partnerId, name),
        );
        return answer(`Partner ${id} is now called ${name}.`, { id, name });
      }),
    );

  partner
    .command('suspend')
    .description('keep a partner out: all its keys and users at once; its cases and their customers go on')
    .argument('<id>', 'which partner')
    .requiredOption('--reason <text>', 'why, for the log', note)
    .option(...YES)
    .addHelpText('after', examples('partner suspend fjordtrygd --reason "a key was published"  # at once'))
    .action((id, { reason, yes }) =>
      forPartner(run, id, async (operation, partnerId) => {
        await confirm(operation, `All keys and users of ${id} will be refused from now on.`, {
          yes,
          undo: 'It lasts until `operator partner resume`',
        });
        const changed = await logged(
          operation,
          { action: 'partner.suspend', subject: id, note: reason },
          () => suspendPartner(operation.database, partnerId),
        );
        return answer(
          parts(
            changed ? `Partner ${id} is suspended.` : `Partner ${id} was suspended before, and still is.`,
            `Next: \`operator key revoke ${id} <key>\` for what leaked, then \`operator partner resume ${id}\`.`,
          ),
          { id, suspended: true, changed },
        );
      }),
    );

  partner
    .command('resume')
    .description('let a suspended partner in again: its keys as they are, its users by a new login')
    .argument('<id>', 'which partner')
    .addHelpText('after', examples('partner resume fjordtrygd  # what leaked is revoked'))
    .action((id) =>
      forPartner(run, id, async (operation, partnerId) => {
        const changed = await logged(operation, { action: 'partner.resume', subject: id }, () =>
          resumePartner(operation.database, partnerId),
        );
        return answer(changed ? `Partner ${id} is let in again.` : `Partner ${id} is not suspended.`, {
          id,
          suspended: false,
          changed,
        });
      }),
    );

  referencesCommand(partner, run);
}

/** What Temporal is shown of the partner's references. */
function referencesCommand(partner: Command, run: Run): void {
  partner
    .command('references')
    .description("how Temporal shows the partner's references of cases handed over from now on")
    .argument('<id>', 'which partner')
    .addOption(
      new Option('--show <how>', 'as they are, or hashed by a key that only the database has')
        .choices(['plain', 'hashed'])
        .makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      examples(
        'partner references fjordtrygd --show hashed  # their references say something of the person; commands on cases take the hash, too',
      ),
    )
    .action((id, { show }) =>
      forPartner(run, id, async (operation, partnerId) => {
        await logged(operation, { action: 'partner.references', subject: id, note: show }, () =>
          hashReferences(operation.database, partnerId, show === 'hashed'),
        );
        return answer(
          `Temporal shows new references of ${id} ${show === 'hashed' ? 'hashed' : 'as they are'}.`,
          {
            id,
            show,
          },
        );
      }),
    );
}

/** @throws OperatorError when there is no such partner */
export async function requirePartner({ database }: Operation, id: string): Promise<PartnerId> {
  const partnerId = await findPartner(database, id);
  if (partnerId) return partnerId;
  throw unknown(
    'partner',
    id,
    'partners',
    (await listPartners(database)).map((partner) => partner.id),
  );
}

/** Runs a command on a partner. */
export const forPartner = (
  run: Run,
  id: string,
  work: (operation: Operation, partnerId: PartnerId) => Promise<Answer>,
): Promise<void> => run(async (operation) => work(operation, await requirePartner(operation, id)));
