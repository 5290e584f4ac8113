import { z } from 'zod';
import { dateAt, datePlus, parseDate } from '../../calendar/deadline.ts';
import type { ProviderId } from '../../domain/ids.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import { DEFAULT_DAYS } from '../customer/times.ts';
import { HELP_MESSAGE_LETTERS } from '../../web/pages/help.ts';
import { text } from './case-fields.ts';
import { fault } from './fault.ts';

const MAX_DAYS = 90;

const date = z.string('may be given once.').transform((value, context): CalendarDate => {
  const parsed = parseDate(value);
  if (parsed) return parsed;
  return fault(context, 'invalid_date', 'has to be a date, YYYY-MM-DD.');
});

/** Which days to look at: today and 14 days on, unless said otherwise; at most 90 days. */
export const availabilityInput = (now: Date) =>
  z
    .strictObject({
      from: date.optional(),
      to: date.optional(),
      providerId: z.custom<ProviderId>((value) => typeof value === 'string', 'may be given once.').optional(),
    })
    .transform(({ from = dateAt(now), to = datePlus(from, DEFAULT_DAYS), providerId }, context) => {
      const faultOn = (field: string, code: string, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message, params: { code } });
      if (to < from) faultOn('to', 'before_from', 'must not be before from.');
      if (to > datePlus(from, MAX_DAYS))
        faultOn('to', 'too_long', `may be up to ${MAX_DAYS} days after from.`);
      return { from, to, providerId };
    });

export const confirmInput = z.strictObject({ slotId: z.string('has to be a text.').min(1).max(2_000) });

export const assistanceInput = z.strictObject({
  message: text(HELP_MESSAGE_LETTERS).nullish(),
  preferredContact: z.enum(['phone', 'email'], 'has to be phone or email.').nullish(),
});
