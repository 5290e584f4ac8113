import { setTimeout as delay } from 'node:timers/promises';
import { nameOf, type Fault, type PlannedFault } from '../plan/faults.ts';
import type { Ending } from './inflict.ts';

export interface InflictedFault {
  readonly fault: string;
  readonly planned: number;
  /** Since the run's begin (milliseconds). */
  readonly began: number;
  readonly ended: number;
  /** Why it could not be done; null when it was. */
  readonly failure: string | null;
}

/**
 * Inflicts each fault at its time. What is done to one process, wire or clinic is done one after the other; what is done
 * to different ones may meet.
 */
export async function runFaults(
  planned: readonly PlannedFault[],
  { inflict, since }: { inflict: (fault: Fault) => Promise<Ending>; since: number },
): Promise<InflictedFault[]> {
  const now = () => Date.now() - since;
  const inflictOne = async (fault: PlannedFault): Promise<InflictedFault> => {
    const began = now();
    const noted = { fault: nameOf(fault), planned: fault.at, began };
    try {
      const end = await inflict(fault);
      await delay(fault.lasts);
      await untilDone(end);
      return { ...noted, ended: now(), failure: null };
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      return { ...noted, ended: now(), failure };
    }
  };
  const lines = Map.groupBy(planned, (fault) => `${fault.kind === 'clinic' ? 'at ' : ''}${fault.of}`);
  const inflicted = await Promise.all(
    [...lines.values()].map(async (line) => {
      const done: InflictedFault[] = [];
      for (const fault of line) {
        await delay(Math.max(0, fault.at - now()));
        done.push(await inflictOne(fault));
      }
      return done;
    }),
  );
  return inflicted.flat().sort((one, other) => one.began - other.began);
}

const TRIES = 60;

/** No trouble may outlast its time because what it was done to happens to be away: it is tried again. */
async function untilDone(end: Ending): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await end();
      return;
    } catch (error) {
      if (attempt === TRIES) throw error;
      await delay(500);
    }
  }
}
