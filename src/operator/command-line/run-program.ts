import { type Command, CommanderError, type OutputConfiguration } from 'commander';
import { EXIT, Failure } from './failure.ts';
import { createTerminal, type Streams, type Terminal } from './terminal.ts';
import { layOut } from './layout.ts';
import type { View } from '../view.ts';

export interface ProgramContext {
  readonly terminal: Terminal;
  readonly output: OutputConfiguration;
  /** Prints what a command has to say, for scripts or for people. */
  readonly print: (answer: { readonly result: unknown; readonly view: View }, json: boolean) => void;
  /** Has the process end with another status than 0, though nothing failed. */
  readonly endWith: (status: number) => void;
}

const HELP_WIDTH = 100;

/** Runs a command line. @returns the process's exit status */
export async function runProgram(
  argv: readonly string[],
  streams: Streams,
  create: (context: ProgramContext) => Command,
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
    print: ({ result, view }, json) => {
      if (json) terminal.printJson(result);
      else terminal.print(layOut(view, terminal.width));
    },
    endWith: (status) => (exit = status),
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exit;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.ok;
    const { code, message, details, view, exit: status } = failureOf(thrown, complaint.trim());
    if (argv.includes('--json')) terminal.printJson({ error: { code, message, ...details } });
    else terminal.say(view === null ? message : `${message}\n${layOut(view, terminal.width)}`);
    return status;
  }
}

function failureOf(thrown: unknown, complaint: string): Failure {
  if (thrown instanceof Failure) return thrown;
  if (thrown instanceof CommanderError)
    return new Failure('usage', 'WRONG_USAGE', complaint.replace(/^error: /, ''));
  return new Failure('internal', 'FAULT', `Internal error, please report it: ${placeOf(thrown)}`);
}

/** Kind and place; messages may quote what a customer wrote. */
function placeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  const place = thrown.stack?.split('\n').find((line) => line.startsWith('    at '));
  return `${thrown.constructor.name} ${place?.trim() ?? ''}`.trim();
}
