import { userInfo } from 'node:os';
import { Command, CommanderError, type OutputConfiguration } from '@commander-js/extra-typings';
import { databaseFaultOf } from '../postgres/database-errors.ts';
import { label } from './arguments.ts';
import { availabilityCommand } from './cases/availability.ts';
import { bookingCommands } from './cases/book.ts';
import { correctCommand } from './cases/correct.ts';
import { endingCommands } from './cases/end.ts';
import { listCommand } from './cases/list.ts';
import { repairCommands, restartCommand } from './cases/repair.ts';
import { showCommand } from './cases/show.ts';
import { keyCommands } from './keys.ts';
import { logCommand, revealsCommand } from './log.ts';
import type { Run, Service } from './operation.ts';
import { EXIT, OperatorError, wrongUsage } from './operator-error.ts';
import { partnerCommands } from './partners.ts';
import { providerCommands } from './providers/commands.ts';
import { reconcileCommand } from './reconcile.ts';
import { createTerminal, type Streams } from './terminal.ts';
import { treatmentCommands } from './treatments.ts';
import { userCommands } from './users.ts';
import { workerCommands } from './workers.ts';

export interface OpenedService {
  readonly service: Service;
  /** Who gives the commands, where the settings say so. */
  readonly operatorName: string | undefined;
  readonly close: () => Promise<void>;
}

export interface CommandLineContext {
  readonly streams: Streams;
  /** Opens what commands work with. `say` tells the operator which. @throws Ending when the settings are wrong */
  readonly open: (say: (line: string) => void) => Promise<OpenedService>;
  readonly now?: () => Date;
}

const HELP_WIDTH = 100;

/** Runs one command. @returns what the process ends with */
export async function runOperator(
  argv: readonly string[],
  { streams, open, now = () => new Date() }: CommandLineContext,
): Promise<number> {
  const terminal = createTerminal(streams);
  const runWith =
    (options: () => ProgramOptions): Run =>
    async (work) => {
      const opened = await open((line) => terminal.say(line));
      try {
        const operator = options().as ?? opened.operatorName ?? systemUser();
        const { json, text } = await work({ ...opened.service, operator, terminal, now });
        if (options().json) terminal.printJson(json);
        else terminal.print(text(terminal.width));
      } finally {
        await opened.close();
      }
    };
  let complaint = '';
  const output = {
    writeOut: (text: string) => streams.stdout.write(text),
    writeErr: (text: string) => (complaint += text),
    getOutHelpWidth: () => Math.min(terminal.width, HELP_WIDTH),
    getErrHelpWidth: () => HELP_WIDTH,
  };
  const program = createProgram({ runWith, output, now });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return EXIT.ok;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.ok;
    const ending = operatorErrorOf(thrown, complaint.trim());
    if (argv.includes('--json')) {
      const { code, message, details } = ending;
      terminal.printJson({ error: { code, message, ...details } });
    } else {
      terminal.say(ending.message);
    }
    return ending.exit;
  }
}

function operatorErrorOf(thrown: unknown, complaint: string): OperatorError {
  if (thrown instanceof OperatorError) return thrown;
  if (thrown instanceof CommanderError) return wrongUsage(complaint.replace(/^error: /, ''));
  switch (databaseFaultOf(thrown)) {
    case 'away':
      return new OperatorError('away', 'DATABASE_AWAY', 'PostgreSQL does not answer. Try again in a moment.');
    case 'not_let_in':
      return new OperatorError(
        'wrongSettings',
        'DATABASE_REFUSES',
        'PostgreSQL refuses the user, password or database of DATABASE_URL.',
      );
    case 'not_migrated':
      return new OperatorError(
        'away',
        'NOT_MIGRATED',
        "The database is not this version's: run `node src/main/migrate.ts` first.",
      );
    case null:
      return new OperatorError(
        'fault',
        'FAULT',
        `A fault of this command, please report it: ${placeOf(thrown)}`,
      );
  }
}

/** Kind and place; messages may quote what a customer wrote. */
function placeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  const place = thrown.stack?.split('\n').find((line) => line.startsWith('    at '));
  return `${thrown.constructor.name} ${place?.trim() ?? ''}`.trim();
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // a container may run as a number that has no name
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

const PROGRAM_HELP = `
Start here:
  $ operator case list --attention        # what needs an operator
  $ operator case show 3f2a9c1e           # by the beginning of its id, or the partner's reference
  $ operator case book --help             # each command explains itself, with examples

How it is called:
  npm run -s operator -- case list        # -s keeps npm's own lines out of the output
  node src/main/operator.ts case list          # in the image
  It works with the database and the Temporal server of DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE,
  TEMPORAL_API_KEY, ENVIRONMENT and PUBLIC_URL, as the API does; with none of them set, \`npm run operator\` takes
  what \`npm run dev\` has started. Times that you type, and those that you read, are Norwegian.

Who did what:
  Everything that changes something is logged with --as, or OPERATOR_NAME, or else the name of the system's user;
  so is every look at personal data.

It ends with:
  0   done
  1   refused: not there, not allowed, not confirmed
  2   called wrongly
  69  the database, Temporal or a clinic does not answer; the text says whether something may have happened
  70  a fault of this command
  78  the settings are wrong`;

export interface ProgramOptions {
  readonly json?: true | undefined;
  readonly as?: string | undefined;
}

interface ProgramContext {
  readonly runWith: (options: () => ProgramOptions) => Run;
  readonly output: OutputConfiguration;
  readonly now: () => Date;
}

/** All commands and their help. Nothing is opened before one of them runs. */
export function createProgram({ runWith, output, now }: ProgramContext) {
  const program = new Command('operator')
    .description("The operator's side of treatment booking: partners and their keys, clinics, and cases.")
    // before the first subcommand, which inherits it
    .configureOutput(output)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help explains it)')
    .exitOverride()
    .option('--json', 'answer with one JSON document on standard output, and nothing else there')
    .option('--as <name>', 'who you are, for the log', label)
    .addHelpText('after', PROGRAM_HELP);
  const run = runWith(() => program.opts());

  const cases = program.command('case').description('cases: look, book for somebody, mend, end');
  listCommand(cases, run);
  showCommand(cases, run);
  revealsCommand(cases, run);
  availabilityCommand(cases, run);
  bookingCommands(cases, run);
  repairCommands(cases, run, now);
  correctCommand(cases, run);
  endingCommands(cases, run);
  restartCommand(cases, run);
  partnerCommands(program, run);
  userCommands(program, run);
  keyCommands(program, run);
  providerCommands(program, run);
  treatmentCommands(program, run);
  reconcileCommand(program, run);
  workerCommands(program, run);
  logCommand(program, run);
  return program;
}
