import type { Command } from '@commander-js/extra-typings';
import { timeInList } from '../../calendar/format.ts';
import { FINDING_KINDS } from '../../domain/findings.ts';
import { findingsAt, type FindingRow } from '../../postgres/provider-findings.ts';
import { examples } from '../examples.ts';
import { answer, type Run } from '../operation.ts';
import { facts, parts, table, titled, type Text } from '../text.ts';
import { PROVIDER, requireProvider } from './shown.ts';

const AFTER =
  '\n\nEach line is counted from its first day, and forgotten 30 days after it was last seen. Nothing personal is kept.\n' +
  'Slots that stay taken and bookings that were refused have a case each: `operator case list --attention`.';

const MEANING: Readonly<Record<string, string>> = FINDING_KINDS;

/** What was found at clinics that somebody should know of; customers are not bothered with it. */
export function problemsCommand(provider: Command, run: Run): void {
  provider
    .command('problems')
    .description('what is wrong at the providers: not reached, unreadable entries, slots that stay taken')
    .argument('[id]', `${PROVIDER[1]}; all when left out`)
    .addHelpText(
      'after',
      examples(['provider problems', 'at all of them'], ['provider problems nordlys', 'at one']) + AFTER,
    )
    .action((id) =>
      run(async (operation) => {
        const row = id === undefined ? null : await requireProvider(operation, id);
        const rows = await findingsAt(operation.database, row?.id);
        return answer(problems(rows), { data: rows.map(problemJson) });
      }),
    );
}

/** The newest first, and below what each kind means. */
const problems = (rows: readonly FindingRow[]): Text =>
  parts(
    table(
      ['Last seen', 'Provider', 'What', 'About', 'Times', 'First seen'],
      rows.map(({ provider_id, kind, about, count, first_seen, last_seen }) => [
        timeInList(last_seen),
        provider_id,
        kind,
        about,
        String(count),
        timeInList(first_seen),
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
