import {
  CommanderError,
  type CommandUnknownOpts,
  type OutputConfiguration,
} from '@commander-js/extra-typings';
import { databaseFaultOf } from '../postgres/database-errors.ts';
import type { Answer } from './operation.ts';
import { EXIT, OperatorError, wrongUsage } from './operator-error.ts';
import { createTerminal, type Streams, type Terminal } from './terminal.ts';

export interface ProgramContext {
  readonly terminal: Terminal;
  readonly output: OutputConfiguration;
  /** Prints what a command has to say, for scripts or for people. */
  readonly print: (answer: Answer, json: true | undefined) => void;
}

const HELP_WIDTH = 100;

/** Runs a command line. @returns the process's exit status */
export async function runProgram(
  argv: readonly string[],
  streams: Streams,
  create: (context: ProgramContext) => CommandUnknownOpts,
): Promise<number> {
  const terminal = createTerminal(streams);
  let complaint = '';
  let exit: number = EXIT.ok;
  const program = create({
    terminal,
    output: {
      writeOut: (text) => streams.stdout.write(text),
      writeErr: (text) => (complaint += text),
      getOutHelpWidth: () => Math.min(terminal.width, HELP_WIDTH),
      getErrHelpWidth: () => HELP_WIDTH,
    },
    print: (answer, json) => {
      if (json) terminal.printJson(answer.json);
      else terminal.print(answer.text(terminal.width));
      exit = answer.exit ?? EXIT.ok;
    },
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exit;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.ok;
    const { code, message, details, exit: status } = operatorErrorOf(thrown, complaint.trim());
    if (argv.includes('--json')) terminal.printJson({ error: { code, message, ...details } });
    else terminal.say(message);
    return status;
  }
}

function operatorErrorOf(thrown: unknown, complaint: string): OperatorError {
  if (thrown instanceof OperatorError) return thrown;
  if (thrown instanceof CommanderError) return wrongUsage(complaint.replace(/^error: /, ''));
  switch (databaseFaultOf(thrown)) {
    case 'away':
      return new OperatorError(
        'unavailable',
        'DATABASE_AWAY',
        'PostgreSQL unreachable. Try again in a moment.',
      );
    case 'not_let_in':
      return new OperatorError(
        'config',
        'DATABASE_REFUSES',
        'PostgreSQL refuses the user, password or database of DATABASE_URL.',
      );
    case 'not_migrated':
      return new OperatorError(
        'unavailable',
        'NOT_MIGRATED',
        'Database schema out of date: run `node src/main/migrate.ts` first.',
      );
    case null:
      return new OperatorError('internal', 'FAULT', `Internal error, please report it: ${placeOf(thrown)}`);
  }
}

/** Kind and place; messages may quote what a customer wrote. */
function placeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  const place = thrown.stack?.split('\n').find((line) => line.startsWith('    at '));
  return `${thrown.constructor.name} ${place?.trim() ?? ''}`.trim();
}
