import type { Command } from '@commander-js/extra-typings';
import { FINDING_KINDS } from '../../domain/findings.ts';
import { listFindings } from '../../postgres/provider-findings.ts';
import {
  listRegisteredProviders,
  offerTreatments,
  removeProvider,
  withdrawTreatments,
} from '../../postgres/providers.ts';
import { examples } from '../arguments.ts';
import { answer, confirm, inCamelCase, listed, logged, type Run, YES } from '../operation.ts';
import { notFound, refusal, wrongUsage } from '../operator-error.ts';
import { facts, parts, table, titled } from '../terminal.ts';
import { checkProvider } from './check.ts';
import { checkOptions, stageOf } from './options.ts';
import { registerCommands } from './register.ts';
import { PROVIDER, providerAnswer, providerJson, requireProvider, requireTreatments } from './show.ts';

/** The clinics, and what they offer. */
export function providerCommands(program: Command, run: Run): void {
  const provider = program
    .command('provider')
    .description('clinics with a booking system, and what they offer');

  provider
    .command('list')
    .description('all providers, what they offer, and how many appointments are to come')
    .addHelpText('after', examples('provider list  # all of them'))
    .action(() =>
      run(async ({ database }) =>
        listed(
          (await listRegisteredProviders(database)).map(providerJson),
          {
            Id: 'id',
            Name: 'name',
            Offers: ({ treatmentTypes }) => treatmentTypes.join(', ') || 'nothing',
            'To come': 'upcomingAppointments',
            Kind: 'kind',
            Auth: ({ connection }) => connection?.auth ?? 'unreadable',
            Address: 'url',
          },
          'No provider is registered yet: `operator provider add` does that.',
        ),
      ),
    );

  checkOptions(
    provider
      .command('show')
      .description('one provider and its problems; with --check, whether it passes the conformance check')
      .argument(...PROVIDER)
      .option('--check', 'try its booking system, by reading only'),
  )
    .addHelpText(
      'after',
      examples(
        'provider show nordlys --check  # does it answer, and what can it do?',
        'provider show nordlys --check --write  # can times be held there?',
      ),
    )
    .action((id, { check: wanted, ...options }) =>
      run(async (operation) => {
        const stage = stageOf(options);
        if (!wanted && options.write) throw wrongUsage('--write goes with --check.');
        const row = await requireProvider(operation, id);
        if (!wanted) return providerAnswer(operation, id);
        const check = () => checkProvider(operation, row, row.treatments, options);
        const entry = { action: 'provider.check', subject: id, note: `checked by ${stage}` };
        const report = await (options.write ? logged(operation, entry, check) : check());
        return providerAnswer(operation, id, { report });
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
    .addHelpText('after', examples('provider remove nordlis  # a typing error'))
    .action((id, { yes }) =>
      run(async (operation) => {
        const row = await requireProvider(operation, id);
        await confirm(operation, `Provider ${id} (${row.name}) will be removed.`, { yes });
        await logged(operation, { action: 'provider.remove', subject: id }, async () => {
          if (await removeProvider(operation.database, row.id)) return;
          const withdraw = `provider withdraw ${id} ${row.treatments.join(' ') || '<treatment>'}`;
          throw refusal(
            'PROVIDER_IN_USE',
            `Cases refer to ${id}, so it stays. \`operator ${withdraw}\` stops new bookings.`,
          );
        });
        return answer(`Provider ${id} is removed.`, { id, removed: true });
      }),
    );
}

/** What each provider can be booked for. */
function offerCommands(provider: Command, run: Run): void {
  provider
    .command('offer')
    .description('let a provider be booked for kinds of treatment')
    .argument(...PROVIDER)
    .argument('<treatment...>', 'codes, as `treatment list` shows them')
    .addHelpText('after', examples('provider offer nordlys psychology physiotherapy  # two kinds'))
    .action((id, treatments) =>
      run(async (operation) => {
        const row = await requireProvider(operation, id);
        await requireTreatments(operation, treatments);
        const codes = treatments.join(', ');
        const entry = { action: 'provider.offer', subject: id, note: codes };
        await logged(operation, entry, () => offerTreatments(operation.database, row.id, treatments));
        return providerAnswer(operation, id, { did: `${row.name} can be booked for ${codes}.` });
      }),
    );

  provider
    .command('withdraw')
    .description('stop booking a provider for kinds of treatment; existing bookings stay')
    .argument(...PROVIDER)
    .argument('<treatment...>', 'codes, as `provider show` shows them')
    .addHelpText('after', examples('provider withdraw nordlys physiotherapy  # no longer offered there'))
    .action((id, treatments) =>
      run(async (operation) => {
        const row = await requireProvider(operation, id);
        const others = treatments.filter((code) => !row.treatments.includes(code));
        const offers = row.treatments.join(', ') || 'nothing';
        if (others.length > 0)
          throw notFound(`${row.name} does not offer ${others.join(', ')}. It offers: ${offers}.`);
        const codes = treatments.join(', ');
        const entry = { action: 'provider.withdraw', subject: id, note: codes };
        await logged(operation, entry, () => withdrawTreatments(operation.database, row.id, treatments));
        return providerAnswer(operation, id, { did: `${row.name} is no longer booked for ${codes}.` });
      }),
    );
}

const PROBLEMS_HELP =
  '\n\nEach line counts from its first day, and is deleted 30 days after it was last seen. It holds no personal data.\n' +
  'Slots that stay busy and bookings that were refused have a case each: `operator case list --attention`.';

const MEANING: Readonly<Record<string, string>> = FINDING_KINDS;

/** What was found at clinics that somebody should know of; customers are not bothered with it. */
function problemsCommand(provider: Command, run: Run): void {
  provider
    .command('problems')
    .description('what is wrong at the providers: unreachable, unreadable entries, slots that stay busy')
    .argument('[id]', `${PROVIDER[1]}; all when left out`)
    .addHelpText(
      'after',
      examples('provider problems  # at all of them', 'provider problems nordlys  # at one') + PROBLEMS_HELP,
    )
    .action((id) =>
      run(async (operation) => {
        const row = id === undefined ? null : await requireProvider(operation, id);
        const data = (await listFindings(operation.database, row?.id)).map((finding) => ({
          ...inCamelCase(finding),
          about: finding.about || null,
        }));
        const kinds = [...new Set(data.map(({ kind }) => kind))];
        const meanings = facts(kinds.map((kind) => [kind, MEANING[kind] ?? 'not known to this version']));
        return answer(
          parts(
            table(
              {
                'Last seen': 'lastSeen',
                Provider: 'providerId',
                Problem: 'kind',
                About: 'about',
                Times: 'count',
                'First seen': 'firstSeen',
              },
              data,
              'No problems known.',
            ),
            kinds.length > 0 ? titled('What it means', meanings) : null,
          ),
          { data },
        );
      }),
    );
}
