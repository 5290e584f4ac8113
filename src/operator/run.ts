import { userInfo } from 'node:os';
import { CommanderError } from '@commander-js/extra-typings';
import { databaseFault } from '../postgres/database-fault.ts';
import { Ending, EXIT, wrongUsage } from './ending.ts';
import type { Run, Service } from './operation.ts';
import { createProgram, type ProgramOptions } from './program.ts';
import { createTerminal, type Streams } from './terminal.ts';

export interface Opened {
  readonly service: Service;
  /** Who gives the commands, where the settings say so. */
  readonly operatorName: string | undefined;
  readonly close: () => Promise<void>;
}

export interface Surroundings {
  readonly streams: Streams;
  /** Opens what commands work with. `say` tells the operator which. @throws Ending when the settings are wrong */
  readonly open: (say: (line: string) => void) => Promise<Opened>;
  readonly now?: () => Date;
}

const HELP_WIDTH = 100;

/** Runs one command. @returns what the process ends with */
export async function runOperator(
  argv: readonly string[],
  { streams, open, now = () => new Date() }: Surroundings,
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
    const ending = endingOf(thrown, complaint.trim());
    if (argv.includes('--json')) {
      const { code, message, details } = ending;
      terminal.printJson({ error: { code, message, ...details } });
    } else {
      terminal.say(ending.message);
    }
    return ending.exit;
  }
}

function endingOf(thrown: unknown, complaint: string): Ending {
  if (thrown instanceof Ending) return thrown;
  if (thrown instanceof CommanderError) return wrongUsage(complaint.replace(/^error: /, ''));
  switch (databaseFault(thrown)) {
    case 'away':
      return new Ending('away', 'DATABASE_AWAY', 'PostgreSQL does not answer. Try again in a moment.');
    case 'not_let_in':
      return new Ending(
        'wrongSettings',
        'DATABASE_REFUSES',
        'PostgreSQL refuses the user, password or database of DATABASE_URL.',
      );
    case 'not_migrated':
      return new Ending(
        'away',
        'NOT_MIGRATED',
        "The database is not this version's: run `node src/migrate.ts` first.",
      );
    case null:
      return new Ending('fault', 'FAULT', `A fault of this command, please report it: ${placeOf(thrown)}`);
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
