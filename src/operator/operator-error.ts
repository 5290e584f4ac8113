import type { View } from './view.ts';

type Details = Readonly<Record<string, unknown>>;

/** What the operator API answers with. */
const STATUS = {
  usage: 400,
  login: 401,
  role: 403,
  missing: 404,
  /** Not as things stand. */
  refused: 409,
  limit: 429,
  /** A fault of ours. */
  internal: 500,
  /** Something that it takes is away. */
  unavailable: 503,
} as const;

/** Why something was not done. `code` is for programs, `message` for people; neither holds personal data. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  /** Of HTTP. */
  readonly status: number;
  readonly code: string;
  /** What programs are told beside the code. */
  readonly details: Details;
  /** What people read below the message. */
  readonly view: View | null;

  constructor(
    kind: keyof typeof STATUS,
    code: string,
    message: string,
    { details = {}, view = null }: { details?: Details; view?: View | null } = {},
  ) {
    super(message);
    this.status = STATUS[kind];
    this.code = code;
    this.details = details;
    this.view = view;
  }
}

export const wrongUsage = (message: string, details?: Details) =>
  new OperatorError('usage', 'WRONG_USAGE', message, { details: details ?? {} });

export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

/** All that is wrong in an input at once; messages go on from the field's name: `must be a date.` */
export const wrongFields = (fields: readonly FieldFault[]) =>
  new OperatorError(
    'usage',
    'VALIDATION_FAILED',
    fields.map(({ field, message }) => `${field} ${message}`).join('\n'),
    { details: { fields } },
  );

export const refusal = (code: string, message: string, more?: { details?: Details; view?: View | null }) =>
  new OperatorError('refused', code, message, more);

export const notFound = (message: string, details?: Details) =>
  new OperatorError('missing', 'NOT_FOUND', message, { details: details ?? {} });

/** Something is named that is not registered; says what is. @param key what the details call the list */
export function unknown(what: string, id: string, key: string, known: readonly string[]): OperatorError {
  const there = known.length > 0 ? `There are: ${known.join(', ')}.` : 'None is registered yet.';
  return notFound(`There is no ${what} "${id}". ${there}`, { [key]: known });
}

export const alreadyExists = (message: string) => refusal('ALREADY_THERE', message);

/** @param hint what to do next */
export const temporalUnavailable = (hint: string) =>
  new OperatorError('unavailable', 'TEMPORARILY_UNAVAILABLE', hint);

/**
 * The input lacks something, or means several things: it is chosen from a list and sent again.
 *
 * @param field what is chosen
 * @param options what it may be, in the order in which `view` shows them
 */
export const choiceRequired = (
  field: string,
  options: readonly (string | number)[],
  message: string,
  view: View,
  details: Details = {},
) =>
  new OperatorError('refused', 'CHOICE_REQUIRED', message, { details: { field, options, ...details }, view });
