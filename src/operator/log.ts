import type { Command } from '@commander-js/extra-typings';
import { formatTimestamp } from '../calendar/format.ts';
import { type LogFilter, type LogRow, readLog } from '../postgres/operators.ts';
import { examples, time, wholeNumber } from './arguments.ts';
import { CASE, findCase } from './cases/current-case.ts';
import { answer, type Operation, type Run } from './operation.ts';
import { table } from './terminal.ts';

const LIMIT = ['--limit <number>', 'how many, the newest first', wholeNumber(1, 10_000), 100] as const;

/** What operators did. */
export function logCommand(program: Command, run: Run): void {
  program
    .command('log')
    .description('what operators did with this command, and when, the newest first')
    .option('--case <case>', 'only to this case')
    .option('--by <name>', 'only by this operator')
    .option('--action <action>', 'only this, such as case.cancel or key.revoke')
    .option('--since <time>', 'only since then: 2026-11-24, "2026-11-24 09:00"', time)
    .option(...LIMIT)
    .addHelpText(
      'after',
      examples(
        ['log --since 2026-11-24', 'what happened since a day began'],
        ['log --case 3f2a9c1e', 'who did what to a case'],
      ),
    )
    .action(({ case: text, by: operator, ...filter }) =>
      run(async (operation) => {
        const caseId = text === undefined ? undefined : (await findCase(operation, text)).id;
        return entries(operation, { ...filter, caseId, operator }, 'Nothing was done.');
      }),
    );
}

/** Who was shown personal data: a part of the same log. */
export function revealsCommand(parent: Command, run: Run): void {
  parent
    .command('reveals')
    .description('who was shown the personal data of which case, when and why')
    .argument('[case]', `only of this case: ${CASE[1]}`)
    .option(...LIMIT)
    .addHelpText(
      'after',
      examples(
        ['case reveals', 'the newest of all cases'],
        ['case reveals 3f2a9c1e', 'who has seen this one'],
      ),
    )
    .action((text, { limit }) =>
      run(async (operation) => {
        const caseId = text === undefined ? undefined : (await findCase(operation, text)).id;
        return entries(operation, { caseId, action: 'case.reveal', limit }, 'Nobody was shown any.');
      }),
    );
}

async function entries({ database }: Operation, filter: LogFilter, nothing: string) {
  const rows = await readLog(database, filter);
  return answer(
    table(
      ['When', 'Who', 'What', 'To', 'Outcome', 'Note'],
      rows.map(({ at, operator, action, case_id, subject, note, outcome }) => [
        formatTimestamp(at),
        operator,
        action,
        [case_id, subject].filter(Boolean).join(' '),
        outcome ?? 'broken off',
        note ?? '',
      ]),
      nothing,
    ),
    { data: rows.map(entryJson) },
  );
}

const entryJson = ({ at, operator, action, case_id, subject, note, outcome }: LogRow) => ({
  at,
  operator,
  action,
  caseId: case_id,
  subject,
  note,
  outcome,
});
