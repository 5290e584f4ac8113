import type { Command } from '@commander-js/extra-typings';
import { offerTreatments, withdrawTreatments } from '../../postgres/provider-register.ts';
import { notFound } from '../ending.ts';
import { examples } from '../examples.ts';
import { logged, type Run } from '../operation.ts';
import { PROVIDER, requireProvider, requireTreatments, shown } from './shown.ts';

/** What each provider can be booked for. */
export function offerCommands(provider: Command, run: Run): void {
  provider
    .command('offer')
    .description('let a provider be booked for kinds of treatment')
    .argument(...PROVIDER)
    .argument('<treatment...>', 'codes, as `treatment list` shows them')
    .addHelpText('after', examples(['provider offer nordlys psychology physiotherapy', 'two kinds']))
    .action((id, treatments) =>
      run(async (operation) => {
        const row = await requireProvider(operation, id);
        await requireTreatments(operation, treatments);
        const entry = { action: 'provider.offer', subject: id, note: treatments.join(', ') };
        await logged(operation, entry, () => offerTreatments(operation.database, row.id, treatments));
        return shown(operation, id, `${row.name} can be booked for ${treatments.join(', ')}.`, null);
      }),
    );

  provider
    .command('withdraw')
    .description('stop booking a provider for kinds of treatment; what is booked there stays')
    .argument(...PROVIDER)
    .argument('<treatment...>', 'codes, as `provider show` shows them')
    .addHelpText(
      'after',
      examples(['provider withdraw nordlys physiotherapy', 'it treats no backs any more']),
    )
    .action((id, treatments) =>
      run(async (operation) => {
        const row = await requireProvider(operation, id);
        const others = treatments.filter((code) => !row.treatments.includes(code));
        if (others.length > 0)
          throw notFound(
            `${row.name} does not offer ${others.join(', ')}. It offers: ${row.treatments.join(', ') || 'nothing'}.`,
          );
        const entry = { action: 'provider.withdraw', subject: id, note: treatments.join(', ') };
        await logged(operation, entry, () => withdrawTreatments(operation.database, row.id, treatments));
        return shown(operation, id, `${row.name} is not booked for ${treatments.join(', ')} any more.`, null);
      }),
    );
}
