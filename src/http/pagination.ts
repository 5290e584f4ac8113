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

/** A list's cursors, which tell where a page ended: opaque to callers, and good for the list they came from only. */
export const cursorsOf = <S extends z.ZodType>(list: string, place: S) => {
  const entry = z.tuple([z.literal(list), place]);
  const encode = (whose: string, ...last: readonly unknown[]): string =>
    Buffer.from(JSON.stringify([list, [whose, ...last]])).toString('base64url');
  const schema = z
    .string('may be given once.')
    .transform((text, context): z.output<S> => {
      const bytes = Buffer.from(text, 'base64url');
      const read = entry.safeParse(jsonOrNull(bytes.toString()));
      // decoding leaves out whatever is no base64url, so that many a text would be one cursor
      const isAsGiven = bytes.toString('base64url') === text;
      if (read.success && isAsGiven) return read.data[1] as z.output<S>;
      return fieldError(context, 'invalid_cursor', CURSOR_RULE);
    })
    .meta({
      description: 'The `nextCursor` of the page before, as it was given. Left out: the first page.',
      override: { minLength: 1, pattern: '^[A-Za-z0-9_-]+$' },
    });
  return { encode, schema };
};

/** Of a list whose entries are numbered: whose list, and behind which number. */
export const numberedCursors = (list: string) =>
  cursorsOf(
    list,
    z
      .tuple([z.string(), z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)])
      .transform(([whose, number]) => ({ whose, number })),
  );

/** @param rows one more than `limit`, where there is a next page */
export function pageOf<Row, Entry>(
  rows: readonly Row[],
  limit: number,
  { json, cursor }: { readonly json: (row: Row) => Entry; readonly cursor: (last: Row) => string },
): { data: Entry[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { data: page.map(json), nextCursor: rows.length > limit && last ? cursor(last) : null };
}

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
