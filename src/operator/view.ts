import { formatTimestamp } from '../calendar/format.ts';
import type { Instant } from '../domain/instant.ts';
import type { OperationName } from './descriptions/index.ts';

/**
 * What people read of an answer, as data: the operator API sends it beside the result, the command line lays it out for
 * its terminal (src/operator/command-line/layout.ts), and a page can show it as HTML.
 */
export type View =
  | string
  /** One below the other. */
  | { readonly parts: readonly View[] }
  /** A fact a line; the empty ones are left out already. */
  | { readonly facts: readonly (readonly [name: string, value: string])[] }
  /** Rows below their headings; an empty cell is one where nothing is known. */
  | {
      readonly headings: readonly string[];
      readonly rows: readonly (readonly string[])[];
      /** What there is to do from each row, for pages: the first is what the row is about. */
      readonly ways?: readonly (readonly Way[])[];
    }
  /** A part of a longer answer, below its title. */
  | { readonly title: string; readonly view: View };

/** An operation, and what is known of its input. */
export interface Way {
  readonly name: OperationName;
  readonly input: Readonly<Record<string, unknown>>;
}

export const way = (name: OperationName, input: Way['input']): Way => ({ name, input });

export const parts = (...views: readonly (View | null)[]): View => ({
  parts: views.filter((view) => view !== null),
});

/** An empty one is not shown. */
export const facts = (pairs: readonly (readonly [name: string, value: unknown])[]): View => ({
  facts: pairs.map(([name, value]) => [name, cell(value)] as const).filter(([, text]) => text !== ''),
});

/** A column's cell of a row: a field of it, or what is made of the row. */
export type Column<Row> = (keyof Row & string) | ((row: Row) => unknown);
export type Columns<Row> = Readonly<Record<string, Column<Row>>>;

/** @param nothing what is said where there are no rows */
export const table = <Row>(
  columns: Columns<Row>,
  rows: readonly Row[],
  nothing: string,
  waysFrom?: (row: Row) => readonly Way[],
): View =>
  rows.length === 0
    ? nothing
    : {
        headings: Object.keys(columns),
        rows: rows.map((row) =>
          Object.values(columns).map((column) =>
            cell(typeof column === 'function' ? column(row) : row[column])
              .replace(/\s+/g, ' ')
              .trim(),
          ),
        ),
        ...(waysFrom ? { ways: rows.map(waysFrom) } : {}),
      };

export const titled = (title: string, view: View): View => ({ title, view });

/** A value for people: instants in Norwegian time, lists with commas, nothing for what is unknown. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cell).join(', ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? formatTimestamp(text as Instant) : text;
}
