/**
 * Which file may import which: the rules of "Value imports flow one way", checked by `npm run check:imports`.
 *
 * The graph is what runs: TypeScript is compiled first, as Node does it, so that `import type` is not in it. Types may
 * therefore come from anywhere (src/postgres/bookings.ts takes one from src/providers/port.ts); but a plain
 * `import { type X }` is left behind as `import {}`, which loads the file, and counts.
 *
 * A folder's rule lists what it may import. Each list is closed (all on it have lists of their own), so what holds for
 * a file's imports holds for their imports too. test/packaging/import-rules.test.ts plants a violation of every rule.
 *
 * No rule forbids orphans: a file of types has no place in this graph. Knip, which sees types, finds unused files.
 */

/** All of our own code. */
const OURS = '^(src|dev|workflows|activities|test|bench|clients)/';
/** Entry points, what they are composed of, and settings: the only code that knows all folders. */
const WIRING = '^src/(main|worker|config)/';
const ENTRY_POINTS =
  '^(src/main/(api|worker|migrate|operator|operator-api|promote|provider-check|bundle-workflows)|dev/dev)\\.ts$';
const TESTS = '^(test|bench|clients)/';
const DEV = '^dev/';
const npm = (...names) => `(^|/)node_modules/(${names.join('|')})/`;

/** `folder` imports, of our own code, only itself and `allowed`. */
const closed = (folder, allowed, comment) => ({
  name: `${folder}-imports`,
  comment,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: OURS, pathNot: [`^src/${folder}/`, ...allowed.map((name) => `^src/${name}`)] },
});

/** Only `homes` import the library: whoever else needs what it does asks them. */
const home = (library, homes, comment) => ({
  name: `${library.replace(/^@.*\//, '')}-has-one-home`,
  comment,
  severity: 'error',
  from: { pathNot: [...homes, DEV, TESTS] },
  to: { path: npm(library) },
});

