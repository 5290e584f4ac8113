/** Exit statuses. Those above 63 are from sysexits.h. */
export const EXIT = { ok: 0, refused: 1, usage: 2, unavailable: 69, internal: 70, config: 78 } as const;

type Details = Readonly<Record<string, unknown>>;

/** Why a command was not carried out. `code` is for scripts, `message` for people; neither holds personal data. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly exit: number;
  readonly code: string;
  /** What `--json` adds. */
  readonly details: Details;

  constructor(exit: keyof typeof EXIT, code: string, message: string, details: Details = {}) {
    super(message);
    this.exit = EXIT[exit];
    this.code = code;
    this.details = details;
  }
}

export const wrongUsage = (message: string, details?: Details) =>
  new OperatorError('usage', 'WRONG_USAGE', message, details);

export const refusal = (code: string, message: string, details?: Details) =>
  new OperatorError('refused', code, message, details);

export const notFound = (message: string, details?: Details) => refusal('NOT_FOUND', message, details);

/** Something is named that is not registered; says what is. @param key what `--json` calls the list */
export function unknown(what: string, id: string, key: string, known: readonly string[]): OperatorError {
  const there = known.length > 0 ? `There are: ${known.join(', ')}.` : 'None is registered yet.';
  return notFound(`There is no ${what} "${id}". ${there}`, { [key]: known });
}

export const alreadyExists = (message: string) => refusal('ALREADY_THERE', message);

/** @param hint what to do next */
export const temporalUnavailable = (hint: string) =>
  new OperatorError('unavailable', 'TEMPORARILY_UNAVAILABLE', hint);
