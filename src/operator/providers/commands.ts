import type { Command } from '@commander-js/extra-typings';
import { registeredProviders, removeProvider } from '../../postgres/provider-register.ts';
import { confirm, YES } from '../confirm.ts';
import { Ending, wrongUsage } from '../ending.ts';
import { examples } from '../examples.ts';
import { answer, logged, type Run } from '../operation.ts';
import { table } from '../text.ts';
import { checkProvider } from './check.ts';
import { offerCommands } from './offers.ts';
import { problemsCommand } from './problems.ts';
import { registerCommands } from './register.ts';
import { json, PROVIDER, requireProvider, shown } from './shown.ts';
import { BOOK, SLOT, stageOf, WRITE } from './trial-options.ts';

/** The clinics, and what they offer. */
export function providerCommands(program: Command, run: Run): void {
  const provider = program
    .command('provider')
    .description('clinics with a booking system, and what they offer');

  provider
    .command('list')
    .description('all providers, what they offer, and how many appointments are to come')
    .addHelpText('after', examples(['provider list', 'all of them']))
    .action(() =>
      run(async ({ database }) => {
        const rows = await registeredProviders(database);
        return answer(
          table(
            ['Id', 'Name', 'Offers', 'To come', 'Kind', 'Shown', 'Address'],
            rows.map((row) => [
              row.id,
              row.name,
              row.treatments.join(', ') || 'nothing',
              String(row.upcoming),
              row.kind,
              row.connection?.auth ?? 'unreadable',
              row.base_url,
            ]),
            'No provider is registered yet: `operator provider add` does that.',
          ),
          { data: rows.map(json) },
        );
      }),
    );

  provider
    .command('show')
    .description('one provider and what is wrong there; with --check, whether it does what is needed of it')
    .argument(...PROVIDER)
    .option('--check', 'try its booking system, by reading only')
    .option(...WRITE)
    .option(...BOOK)
    .option(...SLOT)
    .addHelpText(
      'after',
      examples(
        ['provider show nordlys --check', 'is it there, and what can it do?'],
        ['provider show nordlys --check --write', 'can times be held there?'],
      ),
    )
    .action((id, { check: wanted, ...options }) =>
      run(async (operation) => {
        const stage = stageOf(options);
        if (!wanted && options.write) throw wrongUsage('--write goes with --check.');
        const row = await requireProvider(operation, id);
        if (!wanted) return shown(operation, id, null, null);
        const check = () => checkProvider(operation, row, row.treatments, options);
        const entry = { action: 'provider.check', subject: id, note: `checked by ${stage}` };
        return shown(operation, id, null, await (options.write ? logged(operation, entry, check) : check()));
      }),
    );

  problemsCommand(provider, run);
  registerCommands(provider, run);
  offerCommands(provider, run);

  provider
    .command('remove')
    .description('remove a provider where nothing was ever booked')
    .argument(...PROVIDER)
    .option(...YES)
    .addHelpText('after', examples(['provider remove nordlis', 'a slip of the keyboard']))
    .action((id, { yes }) =>
      run(async (operation) => {
        const row = await requireProvider(operation, id);
        await confirm(operation, {
          what: `Provider ${id} (${row.name}) will be removed.`,
          expected: 'yes',
          yes,
        });
        await logged(operation, { action: 'provider.remove', subject: id }, async () => {
          if (await removeProvider(operation.database, row.id)) return;
          throw new Ending(
            'refused',
            'PROVIDER_IN_USE',
            `Cases refer to ${id}, so it stays. \`operator provider withdraw ${id} ${row.treatments.join(' ') || '<treatment>'}\` ` +
              'stops new bookings.',
          );
        });
        return answer(`Provider ${id} is removed.`, { id, removed: true });
      }),
    );
}
