import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { startEid } from '../../dev/eid/server.ts';
import { type RunningClinic, startClinic } from '../../dev/fhir-clinic/clinic.ts';
import type { ClinicName } from '../../dev/fhir-clinic/profiles.ts';
import { startMail } from '../../dev/mail.ts';
import { startPhone } from '../../dev/phone/server.ts';
import { pickPort } from '../../dev/ports.ts';
import { startRegistries } from '../../dev/registries.ts';
import { seedDatabase } from '../../dev/stack/seed.ts';
import type { ApiSettings } from '../../src/config/settings.ts';
import { issueKey } from '../../src/identity/secrets.ts';
import { composeApi } from '../../src/main/compose-api.ts';
import { composeWorker } from '../../src/main/compose-worker.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { deleteSchedules } from '../../src/temporal/schedules.ts';
import { type Caller, createCaller } from './caller.ts';
import { createTestDatabase } from './database.ts';
import { quietRuntime } from './quiet-runtime.ts';
import { runningServers } from './running-servers.ts';
import { EID_CLIENT, serviceEnvironment, serviceSettings, TWILIO } from './service-settings.ts';

/** Which parts a suite needs; what is left out is an address where nobody listens. */
export interface Wanted {
  readonly worker?: boolean;
  readonly clinics?: readonly ClinicName[];
  readonly messages?: boolean;
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
  readonly otherPartner: Caller;
  readonly nobody: Caller;
  readonly partnerKey: string;
  readonly clinics: readonly RunningClinic[];
  readonly eidUrl: string | null;
  readonly mailUrl: string | null;
  readonly phoneUrl: string | null;
  /** What the API logged, line by line. */
  readonly log: readonly string[];
  /** Runs the same API once more, with another clock or other settings. @returns its address */
  again(changes: Again): Promise<string>;
  /** The same with another clock, as the partner calls it: what it takes for today's may be yesterday's. */
  alsoAt(now: () => Date): Promise<Caller>;
  /** Another worker on the same queue, maybe of another version. */
  work(version?: Version): Promise<{ stop(): Promise<void> }>;
  stop(): Promise<void>;
}

export interface Version {
  readonly buildId?: string;
  /** The file with its workflows' code; this version's when left out. */
  readonly codePath?: string;
}

export interface Again {
  readonly now?: () => Date;
  readonly settings?: (usual: ApiSettings) => Partial<ApiSettings>;
}

/** The service in this process, made by the same functions as in production, on real servers. */
export async function startService(wanted: Wanted = {}): Promise<TestService> {
  const ends: (() => Promise<unknown>)[] = [];
  const keep = <T>(part: T, end: (part: T) => Promise<unknown>): T => {
    ends.push(() => end(part));
    return part;
  };
  const stop = async () => {
    for (const end of ends.reverse().splice(0)) await end();
  };
  try {
    return { ...(await start()), stop };
  } catch (error) {
    await stop();
    throw error;
  }

  async function start() {
    quietRuntime();
    const own = keep(await createTestDatabase(), (it) => it.drop());
    const directory = keep(await mkdtemp(join(tmpdir(), 'treatment-booking-service-')), (it) =>
      rm(it, { recursive: true, force: true }),
    );
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
      ...(wanted.clinics ?? []).map((profile) => startClinic({ profile, weeks: 2 })),
    ]);
    const registries = wanted.registries === true ? await startRegistries({ port: await port() }) : null;
    for (const part of [eid, mail, phone, registries]) keep(part, async (it) => it?.stop());
    for (const clinic of clinics) keep(clinic, (it) => it.close());

    const database = keep(await openDatabase(own.url), (it) => it.end());
    const [partnerKey, otherKey] = [issueKey('test'), issueKey('test')];
    await seedDatabase(database, {
      partners: [
        { id: 'fjordtrygd', name: 'Fjordtrygd Forsikring', apiKey: partnerKey },
        { id: 'polar', name: 'Polar Forsikring', apiKey: otherKey },
      ],
      providers:
        clinics.length > 0
          ? clinics.map(({ name, fhirUrl }, i) => ({ id: wanted.clinics?.[i] ?? '', name, fhirUrl }))
          : [{ id: 'nowhere', name: 'Nowhere', fhirUrl: 'http://127.0.0.1:9/fhir' }],
    });

    const surroundings = {
      port: apiPort,
      databaseUrl: wanted.databaseThrough?.(own.url) ?? own.url,
      temporalAddress: wanted.temporalAddress ?? runningServers().temporalAddress,
      eidIssuer: eid?.issuer,
      smtpUrl: mail?.smtpUrl,
      phoneUrl: phone?.url,
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
    const work = async ({ buildId, codePath = runningServers().workflowBundle }: Version = {}) => {
      const own = { ...settings.worker, WORKER_BUILD_ID: buildId };
      const around = { log, taskQueue, workflowBundle: { codePath } };
      return keep(await composeWorker(own, around), (it) => it.stop());
    };
    if (wanted.worker) {
      const address = settings.worker.TEMPORAL_ADDRESS;
      keep(createTemporalClient({ address, namespace: 'default' }), async (client) => {
        // others' servers may be away by then
        await deleteSchedules(client, taskQueue).catch(() => undefined);
        await client.connection.close();
      });
    }
    const [api] = await Promise.all([
      composeApi(settings.api, { log, taskQueue }),
      wanted.worker ? work() : null,
    ]);
    keep(api, (it) => it.stop());

    const again = async ({ now, settings: change }: Again): Promise<string> => {
      const other = { ...settings.api, ...change?.(settings.api), PORT: 0 };
      const api = keep(await composeApi(other, { log, taskQueue, ...(now && { now }) }), (it) => it.stop());
      return `http://127.0.0.1:${api.port}`;
    };

    const url = settings.api.PUBLIC_URL;
    const callerWith = (key: string, at = url) => createCaller(`${at}/api/v1`, { 'X-API-Key': key });
    return {
      url,
      apiUrl: `${url}/api/v1`,
      taskQueue,
      database,
      databaseUrl: own.url,
      environment: serviceEnvironment(surroundings),
      partner: callerWith(partnerKey),
      otherPartner: callerWith(otherKey),
      nobody: createCaller(`${url}/api/v1`),
      partnerKey,
      clinics,
      eidUrl: eid?.issuer ?? null,
      mailUrl: mail?.webUrl ?? null,
      phoneUrl: phone?.url ?? null,
      log: lines,
      work,
      again,
      alsoAt: async (now: () => Date) => callerWith(partnerKey, await again({ now })),
    };
  }
}
