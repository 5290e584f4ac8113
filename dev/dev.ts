import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { addDays, dateAt } from '../src/calendar/dates.ts';
import { createProgress } from './stack/context.ts';
import { type StackDescription, startStack } from './stack/stack.ts';

const HELP = `npm run dev -- [options]

Runs the whole service on this machine, with servers in place of everything it talks to.

  --reset             start afresh: forget all cases, messages and appointments
  --directory <path>  where everything is kept from one start to the next (.dev)
  --any-ports         take free ports instead of the usual ones
  --help              this text

Ctrl-C stops everything; the next start goes on with the same data.
`;

const print = (text: string) => process.stdout.write(text);

const options = readOptions();
if (options.help) {
  print(HELP);
  process.exit(0);
}

const directory = resolve(options.directory);
const pidFile = join(directory, 'dev.pid');
const running = await findRunningPid();
if (running !== null) {
  print(`Already running (process ${running}) in ${options.directory}. Stop it first.\n`);
  process.exit(1);
}
if (options.reset) await rm(directory, { recursive: true, force: true });
await mkdir(directory, { recursive: true });
await writeFile(pidFile, String(process.pid), { mode: 0o600 });

const abort = new AbortController();
let stopping: Promise<void> | null = null;
let stack: Awaited<ReturnType<typeof startStack>> | null = null;
const shutDown = (code: number, why: string) => {
  stopping ??= (async () => {
    print(`\n${why}\n`);
    abort.abort();
    await starting.catch(() => undefined);
    await stack?.stop();
    await rm(pidFile, { force: true });
    print('Stopped.\n');
    process.exit(code);
  })();
};

print(`Starting. Everything is kept in ${options.directory}/, logs in ${options.directory}/logs/.\n`);
const startedAt = performance.now();
const starting = startStack({
  directory,
  defaultPorts: !options['any-ports'],
  progress: createProgress(print),
  signal: abort.signal,
  calendarClinic: true,
  onEnded: (name, why) => {
    print(`  ! ${name} exited (${why}), restarting\n`);
  },
});
process.on('SIGINT', () => shutDown(0, 'Stopping …'));
process.on('SIGTERM', () => shutDown(0, 'Stopping …'));

try {
  stack = await starting;
  print(welcome(stack.description, (performance.now() - startedAt) / 1000));
} catch (error) {
  shutDown(1, `Start failed: ${error instanceof Error ? error.message : String(error)}`);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        reset: { type: 'boolean', default: false },
        directory: { type: 'string', default: '.dev' },
        'any-ports': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    print(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    process.exit(2);
  }
}

/** The process that works with this directory now, if there is one. */
async function findRunningPid(): Promise<number | null> {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
  if (!pid) return null;
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

function welcome(d: StackDescription, seconds: number): string {
  const today = dateAt(new Date());
  return `
Ready (${seconds.toFixed(0)} s).

  API            ${d.api}
  Its docs       ${d.web}/docs
  Mail box       ${d.mail}
  Phone inbox    ${d.phone}
  Alerts         ${d.alerts}  (what operators are told, beside the mail box)
  Traces         ${d.traces}  (each case from call to calendar)
  Temporal       ${d.temporalUi ?? d.temporalAddress}
  eID            ${d.eid}
${[...d.providers, ...d.calendarClinics].map(({ id, calendar }) => `  Clinic         ${calendar}  (${id})`).join('\n')}
  Registries     ${d.registries}  (docs/partners/verification.md)
  Back office    ${d.operatorApi}  (log in as Ada Allmakt; or: npm run -s operator -- case list)
  Its login      ${d.operatorLogin}  (who may do what; DEV_OPERATOR=siri npm run operator … is another)
  PostgreSQL     ${d.databaseUrl}
  Metrics        ${d.metrics.join('  ')}  (API, worker, operator API)

  Test API key   ${d.apiKey}
  Partner login  ${d.partnerUser.email}  ${d.partnerUser.password}

Hand over a case; the customer's link is then in the mail box and on the phone. Log in there as Kari Nordmann.

curl -sS ${d.api}/cases -H 'X-API-Key: ${d.apiKey}' -H 'Content-Type: application/json' -d '{
  "partnerCaseId": "demo-'"$(date +%s)-$RANDOM"'",
  "patientFirstName": "Kari", "patientLastName": "Nordmann",
  "patientEmail": "kari.nordmann@example.com", "patientPhone": "+4790000000",
  "injuryDate": "${addDays(today, -30)}", "injuryDescription": "Fall on ice",
  "treatmentType": "psychology", "bookingDeadline": "${addDays(today, 14)}"
}'

The partner login manages API keys, for an hour each time:

curl -sS ${d.api}/auth/login -H 'Content-Type: application/json' -d '${JSON.stringify(d.partnerUser)}'

Ctrl-C stops everything.
`;
}
