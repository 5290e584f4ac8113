import { setTimeout as wait } from 'node:timers/promises';
import type { CaseId } from '../../domain/ids.ts';
import { daysAfter, instant } from '../../domain/instant.ts';
import type { Slot } from '../../domain/slot.ts';
import { type BookingRef, type BookingRequest, type BookingSystem, ProviderUnavailable } from '../port.ts';
import {
  type Check,
  type CheckContext,
  fictitiousBooking,
  noFreeTime,
  type SlotCheckContext,
  type Subject,
  Unmet,
  type Verdict,
} from './check.ts';

/** A check with what came of it. */
export interface CheckResult {
  readonly name: string;
  readonly verdict: Verdict;
  readonly tookMs: number;
  /** Whether the server did not answer, or not so that it could be understood. */
  readonly wasAway: boolean;
  /** What could not be taken back: each must be freed by hand, or looked for. */
  readonly leftBehind: readonly LeftBehind[];
}

/** `unknown`: the server neither answered when told to release it, nor when asked whether it is there. */
export type LeftBehind = BookingRequest & { readonly state: 'still_there' | 'unknown' };

export async function runReadingCheck(subject: Subject, check: Check): Promise<CheckResult> {
  return { ...(await timed(check, () => check.run(createContext(subject)))), leftBehind: [] };
}

/**
 * Tries one thing on a time that is free now, and takes back what it made.
 *
 * @param caseId what the clinic reads as the case: one for all, so that one patient is made and not twenty
 */
export async function runSlotCheck(
  subject: Subject,
  check: Check<SlotCheckContext>,
  caseId?: CaseId,
): Promise<CheckResult & { readonly free: Slot | null }> {
  const context = createContext(subject);
  const made: BookingRequest[] = [];
  let free: Slot | null = null;
  const tried = await timed(check, async () => {
    const found = await context.offered();
    free = (subject.slot === null ? found.at(-1) : found.find(({ slot }) => slot === subject.slot)) ?? null;
    if (free === null) throw nothingToTryOn(subject);
    await check.run(createSlotContext(context, free, made, caseId));
  });
  return { ...tried, free, leftBehind: await takeBack(subject, made) };
}

const createContext = (subject: Subject): CheckContext => {
  const from = instant(subject.now());
  const to = daysAfter(from, subject.days);
  const { system, treatmentType } = subject;
  return { ...subject, from, to, offered: (part) => system.search({ treatmentType, from, to, ...part }) };
};

function createSlotContext(
  context: CheckContext,
  free: Slot,
  made: BookingRequest[],
  caseId?: CaseId,
): SlotCheckContext {
  const { system } = context;
  const itself = { from: free.start, to: instant(Date.parse(free.start) + 1) };
  return {
    ...context,
    free,
    newBooking(slot = free) {
      const booking = fictitiousBooking(slot, context.treatmentType, caseId);
      made.push(booking);
      return booking;
    },
    hold: async ({ slot, bookingId }) => (await system.hold(slot, bookingId)).outcome,
    release: ({ slot, bookingId }) => system.release({ bookingId, slot, cancelledBy: 'service' }),
    lookUp: async (booking) => (await system.lookUp([booking]))[0],
    isOffered: async () => (await context.offered(itself)).some(({ slot }) => slot === free.slot),
    marksAtIt: async () =>
      (await system.marks(itself))
        .filter(({ slot }) => slot.slot === free.slot)
        .map(({ bookingId }) => bookingId),
  };
}

const nothingToTryOn = (subject: Subject): Unmet =>
  subject.slot === null
    ? noFreeTime(subject)
    : new Unmet({
        outcome: 'not_possible',
        reason: `the time "${subject.slot}" is not free, or not of "${subject.treatmentType}" in the next ${subject.days} days`,
      });

async function timed(check: Pick<Check, 'name'>, run: () => Promise<void>) {
  const began = performance.now();
  const end = (verdict: Verdict, wasAway = false) => ({
    name: check.name,
    verdict,
    tookMs: Math.round(performance.now() - began),
    wasAway,
  });
  try {
    await run();
    return end({ outcome: 'passed' });
  } catch (error) {
    if (error instanceof Unmet) return end(error.verdict);
    if (error instanceof ProviderUnavailable)
      return end({ outcome: 'failed', reason: error.message, cause: error.reason }, true);
    return end({ outcome: 'failed', reason: `bug in the adapter, please report: ${placeOf(error)}` });
  }
}

/** Kind and place; messages may quote what a server sent. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const place = error.stack?.split('\n').find((line) => line.startsWith('    at '));
  return `${error.constructor.name} ${place?.trim() ?? ''}`.trim();
}

/** Before each attempt (milliseconds). */
const RETRY_DELAYS_MS = [0, 500, 2_500];

/** @returns what is still there, or may be */
async function takeBack(
  { system }: Subject,
  made: readonly BookingRequest[],
): Promise<readonly LeftBehind[]> {
  let left: readonly LeftBehind[] = made.map((booking) => ({ ...booking, state: 'unknown' }));
  for (const retryDelay of RETRY_DELAYS_MS) {
    if (left.length === 0) break;
    await wait(retryDelay);
    const tried = left.map(async (booking) => {
      const state = await releaseState(system, booking);
      return state === 'gone' ? [] : [{ ...booking, state }];
    });
    left = (await Promise.all(tried)).flat();
  }
  return left;
}

/** A release that is answered has looked for itself. One that is not may have been carried out all the same. */
async function releaseState(
  system: BookingSystem,
  { bookingId, slot }: BookingRequest,
): Promise<'gone' | LeftBehind['state']> {
  try {
    const outcome = await system.release({ bookingId, slot, cancelledBy: 'service' });
    return outcome === 'released' ? 'gone' : 'still_there';
  } catch {
    return readBack(system, { bookingId, slot }).catch(() => 'unknown' as const);
  }
}

async function readBack(
  system: BookingSystem,
  { bookingId, slot }: BookingRef,
): Promise<'gone' | 'still_there'> {
  const [found] = await system.lookUp([{ bookingId, slot }]);
  if (found?.state === 'stands') return 'still_there';
  const marks = await system.marks({ from: slot.start, to: instant(Date.parse(slot.start) + 1) });
  return marks.some((mark) => mark.bookingId === bookingId) ? 'still_there' : 'gone';
}
