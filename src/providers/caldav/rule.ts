import ICAL from 'ical.js';
import { z } from 'zod';
import { Unreadable } from './times.ts';

const given = z.unknown();
const parts = {
  count: z.int().optional(),
  until: z.string().optional(),
  wkst: given.optional(),
  interval: z.int().min(1).max(1_000).optional(),
};

/**
 * The rules that are followed, which are those that calendar programs make. With some others the library looks for a next
 * time that never comes (each 30 February, each seventh day that is a Monday, from a Tuesday on), and everybody else's
 * requests would wait with it.
 */
const followed = z.union([
  z.strictObject({ ...parts, freq: z.literal('DAILY') }),
  z.strictObject({ ...parts, freq: z.literal('DAILY'), interval: z.literal(1).optional(), byday: given }),
  z.strictObject({ ...parts, freq: z.literal('WEEKLY'), byday: given.optional() }),
  z.strictObject({
    ...parts,
    freq: z.literal('MONTHLY'),
    byday: given.optional(),
    bymonthday: given.optional(),
    bysetpos: given.optional(),
  }),
  z.strictObject({
    ...parts,
    freq: z.literal('YEARLY'),
    bymonth: given.optional(),
    bymonthday: given.optional(),
  }),
  z.strictObject({ ...parts, freq: z.literal('YEARLY'), bymonth: given, byday: given }),
]);

/** The one rule of a series; null when it has none but dates. @throws Unreadable when it is not followed */
export function ruleOf(series: ICAL.Component): { property: ICAL.Property; rule: ICAL.Recur } | null {
  const [property, another] = series.getAllProperties('rrule');
  if (property === undefined) return null;
  const rule: unknown = property.getFirstValue();
  const isFollowed = rule instanceof ICAL.Recur && followed.safeParse(rule.toJSON()).success;
  if (another !== undefined || !isFollowed) throw new Unreadable('a rule that is not followed');
  return { property, rule };
}
