import { z } from 'zod';
import type { CaseId, PartnerId } from '../../domain/ids.ts';
import { cursorFor, encodeCursor, pageLimit } from './page.ts';

const TIMELINE = 'case-events';
const FEED = 'events';

/** Whose list, and behind which number. */
export const placeOf = z
  .tuple([z.string(), z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)])
  .transform(([whose, number]) => ({ whose, number }));

export const timelineCursor = (caseId: CaseId, number: number): string =>
  encodeCursor(TIMELINE, [caseId, number]);

export const timelineInput = z.strictObject({
  limit: pageLimit,
  cursor: cursorFor(TIMELINE, placeOf).optional(),
});

export const feedCursor = (partnerId: PartnerId, number: number): string =>
  encodeCursor(FEED, [partnerId, number]);

export const feedInput = z.strictObject({
  limit: pageLimit,
  cursor: cursorFor(FEED, placeOf).optional().meta({
    description: 'The `nextCursor` of the answer before, as it was given. Left out: from the beginning.',
  }),
});
