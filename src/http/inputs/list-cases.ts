import { z } from 'zod';
import { parseDate, startOfDate } from '../../calendar/dates.ts';
import { CASE_STATUSES } from '../../domain/case-state.ts';
import { parseCaseId, type CaseId, type PartnerId } from '../../domain/ids.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { isStorable } from './case-fields.ts';
import { cursorFor, encodeCursor, pageLimit } from './page.ts';
import { fault } from './fault.ts';

/** Beyond these, PostgreSQL and JavaScript write instants each in their own way. */
const isInCalendar = (at: Instant): boolean => at >= '1900' && at <= '9999-12-31T23:59:59.999Z';

const TIME = 'An instant, or a date: then 00:00 of that day in Norway.';

/** An instant, or a date: then its first instant in Norway. */
const time = z
  .string('may be given once.')
  .transform((value, context): Instant => {
    const date = parseDate(value);
    const isInstant = z.iso.datetime({ offset: true }).safeParse(value).success;
    const at = date ? startOfDate(date) : isInstant ? instant(value) : null;
    return at && isInCalendar(at)
      ? at
      : fault(context, 'invalid_time', 'has to be a date (YYYY-MM-DD) or an instant (2026-11-21T08:00:00Z).');
  })
  .meta({
    override: {
      type: undefined,
      anyOf: [
        { type: 'string', format: 'date' },
        { type: 'string', format: 'date-time' },
      ],
    },
  });

const reference = z
  .string('may be given once.')
  .min(1, 'must not be empty.')
  .refine(isStorable, {
    params: { code: 'invalid_character' },
    error: 'has characters that no reference has.',
  });

const LIST = 'cases';

const place = z
  .tuple([
    z.string(),
    z.iso
      .datetime()
      .transform((text) => instant(text))
      .refine(isInCalendar),
    z
      .string()
      .transform((text, context) => parseCaseId(text) ?? fault(context, 'invalid_cursor', 'is no id.')),
  ])
  .transform(([whose, createdAt, id]) => ({ whose, createdAt, id }));

export const caseCursor = (partnerId: PartnerId, last: { created_at: Instant; id: CaseId }): string =>
  encodeCursor(LIST, [partnerId, last.created_at, last.id]);

export const listCasesInput = z.strictObject({
  status: z
    .preprocess(
      (value) => (typeof value === 'string' ? [value] : value),
      z.array(z.enum(CASE_STATUSES, `has to be one of: ${CASE_STATUSES.join(', ')}.`)),
    )
    .default([])
    .meta({ description: 'Cases in this status, or in any of several: `status=booked&status=error`.' }),
  partnerCaseId: reference.optional().meta({ description: 'Cases with exactly this reference of yours.' }),
  treatmentType: reference.optional().meta({ description: 'Cases of this treatment.' }),
  createdFrom: time.optional().meta({ description: `Cases handed over at this time or later. ${TIME}` }),
  createdTo: time.optional().meta({ description: `Cases handed over before this time. ${TIME}` }),
  updatedSince: time.optional().meta({ description: `Cases changed at this time or later. ${TIME}` }),
  limit: pageLimit,
  cursor: cursorFor(LIST, place).optional(),
});
