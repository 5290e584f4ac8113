import type { Command } from '@commander-js/extra-typings';
import { formatTimestamp } from '../../calendar/format.ts';
import { FINDING_KINDS } from '../../domain/findings.ts';
import { type FindingRow, listFindings } from '../../postgres/provider-findings.ts';
import {
  listRegisteredProviders,
  offerTreatments,
  removeProvider,
  withdrawTreatments,
} from '../../postgres/providers.ts';
import { examples } from '../arguments.ts';
import { answer, confirm, logged, type Run, YES } from '../operation.ts';
import { notFound, OperatorError, wrongUsage } from '../operator-error.ts';
import { facts, parts, table, type Text, titled } from '../terminal.ts';
import { checkProvider } from './check.ts';
import { BOOK, SLOT, stageOf, WRITE } from './options.ts';
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
    .addHelpText('after', examples(['provider list', 'all of them']))
    .action(() =>
      run(async ({ database }) => {
        const rows = await listRegisteredProviders(database);
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
          { data: rows.map(providerJson) },
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
        if (!wanted) return providerAnswer(operation, id, null, null);
        const check = () => checkProvider(operation, row, row.treatments, options);
        const entry = { action: 'provider.check', subject: id, note: `checked by ${stage}` };
        return providerAnswer(
          operation,
          id,
          null,
          await (options.write ? logged(operation, entry, check) : check()),
        );
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
          throw new OperatorError(
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

/** What each provider can be booked for. */
function offerCommands(provider: Command, run: Run): void {
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
        return providerAnswer(operation, id, `${row.name} can be booked for ${treatments.join(', ')}.`, null);
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
        return providerAnswer(
          operation,
          id,
          `${row.name} is not booked for ${treatments.join(', ')} any more.`,
          null,
        );
      }),
    );
}

const PROBLEMS_HELP =
  '\n\nEach line is counted from its first day, and forgotten 30 days after it was last seen. Nothing personal is kept.\n' +
  'Slots that stay taken and bookings that were refused have a case each: `operator case list --attention`.';

const MEANING: Readonly<Record<string, string>> = FINDING_KINDS;

/** What was found at clinics that somebody should know of; customers are not bothered with it. */
function problemsCommand(provider: Command, run: Run): void {
  provider
    .command('problems')
    .description('what is wrong at the providers: not reached, unreadable entries, slots that stay taken')
    .argument('[id]', `${PROVIDER[1]}; all when left out`)
    .addHelpText(
      'after',
      examples(['provider problems', 'at all of them'], ['provider problems nordlys', 'at one']) +
        PROBLEMS_HELP,
    )
    .action((id) =>
      run(async (operation) => {
        const row = id === undefined ? null : await requireProvider(operation, id);
        const rows = await listFindings(operation.database, row?.id);
        return answer(problemsText(rows), { data: rows.map(problemJson) });
      }),
    );
}

/** The newest first, and below what each kind means. */
const problemsText = (rows: readonly FindingRow[]): Text =>
  parts(
    table(
      ['Last seen', 'Provider', 'What', 'About', 'Times', 'First seen'],
      rows.map(({ provider_id, kind, about, count, first_seen, last_seen }) => [
        formatTimestamp(last_seen),
        provider_id,
        kind,
        about,
        String(count),
        formatTimestamp(first_seen),
      ]),
      'Nothing is known to be wrong.',
    ),
    rows.length === 0
      ? null
      : titled(
          'What it means',
          facts(
            [...new Set(rows.map(({ kind }) => kind))].map((kind) => [
              kind,
              MEANING[kind] ?? 'not known to this version',
            ]),
          ),
        ),
  );

const problemJson = ({ provider_id, kind, about, count, first_seen, last_seen }: FindingRow) => ({
  providerId: provider_id,
  kind,
  about: about === '' ? null : about,
  count,
  firstSeen: first_seen,
  lastSeen: last_seen,
});
