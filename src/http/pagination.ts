import { z } from 'zod';
import { validationFailed } from './errors.ts';
import { fieldError } from './fields.ts';

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;
const LIMIT_RULE = `must be a number from 1 to ${MAX_LIMIT}.`;
const CURSOR_RULE = 'must be a nextCursor of this list, as it was given.';

/** How many entries a page has. */
export const pageLimit = z
  .string('may be given once.')
  .regex(/^\d{1,3}$/, LIMIT_RULE)
  .transform(Number)
  .pipe(z.number().min(1, LIMIT_RULE).max(MAX_LIMIT, LIMIT_RULE))
  .default(DEFAULT_LIMIT)
  .meta({
    description: 'How many entries a page has at most.',
    override: {
      type: 'integer',
      pattern: undefined,
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
    },
  });

/** Where a page ended: opaque to callers, and good for the list it came from only. */
export const encodeCursor = (list: string, place: unknown): string =>
  Buffer.from(JSON.stringify([list, place])).toString('base64url');

export const cursorFor = <S extends z.ZodType>(list: string, place: S) => {
  const entry = z.tuple([z.literal(list), place]);
  return z
    .string('may be given once.')
    .transform((text, context): z.output<S> => {
      const bytes = Buffer.from(text, 'base64url');
      const read = entry.safeParse(jsonOrNull(bytes.toString()));
      // decoding leaves out whatever is no base64url, so that many a text would be one cursor
      const isAsGiven = bytes.toString('base64url') === text;
      if (read.success && isAsGiven) return read.data[1] as z.output<S>;
      return fieldError(context, 'invalid_cursor', CURSOR_RULE);
    })
    .meta({ description: 'The `nextCursor` of the page before, as it was given. Left out: the first page.' });
};

/** @throws ApiError `VALIDATION_FAILED` for the cursor of another partner's, or another case's list */
export function requireOwnCursor(cursor: { readonly whose: string } | undefined, whose: string): void {
  if (cursor && cursor.whose !== whose) throw invalidCursor();
}

export const invalidCursor = () =>
  validationFailed([{ field: 'cursor', code: 'invalid_cursor', message: CURSOR_RULE }]);

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
