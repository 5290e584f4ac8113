/** What the command line ends with. The numbers above 63 are those of sysexits.h. */
export const EXIT = {
  ok: 0,
  refused: 1,
  wrongUsage: 2,
  away: 69,
  fault: 70,
  wrongSettings: 78,
} as const;

/** A command that does not do what it was asked for. `code` is for scripts, `message` for people; neither holds personal data. */
export class OperatorError extends Error {
  override readonly name = 'Ending';
  readonly exit: number;
  readonly code: string;
  /** What `--json` adds. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    exit: keyof typeof EXIT,
    code: string,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.exit = EXIT[exit];
    this.code = code;
    this.details = details;
  }
}

export const wrongUsage = (message: string, details: Readonly<Record<string, unknown>> = {}) =>
  new OperatorError('wrongUsage', 'WRONG_USAGE', message, details);

export const notFound = (message: string, details: Readonly<Record<string, unknown>> = {}) =>
  new OperatorError('refused', 'NOT_FOUND', message, details);

export const alreadyExists = (message: string) => new OperatorError('refused', 'ALREADY_THERE', message);
