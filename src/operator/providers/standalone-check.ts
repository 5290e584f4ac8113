import { Command, Option } from '@commander-js/extra-typings';
import type { ProviderId } from '../../domain/ids.ts';
import { variablesOf } from '../../postgres/provider-connection.ts';
import type { SearchObserver } from '../../providers/adapter.ts';
import type { ProviderConnection } from '../../providers/auth/connection.ts';
import { conclude } from '../../providers/conformance/examine.ts';
import type { BookingSystem, ProviderSettings } from '../../providers/port.ts';
import { address, wholeNumber } from '../arguments.ts';
import { EXIT, wrongUsage } from '../operator-error.ts';
import { type ProgramContext, runProgram } from '../run-program.ts';
import { facts, parts, type Streams } from '../terminal.ts';
import { checkBookingSystem } from './check.ts';
import {
  ABOUT_SECRETS,
  checkOptions,
  connectionOptions,
  describeConnection,
  parseConnection,
} from './options.ts';
import { reportJson, reportText } from './report.ts';
import { describeSettings, parseSettings, settingsOptions } from './settings.ts';

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
      readonly settings: ProviderSettings;
    },
    observer: SearchObserver,
  ) => BookingSystem;
  readonly isSet: (variable: string) => boolean;
  readonly now?: () => Date;
}

const CHECK_HELP = `
Examples:
  # what can the sandbox's clinic do? (npm run dev has started it)
  $ npm run provider:check -- --url http://127.0.0.1:4102/fhir --auth backend_services \\
      --client-id treatment-booking-at-nordlys --key-variable PROVIDER_NORDLYS_PRIVATE_KEY --scope 'system/*.cruds' \\
      --token-url http://127.0.0.1:4110/token
  # a real server, by reading only
  $ PROVIDER_NORDLYS_TOKEN=… npm run provider:check -- --url https://fhir.nordlys.example/r4 --token-variable PROVIDER_NORDLYS_TOKEN
  # hold a free time for a moment, too
  $ npm run provider:check -- --url https://fhir.nordlys.example/r4 --token-variable PROVIDER_NORDLYS_TOKEN --write
  # everything, on a time that the clinic keeps for it; and for a script
  $ npm run -s provider:check -- --url https://fhir.nordlys.example/r4 --auth client_credentials \\
      --token-url https://login.nordlys.example/token --client-id booking --secret-variable PROVIDER_NORDLYS_SECRET \\
      --write --book --slot slot-4711 --json

Exit status:
  0   all checks passed
  1   something failed, or could not be tried: no free time, no answer
  2   wrong usage

docs/providers.md says what a booking system needs, and what each line means.`;

const ID = 'provider-check' as ProviderId;

/** Tries any booking system, registered or not, without a database. @returns the process's exit status */
export const runProviderCheck = (
  argv: readonly string[],
  { streams, ...context }: CheckContext,
): Promise<number> => runProgram(argv, streams, (program) => createProgram({ ...context, ...program }));

function createProgram({
  terminal,
  output,
  print,
  kinds,
  connect,
  isSet,
  now = () => new Date(),
}: ProgramContext & Omit<CheckContext, 'streams'>) {
  const program = checkOptions(
    new Command('npm run provider:check --')
      .usage('--url <address> [options]')
      .description(
        "Tries everything that customers will need of a clinic's booking system, and says what it can do.\n" +
          'It only reads, unless --write allows more.',
      )
      .configureOutput(output)
      .showHelpAfterError('(--help explains it)')
      .exitOverride()
      .requiredOption('--url <address>', 'of its FHIR R4 or CalDAV server', address)
      .addOption(new Option('--kind <kind>', 'its protocol').choices(kinds).default('fhir'))
      .option('--treatment <code>', 'the kind of treatment to ask for, as the clinic codes it', 'psychology')
      .option('--days <number>', 'how far ahead to look', wholeNumber(1, 90), 14)
      .option('--json', 'print one JSON document on standard output, and nothing else there'),
  );
  connectionOptions(program);
  settingsOptions(program);
  return program
    .addHelpText('after', ABOUT_SECRETS + '\n' + CHECK_HELP)
    .action(async ({ url: baseUrl, kind, treatment, days, json, ...options }) => {
      const connection = parseConnection(program.opts());
      const missing = variablesOf(connection).filter((name) => !isSet(name));
      if (missing.length > 0)
        throw wrongUsage(`${missing.join(', ')} is not set: put the secret there, and call again.`);
      const settings = parseSettings(program.opts());
      const registration = { id: ID, name: new URL(baseUrl).host, kind, baseUrl, connection, settings };
      const report = await checkBookingSystem({
        ...options,
        providerId: ID,
        connect: (observer) => connect(registration, observer),
        treatments: [treatment],
        ...{ days, terminal, now },
      });
      const tried = facts([
        ['Tried', `${kind}, ${baseUrl}`],
        ['Authentication', describeConnection(connection, isSet)],
        ['Asked', describeSettings(settings)],
      ]);
      const exit = conclude(report.examination) === 'passed' ? EXIT.ok : EXIT.refused;
      const answer = {
        json: { url: baseUrl, kind, ...reportJson(report) },
        text: parts(tried, reportText(report)),
      };
      print({ ...answer, exit }, json);
    });
}