module.exports = {
  forbidden: [
    {
      name: 'domain-is-pure',
      comment:
        'The decision about a case runs in the API, in the worker and in the sandbox of Temporal, and has to be the ' +
        'same in all three: no package, no builtin of Node, no folder of ours that has any.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { pathNot: ['^src/domain/'] },
    },
    {
      name: 'workflows-are-deterministic',
      comment:
        'A workflow is replayed from its history, so nothing in it may touch the world: activities are types there. ' +
        'No zod either, which would add a megabyte to every bundle.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { pathNot: ['^workflows/', '^src/domain/', npm('@temporalio/workflow', '@temporalio/common')] },
    },
    {
      name: 'activities-get-their-counterparts',
      comment:
        'PostgreSQL, providers, registries and messages come as arguments, so that each can be away, or be another, ' +
        "in a test. The one value from there is the providers' error class, by which failures.ts decides: again, or never.",
      severity: 'error',
      from: { path: '^activities/' },
      to: {
        pathNot: [
          '^activities/',
          '^src/domain/',
          '^src/providers/port\\.ts$',
          npm('@temporalio/activity', '@temporalio/common', 'p-map'),
        ],
      },
    },
    {
      name: 'port-is-a-contract',
      comment: 'Whoever knows the port must not get a whole FHIR client with it.',
      severity: 'error',
      from: { path: '^src/providers/port\\.ts$' },
      to: { pathNot: ['^src/domain/'] },
    },
    {
      name: 'counterparts-are-strangers',
      comment:
        'What is said to one counterpart must not depend on how another is spoken to; who needs two gets both as ' +
        'arguments. Not by a detour through a third folder either.',
      severity: 'error',
      from: { path: '^src/(postgres|providers|registries|messaging)/' },
      to: {
        path: '^src/(postgres|providers|registries|messaging)/',
        pathNot: '^src/$1/',
        reachable: true,
      },
    },
    closed('calendar', ['domain/'], 'Norwegian dates are at the edge: the domain knows instants only.'),
    closed('tracing', [], 'Where a step belongs: whoever has steps says so, and what they say is theirs.'),
    closed(
      'http-client',
      ['tracing/'],
      'Requests to any server, bounded and without personal data in what they throw.',
    ),
    closed(
      'fhir',
      ['domain/', 'http-client/'],
      'A client for any FHIR server: it knows nothing of bookings.',
    ),
    closed(
      'strings',
      ['calendar/format\\.ts$'],
      'What customers read, in every language: words alone, which a translator can edit.',
    ),
    closed('postgres', ['domain/'], 'Rows in, rows out. Whoever reads them decides what they mean.'),
    closed(
      'providers',
      ['domain/', 'http-client/', 'fhir/', 'calendar/wall-clock\\.ts$'],
      'Booking systems behind one port, FHIR being the first kind.',
    ),
    closed(
      'registries',
      ['domain/', 'http-client/', 'fhir/'],
      'Policy and referral registries; their verdicts inform, and book nothing.',
    ),
    closed(
      'identity',
      ['domain/', 'http-client/', 'calendar/format\\.ts$'],
      'Who somebody is (logins, sessions, keys, passwords), without a look at any case or table.',
    ),
    closed(
      'messaging',
      ['domain/', 'calendar/format\\.ts$', 'strings/', 'http-client/'],
      'Texts are made from what they are given, so that what a message can say is seen in one place.',
    ),
    closed(
      'test-environment',
      ['domain/', 'messaging/failures\\.ts$'],
      'What a test environment does differently is wrapped around what production does, and gets that as arguments.',
    ),
    closed(
      'cases',
      ['domain/', 'calendar/', 'postgres/'],
      'What is done to a case, whoever asks for it: HTTP and the command line differ in how they tell it only.',
    ),
    {
      name: 'pages-imports',
      comment: 'A page asks what the API asks, through the same services, and nothing behind them.',
      severity: 'error',
      from: { path: '^src/pages/' },
      to: {
        path: OURS,
        pathNot: [
          '^src/(pages|strings|domain|calendar|cases|http|identity|temporal|postgres)/',
          '^workflows/contract\\.ts$',
        ],
      },
    },
    {
      name: 'pages-are-mounted-once',
      comment: 'The API does not depend on pages; its documentation shares their way to write HTML.',
      severity: 'error',
      from: { path: '^src/http/', pathNot: '^src/http/app\\.ts$' },
      to: { path: '^src/pages/', pathNot: '^src/pages/html\\.ts$' },
    },
    {
      name: 'temporal-imports',
      comment:
        "Of the workflows only what both sides agreed on: the rest is the worker's to bundle, and an API that loads " +
        'it runs it outside of the sandbox that makes it deterministic.',
      severity: 'error',
      from: { path: '^src/temporal/' },
      to: {
        path: OURS,
        pathNot: ['^src/(temporal|domain|postgres|tracing)/', '^workflows/contract\\.ts$'],
      },
    },
    {
      name: 'http-imports',
      comment:
        'Availability, providers and registries come as arguments: an API that is tried without them is tried for all ' +
        'they can do.',
      severity: 'error',
      from: { path: '^src/http/' },
      to: {
        path: OURS,
        pathNot: [
          '^src/(http|domain|calendar|cases|pages|identity|temporal|postgres|tracing)/',
          '^workflows/contract\\.ts$',
        ],
      },
    },
    {
      name: 'test-environment-is-wired-only',
      comment:
        'One place decides whether this is a test environment. What imports it besides would be different in ' +
        'production without anybody seeing where.',
      severity: 'error',
      from: { pathNot: ['^src/test-environment/', WIRING, TESTS] },
      to: { path: '^src/test-environment/' },
    },
    {
      name: 'operator-imports',
      comment:
        'The operator API is a way in beside the partners’, and no layer above it: it shares the rules for what is sent, ' +
        'what a server begins with, how requests are logged and limited, and how pages are written, and gets connections and booking systems as arguments.',
      severity: 'error',
      from: { path: '^src/operator/' },
      to: {
        path: OURS,
        pathNot: [
          '^src/(operator|domain|calendar|cases|identity|postgres)/',
          '^src/http/(base-app|errors|fields|limits|request-log|cases/inputs)\.ts$',
          '^src/pages/(assets|html)\\.ts$',
          // what tells why a payload can't be read
          '^src/temporal/payload-codec\\.ts$',
          // the checks know booking systems by the port alone
          '^src/providers/(port\\.ts$|conformance/)',
          '^workflows/contract\\.ts$',
        ],
      },
    },
    {
      name: 'command-line-is-light',
      comment:
        'The operator’s command line is a client: it starts in a third of a second, and has no secret. What loads any of ' +
        'these belongs to the operator API; descriptions are for both.',
      severity: 'error',
      from: { path: '^src/operator/(command-line/|descriptions/|description\\.ts$)' },
      to: {
        path: [
          npm('@temporalio', 'slonik', 'pg', 'luxon', 'libphonenumber-js', 'express', 'pino'),
          '^src/postgres/',
        ],
        reachable: true,
      },
    },
    {
      name: 'workflows-stay-in-their-bundle',
      comment: 'The worker bundles workflows from their path; everybody else gets the contract.',
      severity: 'error',
      from: { pathNot: ['^workflows/', TESTS] },
      to: { path: '^workflows/', pathNot: '^workflows/contract\\.ts$' },
    },
    {
      name: 'activities-are-wired-only',
      comment: 'An activity is run by Temporal, with its retries; called from elsewhere it would have none.',
      severity: 'error',
      from: { pathNot: ['^activities/', WIRING, TESTS] },
      to: { path: '^activities/' },
    },
    {
      name: 'nothing-imports-an-entry-point',
      comment: 'Importing one starts a process.',
      severity: 'error',
      from: { pathNot: ENTRY_POINTS },
      to: { path: ENTRY_POINTS },
    },
    {
      name: 'folders-get-arguments',
      comment:
        'Settings, logger and connections reach a folder as arguments, so that none reads a setting behind the back ' +
        'of its caller.',
      severity: 'error',
      from: { path: ['^src/', '^workflows/', '^activities/'], pathNot: WIRING },
      to: { path: WIRING },
    },
    {
      name: 'dev-stays-outside',
      comment:
        'The stand-ins for the outside world are made of development dependencies, and let anybody be anybody: ' +
        'nothing that runs in production may load them. They themselves may import what they like.',
      severity: 'error',
      from: { pathNot: [DEV, TESTS] },
      to: { path: DEV },
    },
    {
      name: 'tests-stay-outside',
      comment: 'The image holds no tests.',
      severity: 'error',
      from: { path: '^(src|dev|workflows|activities)/' },
      to: { path: TESTS },
    },
    {
      name: 'production-dependencies-only',
      comment: 'The image is installed without development dependencies; there such an import is a crash.',
      severity: 'error',
      from: { path: '^(src|workflows|activities)/' },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'dependencies-are-declared',
      comment:
        "A package that only some other package's package.json names goes when that other one is upgraded.",
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'imports-resolve',
      comment: 'An import that leads nowhere would also escape every other rule.',
      severity: 'error',
      // what clients/run.ts copies beside a generated client, which is where its import leads
      from: { pathNot: '^clients/scenarios/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'no-cycles',
      comment: 'In a cycle, whichever file is loaded first finds the other half made.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'tracing-is-loaded-on-demand',
      comment:
        'A process that sends no spans, and the operator’s command line, load nothing of OpenTelemetry.',
      severity: 'error',
      from: {},
      to: { path: npm('@opentelemetry'), dynamic: false },
    },
    home('@temporalio/client', ['^src/temporal/'], 'One client: the only way to a case.'),
    home(
      '@temporalio/worker',
      ['^src/(worker|main)/'],
      'It loads a native library of some 100 MB; only the worker is to carry it.',
    ),
    home('slonik', ['^src/postgres/'], 'SQL is in src/postgres.'),
    home('pg', ['^src/postgres/'], 'A connection outside the pool is for LISTEN only.'),
    home(
      '@node-rs/argon2',
      ['^src/identity/'],
      'How passwords are hashed is decided in one place, and queued there.',
    ),
    home(
      'otpauth',
      ['^src/identity/'],
      'The secret of one-time codes is opened in one place, and never leaves it but at the activation.',
    ),
    home(
      'openid-client',
      ['^src/identity/', '^src/providers/auth/'],
      "The customers' login is in one place, and what providers are shown of us in another.",
    ),
    home('nodemailer', ['^src/messaging/'], 'Every text that a customer reads leaves through src/messaging.'),
    home('twilio', ['^src/messaging/'], 'Every text that a customer reads leaves through src/messaging.'),
    home(
      'prom-client',
      ['^src/metrics/'],
      'Names and labels of metrics are in one place, where nothing personal can get in.',
    ),
    home('luxon', ['^src/calendar/'], 'One place knows the time zone and its two odd days a year.'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // for `verbatimModuleSyntax`: what Node's type stripping leaves is what counts
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'default', 'require', 'types'],
    },
  },
};
