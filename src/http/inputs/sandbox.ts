import { z } from 'zod';
import type { CaseId } from '../../domain/ids.ts';
import { placeOf } from './list-events.ts';
import { cursorFor, encodeCursor, pageLimit } from './page.ts';

const LIST = 'sandbox-messages';

export const messageCursor = (caseId: CaseId, number: number): string => encodeCursor(LIST, [caseId, number]);

export const listMessagesInput = z.strictObject({
  caseId: z
    .string('may be given once.')
    .meta({ description: 'Whose messages.', override: { format: 'uuid' } }),
  limit: pageLimit,
  cursor: cursorFor(LIST, placeOf).optional(),
});
