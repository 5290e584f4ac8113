import ICAL from 'ical.js';
import { z } from 'zod';
import { type Instant, instant } from '../../domain/instant.ts';
import type { TimeRange } from '../port.ts';
import { dayAfter, instantOf, startIn, timesOf, Unreadable, zoneNamed } from './times.ts';

/** Every working day for twenty years. A rule that takes more is no clinic's. */
const MAX_OCCURRENCES = 5_000;

/** How many steps through the rules of a calendar's series are left, all of them together. */
export interface Budget {
  left: number;
}

/** The budget is used up: what is left out could be what takes up the practitioner's time. */
export class TooMany extends Error {
  override readonly name = 'TooMany';
}

export const isSeries = (component: ICAL.Component): boolean =>
  component.hasProperty('rrule') || component.hasProperty('rdate');

/** One start of a series, as the series writes it. */
export interface SeriesStart {
  readonly start: Instant;
  readonly time: ICAL.Time;
  readonly zone: string | null;
}

/**
 * The starts of a series that lie within the range, its exceptions left out.
 *
 * The library works with the time on the clock. What is to be compared between zones (UNTIL, EXDATE and RDATE can be in
 * others) is compared here, as instants.
 * @throws Unreadable, TooMany
 */
export function startsOf(series: ICAL.Component, { from, to }: TimeRange, budget: Budget): SeriesStart[] {
  const left = new Set(datesOf(series, 'exdate').map(({ start }) => start));
  const starts = new Map<Instant, SeriesStart>();
  for (const one of [...byRule(series, { from, to }, budget), ...datesOf(series, 'rdate')]) {
    if (one.start >= from && one.start < to && !left.has(one.start)) starts.set(one.start, one);
  }
  return [...starts.values()];
}

/** Some before the range may be among them. */
function byRule(series: ICAL.Component, { from, to }: TimeRange, budget: Budget): SeriesStart[] {
  const { time: first, zone } = startIn(series);
  // The copy knows no zones, so that the library does not look every step up in one.
  const { component, rule, until } = withoutDates(series, zone);
  const dtstart = skipAhead(startIn(component).time, rule, from);
  const expansion = new ICAL.RecurExpansion({ component, dtstart });
  const starts: SeriesStart[] = [];
  for (let count = 0; count < MAX_OCCURRENCES; count += 1) {
    budget.left -= 1;
    if (budget.left < 0) throw new TooMany();
    // The declared type leaves out that it ends with nothing.
    const next = expansion.next() as ICAL.Time | null | undefined;
    if (!next) return starts;
    // far from the range it need not be known to the hour, which takes longer than all the rest
    if (clockOf(next) < Date.parse(from) - DAY_MS) continue;
    const time = next.clone();
    time.zone = first.zone;
    const start = instantOf(time, zone);
    if (start >= to || (until !== null && start > until)) return starts;
    starts.push({ start, time, zone });
  }
  throw new Unreadable('a series that goes on for too long');
}

/**
 * The last beginning of a daily or weekly rule that is safely before the range: one of years ago is not gone through day
 * by day. A rule that counts has to be, and the others have few steps.
 */
function skipAhead(first: ICAL.Time, rule: ICAL.Recur | null, from: Instant): ICAL.Time {
  const days = { DAILY: 1, WEEKLY: 7 }[rule?.freq as string] ?? null;
  if (rule === null || days === null || rule.count) return first;
  const step = days * rule.interval;
  const between = Math.floor((Date.parse(from) - clockOf(first)) / DAY_MS) - 2;
  const later = first.clone();
  later.adjust(Math.max(0, Math.floor(between / step)) * step, 0, 0, 0);
  return later;
}

function datesOf(series: ICAL.Component, name: 'exdate' | 'rdate'): SeriesStart[] {
  const { zone } = startIn(series);
  return series.getAllProperties(name).flatMap((property) => {
    const named = zoneNamed(property) ?? zone;
    return timesOf(property).map((time) => ({ start: instantOf(time, named), time, zone: named }));
  });
}

/** A copy with nothing but the rule, and that without its end; null where it has none. */
function withoutDates(series: ICAL.Component, zone: string | null) {
  const component = new ICAL.Component(structuredClone(series.toJSON() as unknown[]));
  component.removeAllProperties('exdate');
  component.removeAllProperties('rdate');
  const { property, rule = null } = ruleOf(component) ?? {};
  if (property === undefined || rule === null) return { component, rule: null, until: null };
  const { until, ...rest } = rule.toJSON() as Record<string, unknown>;
  if (until === undefined) return { component, rule, until: null };
  property.setValue(ICAL.Recur.fromData(rest));
  return { component, rule, until: endOf((rule as { until: ICAL.Time }).until, zone) };
}

/** A day counts as a whole. */
const endOf = (until: ICAL.Time, zone: string | null): Instant =>
  until.isDate ? instant(Date.parse(dayAfter(until, zone)) - 1) : instantOf(until, zone);

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The time on the clock as if that were in UTC, which it is within a day of. */
const clockOf = ({ year, month, day, hour, minute, second }: ICAL.Time): number =>
  Date.UTC(year, month - 1, day, hour, minute, second);

const anything = z.unknown();
const ruleParts = {
  count: z.int().optional(),
  until: z.string().optional(),
  wkst: anything.optional(),
  interval: z.int().min(1).max(1_000).optional(),
};

/**
 * The rules that are followed, which are those that calendar programs make. With some others the library looks for a next
 * time that never comes (each 30 February, each seventh day that is a Monday, from a Tuesday on), and everybody else's
 * requests would wait with it.
 */
const supportedRules = z.union([
  z.strictObject({ ...ruleParts, freq: z.literal('DAILY') }),
  z.strictObject({
    ...ruleParts,
    freq: z.literal('DAILY'),
    interval: z.literal(1).optional(),
    byday: anything,
  }),
  z.strictObject({ ...ruleParts, freq: z.literal('WEEKLY'), byday: anything.optional() }),
  z.strictObject({
    ...ruleParts,
    freq: z.literal('MONTHLY'),
    byday: anything.optional(),
    bymonthday: anything.optional(),
    bysetpos: anything.optional(),
  }),
  z.strictObject({
    ...ruleParts,
    freq: z.literal('YEARLY'),
    bymonth: anything.optional(),
    bymonthday: anything.optional(),
  }),
  z.strictObject({ ...ruleParts, freq: z.literal('YEARLY'), bymonth: anything, byday: anything }),
]);

/** The one rule of a series; null when it has none but dates. @throws Unreadable when it is not followed */
function ruleOf(series: ICAL.Component): { property: ICAL.Property; rule: ICAL.Recur } | null {
  const [property, another] = series.getAllProperties('rrule');
  if (property === undefined) return null;
  const rule: unknown = property.getFirstValue();
  const isFollowed = rule instanceof ICAL.Recur && supportedRules.safeParse(rule.toJSON()).success;
  if (another !== undefined || !isFollowed) throw new Unreadable('a rule that is not followed');
  return { property, rule };
}
