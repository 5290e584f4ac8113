import { z } from 'zod';
import { parseDate, startOfDate } from '../../calendar/deadline.ts';
import { CASE_STATUSES } from '../../domain/case-state.ts';
import { parseCaseId, type CaseId } from '../../domain/ids.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { cursorFor, encodeCursor, pageLimit } from './page.ts';

const fault = (context: z.RefinementCtx, code: string, message: string): typeof z.NEVER => {
  context.addIssue({ code: 'custom', message, params: { code } });
  return z.NEVER;
};

/** An instant, or a date: then its first instant in Norway. */
const time = z.string('may be given once.').transform((value, context): Instant => {
  const date = parseDate(value);
  if (date) return startOfDate(date);
  if (z.iso.datetime({ offset: true }).safeParse(value).success) return instant(value);
  return fault(
    context,
    'invalid_time',
    'has to be a date (YYYY-MM-DD) or an instant (2026-11-21T08:00:00Z).',
  );
});

const LIST = 'cases';

const place = z.tuple([
  z.iso.datetime().transform((text) => instant(text)),
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
  partnerCaseId: z.string('may be given once.').optional(),
  treatmentType: z.string('may be given once.').optional(),
  createdFrom: time.optional(),
  createdTo: time.optional(),
  updatedSince: time.optional(),
  limit: pageLimit,
  cursor: cursorFor(LIST, place)
    .transform(([createdAt, id]) => ({ createdAt, id }))
    .optional(),
});
