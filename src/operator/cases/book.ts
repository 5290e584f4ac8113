import { formatTimestamp } from '../../calendar/format.ts';
import type { ProviderId } from '../../domain/ids.ts';
import { daysAfter, instant, type Instant } from '../../domain/instant.ts';
import { AVAILABILITY_DAYS } from '../../domain/limits.ts';
import { slotOf } from '../../domain/slot.ts';
import type { CaseView } from '../../postgres/cases.ts';
import type { InputOf } from '../descriptions/index.ts';
import { timeOf } from '../input-rules.ts';
import { logged, type Operation } from '../operation.ts';
import { choiceRequired, OperatorError, refusal, wrongFields } from '../operator-error.ts';
import { parts } from '../view.ts';
import { caseAnswer, currentState, forCase } from './current-case.ts';
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

interface Booking {
  /** Whether it is for cases that have a booking; what it says to the others. */
  readonly ofBooked: boolean;
  readonly otherwise: string;
  readonly did: string;
}

/** A customer without eID is booked by phone. */
const bookingOperation = ({ ofBooked, otherwise, did }: Booking) =>
  forCase(async (operation, view, input: InputOf<'case book'>) => {
    const choice = {
      slot: slotIn(input.slot),
      start: timeOf('start', input.start),
      provider: input.provider as ProviderId | undefined,
      practitioner: input.practitioner,
    };
    const current = await currentState(operation, view);
    if ((current.state.status === 'booked') !== ofBooked) throw refusal('ACTION_NOT_ALLOWED', otherwise);
    checkPermitted(operation, current, 'confirm');
    const slot = await chooseTime(operation, view, choice);
    const entry = { caseId: view.id, subject: slot.token, note: input.identityChecked };
    const state = await logged(operation, entry, async () => {
      try {
        const booked = { slot: slotOf(slot) };
        return stateOrThrow(
          operation,
          await operation.caseClient.execute(view, 'confirm', booked, 'operator'),
        );
      } catch (error) {
        if (!(error instanceof OperatorError) || error.code !== 'SLOT_TAKEN') throw error;
        throw await refusalWithAlternatives(operation, view, slot, error);
      }
    });
    const where = `${slot.practitioner}, ${whereOf(slot)}`;
    return caseAnswer(operation, view, state, { did: `${did} ${formatTimestamp(slot.start)}: ${where}.` });
  });

export const book = bookingOperation({
  ofBooked: false,
  otherwise: 'The case is booked already. Use `case change` for another time.',
  did: 'Booked',
});

export const change = bookingOperation({
  ofBooked: true,
  otherwise: 'Nothing is booked in this case. Use `case book`.',
  did: 'Changed to',
});

function slotIn(given: string | undefined): SlotToken | undefined {
  if (given === undefined) return undefined;
  const parsed = parseToken(given);
  if (!parsed)
    throw wrongFields([{ field: 'slot', message: 'must be a slot of `operator case availability`.' }]);
  return parsed;
}

/** How a time is named. */
interface Choice {
  readonly slot: SlotToken | undefined;
  readonly start: Instant | undefined;
  readonly provider: ProviderId | undefined;
  readonly practitioner: string | undefined;
}

/** The one time that is meant, as its provider offers it now. @throws OperatorError when there is not exactly one */
async function chooseTime(operation: Operation, view: CaseView, choice: Choice): Promise<FreeTime> {
  const start = choice.slot?.start ?? choice.start;
  const from = start ?? instant(operation.now());
  const free = await findFreeTimes(operation, view, {
    from,
    to: start ? instant(Date.parse(start) + 1) : daysAfter(from, AVAILABILITY_DAYS),
    providerId: choice.slot?.providerId ?? choice.provider,
  });
  requireAvailableProvider(free);
  const found = free.times.filter((one) => isMeant(one, choice));
  const [only, ...others] = found;
  if (!only) throw await nothingFree(operation, view, start);
  if (start && others.length === 0) return only;
  const message = start
    ? `${found.length} times match, so add --practitioner or use --slot:`
    : 'Say which time: --slot, or --start with --provider.';
  throw choiceRequired(
    'slot',
    found.map(({ token }) => token),
    message,
    parts(
      unavailableProviders(free.providers),
      freeTimesTable(found, '', start ? undefined : COLUMNS_TO_CHOOSE),
    ),
    { slots: found.map(freeTimeJson) },
  );
}

async function nothingFree(operation: Operation, view: CaseView, start: Instant | undefined) {
  if (!start) return refusal('NOT_FREE', `No free times in the next ${AVAILABILITY_DAYS} days.`);
  const message = `No such time is free ${formatTimestamp(start)}.`;
  return refusalWithAlternatives(operation, view, { start }, { code: 'NOT_FREE', message });
}

function isMeant(one: FreeTime, { slot, practitioner }: Choice): boolean {
  if (slot) return one.slot === slot.slot;
  if (practitioner === undefined) return true;
  const wanted = practitioner.toLowerCase();
  return one.practitionerId === practitioner || one.practitioner.toLowerCase().includes(wanted);
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
  const some = times.length > 0;
  return refusal(code, some ? `${message} The nearest free times:` : message, {
    details: { alternatives: times.map(freeTimeJson) },
    view: some ? freeTimesTable(times, '') : null,
  });
}
