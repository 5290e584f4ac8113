import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../postgres/database.ts';
import { migrate } from '../postgres/migrate.ts';
import { startClinic } from './clinic/clinic.ts';
import { startEid } from './eid.ts';
import { startMail } from './mail.ts';
import { startPhone } from './phone.ts';
import { pickPort } from './ports.ts';
import { startPostgres } from './postgres.ts';
import { startNodeProcess } from './processes.ts';
import type { Progress } from './progress.ts';
import { sandboxSecrets } from './secrets.ts';
import { seed } from './seed.ts';
import { supervise, type Part } from './supervise.ts';
import { startTemporal } from './temporal.ts';

export interface StackOptions {
  /** Where everything is kept from one start to the next. */
  readonly directory: string;
  /** The usual ports where they are free; otherwise, and for tests, any. */
  readonly usualPorts: boolean;
  readonly progress: Progress;
  /** Told when a process ends by itself; it is started again. */
  readonly onEnded: (name: string, why: string) => void;
}

/** What scripts need to know: `stack.json`. */
export interface StackDescription {
  readonly api: string;
  readonly web: string;
  readonly mail: string;
  readonly phone: string;
  readonly eid: string;
  readonly temporalUi: string | null;
  readonly temporalAddress: string;
  readonly databaseUrl: string;
  readonly providers: readonly { readonly id: string; readonly fhirUrl: string; readonly calendar: string }[];
  readonly apiKey: string;
  readonly otherPartnerApiKey: string;
}

export interface RunningStack {
  readonly description: StackDescription;
  stop(): Promise<void>;
}

const USUAL = {
  web: 3000,
  postgres: 54329,
  temporal: 7233,
  temporalUi: 8233,
  smtp: 1025,
  mail: 1080,
  phone: 4010,
  eid: 4000,
  worker: 3001,
  clinics: [4101, 4102],
};
const CLINICS = ['fjordklinikken', 'nordlys'] as const;
const EID_CLIENT = 'treatment-booking';
const rootFile = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/**
 * The whole service on this machine: our own two processes, and servers in place of everything they talk to.
 *
 * @throws when a part does not come up; what came up before is stopped again
 */
