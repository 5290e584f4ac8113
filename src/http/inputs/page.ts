import { z } from 'zod';
import { fault } from './fault.ts';

const DEFAULT_LIMIT = 25;
const LIMIT_RULE = 'has to be a number from 1 to 100.';

/** How many entries a page has. */
export const pageLimit = z
  .string('may be given once.')
  .regex(/^\d{1,3}$/, LIMIT_RULE)
  .transform(Number)
  .pipe(z.number().min(1, LIMIT_RULE).max(100, LIMIT_RULE))
  .default(DEFAULT_LIMIT);

/** Where a page ended: opaque to callers, and good for the list it came from only. */
export const encodeCursor = (list: string, place: unknown): string =>
  Buffer.from(JSON.stringify([list, place])).toString('base64url');

export const cursorFor = <S extends z.ZodType>(list: string, place: S) =>
  z.string('may be given once.').transform((text, context): z.output<S> => {
    const entry = z
      .tuple([z.literal(list), place])
      .safeParse(jsonOrNull(Buffer.from(text, 'base64url').toString()));
    if (entry.success) return entry.data[1] as z.output<S>;
    return fault(context, 'invalid_cursor', 'has to be a nextCursor of this list.');
  });

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
