import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import type { Client } from '@temporalio/client';
import { pino } from 'pino';
import { startEid } from '../../dev/eid/server.ts';
import { type RunningClinic, startClinic } from '../../dev/fhir-clinic/clinic.ts';
import type { ClinicName } from '../../dev/fhir-clinic/profiles.ts';
import { startAlertReceiver } from '../../dev/alert-receiver.ts';
import { startMail } from '../../dev/mail.ts';
import { startPhone } from '../../dev/phone/server.ts';
import { pickPort } from '../../dev/ports.ts';
import { startRegistries } from '../../dev/registries.ts';
import { seedDatabase } from '../../dev/stack/seed.ts';
import type { ApiSettings, WorkerSettings } from '../../src/config/settings.ts';
import type { PartnerId } from '../../src/domain/ids.ts';
import { createPasswords, type Passwords } from '../../src/identity/passwords.ts';
import { issueKey } from '../../src/identity/secrets.ts';
import { composeApi } from '../../src/main/compose-api.ts';
import { composeWorker } from '../../src/main/compose-worker.ts';
import type { Database } from '../../src/postgres/database.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { deleteSchedules, scheduleIdOf } from '../../src/temporal/schedules.ts';
import { type Caller, createCaller } from './caller.ts';
import { createTestDatabase, openTestDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { quietRuntime } from './quiet-runtime.ts';
import { runningServers } from './running-servers.ts';
import {
  EID_CLIENT,
  serviceEnvironment,
  serviceSettings,
  TWILIO,
  WEBHOOK_SECRET,
} from './service-settings.ts';

/** Which parts a suite needs; what is left out is an address where nobody listens. */
export interface Wanted {
  /** `later`: the suite starts them, with `work`. */
  readonly worker?: boolean | 'later';
  readonly clinics?: readonly ClinicName[];
  /** How far ahead the clinics have free times. */
  readonly weeks?: number;
  readonly messages?: boolean;
  /** How often what needs operators is looked for and told (milliseconds). */
  readonly alertsEvery?: number;
  /** Whether all its cases are compared with their workflows every minute, and all its clinics looked at, as in production. */
  readonly schedules?: 'paused';
  readonly eid?: boolean;
  /** The sandbox's, or those at another address; without, the deployment has none. */
  readonly registries?: boolean | string;
  /** In place of the run's Temporal server. */
  readonly temporalAddress?: string;
  /** Puts something between the service and its database. */
  readonly databaseThrough?: (url: string) => string;
  /** In place of one proxy in front, whoever that is. */
  readonly trustProxy?: string;
}

export interface TestService {
  readonly url: string;
  readonly apiUrl: string;
  readonly taskQueue: string;
  readonly database: Database;
  readonly databaseUrl: string;
  /** What processes of their own are set up by, beside this one's. */
  readonly environment: ReturnType<typeof serviceEnvironment>;
  readonly partner: Caller;
  readonly partnerId: PartnerId;
  readonly otherPartner: Caller;
  readonly otherPartnerId: PartnerId;
  readonly nobody: Caller;
  readonly partnerKey: string;
  readonly clinics: readonly RunningClinic[];
  readonly eidUrl: string | null;
  readonly mailUrl: string | null;
  readonly phoneUrl: string | null;
  /** What operators were told by webhook, at `/alerts`. */
  readonly alertsUrl: string | null;
  /** What the service logged since the suite began, line by line. */
  readonly log: readonly string[];
  /** Runs the same API once more, with another clock or other settings. @returns its address */
  again(changes: Again): Promise<string>;
  /** The same with another clock, as the partner calls it: what it takes for today's may be yesterday's. */
  alsoAt(now: () => Date): Promise<Caller>;
  /** Another worker on the same queue, maybe of another version or with other settings. */
  work(version?: Version): Promise<{ stop(): Promise<void> }>;
  stop(): Promise<void>;
}

export interface Version {
  readonly buildId?: string;
  /** The file with its workflows' code; this version's when left out. */
  readonly codePath?: string;
  readonly settings?: (usual: WorkerSettings) => Partial<WorkerSettings>;
}

export interface Again {
  readonly now?: () => Date;
  readonly settings?: (usual: ApiSettings) => Partial<ApiSettings>;
  readonly passwords?: Passwords;
}

/** Of passwords, in a hundredth of the usual time. What they are kept as is tried in test/identity. */
export const QUICK_HASHES = { memoryCost: 64, timeCost: 1, parallelism: 1 };

export interface BootedService {
  /** The service for one suite, with partners of its own. Its `stop` ends only what the suite itself has started. */
  readonly lend: (partners: { readonly first: string; readonly other: string }) => Promise<TestService>;
  readonly stop: () => Promise<void>;
}

/** The service in this process, made by the same functions as in production, on real servers. */
export async function startService(wanted: Wanted = {}): Promise<TestService> {
  const booted = await bootService(wanted);
  const service = await booted.lend({ first: 'fjordtrygd', other: 'polar' });
  const stop = async () => {
    await service.stop();
    await booted.stop();
  };
  return { ...service, stop };
}

/** Remembers how to end what is begun, the last first. */
function openEnds() {
  const ends: (() => Promise<unknown>)[] = [];
  const keep = <T>(part: T, end: (part: T) => Promise<unknown>): T => {
    ends.push(() => end(part));
    return part;
  };
  const stop = async () => {
    for (const end of ends.reverse().splice(0)) await end();
  };
  return { keep, stop };
}

export async function bootService(wanted: Wanted): Promise<BootedService> {
  const { keep, stop } = openEnds();
  try {
    return { ...(await boot()), stop };
  } catch (error) {
    await stop();
    throw error;
  }

  async function boot() {
    quietRuntime();
    const databaseUrl = await createTestDatabase();
    // goes with all that the run has written, and not earlier: a mail that has just come may still be written
    const directory = await mkdtemp(join(dirname(runningServers().workflowBundle), 'service-'));
    const port = async () => (await pickPort()).port;
    const apiPort = await port();
    const callback = `http://127.0.0.1:${apiPort}/eid/callback`;
    const say = () => undefined;
    const [eid, mail, phone, ...clinics] = await Promise.all([
      wanted.eid ? startEid({ ...EID_CLIENT, port: await port(), redirectUris: [callback], log: say }) : null,
      wanted.messages
        ? startMail({
            smtpPort: await port(),
            webPort: await port(),
            directory: join(directory, 'mail'),
            log: say,
          })
        : null,
      wanted.messages
        ? startPhone({ ...TWILIO, port: await port(), file: join(directory, 'phone.json'), log: say })
        : null,
      ...(wanted.clinics ?? []).map((profile) => startClinic({ profile, weeks: wanted.weeks ?? 2 })),
    ]);
    const registries = wanted.registries === true ? await startRegistries({ port: await port() }) : null;
    const alerts = wanted.messages
      ? await startAlertReceiver({ port: await port(), secret: WEBHOOK_SECRET })
      : null;
    for (const part of [eid, mail, phone, registries, alerts]) keep(part, async (it) => it?.stop());
    for (const clinic of clinics) keep(clinic, (it) => it.close());

    const database = keep(await openTestDatabase(databaseUrl), (it) => it.end());
    await seedDatabase(database, {
      partners: [],
      providers:
        clinics.length > 0
          ? clinics.map(({ name, fhirUrl: baseUrl }, i) => ({ id: wanted.clinics?.[i] ?? '', name, baseUrl }))
          : [{ id: 'nowhere', name: 'Nowhere', baseUrl: 'http://127.0.0.1:9/fhir' }],
    });

    const pgBouncer = keep(await startPgBouncer(databaseUrl), async (it) => it?.stop());
    const surroundings = {
      port: apiPort,
      databaseUrl: wanted.databaseThrough?.(databaseUrl) ?? pgBouncer?.url ?? databaseUrl,
      directDatabaseUrl: pgBouncer ? databaseUrl : undefined,
      temporalAddress: wanted.temporalAddress ?? runningServers().temporalAddress,
      eidIssuer: eid?.issuer,
      smtpUrl: mail?.smtpUrl,
      phoneUrl: phone?.url,
      alertsUrl: alerts?.url,
      registriesUrl:
        registries?.fhirUrl ?? (typeof wanted.registries === 'string' ? wanted.registries : undefined),
      trustProxy: wanted.trustProxy,
    };
    const settings = serviceSettings(surroundings);
    const lines: string[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    });
    const log = pino({ level: 'info' }, sink);
    const taskQueue = `cases-${randomUUID()}`;
    const startWorker = ({
      buildId,
      codePath = runningServers().workflowBundle,
      settings: change,
    }: Version = {}) => {
      const own = {
        ...{ ...settings.worker, TEMPORAL_WORKER_BUILD_ID: buildId },
        ...change?.(settings.worker),
      };
      // five times as often as in production: who waits for a mail waits for two rounds, and each costs all that rest
      const { alertsEvery = 3_000 } = wanted;
      return composeWorker(own, { log, taskQueue, workflowBundle: { codePath }, alertsEvery });
    };
    const startApi = ({
      now,
      settings: change,
      passwords = createPasswords({ parameters: QUICK_HASHES }),
    }: Again) =>
      composeApi(
        { ...settings.api, ...change?.(settings.api) },
        { log, taskQueue, passwords, ...(now && { now }) },
      );
    let temporal: Client | null = null;
    if (wanted.worker) {
      const address = settings.worker.TEMPORAL_ADDRESS;
      temporal = keep(createTemporalClient({ address, namespace: 'default' }), async (client) => {
        // others' servers may be away by then
        await deleteSchedules(client, taskQueue).catch(() => undefined);
        await client.connection.close();
      });
    }
    await Promise.all([
      startApi({}).then((api) => keep(api, (it) => it.stop())),
      wanted.worker === true && startWorker().then((worker) => keep(worker, (it) => it.stop())),
    ]);
    for (const name of wanted.schedules === 'paused' ? (['reconcile', 'watch-providers'] as const) : []) {
      const schedule = temporal?.schedule.getHandle(scheduleIdOf(taskQueue, name));
      // the worker makes them once it runs
      await eventually(() =>
        schedule?.pause('a suite asks for it').then(
          () => true,
          () => false,
        ),
      );
    }

    const url = settings.api.PUBLIC_URL;
    const callerWith = (key: string, at = url) => createCaller(`${at}/api/v1`, { 'X-API-Key': key });
    const lend: BootedService['lend'] = async ({ first, other }) => {
      const { keep, stop } = openEnds();
      const [partnerKey, otherKey] = [issueKey('test'), issueKey('test')];
      const partners = [
        { id: first, name: 'Fjordtrygd Forsikring', apiKey: partnerKey },
        { id: other, name: 'Polar Forsikring', apiKey: otherKey },
      ];
      await seedDatabase(database, { partners, providers: [] });
      lines.length = 0;
      const again = async (changes: Again): Promise<string> => {
        const change = (usual: ApiSettings) => ({ ...changes.settings?.(usual), PORT: 0 });
        const api = keep(await startApi({ ...changes, settings: change }), (it) => it.stop());
        return `http://127.0.0.1:${api.port}`;
      };
      return {
        url,
        apiUrl: `${url}/api/v1`,
        taskQueue,
        database,
        databaseUrl,
        environment: serviceEnvironment(surroundings),
        partner: callerWith(partnerKey),
        partnerId: first as PartnerId,
        otherPartner: callerWith(otherKey),
        otherPartnerId: other as PartnerId,
        nobody: createCaller(`${url}/api/v1`),
        partnerKey,
        clinics,
        eidUrl: eid?.issuer ?? null,
        mailUrl: mail?.webUrl ?? null,
        phoneUrl: phone?.url ?? null,
        alertsUrl: alerts?.url ?? null,
        log: lines,
        work: async (version) => keep(await startWorker(version), (it) => it.stop()),
        again,
        alsoAt: async (now: () => Date) => callerWith(partnerKey, await again({ now })),
        stop,
      };
    };
    return { lend };
  }
}
