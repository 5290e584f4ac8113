import { z } from 'zod';
import { rule } from '../clinic/fault.ts';

const calendarRule = z.strictObject({
  ...rule.shape,
  method: z.enum(['OPTIONS', 'PROPFIND', 'REPORT', 'GET', 'PUT', 'DELETE']).optional(),
  /** The id of a calendar; any when left out. */
  resource: z.string().optional(),
});
const effect = <E extends string, S extends z.core.$ZodLooseShape>(name: E, shape: S) =>
  z.strictObject({ ...calendarRule.shape, effect: z.literal(name), ...shape });

const delayMs = z.int().min(1).max(600_000);

/** What a calendar server can do wrong: as a FHIR server does it. */
export const calendarFaultSchema = z.discriminatedUnion('effect', [
  /** Answers this and does nothing. */
  effect('answer', {
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.string().default(''),
  }),
  /** Does it, and answers so much later. */
  effect('delay', { delayMs }),
  /** Closes the connection and does nothing. */
  effect('drop', {}),
  /** Does it, and closes the connection without an answer. */
  effect('drop-after-commit', {}),
  /** Does it, and sends the first half of the answer as if that were all. */
  effect('half', {}),
  /** Does it, and does not say which version it is now: then it need not be as it was sent. */
  effect('no-etag', {}),
  /** Says that it does it, and does not. */
  effect('forget', {}),
  /** Pays no heed to If-Match. */
  effect('ignore-conditions', {}),
  /** Somebody at the clinic is a moment quicker, with a calendar program: writes this object; null deletes it. */
  effect('meanwhile', { calendar: z.string(), name: z.string(), ics: z.string().nullable() }),
]);

export type CalendarFault = z.infer<typeof calendarFaultSchema>;
