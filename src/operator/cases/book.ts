import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { formatTimestamp } from '../../calendar/format.ts';
import type { ProviderId } from '../../domain/ids.ts';
import { daysAfter, instant, type Instant } from '../../domain/instant.ts';
import { AVAILABILITY_DAYS } from '../../domain/limits.ts';
import { slotOf } from '../../domain/slot.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { examples, note, time } from '../arguments.ts';
import { logged, type Operation, type Run } from '../operation.ts';
import { OperatorError, refusal, wrongUsage } from '../operator-error.ts';
import { caseAnswer, caseCommand, currentState, forCase } from './current-case.ts';
import { checkPermitted, stateOrThrow } from './execute.ts';
import {
  alternatives,
  COLUMNS_TO_CHOOSE,
  findFreeTimes,
  type FoundTimes,
  type FreeTime,
  freeTimeJson,
  freeTimesTable,
  parseToken,
  type SlotToken,
  unavailableProviders,
  whereOf,
} from './free-times.ts';

/** A customer without eID is booked by phone. */
export function bookingCommands(parent: Command, run: Run): void {
  bookingCommand(parent, run, {
    name: 'book',
    description: 'book a time for a customer without eID; without --slot or --start it lists them and asks',
    help: examples(
      'case book 3f2a9c1e --identity-checked "called back on the number of the case"  # list, and choose by number',
      'case book 3f2a9c1e --start "2026-11-24 09:00" --provider nordlys --identity-checked "called back"  # a time that was agreed on',
    ),
    ofBooked: false,
    otherwise: 'The case is booked already. Use `case change` for another time.',
    did: 'Booked',
  });
  bookingCommand(parent, run, {
    name: 'change',
    description: 'book another time instead; the old one is released once the new one is secured',
    help: examples(
      'case change 3f2a9c1e --start "2026-11-25 13:00" --identity-checked "called back"  # another time for a booked customer',
    ),
    ofBooked: true,
    otherwise: 'Nothing is booked in this case. Use `case book`.',
    did: 'Changed to',
  });
}

interface BookingCommand {
  readonly name: string;
  readonly description: string;
  readonly help: string;
  /** Whether it is for cases that have a booking; what it says to the others. */
  readonly ofBooked: boolean;
  readonly otherwise: string;
  readonly did: string;
}

function bookingCommand(
  parent: Command,
  run: Run,
  { name, description, help, ofBooked, otherwise, did }: BookingCommand,
): void {
  caseCommand(parent, name, description)
    .requiredOption(
      '--identity-checked <how>',
      "how you made sure who the customer is; kept in the operators' log",
      note,
    )
    .option('--slot <slot>', 'a slot of `case availability`', token)
    .option('--start <time>', 'or when it begins, in Norway: "2026-11-24 09:00"', time)
    .option('--provider <id>', 'together with --start: at which provider')
    .option('--practitioner <name>', 'together with --start: with whom (a part of the name will do)')
    .addHelpText('after', help)
    .action((text, { identityChecked, ...choice }) =>
      forCase(run, text, async (operation, view) => {
        const current = await currentState(operation, view);
        if ((current.state.status === 'booked') !== ofBooked) throw refusal('ACTION_NOT_ALLOWED', otherwise);
        checkPermitted(operation, current, 'confirm');
        const slot = await chooseTime(operation, view, choice);
        const entry = { action: `case.${name}`, caseId: view.id, subject: slot.token, note: identityChecked };
        const state = await logged(operation, entry, async () => {
          try {
            const input = { slot: slotOf(slot) };
            return stateOrThrow(
              operation,
              await operation.caseClient.execute(view, 'confirm', input, 'operator'),
            );
          } catch (error) {
            if (!(error instanceof OperatorError) || error.code !== 'SLOT_TAKEN') throw error;
            throw await refusalWithAlternatives(operation, view, slot, error);
          }
        });
        const where = `${slot.practitioner}, ${whereOf(slot)}`;
        return caseAnswer(operation, view.id, state, {
          did: `${did} ${formatTimestamp(slot.start)}: ${where}.`,
        });
      }),
    );
}

function token(typed: string): SlotToken {
  const parsed = parseToken(typed);
  if (!parsed) throw new InvalidArgumentError('Must be a slot of `operator case availability`.');
  return parsed;
}

/** How a time is named on the command line. */
interface Choice {
  readonly slot?: SlotToken | undefined;
  readonly start?: Instant | undefined;
  readonly provider?: string | undefined;
  readonly practitioner?: string | undefined;
}

/** The one time that is meant, as its provider offers it now. @throws OperatorError when there is not exactly one */
async function chooseTime(operation: Operation, view: CaseView, choice: Choice): Promise<FreeTime> {
  const start = choice.slot?.start ?? choice.start;
  if (!start) return askForTime(operation, view, choice);
  const free = await findFreeTimes(operation, view, {
    from: start,
    to: instant(Date.parse(start) + 1),
    providerId: choice.slot?.providerId ?? (choice.provider as ProviderId | undefined),
  });
  requireAvailableProvider(free);
  const found = free.times.filter((one) => isMeant(one, choice));
  const [only, ...others] = found;
  if (!only) {
    const message = `No such time is free ${formatTimestamp(start)}.`;
    throw await refusalWithAlternatives(operation, view, { start }, { code: 'NOT_FREE', message });
  }
  if (others.length === 0) return only;
  const list = freeTimesTable(found, '')(operation.terminal.width);
  throw wrongUsage(`${found.length} times match, so add --practitioner or use --slot:\n${list}`, {
    slots: found.map(freeTimeJson),
  });
}

function isMeant(one: FreeTime, { slot, practitioner }: Choice): boolean {
  if (slot) return one.slot === slot.slot;
  if (practitioner === undefined) return true;
  const wanted = practitioner.toLowerCase();
  return one.practitionerId === practitioner || one.practitioner.toLowerCase().includes(wanted);
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
  requireAvailableProvider(free);
  const missing = unavailableProviders(free.providers);
  if (missing) terminal.say(missing);
  const nothing = `No free times in the next ${AVAILABILITY_DAYS} days.`;
  terminal.say(freeTimesTable(free.times, nothing, COLUMNS_TO_CHOOSE)(terminal.width));
  if (free.times.length === 0) throw refusal('NOT_FREE', 'Nothing was booked.');
  const typed = await terminal.ask('Number (Enter to cancel): ');
  const chosen = free.times[Number(typed) - 1];
  if (chosen) return chosen;
  throw refusal('NOT_CONFIRMED', 'Nothing was booked.');
}

function requireAvailableProvider({ providers }: FoundTimes): void {
  if (providers.some(({ state }) => state !== 'unavailable')) return;
  const names = providers.map(({ name }) => name).join(', ');
  throw new OperatorError(
    'unavailable',
    'PROVIDER_UNAVAILABLE',
    `No booking system answers now (${names}), so nothing can be booked. Try again in a moment.`,
  );
}

/** The same refusal, naming other times. */
async function refusalWithAlternatives(
  operation: Operation,
  view: CaseView,
  taken: Parameters<typeof alternatives>[2],
  { code, message }: Pick<OperatorError, 'code' | 'message'>,
): Promise<OperatorError> {
  const times = await alternatives(operation, view, taken);
  const list = freeTimesTable(times, '')(operation.terminal.width);
  const others = list && ` The nearest free times:\n${list}`;
  return refusal(code, message + others, { alternatives: times.map(freeTimeJson) });
}
