import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'slonik';
import { z } from 'zod';
import { pickPort } from '../dev/ports.ts';
import { asRole } from '../dev/postgres/server.ts';
import type { PartnerId } from '../src/domain/ids.ts';
import { hashOfKey, issueKey } from '../src/identity/secrets.ts';
import { addKey } from '../src/postgres/api-keys.ts';
import { savePartner } from '../src/postgres/providers.ts';
import { migrate as migrateFrom } from '../src/postgres/migrate.ts';
import { newCase } from '../test/support/new-case.ts';
import { type OwnProcess, runOwnProcess } from '../test/support/own-process.ts';
import { serviceEnvironment } from '../test/support/service-settings.ts';
import { atAMillion } from './at-a-million.ts';
import { type Measured, percentile, type Row } from './measure.ts';

const nothing = z.object({});
const ROOT = new URL('../', import.meta.url).pathname;
const EXAMPLES = join(ROOT, 'bench/migrations');
const APIS = 2;
/** Milliseconds between calls, which the APIs answer in turns. */
const PAUSE = 25;
const REST = 5_000;
/** So long somebody reads the table when the first migration comes (milliseconds): it has to let calls pass. */
const REPORT = 3_000;
/** No lock over a second. */
const GOAL = 1_000;
const BEFORE = 'before any of them';

/** What the next version's code has otherwise than ours, in each file. */
const CHANGED: Readonly<Record<string, readonly (readonly [ours: string, next: string])[]>> = {
  'src/postgres/case-row.ts': [
    ['  revision: z.number(),', '  revision: z.number(),\n  claim_handler: z.string().nullable(),'],
    ['cases.revision,', 'cases.revision, cases.claim_handler,'],
  ],
  'src/postgres/create-case.ts': [
    ['booking_deadline, state, traceparent', 'booking_deadline, state, traceparent, claim_handler'],
    ['${c.traceparent}\n', "${c.traceparent}, 'somebody'\n"],
  ],
};

