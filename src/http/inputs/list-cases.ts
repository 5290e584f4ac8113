import { z } from 'zod';
import { parseDate, startOfDate } from '../../calendar/deadline.ts';
import { CASE_STATUSES } from '../../domain/case-state.ts';
import { parseCaseId, type CaseId } from '../../domain/ids.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { isStorable } from './case-fields.ts';
import { cursorFor, encodeCursor, pageLimit } from './page.ts';
import { fault } from './fault.ts';

/** Beyond these, PostgreSQL and JavaScript write instants each in their own way. */
const isInCalendar = (at: Instant): boolean => at >= '1900' && at <= '9999-12-31T23:59:59.999Z';

/** An instant, or a date: then its first instant in Norway. */
const time = z.string('may be given once.').transform((value, context): Instant => {
  const date = parseDate(value);
  const isInstant = z.iso.datetime({ offset: true }).safeParse(value).success;
  const at = date ? startOfDate(date) : isInstant ? instant(value) : null;
  return at && isInCalendar(at)
    ? at
    : fault(context, 'invalid_time', 'has to be a date (YYYY-MM-DD) or an instant (2026-11-21T08:00:00Z).');
});

const reference = z.string('may be given once.').refine(isStorable, 'has characters that no reference has.');

const LIST = 'cases';

const place = z.tuple([
  z.iso
    .datetime()
    .transform((text) => instant(text))
    .refine(isInCalendar),
  z.string().transform((text, context) => parseCaseId(text) ?? fault(context, 'invalid_cursor', 'is no id.')),
]);

export const cursorOf = (last: { created_at: Instant; id: CaseId }): string =>
  encodeCursor(LIST, [last.created_at, last.id]);

export const listCasesInput = z.strictObject({
  status: z
    .preprocess(
      (value) => (typeof value === 'string' ? [value] : value),
      z.array(z.enum(CASE_STATUSES, `has to be one of: ${CASE_STATUSES.join(', ')}.`)),
    )
    .default([]),
  partnerCaseId: reference.optional(),
  treatmentType: reference.optional(),
  createdFrom: time.optional(),
  createdTo: time.optional(),
  updatedSince: time.optional(),
  limit: pageLimit,
  cursor: cursorFor(LIST, place)
    .transform(([createdAt, id]) => ({ createdAt, id }))
    .optional(),
});
