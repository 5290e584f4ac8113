import type { ProviderId } from '../../domain/ids.ts';
import { daysAfter, instant } from '../../domain/instant.ts';
import { variablesOf } from '../../postgres/provider-connection.ts';
import type { NewProvider, ProviderRow } from '../../postgres/providers.ts';
import { conclude, examine, type Stage } from '../../providers/conformance/examine.ts';
import type { SearchCount, SearchObserver } from '../../providers/adapter.ts';
import { type BookingSystem, ProviderUnavailable } from '../../providers/port.ts';
import type { Operation } from '../operation.ts';
import { OperatorError, refusal, wrongUsage } from '../operator-error.ts';
import { type LeftOut, type Report, reportJson, reportText, type Unseen } from './report.ts';

const DAYS = 14;
/** A service to ask for where none is offered yet: only to see whether the system answers. */
const ANY_TREATMENT = 'psychology';

/**
 * Tries the booking system as customers will use it, as far as the options allow. One that answers without any free
 * time is fine as long as nothing is to be tried on it: its calendar may be full.
 *
 * @throws OperatorError with the whole report when it does not do what it should
 */
export async function checkProvider(
  operation: Operation,
  provider: ProviderRow,
  treatments: readonly string[],
  options: CheckOptions,
): Promise<Report> {
  requireVariables(operation, provider);
  const report = await checkBookingSystem({
    ...options,
    providerId: provider.id,
    connect: (observer) => operation.connect(provider, observer),
    treatments: treatments.length > 0 ? treatments : [ANY_TREATMENT],
    days: DAYS,
    say: operation.say,
    signal: operation.signal,
    now: operation.now,
  });
  const conclusion = conclude(report.examination);
  if (conclusion === 'passed' || (conclusion === 'not_proved' && !options.write)) return report;
  throw refusal('PROVIDER_UNCHECKED', 'The booking system does not pass the check:', {
    details: { check: reportJson(report) },
    view: reportText(report),
  });
}

function requireVariables({ isSet }: Operation, { connection }: ProviderRow): void {
  const missing = connection ? variablesOf(connection).filter((name) => !isSet(name)) : [];
  if (missing.length === 0) return;
  throw refusal(
    'PROVIDER_UNCHECKED',
    `${missing.join(', ')} is not set where the operator API runs, so it cannot authenticate there. ` +
      'Set it there as for the API and the worker. (--unchecked skips the check.)',
  );
}

/** @throws OperatorError when nothing here speaks to that kind of booking system */
export function requireKind({ kinds }: Operation, { kind }: Pick<NewProvider, 'kind'>): void {
  if (kinds.includes(kind)) return;
  const message = `There is no kind "${kind}" of booking system. There are: ${kinds.join(', ')}.`;
  throw new OperatorError('usage', 'UNKNOWN_KIND', message, { details: { kinds } });
}

/** What a check may do at the clinic. */
export interface CheckOptions {
  readonly write?: boolean | undefined;
  readonly book?: boolean | undefined;
  readonly slot?: string | undefined;
}

/** How far it may go. @throws OperatorError when the options do not go together */
export function stageOf({ write, book, slot }: CheckOptions): Stage {
  if (!write && (book || slot !== undefined))
    throw wrongUsage(`${book ? '--book' : '--slot'} goes with --write, which allows changes there.`);
  return book ? 'booking' : write ? 'holding' : 'reading';
}

export interface BookingSystemCheck extends CheckOptions {
  readonly providerId: ProviderId;
  readonly connect: (observer: SearchObserver) => BookingSystem;
  /** At least one; the first with free times is what it is tried with. */
  readonly treatments: readonly string[];
  /** How far ahead. */
  readonly days: number;
  /** Told how far it is. */
  readonly say: (line: string) => void;
  /** Lets it undo what it has made at the clinic, and end. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
}

const PROGRESS: Record<Stage, string> = {
  reading: 'Reading: nothing is changed there.',
  holding: 'Holding a free time, and releasing it again.',
  booking: 'Booking it for a fictitious patient, and cancelling again.',
};

/** Tries everything that customers will need of a booking system, as far as the options allow. */
export async function checkBookingSystem(options: BookingSystemCheck): Promise<Report> {
  const { providerId, treatments, days, slot = null, say, signal, now } = options;
  // each search counts what it leaves out, and they ask for much the same
  const leftOut = new Map<string, LeftOut>();
  const counts = new Map<string, SearchCount>();
  const system = options.connect({
    onSkipped(type, count, fault) {
      const key = `${type} ${fault}`;
      if (count > (leftOut.get(key)?.count ?? 0)) leftOut.set(key, { type, fault, count });
    },
    // the first is that of the whole time
    onSearched: (count) => counts.set(count.treatmentType, counts.get(count.treatmentType) ?? count),
  });
  const from = instant(now());
  const counted = await Promise.all(
    treatments.map(async (treatmentType) => {
      const free = await countFree(system, { treatmentType, from, to: daysAfter(from, days) });
      // why there is no number is told by what was tried
      return free === null ? [] : [{ treatmentType, free, saidBy: counts.get(treatmentType)?.found ?? null }];
    }),
  );
  const free = counted.flat();
  const treatmentType = free.find((one) => one.free > 0)?.treatmentType ?? treatments[0] ?? ANY_TREATMENT;
  const subject = { system, providerId, treatmentType, days, slot };
  const examination = await examine(
    { ...subject, now: () => now().getTime(), appointmentsAt: null },
    { upTo: stageOf(options), signal, onStage: (stage) => say(PROGRESS[stage]) },
  );
  const unseen = unseenOf([...counts.values()], treatments);
  return { days, free, unseen, leftOut: [...leftOut.values()], examination };
}

/** Free times that no customer sees, for whatever they are: each search went over all of them. */
function unseenOf(counts: readonly SearchCount[], treatments: readonly string[]): Unseen {
  const [any] = counts.filter((count) => treatments.includes(count.treatmentType));
  const others = [...(any?.others ?? [])].filter(([code]) => !treatments.includes(code));
  const unnamed = Math.min(...counts.map((count) => count.unnamed));
  return { unnamed: Number.isFinite(unnamed) ? unnamed : 0, others: Object.fromEntries(others) };
}

async function countFree(system: BookingSystem, query: Parameters<BookingSystem['search']>[0]) {
  try {
    return (await system.search(query)).length;
  } catch (error) {
    if (error instanceof ProviderUnavailable) return null;
    throw error;
  }
}
