import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { formatTimestamp } from '../calendar/format.ts';
import type { Instant } from '../domain/instant.ts';

export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable;
}

/** The person, or the script, at the other end. */
export interface Terminal {
  /** The answer, on standard output: for people, or for scripts. */
  print(text: string): void;
  printJson(value: unknown): void;
  /** What is no part of the answer, on standard error. */
  say(line: string): void;
  /** Whether there is somebody to ask. */
  readonly canAsk: boolean;
  /** @returns null when they end the input instead */
  ask(question: string): Promise<string | null>;
  /** How many characters fit into a line. */
  readonly width: number;
}

/** A terminal is asked and told on standard error, so that standard output holds the answer and nothing else. */
export const createTerminal = ({ stdin, stdout, stderr }: Streams): Terminal => ({
  print: (text) => stdout.write(`${printable(text)}\n`),
  printJson: (value) =>
    stdout.write(`${JSON.stringify(value, null, 2).replace(CONTROL_CHARACTERS, (sign) => escaped(sign))}\n`),
  say: (line) => stderr.write(`${printable(line)}\n`),
  canAsk: stdin.isTTY === true,
  ask(question) {
    stderr.write(printable(question));
    const lines = createInterface({ input: stdin, terminal: false });
    return new Promise((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(null));
    }).finally(() => lines.close()) as Promise<string | null>;
  },
  width: stdout.isTTY ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY,
});

/**
 * What others wrote must not steer the terminal (colours, cursor, window titles), nor turn the direction of what
 * stands beside it. Lines end as they do.
 */
const CONTROL_CHARACTERS = /[^\P{Cc}\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const printable = (text: string): string => text.replace(CONTROL_CHARACTERS, '\ufffd');

/** The same sign to whoever reads the JSON. */
const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text that is laid out when it is known how many characters fit into a line. */
export type Text = (width: number) => string;

/** The parts one below the other, with an empty line between them. */
export const parts =
  (...texts: readonly (Text | string | null)[]): Text =>
  (width) =>
    texts
      .filter((text) => text !== null)
      .map((text) => (typeof text === 'string' ? wrap(text, width).join('\n') : text(width)))
      .join('\n\n');

/** A column's cell of a row: a field of it, or what is made of the row. */
export type Column<Row> = (keyof Row & string) | ((row: Row) => unknown);
export type Columns<Row> = Readonly<Record<string, Column<Row>>>;

/**
 * Rows below their headings. A last column that does not fit wraps; where too little room is left for that, each row
 * is a block of its own.
 *
 * @param nothing what is said where there are no rows
 */
export const table =
  <Row>(columns: Columns<Row>, rows: readonly Row[], nothing: string): Text =>
  (width) => {
    if (rows.length === 0) return nothing;
    const headings = Object.keys(columns);
    const cells = rows.map((row) =>
      Object.values(columns).map((column) =>
        oneLine(cell(typeof column === 'function' ? column(row) : row[column])),
      ),
    );
    const widths = headings.map((heading, i) =>
      Math.max(heading.length, ...cells.map((row) => row[i]?.length ?? 0)),
    );
    const before = widths.slice(0, -1).reduce((sum, column) => sum + column + GAP.length, 0);
    const longestWord = Math.max(
      ...cells.flatMap((row) => (row.at(-1) ?? '').split(' ')).map((word) => word.length),
    );
    const room = width - before;
    if (room < Math.min(widths.at(-1) ?? 0, Math.max(longestWord, LEGIBLE))) {
      return cells.map((row) => facts(headings.map((heading, i) => [heading, row[i]]))(width)).join('\n\n');
    }
    const line = (row: readonly string[]) => {
      const start = row.slice(0, -1).map((text, i) => (text || '-').padEnd(widths[i] ?? 0) + GAP);
      return start.join('') + wrap(row.at(-1) || '-', room).join(`\n${' '.repeat(before)}`);
    };
    return [headings, ...cells].map((row) => line(row).trimEnd()).join('\n');
  };

/** A fact a line, its name on the left; an empty one is not shown. */
export const facts =
  (pairs: readonly (readonly [name: string, value: unknown])[]): Text =>
  (width) => {
    const known = pairs
      .map(([name, value]) => [name, cell(value)] as const)
      .filter(([, text]) => text !== '');
    const indent = Math.max(...known.map(([name]) => name.length)) + GAP.length;
    return known
      .flatMap(([name, text]) =>
        wrap(text, Math.max(width - indent, 20)).map(
          (line, i) => (i === 0 ? name : '').padEnd(indent) + line,
        ),
      )
      .join('\n');
  };

/** A value for people: instants in Norwegian time, lists with commas, nothing for what is unknown. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cell).join(', ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? formatTimestamp(text as Instant) : text;
}

/** A part of a longer answer, below its title. */
export const titled =
  (title: string, text: Text): Text =>
  (width) =>
    `${title}\n${text(width - INDENT.length).replace(/^(?=.)/gm, INDENT)}`;

const GAP = '  ';
const INDENT = '  ';
/** A column is not wrapped to less than this. */
const LEGIBLE = 20;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = [''];
    for (const word of paragraph.split(' ')) {
      const line = lines.at(-1) ?? '';
      if (line === '') lines[lines.length - 1] = word;
      else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
      else lines.push(word);
    }
    return lines;
  });
}