/** Makes the next version: our code, but that it writes and reads the new column. @returns where its roots are */
async function makeNext(directory: string): Promise<string> {
  for (const part of [
    'src',
    'workflows',
    'activities',
    'clients',
    'docs/partners',
    'migrations',
    'package.json',
  ])
    await cp(join(ROOT, part), join(directory, part), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  for (const [file, changes] of Object.entries(CHANGED)) {
    let text = await readFile(join(directory, file), 'utf8');
    for (const [ours, next] of changes) {
      if (text.split(ours).length !== 2) throw new Error(`${file} has not once: ${ours}`);
      text = text.replace(ours, () => next);
    }
    await writeFile(join(directory, file), text);
  }
  return join(directory, 'src/main');
}

interface Api {
  readonly version: 'ours' | 'next';
  readonly address: string;
  readonly process: OwnProcess;
}

/**
 * A migration of each kind (`bench/migrations`) on a million cases, while two APIs, which know nothing of it, hand over, read and
 * list cases, and so does one of the next version, which writes and reads the new column from the moment that it is there
 * until it is given up.
 */
export const migrate = (): Promise<Measured> =>
  atAMillion(async (database, url) => {
    const directory = await mkdtemp(join(tmpdir(), 'treatment-booking-migrations-'));
    const partnerId = 'bench-migrate' as PartnerId;
    await savePartner(database, { id: partnerId, name: 'Bench' });
    const keys = Array.from({ length: 10 }, () => issueKey('test'));
    for (const key of keys) await addKey(database, { partnerId, name: 'bench', keyHash: hashOfKey(key) });
    const startApi = async (version: Api['version'], sources?: string): Promise<Api> => {
      const { port } = await pickPort();
      const around = { port, databaseUrl: url, temporalAddress: '127.0.0.1:9' };
      const process = await runOwnProcess('api', serviceEnvironment(around).api, sources);
      return { version, process, address: `http://127.0.0.1:${await process.port('port')}/api/v1` };
    };
    const next = await makeNext(directory);
    const migrations = join(directory, 'migrations');
    const apis: Api[] = await Promise.all(Array.from({ length: APIS }, () => startApi('ours')));

    let step = BEFORE;
    const over = new AbortController();
    const calls: { step: string; version: Api['version']; ms: number }[] = [];
    const waits: { step: string; ms: number }[] = [];
    const failures: string[] = [];
    const keyOf = (i: number) => ({ 'x-api-key': keys[i % keys.length] ?? '' });
    const ask = async (api: Api, path: string, init: RequestInit): Promise<{ id: string }> => {
      const response = await fetch(`${api.address}${path}`, init);
      const text = await response.text();
      if (!response.ok) throw new Error(`${api.version} ${path} ${response.status} ${text}`);
      return JSON.parse(text) as { id: string };
    };
    /** The cases that were handed over last, to whichever version: the other reads them, too. */
    const handedOver: string[] = [];
    const call = async (i: number) => {
      const api = apis[i % apis.length] as Api;
      const [during, began] = [step, performance.now()];
      const headers = { ...keyOf(i), 'content-type': 'application/json' };
      // apart from whose turn it is, so that each of them gets each kind
      const kind = Math.floor(i / apis.length) % 4;
      const [of] = handedOver;
      const work =
        kind === 0 || of === undefined
          ? ask(api, '/cases', { method: 'POST', headers, body: JSON.stringify(newCase()) }).then(
              ({ id }) => {
                handedOver.push(id);
                if (handedOver.length > 10) handedOver.shift();
              },
            )
          : ask(api, ['', `/cases/${of}`, '/cases?limit=20', '/events?limit=20'][kind] ?? '', { headers });
      await work.catch((error: unknown) => failures.push(`${during}: ${String(error)}`));
      calls.push({ step: during, version: api.version, ms: performance.now() - began });
    };
    const traffic = (async () => {
      const running: Promise<unknown>[] = [];
      for (let i = 0; !over.signal.aborted; i += 1) {
        running.push(call(i));
        await delay(PAUSE);
      }
      await Promise.all(running);
    })();
    const watch = (async () => {
      while (!over.signal.aborted) {
        const ms = await database.oneFirst(sql.type(z.object({ ms: z.number() }))`
          SELECT coalesce(max(extract(epoch FROM clock_timestamp() - l.waitstart) * 1000), 0)::float8 AS ms
          FROM pg_locks l WHERE NOT l.granted AND l.relation = 'cases'::regclass`);
        waits.push({ step, ms });
        await delay(10);
      }
    })();

    const stopNext = async () => {
      written = await database.oneFirst(sql.type(z.object({ count: z.number() }))`
        SELECT count(*) FROM cases WHERE claim_handler = 'somebody'`);
      const [{ process }] = apis.splice(APIS) as [Api];
      process.signal('SIGTERM');
      await process.ended;
    };

    const took = new Map<string, number>([[BEFORE, REST]]);
    /** How many cases the next version has written. */
    let written = 0;
    try {
      await delay(REST);
      const report = database.transaction(async (tx) => {
        await tx.query(sql.type(nothing)`SELECT FROM cases LIMIT 1`);
        await delay(REPORT);
      });
      for (const [i, name] of (await readdir(EXAMPLES)).sort().entries()) {
        // whoever knows the column goes before it does: here, what comes after that is as we are
        if (name.includes('drop_column')) await stopNext();
        step = name.slice(5, -4);
        // they come behind all that there are
        await cp(join(EXAMPLES, name), join(migrations, `990000000000${i}_${step}.sql`));
        const began = Date.now();
        await migrateFrom(asRole(url, 'booking_owner'), () => undefined, migrations);
        took.set(step, Date.now() - began);
        if (name.includes('add_column')) apis.push(await startApi('next', next));
        await delay(1_000);
      }
      await report;
    } finally {
      over.abort();
      await Promise.all([traffic, watch]);
      for (const { process } of apis) process.signal('SIGTERM');
      await Promise.all(apis.map(({ process }) => process.ended));
      await rm(directory, { recursive: true });
      // for the next time, where the cases are kept
      await database.query(sql.type(nothing)`DELETE FROM migrations WHERE name LIKE '99%'`);
    }

    const rows = [...took].map(([name, ms]): Row => {
      const during = calls.filter((one) => one.step === name);
      const times = during.map(({ ms }) => ms);
      const longest = Math.max(0, ...waits.filter((one) => one.step === name).map(({ ms }) => ms));
      return {
        what: name.replaceAll('_', ' '),
        'it took ms': ms,
        calls: times.length,
        'to the next version': during.filter(({ version }) => version === 'next').length,
        'median ms': Math.round(percentile(times, 50)),
        'longest ms': Math.round(Math.max(...times)),
        'longest wait for the table ms': Math.round(longest),
        goal: `≤ ${GOAL}`,
        met: longest <= GOAL,
      };
    });
    const notes = [
      `${failures.length} of ${calls.length} calls failed; the next version has written ${written} cases`,
      ...failures.slice(0, 3),
    ];
    return { rows, notes };
  });
