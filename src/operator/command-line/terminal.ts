import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

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
