import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { type Description, flagOf, type InputSchema, inputSchema, pathOf } from '../description.ts';
import { DESCRIPTIONS, NOUNS } from '../descriptions/index.ts';
import type { FieldFault } from '../operator-error.ts';
import type { Call, Connection, Done } from './client.ts';
import { Failure } from './failure.ts';
import { layOut } from './layout.ts';
import { addFields, inputOf } from './options.ts';
import { type ProgramContext, runProgram } from './run-program.ts';
import type { Streams, Terminal } from './terminal.ts';

export interface CommandLineContext {
  readonly streams: Streams;
  /**
   * Where the operator API is, and who asks. @throws Failure when the settings are wrong
   *
   * @param breakGlass why somebody comes over the socket, without a login; undefined for everybody else
   */
  readonly connect: (breakGlass: string | undefined) => Connection;
  /** Commands beside the operations. */
  readonly addCommands?: (program: Command, context: ProgramContext) => void;
}

/** Runs one command: a client of the operator API. @returns the process's exit status */
export const runOperator = (
  argv: readonly string[],
  { streams, ...context }: CommandLineContext,
): Promise<number> => runProgram(argv, streams, (program) => createProgram({ ...context, ...program, argv }));

const PROGRAM_HELP = `
Start here:
  $ operator case list --attention        # what needs an operator
  $ operator case show 3f2a9c1e           # by the beginning of its id, or the partner's reference
  $ operator case book --help             # each command explains itself, with examples

How to call it:
  npm run -s operator -- case list        # -s keeps npm's own lines out of the output
  node src/main/operator.ts case list     # in the image
  It is a client of the operator API at OPERATOR_API_URL; without it, \`npm run operator\` uses what
  \`npm run dev\` has started. All times, typed and shown, are Norwegian.

Who did what:
  Every change is logged with who is logged in; so is every look at personal data.

Exit status:
  0   done
  1   refused: not found, not allowed, not confirmed, not logged in
  2   wrong usage
  69  the operator API, the database, Temporal or a clinic is unreachable; the text says whether
      something may have happened
  70  internal error
  78  wrong settings`;

/** All commands and their help, made from the descriptions; the fields of those only that `argv` names. */
function createProgram({
  connect,
  addCommands,
  argv,
  ...context
}: ProgramContext & Omit<CommandLineContext, 'streams'> & { argv: readonly string[] }): Command {
  const program = new Command('operator')
    .description(
      "The operator's command line of treatment booking: partners and their keys, clinics, and cases.",
    )
    // before the first subcommand, which inherits it
    .configureOutput(context.output)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help explains it)')
    .exitOverride()
    .option('--json', 'print one JSON document on standard output, and nothing else there')
    .option('--break-glass <why>', 'over the socket of OPERATOR_SOCKET, without a login: everybody is told')
    .addHelpText('after', PROGRAM_HELP);
  const nouns = new Map<string, Command>();
  for (const description of DESCRIPTIONS) {
    const [noun = '', verb] = description.name.split(' ');
    let parent = program;
    if (verb !== undefined) {
      parent = nouns.get(noun) ?? program.command(noun).description(NOUNS[noun] ?? '');
      nouns.set(noun, parent);
    }
    const command = parent.command(verb ?? noun).description(description.summary);
    if (argv.includes(verb ?? noun))
      addOperation(command, description, {
        context,
        connect: () => connect(program.opts()['breakGlass'] as string | undefined),
        isJson: () => program.opts()['json'] === true,
      });
  }
  addCommands?.(program, context);
  return program;
}

interface OperationContext {
  readonly context: ProgramContext;
  readonly connect: () => Connection;
  readonly isJson: () => boolean;
}

function addOperation(
  command: Command,
  description: Description,
  { context, connect, isJson }: OperationContext,
): void {
  const { examples, more, asks } = description;
  const { properties, ...schema } = inputSchema(description);
  const { confirm: _, ...fields } = properties;
  const own: InputSchema = { ...schema, properties: fields };
  addFields(command, own);
  if (asks) command.option('-y, --yes', 'do it without asking');
  command.addHelpText('after', helpBelow(examples, more));
  command.action(async (...given: unknown[]) => {
    const options = command.opts();
    const input = inputOf(own, options, given);
    await askPrompted(own, input, context.terminal);
    await readFiles(own, input);
    // not for help
    const { createClient } = await import('./client.ts');
    const client = createClient(connect());
    const done = await interruptible(context.terminal, (signal) =>
      converse(
        (toSend) => client(pathOf(description), toSend, (line) => context.terminal.say(line), signal),
        { input, yes: options['yes'] === true, terminal: context.terminal },
      ).catch((error: unknown) => {
        throw error instanceof Failure ? asTyped(error, own) : error;
      }),
    );
    if (!isJson()) context.terminal.say(`As ${done.as}, ${done.environment} environment.`);
    context.print(done, isJson());
  });
}

