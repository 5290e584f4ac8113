import { z } from 'zod';
import type { Role } from '../identity/operators/actor.ts';

/**
 * How a field of an input is shown where people fill it in: on the command line, and in the back office's forms. It stands
 * in the field's JSON schema as `x-form`, which other readers of OpenAPI pass over.
 */
export interface FormHints {
  /** Given on the command line by its place, in the order of the fields, and not by `--name`. */
  readonly positional?: true;
  /** What stands for its value in the help: `<date>`. */
  readonly placeholder?: string;
  /** Without a value it is asked for, so that what is typed is in no shell's history. */
  readonly prompted?: true;
  /** It may be given without a value, and is this then. */
  readonly bare?: string;
  /** A yes or no that is kept as it is when neither `--name` nor `--no-name` is given: what `--no-name` says. */
  readonly negation?: string;
  /** More than one line. */
  readonly multiline?: true;
  /** On the command line, the name of a file, whose text is the value. */
  readonly file?: true;
  /** What it is called on pages, where its name does not do. */
  readonly label?: string;
  /** One of those that are registered: pages show them to choose from. */
  readonly of?: 'partner' | 'provider' | 'treatment';
}

/**
 * One thing that operators can do, described once: its call of the operator API and that call's OpenAPI, its command and
 * the command's help, and its form in the back office are made from this. What it does is in `RUNS`
 * (src/operator/runs.ts), which only the operator API loads.
 */
export interface Description<Name extends string = string, Input extends z.ZodObject = z.ZodObject> {
  /** One or two words: `case retry` is `POST /operator/v1/case/retry` and `operator case retry`. */
  readonly name: Name;
  /** What its page and its button are called. */
  readonly title: string;
  readonly summary: string;
  /** Any one of them lets somebody do it. */
  readonly roles: readonly Role[];
  /** Where this field is given, it takes this role, and no other will do. */
  readonly roleWith?: { readonly field: keyof z.input<Input> & string; readonly role: Role };
  /** Strict, by light rules only: the command line loads this. Rules that need a clock, settings or rows are the run's. */
  readonly input: Input;
  /** Whether it changes something: then it is in the operators' log before it is done, and its outcome after. */
  readonly changes: boolean;
  /** With this input it only looks, though it changes something with others. */
  readonly looks?: (input: z.output<Input>) => boolean;
  /** It asks before it is done: the answer without `confirm` says what would be, and how to confirm it. */
  readonly asks?: true;
  /**
   * With this input it takes two: it is only asked for, and done when somebody else grants it. That is all that there is to
   * say: its run is called then, as whoever asked (`grantedBy` has the other), and what it would `confirm` was confirmed.
   * The input waits in PostgreSQL, so nothing personal may be in it.
   *
   * @returns what will be done, as both are shown it; null where it takes one
   */
  readonly fourEyes?: (input: z.output<Input>) => string | null;
  /** What may be missing in the input, and is chosen from the list that the answer then has. */
  readonly choices?: readonly (keyof z.input<Input> & string)[];
  /** Command lines without `operator`, each with what it is for. */
  readonly examples: readonly (readonly [command: string, what: string])[];
  /** What there is to know beyond the summary. */
  readonly more?: string;
}

/** The identity, which lets the compiler keep what exactly is described. */
export const describe = <const Name extends string, Input extends z.ZodObject>(
  description: Description<Name, Input>,
): Description<Name, Input> => description;

/** A field with its words, and how it is filled in. */
export const field = <T extends z.ZodType>(schema: T, description: string, form: FormHints = {}): T =>
  schema.meta({ description, ...(Object.keys(form).length > 0 ? { 'x-form': form } : {}) });

/** Text on one line or several, as people write it: blanks around it do not count. */
const text = (max: number) =>
  z
    .string('must be a string.')
    .trim()
    .min(1, 'must not be empty.')
    .max(max, `may have up to ${max} characters.`)
    // what PostgreSQL can't keep
    .refine((value) => !value.includes('\0') && value.isWellFormed(), 'must not contain the character NUL.');

/** Text on one line, without signs that nobody sees. */
export const line = (max: number) =>
  text(max).refine(
    (value) => !/[\p{Cc}\p{Cf}]/u.test(value),
    'must not contain line breaks, or other control or format characters.',
  );

/** What stands for a value in the help, unless its field says otherwise. */
const standsFor = (placeholder: string) => ({ 'x-form': { placeholder } satisfies FormHints });

export const label = line(200).meta(standsFor('name'));
export const note = line(1_000).meta(standsFor('text'));
/** Of something that is registered already. */
export const knownId = line(50).meta(standsFor('id'));

export const wholeNumber = (least: number, most: number) =>
  z
    .int(`must be a whole number from ${least} to ${most}.`)
    .min(least, `must be a whole number from ${least} to ${most}.`)
    .max(most, `must be a whole number from ${least} to ${most}.`);

/** A date, a time in Norway or an instant; read by `timeOf` (src/operator/input-rules.ts). */
export const time = line(40).meta(standsFor('time'));

export const flag = z.boolean('must be true or false.');

/** Of a partner or a provider: it stands in the log, in Temporal and in the clinic's calendar, and stays. */
export const newId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,49}$/, 'must be made of a-z, 0-9 and -, up to 50 characters: fjordtrygd.');

/** A field of an input as JSON Schema tells it, with what forms need. */
export interface FieldSchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly default?: string | number | boolean | readonly string[];
  readonly items?: FieldSchema;
  readonly 'x-form'?: FormHints;
}

export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

/** What is sent beside the fields of an operation that asks. */
const CONFIRM = z.object({
  confirm: field(
    z.string().optional(),
    'Says that it is meant: the `confirm` of the answer that asked. It is good for the same input, as long as the answer would be the same.',
  ),
});

/** An operation's input as JSON Schema: what OpenAPI, the command line and forms are made from. */
export function inputSchema({ input, asks }: Pick<Description, 'input' | 'asks'>): InputSchema {
  const schema = asks ? z.strictObject({ ...input.shape, ...CONFIRM.shape }) : input;
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return made as unknown as InputSchema;
}

/** Below `/operator/v1`. */
export const pathOf = ({ name }: Pick<Description, 'name'>): string => `/${name.replace(' ', '/')}`;

/** A field of an input as the command line takes it: `--overlap-hours`. */
export const flagOf = (field: string): string =>
  `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
