import { timeInList } from '../../calendar/format.ts';
import type { ProviderId } from '../../domain/ids.ts';
import { daysAfter, instant, type Instant } from '../../domain/instant.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import { Ending, notFound, wrongUsage } from '../ending.ts';
import type { Operation } from '../operation.ts';
import {
  alternatives,
  freeTimeJson,
  freeTimes,
  lookForTimes,
  numberedTimes,
  silentProviders,
  type Free,
  type FreeTime,
  type SlotToken,
} from './slots.ts';

/** How a time is named on the command line. */
export interface Choice {
  readonly slot?: SlotToken | undefined;
  readonly start?: Instant | undefined;
  readonly provider?: string | undefined;
  readonly practitioner?: string | undefined;
}

/** Days that are listed when no time is named. */
export const DAYS_LISTED = 14;

/** The one time that is meant, as its provider offers it now. @throws Ending when there is none such, or more than one */
export async function chooseTime(operation: Operation, view: CaseView, choice: Choice): Promise<FreeTime> {
  const start = choice.slot?.start ?? choice.start;
  if (!start) return pick(operation, view, choice);
  const providerId = choice.slot?.providerId ?? (choice.provider as ProviderId | undefined);
  const free = await lookForTimes(operation, view, {
    from: start,
    to: instant(Date.parse(start) + 1),
    providerId,
  });
  whoAnswers(free, view, providerId);
  const [only, ...others] = free.times.filter((time) => isMeant(time, choice));
  if (!only) throw await notFree(operation, view, start);
  if (others.length === 0) return only;
  const several = [only, ...others];
  throw wrongUsage(
    `There are ${several.length} such times, so say --practitioner or --slot:\n${freeTimes({ times: several })(operation.terminal.width)}`,
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
async function pick(operation: Operation, view: CaseView, { provider }: Choice): Promise<FreeTime> {
  const { terminal, now } = operation;
  if (!terminal.canAsk) {
    throw wrongUsage(
      `Say which time: --slot, or --start with --provider. \`operator case availability ${view.id}\` lists them.`,
    );
  }
  const from = instant(now());
  const providerId = provider as ProviderId | undefined;
  const free = await lookForTimes(operation, view, { from, to: daysAfter(from, DAYS_LISTED), providerId });
  whoAnswers(free, view, providerId);
  const silent = silentProviders(free);
  if (silent) terminal.say(silent);
  terminal.say(numberedTimes(free, `No free times in the next ${DAYS_LISTED} days.`)(terminal.width));
  if (free.times.length === 0) throw new Ending('refused', 'NOT_FREE', 'Nothing was booked.');
  const typed = await terminal.ask('Number (nothing to leave it): ');
  const chosen = free.times[Number(typed) - 1];
  if (chosen) return chosen;
  throw new Ending('refused', 'NOT_CONFIRMED', 'Nothing was booked.');
}

function whoAnswers({ providers }: Free, view: CaseView, providerId: ProviderId | undefined): void {
  if (providers.length === 0) {
    const who = providerId === undefined ? 'No provider offers' : `No provider "${providerId}" offers`;
    throw notFound(`${who} ${view.treatment_type}. \`operator provider list\` shows who offers what.`);
  }
  if (providers.every(({ state }) => state === 'unavailable')) {
    const names = providers.map(({ name }) => name).join(', ');
    throw new Ending(
      'away',
      'PROVIDER_UNAVAILABLE',
      `No booking system answers now (${names}), so nothing can be booked. Try again in a moment.`,
    );
  }
}

const notFree = async (operation: Operation, view: CaseView, start: Instant): Promise<Ending> =>
  instead(operation, view, start, 'NOT_FREE', `Nothing like that is free ${timeInList(start)}.`);

/** A refusal that names other times. */
export async function instead(
  operation: Operation,
  view: CaseView,
  start: Instant,
  code: string,
  message: string,
): Promise<Ending> {
  const times = await alternatives(operation, view, { start });
  const others =
    times.length > 0 ? `The nearest free times:\n${freeTimes({ times })(operation.terminal.width)}` : '';
  return new Ending('refused', code, `${message} ${others}`.trim(), {
    alternatives: times.map(freeTimeJson),
  });
}
