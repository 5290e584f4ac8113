import type { ProviderId } from '../../domain/ids.ts';
import { daysAfter, instant } from '../../domain/instant.ts';
import { examine, type Stage } from '../../providers/conformance/examine.ts';
import { ProviderUnavailable, type BookingSystem, type EntryFault } from '../../providers/port.ts';
import type { Terminal } from '../terminal.ts';
import { unlessInterrupted } from './interrupted.ts';
import type { LeftOut, Report } from './report.ts';
import type { TrialOptions } from './trial-options.ts';
import { stageOf } from './trial-options.ts';

/** Told of what the system sent and is not shown. */
export type OnMalformed = (type: string, count: number, fault: EntryFault) => void;

export interface TryOut extends TrialOptions {
  readonly providerId: ProviderId;
  readonly connect: (onMalformed: OnMalformed) => BookingSystem;
  /** The first one with free times is what it is tried with. */
  readonly treatments: readonly [string, ...string[]];
  /** How far ahead. */
  readonly days: number;
  readonly terminal: Pick<Terminal, 'say'>;
  readonly now: () => Date;
}

const SAID: Record<Stage, string> = {
  reading: 'Reading: nothing is changed there.',
  holding: 'Holding a free time, and releasing it again.',
  booking: 'Booking it for a fictitious patient, and cancelling again.',
};

/** Asks a booking system for everything that customers will need of it, as far as the options allow. */
export async function tryOut(options: TryOut): Promise<Report> {
  const { providerId, treatments, days, slot = null, terminal, now } = options;
  const upTo = stageOf(options);
  // each search counts what it leaves out, and they ask for much the same
  const leftOut = new Map<string, LeftOut>();
  const system = options.connect((type, count, fault) => {
    const key = `${type} ${fault}`;
    if (count > (leftOut.get(key)?.count ?? 0)) leftOut.set(key, { type, fault, count });
  });
  const from = instant(now());
  const free = await Promise.all(
    treatments.map(async (treatmentType) => ({
      treatmentType,
      free: await countFree(system, { treatmentType, from, to: daysAfter(from, days) }),
    })),
  );
  const treatmentType = free.find((one) => (one.free ?? 0) > 0)?.treatmentType ?? treatments[0];
  const examination = await unlessInterrupted(terminal, (signal) =>
    examine(
      {
        ...{ system, providerId, treatmentType, days, slot },
        ...{ now: () => now().getTime(), appointmentsAt: null },
      },
      { upTo, signal, onStage: (stage) => terminal.say(SAID[stage]) },
    ),
  );
  return {
    days,
    // why there is no number is told by what was tried
    free: free.flatMap((one) => (one.free === null ? [] : [{ ...one, free: one.free }])),
    leftOut: [...leftOut.values()],
    examination,
  };
}

async function countFree(system: BookingSystem, query: Parameters<BookingSystem['search']>[0]) {
  try {
    return (await system.search(query)).length;
  } catch (error) {
    if (error instanceof ProviderUnavailable) return null;
    throw error;
  }
}
