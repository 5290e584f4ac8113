import type { Command } from '@commander-js/extra-typings';
import { addDays, dateAt, startOfDate } from '../../calendar/dates.ts';
import { formatTimestamp } from '../../calendar/format.ts';
import type { ProviderId } from '../../domain/ids.ts';
import { daysAfter, instant, type Instant } from '../../domain/instant.ts';
import { AVAILABILITY_DAYS, MAX_AVAILABILITY_DAYS } from '../../domain/limits.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { day, examples } from '../arguments.ts';
import { answer, type Operation, type Run } from '../operation.ts';
import { notFound, OperatorError, wrongUsage } from '../operator-error.ts';
import { parts } from '../terminal.ts';
import { CASE, findCase } from './current-case.ts';
import {
  alternatives,
  findFreeTimes,
  type FoundTimes,
  type FreeTime,
  freeTimeJson,
  freeTimesTable,
  numberedTable,
  type SlotToken,
  unavailableProviders,
} from './free-times.ts';

/** What there is to choose from on the phone. */
export function availabilityCommand(parent: Command, run: Run): void {
  parent
    .command('availability')
    .description('list the free times for a case, asked of the clinics now')
    .argument(...CASE)
    .option('--from <date>', 'the first day (default: today)', day)
    .option(
      '--to <date>',
      `the last day (default: ${AVAILABILITY_DAYS} days later; at most ${MAX_AVAILABILITY_DAYS})`,
      day,
    )
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
        const last = to ?? addDays(first, AVAILABILITY_DAYS);
        if (last < first) throw wrongUsage('--to must not be before --from.');
        if (last > addDays(first, MAX_AVAILABILITY_DAYS))
          throw wrongUsage(`--to may be up to ${MAX_AVAILABILITY_DAYS} days after --from.`);
        const begin = [startOfDate(first), instant(now)].sort().at(-1) as Instant;
        const free = await findFreeTimes(operation, view, {
          from: begin,
          to: startOfDate(addDays(last, 1)),
          providerId: provider as ProviderId | undefined,
        });
        if (free.providers.length === 0) {
          const whose = provider === undefined ? 'Nobody' : `No provider "${provider}"`;
          throw notFound(
            `${whose} offers ${view.treatment_type}. \`operator provider list\` shows who offers what.`,
          );
        }
        return answer(
          parts(freeTimesTable(free, `No free times from ${first} to ${last}.`), unavailableProviders(free)),
          {
            caseId: view.id,
            slots: free.times.map(freeTimeJson),
            providers: free.providers,
          },
        );
      }),
    );
}

/** How a time is named on the command line. */
export interface Choice {
  readonly slot?: SlotToken | undefined;
  readonly start?: Instant | undefined;
  readonly provider?: string | undefined;
  readonly practitioner?: string | undefined;
}

/** The one time that is meant, as its provider offers it now. @throws Ending when there is none such, or more than one */
export async function chooseTime(operation: Operation, view: CaseView, choice: Choice): Promise<FreeTime> {
  const start = choice.slot?.start ?? choice.start;
  if (!start) return askForTime(operation, view, choice);
  const providerId = choice.slot?.providerId ?? (choice.provider as ProviderId | undefined);
  const free = await findFreeTimes(operation, view, {
    from: start,
    to: instant(Date.parse(start) + 1),
    providerId,
  });
  requireAvailableProvider(free, view, providerId);
  const [only, ...others] = free.times.filter((time) => isMeant(time, choice));
  if (!only) throw await notFree(operation, view, start);
  if (others.length === 0) return only;
  const several = [only, ...others];
  throw wrongUsage(
    `There are ${several.length} such times, so say --practitioner or --slot:\n${freeTimesTable({ times: several })(operation.terminal.width)}`,
    { slots: several.map(freeTimeJson) },
  );
}

function isMeant(time: FreeTime, { slot, practitioner }: Choice): boolean {
  if (slot) return time.slot === slot.slot;
  if (practitioner === undefined) return true;
  const wanted = practitioner.toLowerCase();
  return time.practitionerId === practitioner || time.practitioner.toLowerCase().includes(wanted);
}

/** Lists the times of the next days, and asks which. */
async function askForTime(operation: Operation, view: CaseView, { provider }: Choice): Promise<FreeTime> {
  const { terminal, now } = operation;
  if (!terminal.canAsk) {
    throw wrongUsage(
      `Say which time: --slot, or --start with --provider. \`operator case availability ${view.id}\` lists them.`,
    );
  }
  const from = instant(now());
  const providerId = provider as ProviderId | undefined;
  const free = await findFreeTimes(operation, view, {
    from,
    to: daysAfter(from, AVAILABILITY_DAYS),
    providerId,
  });
  requireAvailableProvider(free, view, providerId);
  const silent = unavailableProviders(free);
  if (silent) terminal.say(silent);
  terminal.say(numberedTable(free, `No free times in the next ${AVAILABILITY_DAYS} days.`)(terminal.width));
  if (free.times.length === 0) throw new OperatorError('refused', 'NOT_FREE', 'Nothing was booked.');
  const typed = await terminal.ask('Number (nothing to leave it): ');
  const chosen = free.times[Number(typed) - 1];
  if (chosen) return chosen;
  throw new OperatorError('refused', 'NOT_CONFIRMED', 'Nothing was booked.');
}

function requireAvailableProvider(
  { providers }: FoundTimes,
  view: CaseView,
  providerId: ProviderId | undefined,
): void {
  if (providers.length === 0) {
    const who = providerId === undefined ? 'No provider offers' : `No provider "${providerId}" offers`;
    throw notFound(`${who} ${view.treatment_type}. \`operator provider list\` shows who offers what.`);
  }
  if (providers.every(({ state }) => state === 'unavailable')) {
    const names = providers.map(({ name }) => name).join(', ');
    throw new OperatorError(
      'away',
      'PROVIDER_UNAVAILABLE',
      `No booking system answers now (${names}), so nothing can be booked. Try again in a moment.`,
    );
  }
}

const notFree = async (operation: Operation, view: CaseView, start: Instant): Promise<OperatorError> =>
  refusalWithAlternatives(
    operation,
    view,
    start,
    'NOT_FREE',
    `Nothing like that is free ${formatTimestamp(start)}.`,
  );

/** A refusal that names other times. */
export async function refusalWithAlternatives(
  operation: Operation,
  view: CaseView,
  start: Instant,
  code: string,
  message: string,
): Promise<OperatorError> {
  const times = await alternatives(operation, view, { start });
  const others =
    times.length > 0 ? `The nearest free times:\n${freeTimesTable({ times })(operation.terminal.width)}` : '';
  return new OperatorError('refused', code, `${message} ${others}`.trim(), {
    alternatives: times.map(freeTimeJson),
  });
}
