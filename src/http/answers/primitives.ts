import { z } from 'zod';

/** ISO 8601 in UTC. */
export const instant = (description: string) =>
  z.iso.datetime().meta({ description, override: { type: 'string', format: 'date-time' } });

/** A day of the calendar in Norway, `YYYY-MM-DD`. */
export const calendarDate = (description: string) =>
  z.iso.date().meta({ description, override: { type: 'string', format: 'date' } });

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Send it as `cursor` to get the next page; null at the end.' });