export async function startStack({
  directory,
  usualPorts,
  progress,
  onEnded,
}: StackOptions): Promise<RunningStack> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    // what was started last depends on what was started before
    for (const end of stops.reverse().splice(0)) await end();
  };
  /** Starts a process that comes back when it ends by itself. */
  const run = async <P extends Part>(name: string, start: () => Promise<P>): Promise<P> => {
    const supervised = await supervise(start, (why) => onEnded(name, why));
    stops.push(() => supervised.stop());
    return supervised.first;
  };
  const keep = <T extends { stop(): Promise<void> }>(part: T): T => {
    stops.push(() => part.stop());
    return part;
  };
  const inside = (...path: string[]) => join(directory, ...path);

  try {
    await mkdir(inside('logs'), { recursive: true });
    const port = (usual: number) => pickPort(usualPorts ? usual : undefined).then((picked) => picked.port);
    const secrets = await sandboxSecrets(inside('secrets.json'));
    const webPort = await port(USUAL.web);
    const web = `http://localhost:${webPort}`;

    const postgres = progress('PostgreSQL', async (log) => {
      const databasePort = await port(USUAL.postgres);
      const running = await run('PostgreSQL', () =>
        startPostgres({
          dataDir: inside('postgres'),
          port: databasePort,
          logFile: inside('logs', 'postgres.log'),
          log,
        }),
      );
      await migrate(running.url, log);
      return running;
    });
    const temporal = progress('Temporal, with its Web UI', async (log) => {
      const ports = { port: await port(USUAL.temporal), uiPort: await port(USUAL.temporalUi) };
      return run('Temporal server', () =>
        startTemporal({
          storage: { dbFile: inside('temporal.db') },
          ...ports,
          logFile: inside('logs', 'temporal.log'),
          log,
        }),
      );
    });
    const outside = progress('eID, mail box, phone inbox', async (log) => ({
      eid: keep(
        await startEid({
          port: await port(USUAL.eid),
          clientId: EID_CLIENT,
          clientSecret: secrets.eidClientSecret,
          redirectUris: [`${web}/eid/callback`],
          log,
        }),
      ),
      mail: keep(
        await startMail({
          smtpPort: await port(USUAL.smtp),
          webPort: await port(USUAL.mail),
          directory: inside('mail'),
          log,
        }),
      ),
      phone: keep(
        await startPhone({
          port: await port(USUAL.phone),
          accountSid: secrets.twilioAccountSid,
          authToken: secrets.twilioAuthToken,
          file: inside('phone.json'),
          log,
        }),
      ),
    }));
    const clinics = progress("two clinics' booking systems", async () =>
      Promise.all(
        CLINICS.map(async (profile, i) => {
          const clinic = await startClinic({
            profile,
            port: await port(USUAL.clinics[i] ?? 0),
            dataFile: inside(`${profile}.json`),
          });
          stops.push(() => clinic.close());
          return { id: profile, name: clinic.name, url: clinic.url, fhirUrl: clinic.fhirUrl };
        }),
      ),
    );
    const parts = await everything({ postgres, temporal, outside, clinics });
    const { eid, mail, phone } = parts.outside;

    await progress('partners and providers', async () => {
      const database = await openDatabase(parts.postgres.url);
      await seed(database, {
        partners: [
          { id: 'fjordtrygd', name: 'Fjordtrygd Forsikring', apiKey: secrets.apiKey },
          { id: 'polar', name: 'Polar Forsikring', apiKey: secrets.otherPartnerApiKey },
        ],
        providers: parts.clinics,
      });
      await database.end();
    });

    const common = {
      ENVIRONMENT: 'test',
      PUBLIC_URL: web,
      DATABASE_URL: parts.postgres.url,
      TEMPORAL_ADDRESS: parts.temporal.address,
      SUPPORT_EMAIL: 'hjelp@timebestilling.example',
      SUPPORT_PHONE: '+47 21 00 00 00',
    };
    const healthPort = await port(USUAL.worker);
    const runRoot = (name: 'api' | 'worker', env: Record<string, string>, ready: string) =>
      run(name, () =>
        startNodeProcess({
          name,
          script: rootFile(`${name}.ts`),
          env: { ...common, ...env },
          logFile: inside('logs', `${name}.log`),
          ready: { url: ready },
          readyTimeoutMs: 60_000,
        }),
      );
    await Promise.all([
      progress('worker', () =>
        runRoot(
          'worker',
          {
            SMTP_URL: mail.smtpUrl,
            MAIL_FROM: 'Timebestilling <timebestilling@timebestilling.example>',
            TWILIO_ACCOUNT_SID: secrets.twilioAccountSid,
            TWILIO_AUTH_TOKEN: secrets.twilioAuthToken,
            TWILIO_FROM: '+4759440000',
            TWILIO_BASE_URL: phone.url,
            WORKER_HEALTH_PORT: String(healthPort),
          },
          `http://127.0.0.1:${healthPort}/health/ready`,
        ),
      ),
      progress('API and pages', () =>
        runRoot(
          'api',
          {
            HOST: '127.0.0.1',
            PORT: String(webPort),
            SESSION_SECRETS: secrets.sessionSecret,
            IDENTITY_SECRET: secrets.identitySecret,
            EID_ISSUER: eid.issuer,
            EID_CLIENT_ID: EID_CLIENT,
            EID_CLIENT_SECRET: secrets.eidClientSecret,
            EID_PERSON_CLAIM: 'bankid_altsub',
          },
          `http://127.0.0.1:${webPort}/health/ready`,
        ),
      ),
    ]);

    const description: StackDescription = {
      api: `${web}/api/v1`,
      web,
      mail: mail.webUrl,
      phone: phone.url,
      eid: eid.issuer,
      temporalUi: parts.temporal.uiUrl ?? null,
      temporalAddress: parts.temporal.address,
      databaseUrl: parts.postgres.url,
      providers: parts.clinics.map(({ id, fhirUrl, url }) => ({ id, fhirUrl, calendar: url })),
      apiKey: secrets.apiKey,
      otherPartnerApiKey: secrets.otherPartnerApiKey,
    };
    const file = inside('stack.json');
    await writeFile(file, JSON.stringify(description, null, 2));
    stops.push(() => rm(file, { force: true }));
    return { description, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** All of them; where one fails the others are waited for first, so that they can be stopped. */
async function everything<T extends Record<string, Promise<unknown>>>(
  parts: T,
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(Object.values(parts));
  const entries = await Promise.all(
    Object.entries(parts).map(async ([name, part]) => [name, await part] as const),
  );
  return Object.fromEntries(entries) as { [K in keyof T]: Awaited<T[K]> };
}
