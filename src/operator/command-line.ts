import { userInfo } from 'node:os';
import { Command } from '@commander-js/extra-typings';
import { label } from './arguments.ts';
import { bookingCommands } from './cases/book.ts';
import { correctCommand } from './cases/correct.ts';
import { customerCommands } from './cases/customer.ts';
import { endingCommands } from './cases/end.ts';
import { availabilityCommand } from './cases/free-times.ts';
import { listCommand } from './cases/list.ts';
import { repairCommands } from './cases/repair.ts';
import { showCommand } from './cases/show.ts';
import { keyCommands } from './keys.ts';
import { logCommand, revealsCommand } from './log.ts';
import type { Run, Service } from './operation.ts';
import { partnerCommands } from './partners.ts';
import { providerCommands } from './providers/commands.ts';
import { reconcileCommand } from './reconcile.ts';
import { type ProgramContext, runProgram } from './run-program.ts';
import type { Streams } from './terminal.ts';
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
  /** Opens what commands work with. `say` tells the operator which. @throws OperatorError when the settings are wrong */
  readonly open: (say: (line: string) => void) => Promise<OpenedService>;
  readonly now?: () => Date;
}

/** Runs one command. @returns the process's exit status */
export const runOperator = (
  argv: readonly string[],
  { streams, ...context }: CommandLineContext,
): Promise<number> => runProgram(argv, streams, (program) => createProgram({ ...context, ...program }));

/** In a container, a number may have no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

const PROGRAM_HELP = `
Start here:
  $ operator case list --attention        # what needs an operator
  $ operator case show 3f2a9c1e           # by the beginning of its id, or the partner's reference
  $ operator case book --help             # each command explains itself, with examples

How to call it:
  npm run -s operator -- case list        # -s keeps npm's own lines out of the output
  node src/main/operator.ts case list     # in the image
  It uses the database and the Temporal server of DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE,
  TEMPORAL_API_KEY, ENVIRONMENT and PUBLIC_URL, as the API does; with none of them set, \`npm run operator\` uses
  what \`npm run dev\` has started. All times, typed and shown, are Norwegian.

Who did what:
  Every change is logged with --as, or OPERATOR_NAME, or else the name of the system's user;
  so is every look at personal data.

Exit status:
  0   done
  1   refused: not found, not allowed, not confirmed
  2   wrong usage
  69  the database, Temporal or a clinic is unreachable; the text says whether something may have happened
  70  internal error
  78  wrong settings`;

/** All commands and their help. Nothing is opened before one of them runs. */
export function createProgram({
  terminal,
  output,
  print,
  open,
  now = () => new Date(),
}: ProgramContext & Omit<CommandLineContext, 'streams'>) {
  const program = new Command('operator')
    .description(
      "The operator's command line of treatment booking: partners and their keys, clinics, and cases.",
    )
    // before the first subcommand, which inherits it
    .configureOutput(output)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help explains it)')
    .exitOverride()
    .option('--json', 'print one JSON document on standard output, and nothing else there')
    .option('--as <name>', 'who you are, for the log', label)
    .addHelpText('after', PROGRAM_HELP);

  const run: Run = async (work) => {
    const opened = await open((line) => terminal.say(line));
    try {
      const operator = program.opts().as ?? opened.operatorName ?? systemUser();
      print(await work({ ...opened.service, operator, terminal, now }), program.opts().json);
    } finally {
      await opened.close();
    }
  };

  const cases = program.command('case').description('cases: show, book for somebody, repair, end');
  listCommand(cases, run);
  showCommand(cases, run);
  revealsCommand(cases, run);
  availabilityCommand(cases, run);
  bookingCommands(cases, run);
  repairCommands(cases, run, now);
  correctCommand(cases, run);
  customerCommands(cases, run);
  endingCommands(cases, run);
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
