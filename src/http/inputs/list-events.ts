import { z } from 'zod';
import { cursorFor, encodeCursor, pageLimit } from './page.ts';

const LIST = 'case-events';

export const eventCursorOf = (number: number): string => encodeCursor(LIST, number);

export const eventsInput = z.strictObject({
  limit: pageLimit,
  cursor: cursorFor(LIST, z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)).optional(),
});
