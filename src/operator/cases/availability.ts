import type { Command } from '@commander-js/extra-typings';
import { dateAt, datePlus, startOfDate } from '../../calendar/dates.ts';
import type { ProviderId } from '../../domain/ids.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { notFound, wrongUsage } from '../ending.ts';
import { examples } from '../examples.ts';
import { day } from '../inputs.ts';
import { answer, type Run } from '../operation.ts';
import { parts } from '../text.ts';
import { DAYS_LISTED } from './choose-time.ts';
import { CASE, findCase } from './find-case.ts';
import { freeTimeJson, freeTimes, lookForTimes, silentProviders } from './slots.ts';

const MAX_DAYS = 90;

/** What there is to choose from on the phone. */
export function availabilityCommand(parent: Command, run: Run): void {
  parent
    .command('availability')
    .description('list the free times for a case, asked of the clinics now')
    .argument(...CASE)
    .option('--from <date>', 'the first day (default: today)', day)
    .option('--to <date>', `the last day (default: ${DAYS_LISTED} days later; at most ${MAX_DAYS})`, day)
    .option('--provider <id>', 'only this provider')
    .addHelpText(
      'after',
      examples(
        ['case availability 3f2a9c1e', 'the next two weeks'],
        [
          'case availability 3f2a9c1e --provider nordlys --from 2026-12-01 --to 2026-12-05',
          'a week at one clinic',
        ],
      ),
    )
    .action((text, { from, to, provider }) =>
      run(async (operation) => {
        const view = await findCase(operation, text);
        const now = operation.now();
        const first = from ?? dateAt(now);
        const last = to ?? datePlus(first, DAYS_LISTED);
        if (last < first) throw wrongUsage('--to must not be before --from.');
        if (last > datePlus(first, MAX_DAYS))
          throw wrongUsage(`--to may be up to ${MAX_DAYS} days after --from.`);
        const begin = [startOfDate(first), instant(now)].sort().at(-1) as Instant;
        const free = await lookForTimes(operation, view, {
          from: begin,
          to: startOfDate(datePlus(last, 1)),
          providerId: provider as ProviderId | undefined,
        });
        if (free.providers.length === 0) {
          const whose = provider === undefined ? 'Nobody' : `No provider "${provider}"`;
          throw notFound(
            `${whose} offers ${view.treatment_type}. \`operator provider list\` shows who offers what.`,
          );
        }
        return answer(
          parts(freeTimes(free, `No free times from ${first} to ${last}.`), silentProviders(free)),
          {
            caseId: view.id,
            slots: free.times.map(freeTimeJson),
            providers: free.providers,
          },
        );
      }),
    );
}
