import { z } from 'zod';
import { datePlus, parseDate } from '../../calendar/dates.ts';
import type { ProviderId } from '../../domain/ids.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import { DEFAULT_DAYS } from '../customer/times.ts';
import { HELP_MESSAGE_LETTERS } from '../../domain/daily-limits.ts';
import { text } from './case-fields.ts';
import { fault } from './fault.ts';

const MAX_DAYS = 90;

const date = z
  .string('may be given once.')
  .transform((value, context): CalendarDate => {
    const parsed = parseDate(value);
    if (parsed) return parsed;
    return fault(context, 'invalid_date', 'has to be a date, YYYY-MM-DD.');
  })
  .meta({ override: { format: 'date' } });

/** Which days to look at: today and 14 days on, unless said otherwise; at most 90 days. */
export const availabilityInput = (today: CalendarDate) =>
  z
    .strictObject({
      from: date.optional().meta({ description: 'The first day, in Norway; left out, today.' }),
      to: date.optional().meta({
        description: `The last day, at most ${MAX_DAYS} days after \`from\`; left out, ${DEFAULT_DAYS} days after it.`,
      }),
      providerId: z
        .custom<ProviderId>((value) => typeof value === 'string', 'may be given once.')
        .meta({ override: { type: 'string' } })
        .optional()
        .meta({ description: 'Only this provider’s times.' }),
    })
    .transform(({ from = today, to = datePlus(from, DEFAULT_DAYS), providerId }, context) => {
      const faultOn = (field: string, code: string, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message, params: { code } });
      if (to < from) faultOn('to', 'before_from', 'must not be before from.');
      if (to > datePlus(from, MAX_DAYS))
        faultOn('to', 'too_long', `may be up to ${MAX_DAYS} days after from.`);
      return { from, to, providerId };
    });

const SLOT_RULE = 'has to be a slotId as the availability gave it.';

export const confirmInput = z.strictObject({
  slotId: z
    .string(SLOT_RULE)
    .min(1, SLOT_RULE)
    .max(2_000, SLOT_RULE)
    .meta({ description: 'Which time: its `slotId` in the availability.' }),
});

export const assistanceInput = z.strictObject({
  message: text(HELP_MESSAGE_LETTERS)
    .nullish()
    .meta({ description: 'For our operator only. Nothing about health, please.' }),
  preferredContact: z
    .enum(['phone', 'email'], 'has to be phone or email.')
    .nullish()
    .meta({ description: 'How our operator should answer.' }),
});
