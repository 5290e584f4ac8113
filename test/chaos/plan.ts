import { drawsOf } from './plan/draws.ts';
import { planFaults, type PlannedFault } from './plan/faults.ts';
import { planParties, type Party } from './plan/parties.ts';

export interface RunOptions {
  readonly seed: number;
  readonly cases: number;
  readonly kills: number;
  /** How long cases arrive and faults happen. What comes after is as long as it takes, within bounds. */
  readonly minutes: number;
}

export interface Plan extends RunOptions {
  /** Milliseconds. */
  readonly length: number;
  readonly parties: readonly Party[];
  readonly faults: readonly PlannedFault[];
}

/** A story takes up to so long after its case was opened, when all goes well (milliseconds). */
const LAST_STORY = 5_000;

/** Who does what when, and what goes wrong when: the same for the same options. */
export function planOf(options: RunOptions): Plan {
  const length = Math.round(options.minutes * 60_000);
  // drawn apart, so that another number of kills leaves the cases as they were
  const parties = planParties(
    drawsOf(options.seed),
    options.cases,
    Math.max(length - LAST_STORY, length / 2),
  );
  const faults = planFaults(drawsOf(~options.seed), options.kills, length);
  return { ...options, length, parties, faults };
}
