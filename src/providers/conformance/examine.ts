import { randomUUID } from 'node:crypto';
import type { CaseId } from '../../domain/ids.ts';
import type { Slot } from '../../domain/slot.ts';
import type { Capability } from '../port.ts';
import { BOOKING_CHECKS } from './booking.ts';
import type { Check, SlotCheckContext, Subject } from './check.ts';
import { HOLDING_CHECKS } from './holding.ts';
import { READING_CHECKS } from './reading.ts';
import { type CheckResult, type LeftBehind, runReadingCheck, runSlotCheck } from './run-check.ts';

/** What is tried: each stage takes the ones before it along. */
export const STAGES = ['reading', 'holding', 'booking'] as const;
export type Stage = (typeof STAGES)[number];

export interface Examination {
  readonly upTo: Stage;
  /** Empty when it could not say. */
  readonly capabilities: readonly Capability[];
  readonly tried: readonly (CheckResult & { readonly stage: Stage })[];
  /** The times that were held or booked for a moment. */
  readonly triedOn: readonly Slot[];
  readonly leftBehind: readonly LeftBehind[];
}

export interface ExamineOptions {
  readonly upTo: Stage;
  /** Told when a stage begins. */
  readonly onStage?: (stage: Stage) => void;
  /** Ends it after the check under way, which takes back what it made first. */
  readonly signal?: AbortSignal;
}

/** Goes through the checks one by one, and no further than makes sense. */
export async function examine(of: Subject, options: ExamineOptions): Promise<Examination> {
  const { upTo, onStage = () => undefined, signal } = options;
  // Some take seconds to say what they can do: asked once.
  let said: Promise<readonly Capability[]> | null = null;
  const capable = { ...of.system, capabilities: () => (said ??= of.system.capabilities()) };
  const subject: Subject = { ...of, system: capable };
  const tried: (CheckResult & { readonly stage: Stage })[] = [];
  const triedOn = new Map<string, Slot>();
  const caseId = randomUUID() as CaseId;

  const whyNot = (): string | null => {
    if (signal?.aborted) return 'it was broken off';
    if (tried.some(({ leftBehind }) => leftBehind.length > 0))
      return 'what was made before could not be taken back';
    if (tried.some(({ wasAway, stage }) => wasAway && stage === 'reading'))
      return 'the server did not answer as it should';
    return null;
  };
  const through = async <T extends { readonly name: string }>(
    stage: Stage,
    checks: readonly T[],
    attempt: (check: T) => Promise<CheckResult>,
  ): Promise<void> => {
    if (STAGES.indexOf(stage) > STAGES.indexOf(upTo)) return;
    if (whyNot() === null) onStage(stage);
    for (const check of checks) {
      const reason = whyNot();
      tried.push({ ...(reason === null ? await attempt(check) : skipped(check.name, reason)), stage });
    }
  };
  const onSlot = async (check: Check<SlotCheckContext>): Promise<CheckResult> => {
    const { free, ...result } = await runSlotCheck(subject, check, caseId);
    if (free !== null) triedOn.set(free.slot, free);
    return result;
  };

  await through('reading', READING_CHECKS, (check) => runReadingCheck(subject, check));
  const [account] = tried;
  const capabilities = account?.verdict.outcome === 'passed' ? await subject.system.capabilities() : [];
  await through('holding', HOLDING_CHECKS, onSlot);
  await through('booking', BOOKING_CHECKS, onSlot);
  return {
    upTo,
    capabilities,
    tried,
    triedOn: [...triedOn.values()],
    leftBehind: tried.flatMap(({ leftBehind }) => leftBehind),
  };
}

export type Conclusion = 'passed' | 'failed' | 'not_proved';

/** `not_proved`: nothing is wrong with what was tried, but not all could be tried that should be. */
export function conclude({ tried, leftBehind }: Examination): Conclusion {
  const outcomes = new Set(tried.map(({ verdict }) => verdict.outcome));
  if (outcomes.has('failed') || leftBehind.length > 0) return 'failed';
  return outcomes.has('not_possible') ? 'not_proved' : 'passed';
}

const skipped = (name: string, reason: string): CheckResult => ({
  name,
  verdict: { outcome: 'not_possible', reason },
  tookMs: 0,
  wasAway: false,
  leftBehind: [],
});
