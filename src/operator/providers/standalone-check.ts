import { Command } from 'commander';
import { z } from 'zod';
import type { ProviderId } from '../../domain/ids.ts';
import { variablesOf } from '../../postgres/provider-connection.ts';
import type { SearchObserver } from '../../providers/adapter.ts';
import type { ProviderConnection } from '../../providers/auth/connection.ts';
import { conclude } from '../../providers/conformance/examine.ts';
import type { BookingSystem, ProviderSettings } from '../../providers/port.ts';
import { EXIT, Failure } from '../command-line/failure.ts';
import { layOut } from '../command-line/layout.ts';
import { addFields, inputOf } from '../command-line/options.ts';
import { interruptible } from '../command-line/program.ts';
import { type ProgramContext, runProgram } from '../command-line/run-program.ts';
import type { Streams } from '../command-line/terminal.ts';
import { field, flagOf, type InputSchema, inputSchema, line, wholeNumber } from '../description.ts';
import {
  ABOUT_SECRETS,
  address,
  checkFields,
  connectionFields,
  settingsFields,
} from '../descriptions/providers.ts';
import { OperatorError } from '../operator-error.ts';
import { facts, parts } from '../view.ts';
import { checkBookingSystem, stageOf } from './check.ts';
import { describeConnection, describeSettings, parseConnection, parseSettings } from './fields.ts';
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

const inputFor = (kinds: readonly string[]) =>
  z.strictObject({
    url: field(address, 'of its FHIR R4 or CalDAV server', { placeholder: 'address' }),
    kind: field(z.enum(kinds).default('fhir'), 'its protocol'),
    treatment: field(
      line(50).default('psychology'),
      'the kind of treatment to ask for, as the clinic codes it',
      { placeholder: 'code' },
    ),
    days: field(wholeNumber(1, 90).default(14), 'how far ahead to look', { placeholder: 'number' }),
    ...checkFields,
    ...connectionFields,
    ...settingsFields,
  });

function createProgram({
  terminal,
  output,
  print,
  endWith,
  kinds,
  connect,
  isSet,
  now = () => new Date(),
}: ProgramContext & Omit<CheckContext, 'streams'>): Command {
  const schema = inputFor(kinds);
  const fields = inputSchema({ input: schema });
  const program = new Command('npm run provider:check --')
    .usage('--url <address> [options]')
    .description(
      "Tries everything that customers will need of a clinic's booking system, and says what it can do.\n" +
        'It only reads, unless --write allows more.',
    )
    .configureOutput(output)
    .showHelpAfterError('(--help explains it)')
    .exitOverride()
    .option('--json', 'print one JSON document on standard output, and nothing else there');
  addFields(program, fields);
  return program.addHelpText('after', `\n${layOut(ABOUT_SECRETS, 110)}\n${CHECK_HELP}`).action(async () => {
    const input = read(schema, fields, program.opts());
    const { url: baseUrl, kind, treatment, days } = input;
    const [connection, settings] = inWords(() => [parseConnection(input), parseSettings(input)] as const);
    const missing = variablesOf(connection).filter((name) => !isSet(name));
    if (missing.length > 0)
      throw wrongUsage(`${missing.join(', ')} is not set: put the secret there, and call again.`);
    const registration = { id: ID, name: new URL(baseUrl).host, kind, baseUrl, connection, settings };
    inWords(() => stageOf(input));
    const report = await interruptible(terminal, (signal) =>
      checkBookingSystem({
        ...input,
        providerId: ID,
        connect: (observer) => connect(registration, observer),
        treatments: [treatment],
        ...{ days, signal, now, say: (text) => terminal.say(text) },
      }),
    );
    const tried = facts([
      ['Tried', `${kind}, ${baseUrl}`],
      ['Authentication', describeConnection(connection, isSet)],
      ['Asked', describeSettings(settings)],
    ]);
    endWith(conclude(report.examination) === 'passed' ? EXIT.ok : EXIT.refused);
    print(
      { result: { url: baseUrl, kind, ...reportJson(report) }, view: parts(tried, reportText(report)) },
      program.opts()['json'] === true,
    );
  });
}

const wrongUsage = (message: string) => new Failure('usage', 'WRONG_USAGE', message);

/** @throws Failure with all that is wrong */
function read<S extends z.ZodType>(
  schema: S,
  fields: InputSchema,
  options: Readonly<Record<string, unknown>>,
): z.output<S> {
  const result = schema.safeParse(inputOf(fields, options, []));
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => `${flagOf(String(path[0]))} ${message}`);
  throw wrongUsage(faults.join('\n'));
}

/** What the operator API would refuse, as a command line of its own says it. */
function inWords<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof OperatorError ? wrongUsage(error.message) : error;
  }
}
