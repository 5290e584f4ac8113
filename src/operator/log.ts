import type { Command } from '@commander-js/extra-typings';
import { type LogFilter, readLog } from '../postgres/operators.ts';
import { examples, time, wholeNumber } from './arguments.ts';
import { CASE, findCase } from './cases/current-case.ts';
import { type Answer, inCamelCase, listed, type Run } from './operation.ts';

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
        'log --since 2026-11-24  # everything since a day',
        'log --case 3f2a9c1e  # who did what to a case',
      ),
    )
    .action(({ case: text, by: operator, ...filter }) =>
      listEntries(run, text, { ...filter, operator }, 'Nothing in the log.'),
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
      examples('case reveals  # the newest of all cases', 'case reveals 3f2a9c1e  # who has seen this one'),
    )
    .action((text, { limit }) =>
      listEntries(run, text, { action: 'case.reveal', limit }, 'Nobody has seen any personal data.'),
    );
}

const listEntries = (run: Run, text: string | undefined, filter: LogFilter, nothing: string): Promise<void> =>
  run(async (operation): Promise<Answer> => {
    const caseId = text === undefined ? undefined : (await findCase(operation, text)).id;
    const rows = await readLog(operation.database, { ...filter, caseId });
    return listed(
      rows.map(inCamelCase),
      {
        When: 'at',
        Who: 'operator',
        What: 'action',
        To: ({ caseId: id, subject }) => [id, subject].filter(Boolean).join(' '),
        Outcome: ({ outcome }) => outcome ?? 'interrupted',
        Note: 'note',
      },
      nothing,
    );
  });