function helpBelow(examples: Description['examples'], more: string | undefined): string {
  const lines = examples.map(([line, what]) => `  # ${what}\n  $ operator ${line}`);
  return `\nExamples:\n${lines.join('\n')}${more === undefined ? '' : `\n\n${layOut(more, 110)}`}`;
}

/** Asks for what was named without a value: it is typed at a question, and so in no shell's history. */
async function askPrompted(
  { properties }: InputSchema,
  input: Record<string, unknown>,
  terminal: Terminal,
): Promise<void> {
  for (const [name, field] of Object.entries(properties)) {
    if (!field['x-form']?.prompted || input[name] !== true) continue;
    const flag = flagOf(name);
    if (!terminal.canAsk)
      throw new Failure('usage', 'WRONG_USAGE', `${flag}: there is nobody to ask, so give it here.`);
    input[name] = (await terminal.ask(`${flag.slice(2)}: `)) ?? '';
  }
}

/** What was named as a file is sent as its text. */
async function readFiles({ properties }: InputSchema, input: Record<string, unknown>): Promise<void> {
  for (const [name, field] of Object.entries(properties)) {
    if (!field['x-form']?.file || typeof input[name] !== 'string') continue;
    const bytes = await readFile(input[name]).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      throw new Failure(
        'usage',
        'WRONG_USAGE',
        `${input[name] as string} can not be read: ${code ?? 'unknown'}.`,
      );
    });
    if (!isUtf8(bytes))
      throw new Failure('usage', 'WRONG_USAGE', 'The file is not UTF-8: save it as “CSV UTF-8”.');
    input[name] = bytes.toString();
  }
}

/** More questions than any operation has. */
const MAX_QUESTIONS = 5;

/** Sends the input, and answers what the API asks: whether it is meant, or which of several. */
async function converse(
  call: (input: Readonly<Record<string, unknown>>) => ReturnType<Call>,
  { input, yes, terminal }: { input: Record<string, unknown>; yes: boolean; terminal: Terminal },
): Promise<Done> {
  for (let questions = 0; ; questions += 1) {
    try {
      return await call(input);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (questions < MAX_QUESTIONS && error.code === 'CONFIRMATION_REQUIRED')
        input['confirm'] = await confirmed(error, yes, terminal);
      else if (questions < MAX_QUESTIONS && error.code === 'CHOICE_REQUIRED')
        Object.assign(input, await chosen(error, terminal));
      else throw error;
    }
  }
}

/** Never waits for somebody who is not there. @returns what says that it is meant. @throws Failure when it is not */
async function confirmed({ message, details }: Failure, yes: boolean, terminal: Terminal): Promise<unknown> {
  if (yes) return details['confirm'];
  if (!terminal.canAsk)
    throw new Failure(
      'usage',
      'CONFIRMATION_REQUIRED',
      `${message} There is nobody to ask: add --yes if you mean it.`,
      { details },
    );
  const expected = typeof details['expected'] === 'string' ? details['expected'] : 'yes';
  const typed = await terminal.ask(`${message}\nType ${expected} to go on: `);
  if (typed?.trim().toLowerCase() === expected) return details['confirm'];
  throw new Failure('refused', 'NOT_CONFIRMED', 'Nothing was changed.');
}

async function chosen(error: Failure, terminal: Terminal): Promise<Record<string, unknown>> {
  const { message, details, view } = error;
  const field = String(details['field']);
  const options = details['options'] as readonly unknown[];
  if (!terminal.canAsk) throw new Failure('usage', error.code, message, { details, view });
  terminal.say(`${message}\n${view === null ? '' : layOut(view, terminal.width)}`);
  const typed = await terminal.ask(`Number, from 1 to ${options.length} (Enter to cancel): `);
  const option = options[Number(typed) - 1];
  if (option === undefined) throw new Failure('refused', 'NOT_CONFIRMED', 'Nothing was done.');
  return { [field]: option };
}

/** Names the fields that are wrong as they were typed. */
function asTyped(error: Failure, { properties }: InputSchema): Failure {
  const fields = error.details['fields'];
  if (!Array.isArray(fields)) return error;
  const lines = (fields as FieldFault[]).map(({ field, message }) => {
    const name = properties[field]?.['x-form']?.positional ? `<${field}>` : flagOf(field);
    return `${name} ${message}`;
  });
  return new Failure('usage', 'WRONG_USAGE', lines.join('\n'), { details: error.details });
}

/** The first Ctrl-C lets the API undo what it has begun at a clinic; a second one ends the process at once. */
export async function interruptible<T>(
  terminal: Pick<Terminal, 'say'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = () => {
    terminal.say('Interrupted: undoing what was made at the clinic. Ctrl-C again stops at once.');
    controller.abort();
  };
  process.once('SIGINT', stop);
  try {
    return await work(controller.signal);
  } finally {
    process.removeListener('SIGINT', stop);
  }
}
