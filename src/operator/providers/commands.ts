import type { Command } from '@commander-js/extra-typings';
import { registeredProviders, removeProvider } from '../../postgres/provider-register.ts';
import { confirm, YES } from '../confirm.ts';
import { Ending } from '../ending.ts';
import { examples } from '../examples.ts';
import { answer, logged, type Run } from '../operation.ts';
import { table } from '../text.ts';
import { checkProvider } from './check.ts';
import { offerCommands } from './offers.ts';
import { registerCommands } from './register.ts';
import { json, PROVIDER, requireProvider, shown, tokenOf } from './shown.ts';

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
            ['Id', 'Name', 'Offers', 'To come', 'Address', 'Token from'],
            rows.map((row) => [
              row.id,
              row.name,
              row.treatments.join(', ') || 'nothing',
              String(row.upcoming),
              row.base_url,
              tokenOf(row) ?? 'no token',
            ]),
            'No provider is registered yet: `operator provider add` does that.',
          ),
          { data: rows.map(json) },
        );
      }),
    );

  provider
    .command('show')
    .description('one provider; with --check, whether its booking system answers')
    .argument(...PROVIDER)
    .option('--check', 'ask its booking system for free times')
    .addHelpText('after', examples(['provider show nordlys --check', 'is it there?']))
    .action((id, { check: wanted }) =>
      run(async (operation) => {
        const row = await requireProvider(operation, id);
        const checked = wanted ? await checkProvider(operation, row, row.treatments) : null;
        return shown(operation, id, null, checked);
      }),
    );

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
