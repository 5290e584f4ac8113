import { z } from 'zod';
import { cursorFor, encodeCursor, pageLimit } from './page.ts';

const LIST = 'sandbox-messages';

export const messageCursorOf = (number: number): string => encodeCursor(LIST, number);

export const listMessagesInput = z.strictObject({
  caseId: z.string('may be given once.').meta({ description: 'Whose messages.' }),
  limit: pageLimit,
  cursor: cursorFor(LIST, z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)).optional(),
});
