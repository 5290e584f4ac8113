import { Command, CommanderError, Option } from '@commander-js/extra-typings';
import type { ProviderId } from '../../domain/ids.ts';
import { variablesOf } from '../../postgres/provider-connection.ts';
import type { ProviderConnection } from '../../providers/auth/connection.ts';
import { conclude } from '../../providers/conformance/examine.ts';
import type { BookingSystem } from '../../providers/port.ts';
import { wholeNumber } from '../arguments.ts';
import { EXIT, OperatorError, wrongUsage } from '../operator-error.ts';
import { createTerminal, facts, parts, type Streams } from '../terminal.ts';
import { checkBookingSystem, type OnSkipped } from './check.ts';
import {
  ABOUT_SECRETS,
  BOOK,
  connectionOptions,
  describeConnection,
  parseConnection,
  SLOT,
  WRITE,
} from './options.ts';
import { address } from './register.ts';
import { reportJson, reportText } from './report.ts';

export interface CheckContext {
  readonly streams: Streams;
  /** The kinds of booking systems that can be spoken to. */
  readonly kinds: readonly string[];
  readonly connect: (
    registration: {
      readonly id: ProviderId;
      readonly name: string;
      readonly kind: string;
      readonly baseUrl: string;
      readonly connection: ProviderConnection;
    },
    onSkipped: OnSkipped,
  ) => BookingSystem;
  readonly isSet: (variable: string) => boolean;
  readonly now?: () => Date;
}

const CHECK_HELP = `
Examples:
  # what does the sandbox's clinic do? (npm run dev has started it)
  $ npm run provider:check -- --url http://127.0.0.1:4102/fhir --auth backend_services \\
      --client-id treatment-booking-at-nordlys --key-variable NORDLYS_PRIVATE_KEY --scope 'system/*.cruds'
  # a real server, by reading only
  $ NORDLYS_TOKEN=… npm run provider:check -- --url https://fhir.nordlys.example/r4 --token-variable NORDLYS_TOKEN
  # hold a free time for a moment, too
  $ npm run provider:check -- --url https://fhir.nordlys.example/r4 --token-variable NORDLYS_TOKEN --write
  # everything, on a time that the clinic keeps for it; and for a script
  $ npm run -s provider:check -- --url https://fhir.nordlys.example/r4 --auth client_credentials \\
      --token-url https://login.nordlys.example/token --client-id booking --secret-variable NORDLYS_SECRET \\
      --write --book --slot slot-4711 --json

It ends with:
  0   it does all that was tried
  1   something failed, or could not be tried: no free time, no answer
  2   called wrongly

docs/providers.md says what is needed of a booking system, and what each line means.`;

const ID = 'provider-check' as ProviderId;

/** Tries any booking system, registered or not, with no database. @returns what the process ends with */
export async function runProviderCheck(
  argv: readonly string[],
  { streams, kinds, connect, isSet, now = () => new Date() }: CheckContext,
): Promise<number> {
  const terminal = createTerminal(streams);
  let complaint = '';
  let exit: number = EXIT.refused;
  const program = new Command('npm run provider:check --')
    .usage('--url <address> [options]')
    .description(
      "Asks a clinic's booking system for everything that customers will need of it, and says what it can do.\n" +
        'Only reading is tried, unless --write allows more.',
    )
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      writeErr: (text) => (complaint += text),
      getOutHelpWidth: () => Math.min(terminal.width, 100),
    })
    .exitOverride()
    .requiredOption('--url <address>', 'of its FHIR R4 or CalDAV server', address)
    .addOption(new Option('--kind <kind>', 'what it speaks').choices(kinds).default('fhir'))
    .option('--treatment <code>', 'the kind of treatment to ask for, as the clinic codes it', 'psychology')
    .option('--days <number>', 'how far ahead to look', wholeNumber(1, 90), 14)
    .option(...WRITE)
    .option(...BOOK)
    .option(...SLOT)
    .option('--json', 'answer with one JSON document on standard output, and nothing else there');
  connectionOptions(program);
  program.addHelpText('after', ABOUT_SECRETS + '\n' + CHECK_HELP);
  program.action(async ({ url: baseUrl, kind, treatment, days, json, ...options }) => {
    const connection = parseConnection(program.opts());
    const missing = variablesOf(connection).filter((name) => !isSet(name));
    if (missing.length > 0)
      throw wrongUsage(`${missing.join(', ')} is not set: put the secret there, and call again.`);
    const report = await checkBookingSystem({
      ...options,
      providerId: ID,
      connect: (onSkipped) =>
        connect({ id: ID, name: new URL(baseUrl).host, kind, baseUrl, connection }, onSkipped),
      treatments: [treatment],
      days,
      terminal,
      now,
    });
    exit = conclude(report.examination) === 'passed' ? EXIT.ok : EXIT.refused;
    if (json) terminal.printJson({ url: baseUrl, kind, ...reportJson(report) });
    else {
      const asked = facts([
        ['Asked', `${kind}, ${baseUrl}`],
        ['It is shown', describeConnection(connection, isSet)],
      ]);
      terminal.print(parts(asked, reportText(report))(terminal.width));
    }
  });

  try {
    await program.parseAsync(argv, { from: 'user' });
    return exit;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.ok;
    if (!(thrown instanceof CommanderError || thrown instanceof OperatorError)) throw thrown;
    const message =
      thrown instanceof OperatorError ? thrown.message : complaint.trim().replace(/^error: /, '');
    if (argv.includes('--json')) terminal.printJson({ error: { code: 'WRONG_USAGE', message } });
    else terminal.say(`${message}\n(--help explains it)`);
    return EXIT.wrongUsage;
  }
}
