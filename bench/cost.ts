import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startNodeProcess } from '../dev/child-process.ts';
import { pickPort } from '../dev/ports.ts';
import { seedDatabase } from '../dev/stack/seed.ts';
import { openTestDatabase } from '../test/support/database.ts';
import { serviceEnvironment } from '../test/support/service-settings.ts';
import { createCase } from './measure-cases.ts';
import { percentile, row, timeOf, timesAsLong, type Measured } from './measure.ts';
import { onPostgres } from './on-postgres.ts';
import { newPartner } from './on-stack.ts';

/** Whose keys are good for 500 calls a minute each. */
const KEYS = 20;
const CREATES = 300;
const READS = 1_000;
const LISTS = 300;
const LISTED = 100;

/** The same API four times, each with a database of its own. */
const SIDES = {
  asItIs: '',
  notLocked: 'lock',
  notLogged: 'log',
  neither: 'log,sealing',
} as const;
type Side = keyof typeof SIDES;

interface Api {
  readonly url: string;
  readonly keys: readonly string[];
  readonly ids: string[];
  stop(): Promise<unknown>;
}

/**
 * What sealing, the access log and row-level security cost: the same calls, by turns, to the API with all of them, without
 * the log, with neither log nor sealing, and without row-level security.
 */
export const cost = (): Promise<Measured> =>
  onPostgres(async (databaseUrl) => {
    const apis = {} as Record<Side, Api>;
    const sides = Object.keys(SIDES) as Side[];
    try {
      for (const side of sides) apis[side] = await startApi(databaseUrl, side);
      /** Each call once a side, right after one another: what else this machine does meets all alike. */
      const byTurns = async (times: number, call: (api: Api, i: number) => Promise<unknown>) => {
        const took: Record<Side, number[]> = { asItIs: [], notLocked: [], notLogged: [], neither: [] };
        for (let i = 0; i < times; i += 1)
          for (const side of [...sides.slice(i % sides.length), ...sides.slice(0, i % sides.length)])
            took[side].push(await timeOf(() => call(apis[side], i)));
        return took;
      };
      const create = async (api: Api, i: number) =>
        api.ids.push((await createCase(`${api.url}/api/v1`, api.keys[i % KEYS] ?? '')).id);
      const get = async ({ url, keys }: Api, i: number, path: string) => {
        const response = await fetch(`${url}/api/v1${path}`, {
          headers: { 'x-api-key': keys[i % KEYS] ?? '' },
        });
        const text = await response.text();
        if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
      };
      const one = (api: Api, i: number) => get(api, i, `/cases/${api.ids[i % api.ids.length] ?? ''}`);
      const list = (api: Api, i: number) => get(api, i, `/cases?limit=${LISTED}`);
      await byTurns(LISTED, create);
      await byTurns(LISTED, one);
      await byTurns(LISTED / 2, list);
      const creates = await byTurns(CREATES, create);
      const reads = await byTurns(READS, one);
      const lists = await byTurns(LISTS, list);

      const ofAll = (what: string, took: Record<Side, number[]>) => [
        row(what, took.asItIs),
        row(`${what}, not logged`, took.notLogged),
        row(`${what}, neither logged nor sealed`, took.neither),
        row(`${what}, not locked`, took.notLocked),
      ];
      const more = (took: Record<Side, number[]>, than: 'notLogged' | 'neither') =>
        took.asItIs.map((ms, i) => ms - (took[than][i] ?? Number.NaN));
      return {
        rows: [
          ...ofAll('create', creates),
          ...ofAll('one case', reads),
          ...ofAll(`${LISTED} cases`, lists),
          row('what the log adds to one case', more(reads, 'notLogged'), { median: 1 }),
        ],
        notes: [
          timesAsLong(['a create (goal: 1.2)', creates.asItIs], ['with neither', creates.neither]),
          inQuiet(creates),
          timesAsLong([`a list of ${LISTED} (goal: 1.3)`, lists.asItIs], ['with neither', lists.neither]),
          inQuiet(lists),
          timesAsLong(['one case', reads.asItIs], ['with neither', reads.neither]),
          inQuiet(reads),
          timesAsLong(['one case', reads.asItIs], ['unlogged', reads.notLogged]),
          timesAsLong(['one case', reads.asItIs], ['unlocked', reads.notLocked]),
          timesAsLong([`a list of ${LISTED}`, lists.asItIs], ['unlocked', lists.notLocked]),
        ],
      };
    } finally {
      await Promise.all(Object.values(apis).map((api) => api.stop()));
    }
  }, 'durable');

/** The same by the quickest tenth: on a machine with much else to do, each step more waits for its turn once more. */
const inQuiet = ({ asItIs, notLogged, neither }: Record<Side, number[]>): string => {
  const [all, unlogged, least] = [asItIs, notLogged, neither].map((values) => percentile(values, 10)) as [
    number,
    number,
    number,
  ];
  const log = (all - unlogged).toFixed(1);
  return `  10th percentile: ${(all / least).toFixed(2)} times; the log adds ${log} ms, sealing ${(unlogged - least).toFixed(1)} ms`;
};

/** An API with a copy of the database, and no worker: what its cases would do is not measured. */
async function startApi(template: string, side: Side): Promise<Api> {
  const admin = new pg.Client({ connectionString: template.replace(/[^/]+$/, 'postgres') });
  await admin.connect();
  const name = `cost_${side.toLowerCase()}`;
  await admin.query(
    `CREATE DATABASE ${name} TEMPLATE ${new URL(template).pathname.slice(1)} OWNER booking_owner`,
  );
  await admin.end();
  const databaseUrl = template.replace(/[^/]+$/, name);
  const database = await openTestDatabase(databaseUrl);
  const baseUrl = 'http://127.0.0.1:9/fhir';
  await seedDatabase(database, { partners: [], providers: [{ id: 'nowhere', name: 'Nowhere', baseUrl }] });
  const { keys } = await newPartner(database, 0, KEYS);
  await database.end();
  const { port } = await pickPort();
  const { api } = serviceEnvironment({ port, databaseUrl, temporalAddress: '127.0.0.1:9' });
  const child = await startNodeProcess({
    name: 'api',
    script: fileURLToPath(new URL('../src/main/api.ts', import.meta.url)),
    execArgv: ['--import', new URL('./cost/without.ts', import.meta.url).href],
    env: { ...defined(api), WITHOUT: SIDES[side] },
    ready: { url: `http://127.0.0.1:${port}/health/live` },
  });
  return { url: `http://127.0.0.1:${port}`, keys, ids: [], stop: () => child.stop() };
}

const defined = (variables: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).filter((one): one is [string, string] => one[1] !== undefined),
  );
