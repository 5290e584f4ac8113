import { Command, type OutputConfiguration } from '@commander-js/extra-typings';
import { availabilityCommand } from './cases/availability.ts';
import { bookingCommands } from './cases/book.ts';
import { correctCommand } from './cases/correct.ts';
import { endingCommands } from './cases/end.ts';
import { listCommand } from './cases/list.ts';
import { mendingCommands } from './cases/mend.ts';
import { restartCommand } from './cases/restart.ts';
import { showCommand } from './cases/show.ts';
import { label } from './inputs.ts';
import { keyCommands } from './key.ts';
import { logCommand, revealsCommand } from './log.ts';
import type { Run } from './operation.ts';
import { partnerCommands } from './partner.ts';
import { providerCommands } from './providers/commands.ts';
import { reconcileCommand } from './reconcile.ts';
import { treatmentCommands } from './treatment.ts';
import { userCommands } from './user.ts';
import { workerCommands } from './worker.ts';

const AFTER = `
Start here:
  $ operator case list --attention        # what needs an operator
  $ operator case show 3f2a9c1e           # by the beginning of its id, or the partner's reference
  $ operator case book --help             # each command explains itself, with examples

How it is called:
  npm run -s operator -- case list        # -s keeps npm's own lines out of the output
  node src/operator.ts case list          # in the image
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

interface ProgramSurroundings {
  readonly runWith: (options: () => ProgramOptions) => Run;
  readonly output: OutputConfiguration;
  readonly now: () => Date;
}

/** All commands and their help. Nothing is opened before one of them runs. */
export function createProgram({ runWith, output, now }: ProgramSurroundings) {
  const program = new Command('operator')
    .description("The operator's side of treatment booking: partners and their keys, clinics, and cases.")
    // before the first subcommand, which inherits it
    .configureOutput(output)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help explains it)')
    .exitOverride()
    .option('--json', 'answer with one JSON document on standard output, and nothing else there')
    .option('--as <name>', 'who you are, for the log', label)
    .addHelpText('after', AFTER);
  const run = runWith(() => program.opts());

  const cases = program.command('case').description('cases: look, book for somebody, mend, end');
  listCommand(cases, run);
  showCommand(cases, run);
  revealsCommand(cases, run);
  availabilityCommand(cases, run);
  bookingCommands(cases, run);
  mendingCommands(cases, run, now);
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
