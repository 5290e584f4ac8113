import { mkdir, rm } from 'node:fs/promises';
import { openDatabase } from '../../src/postgres/database.ts';
import { writeJson } from '../json-file.ts';
import { createDevContext, DEFAULT_PORTS, type DevContext, type StackOptions } from './context.ts';
import { runCalendarClinics, runClinics, runExternalServices, runRegistries } from './external-services.ts';
import { runPostgres, runServiceProcesses, runTemporal } from './processes.ts';
import { seedDatabase } from './seed.ts';

/** What scripts need to know: `stack.json`. */
export interface StackDescription {
  readonly api: string;
  readonly web: string;
  readonly mail: string;
  readonly phone: string;
  /** What operators are told, by webhook. */
  readonly alerts: string;
  /** What our processes have done for what: spans, as OpenTelemetry has them. */
  readonly traces: string;
  readonly eid: string;
  readonly temporalUi: string | null;
  readonly temporalAddress: string;
  readonly databaseUrl: string;
  /** What Prometheus would ask: each of our processes. */
  readonly metrics: readonly string[];
  /** What `operator` calls. */
  readonly operatorApi: string;
  /** Where operators log in, and who may do what there. */
  readonly operatorLogin: string;
  /** Of policies and referrals, which docs/partners/verification.md lists. */
  readonly registries: string;
  readonly providers: readonly {
    readonly id: string;
    readonly fhirUrl: string;
    /** The same for the clinic's staff: to look into its calendar without a token. */
    readonly staffUrl: string;
    readonly calendar: string;
  }[];
  /** Providers beside those, which speak CalDAV. */
  readonly calendarClinics: readonly {
    readonly id: string;
    readonly calDavUrl: string;
    readonly calendar: string;
  }[];
  /** What the providers' registrations name, for the operator's command line. */
  readonly providerSecrets: Readonly<Record<string, string>>;
  /** Where secrets of providers that are registered later go, each in a file by the name that its registration gives. */
  readonly credentialsDirectory: string;
  /** What opens the cases' data, as the processes have it. */
  readonly masterKeys: string;
  readonly apiKey: string;
  readonly otherPartnerApiKey: string;
  /** Of the first partner: logs in with POST /auth/login. */
  readonly partnerUser: { readonly email: string; readonly password: string };
}

export interface RunningStack {
  readonly description: StackDescription;
  stop(): Promise<void>;
}

/**
 * The whole service on this machine: our own three processes, and servers in place of everything they talk to.
 *
 * @throws when a part does not come up, or the start is aborted; what came up before is stopped again
 */
export async function startStack(options: StackOptions): Promise<RunningStack> {
  const context = await createDevContext(options);
  try {
    const description = await Promise.race([startParts(context), rejectOnAbort(options.signal)]);
    const file = context.pathTo('stack.json');
    // whoever waits for it reads it as a whole, or not yet
    await writeJson(file, description);
    // stopped first, so that nobody is told of what is going
    context.stopLater({ stop: () => rm(file, { force: true }) });
    return { description, stop: () => context.stop() };
  } catch (error) {
    await context.stop();
    throw error;
  }
}

const rejectOnAbort = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('start aborted')), { once: true });
  });

async function startParts(context: DevContext): Promise<StackDescription> {
  const { apiKey, otherPartnerApiKey, partnerPassword, masterKeys } = context.secrets;
  const credentialsDirectory = context.pathTo('credentials');
  await mkdir(credentialsDirectory, { recursive: true });
  const partnerUser = { email: 'utvikler@fjordtrygd.example', password: partnerPassword };
  const webPort = await context.port(DEFAULT_PORTS.web);
  const web = `http://localhost:${webPort}`;
  const operatorPort = await context.port(DEFAULT_PORTS.operatorApi);
  const operatorApi = `http://127.0.0.1:${operatorPort}`;
  // of the login server that was: this one knows none of them
  await rm(context.pathTo('logins'), { recursive: true, force: true });
  const starting = [
    runPostgres(context),
    runTemporal(context),
    runExternalServices(context, web, operatorApi),
    runClinics(context),
    runCalendarClinics(context),
    runRegistries(context),
  ] as const;
  // where one fails the others are waited for first, so that they can be stopped
  await Promise.allSettled(starting);
  const [postgres, temporal, services, clinics, calendarClinics, registries] = await Promise.all(starting);

  await context.progress('partners and providers', async () => {
    const database = await openDatabase(postgres.url);
    await seedDatabase(database, {
      partners: [
        { id: 'fjordtrygd', name: 'Fjordtrygd Forsikring', apiKey, user: partnerUser },
        { id: 'polar', name: 'Polar Forsikring', apiKey: otherPartnerApiKey },
      ],
      providers: [
        ...calendarClinics.map((clinic) => ({ ...clinic, kind: 'caldav', baseUrl: clinic.calDavUrl })),
        ...(await Promise.all(
          clinics.map(async ({ id, name, fhirUrl, connection }) => ({
            id,
            name,
            connection,
            baseUrl: await context.insertProxy(id, fhirUrl),
          })),
        )),
      ],
    });
    await database.end();
  });
  const providerSecrets = Object.fromEntries(
    [...clinics, ...calendarClinics].flatMap(({ variables }) => Object.entries(variables)),
  );
  const metricsPorts = {
    api: await context.port(DEFAULT_PORTS.apiMetrics),
    worker: await context.port(DEFAULT_PORTS.workerMetrics),
    operatorApi: await context.port(DEFAULT_PORTS.operatorApiMetrics),
  };
  await runServiceProcesses(context, {
    metricsPorts,
    web: { url: web, port: webPort },
    operatorApi: { url: operatorApi, port: operatorPort },
    databaseUrl: postgres.url,
    temporalAddress: temporal.address,
    temporalUi: temporal.uiUrl ?? null,
    externalServices: services,
    registriesUrl: registries.fhirUrl,
    providerSecrets,
    credentialsDirectory,
  });

  return {
    api: `${web}/api/v1`,
    web,
    mail: services.mail.webUrl,
    phone: services.phone.url,
    alerts: services.alerts.url,
    traces: services.traces.url,
    eid: services.eid.issuer,
    temporalUi: temporal.uiUrl ?? null,
    temporalAddress: temporal.address,
    databaseUrl: postgres.url,
    metrics: Object.values(metricsPorts).map((port) => `http://127.0.0.1:${port}/metrics`),
    operatorApi,
    operatorLogin: services.operatorLogin.issuer,
    registries: registries.fhirUrl,
    providers: clinics.map(({ id, fhirUrl, staffUrl, url }) => ({ id, fhirUrl, staffUrl, calendar: url })),
    calendarClinics: calendarClinics.map(({ id, calDavUrl, url }) => ({ id, calDavUrl, calendar: url })),
    providerSecrets,
    credentialsDirectory,
    masterKeys,
    apiKey,
    otherPartnerApiKey,
    partnerUser,
  };
}
