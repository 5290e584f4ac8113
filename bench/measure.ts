import { setTimeout as delay } from 'node:timers/promises';

/** One line of the table that a part of the benchmark prints. */
export type Row = Readonly<Record<string, string | number | boolean>>;

export interface Measured {
  readonly rows: readonly Row[];
  /** What the rows say of each other: ratios, which other work on this machine changes less than milliseconds. */
  readonly notes: readonly string[];
}

/** Starts so many a second, whether or not the ones before are answered. @returns how long each took, in milliseconds */
export async function steadily(
  seconds: number,
  perSecond: number,
  work: (i: number) => Promise<unknown>,
): Promise<number[]> {
  const begun = performance.now();
  const all = Array.from({ length: seconds * perSecond }, async (_, i) => {
    await delay(Math.max(0, (i * 1_000) / perSecond - (performance.now() - begun)));
    return timeOf(() => work(i));
  });
  return Promise.all(all);
}

export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 50);

/** @param goals in milliseconds */
export function row(
  what: string,
  values: readonly number[],
  goals: { readonly median?: number; readonly p99?: number } = {},
): Row {
  const met =
    median(values) <= (goals.median ?? Infinity) && percentile(values, 99) <= (goals.p99 ?? Infinity);
  const goal = [goals.median && `median ≤ ${round(goals.median)}`, goals.p99 && `99 % ≤ ${round(goals.p99)}`]
    .filter(Boolean)
    .join(', ');
  return {
    what,
    n: values.length,
    'median ms': round(median(values)),
    '99 % ms': round(percentile(values, 99)),
    goal: goal || '–',
    met: goal ? met : '–',
  };
}

export const timesAsLong = (
  [what, values]: readonly [string, readonly number[]],
  [than, baseline]: readonly [string, readonly number[]],
): string =>
  `${what} takes ${(median(values) / median(baseline)).toFixed(2)} times as long as ${than} (medians, same run)`;

const round = (ms: number): number => Math.round(ms * 100) / 100;
