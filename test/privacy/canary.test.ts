import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client, WorkflowStartOptions } from '@temporalio/client';
import { createTransport } from 'nodemailer';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../src/postgres/database.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { openRow } from '../../src/postgres/sealing.ts';
import { searchAttributes, WORKFLOW_TYPE } from '../../workflows/contract.ts';
import { eventually } from '../support/eventually.ts';
import { TEMPORAL_METRICS } from '../support/temporal-metrics.ts';
import { type Ground, layGround } from './ground.ts';
import { createListener } from './listener.ts';
import * as lives from './lives.ts';
import { MARKS, search } from './marks.ts';
import { gatherPeople, OPERATOR, type People } from './people.ts';
import {
  BACKUP,
  readBackup,
  type Reading,
  readLogs,
  readMetrics,
  readTables,
  readTemporal,
} from './readings.ts';
import { openTestDatabase } from '../support/database.ts';

/** All that a metric of ours, Node's or Temporal's is told apart by. */
const LABELS = new Set([
  ...[
    'method',
    'route',
    'status',
    'command',
    'outcome',
    'reason',
    'fault',
    'pool',
    'state',
    'kind',
    'channel',
  ],
  ...['clinic', 'found', 'schedule', 'le', 'space', 'type', 'version', 'major', 'minor', 'patch', 'quantile'],
  ...['namespace', 'task_queue', 'activity_type', 'workflow_type', 'poller_type', 'worker_type', 'operation'],
  ...['failure_reason', 'status_code', 'service_name', 'eager'],
]);
const nothing = z.object({});
let ground: Ground;
let people: People;
let database: Database;
let client: Client;
let erased: lives.Erased;

beforeAll(async () => {
  ground = await layGround();
  people = gatherPeople(ground);
  database = await openTestDatabase(ground.described.databaseUrl, {
    maxPoolSize: 4,
    keys: ground.described.masterKeys,
  });
  client = createTemporalClient({ address: ground.described.temporalAddress, namespace: 'default' });
  const world = { ...ground, people, database, client };
  await Promise.all([
    // what has the clinics fail, and PostgreSQL, takes turns
    lives.bookedInTheEnd(world).then(async (id) => {
      erased = await lives.erase(world, id);
      await lives.refusedByOthers(world);
    }),
    lives.refusedCalls(world),
    lives.undeliverable(world),
    lives.strangers(world),
    lives.outOfStep(world),
  ]);
  await lives.quotedByPostgres(world);
});
afterAll(async () => {
  await people.stop();
  await client.connection.close();
  await database.end();
  await ground.stop();
});

const CHANNELS = {
  'histories, visibility and pages of workflows': () => readTemporal(client),
  'every table, as backups without the keys have them': () => readTables(database),
  'a backup of the data': () => readBackup(database, ground.described.databaseUrl, 'data'),
  'what API and worker write on standard output, with all that they have to say': () =>
    readLogs(ground.directory),
  'errors, redirects, headers, and what the operator reads': async () => people.heard,
  'mails to the operator': async () =>
    ground.mail.received
      .filter(({ to }) => to === OPERATOR)
      .map(({ raw }) => ({ where: 'a mail to the operator', text: raw })),
  'webhooks to the operator': async () => [
    {
      where: 'a webhook to the operator',
      text: await (await fetch(`${ground.described.alerts}/alerts`)).text(),
    },
  ],
  "partners' events": async () => [
    { where: 'GET /events', text: (await people.partner('GET', '/events?limit=100')).text },
  ],
  'addresses that clinics and the telephone service log': async () =>
    [...ground.clinics, ground.phone].flatMap(({ asked }) =>
      asked.map((text) => ({ where: 'an address that was asked for', text })),
    ),
  'spans of all processes': async () => [
    {
      where: 'a span',
      // what is on its way goes at the latest after five seconds
      text: await eventually(
        async () => {
          const text = await (await fetch(`${ground.described.traces}/received`)).text();
          return text.includes('activity transferBooking') && text.includes('case recall') && text;
        },
        { what: 'spans of whole lives' },
      ),
    },
  ],
  'metrics of all processes': () => readMetrics(ground.described.metrics),
  'what health checks say': async () => [
    { where: 'GET /health/ready', text: (await people.call('GET', '/health/ready')).text },
  ],
} satisfies Readonly<Record<string, () => Promise<readonly Reading[]>>>;
type Channel = keyof typeof CHANNELS;

const tracesIn = (readings: readonly Reading[]): string[] =>
  readings.flatMap(({ where, text }) => {
    const found = search(text);
    if (found === null) return [];
    const at = Math.max(0, text.indexOf(found) - 150);
    return [`${found} in ${where}: ${text.slice(at, at + 300)}`];
  });

describe('nobody is found', () => {
  it.each(Object.keys(CHANNELS) as Channel[])('in %s', async (channel) => {
    const readings = await CHANNELS[channel]();
    expect(readings.length).toBeGreaterThan(0);
    expect(tracesIn(readings)).toEqual([]);
  });
});

describe(`a case that was booked, and erased in the end (backups by ${BACKUP})`, () => {
  const texts = (readings: readonly Reading[]) => readings.map(({ text }) => text).join('\n');

  it('tells of nobody in the last backup that has it, which opens by its key alone', async () => {
    const { id, kept, before } = erased;
    const data = texts(before.data);
    expect(data).toContain(id);
    expect(data).toContain(kept.sealed.toString('hex'));
    expect(data).not.toContain(kept.wrapped);
    expect(tracesIn([...before.data, ...before.keys])).toEqual([]);
    expect(texts(before.keys)).toContain(kept.wrapped);
    const row = { case_key: `${id} ${kept.wrapped}`, 'sealed:cases.sealed': kept.sealed };
    expect(await openRow(database.keys, row)).toMatchObject({ patient_last_name: MARKS.lastName });
  });

  it('has neither its key nor what was sealed by it in any backup from then on', async () => {
    const { id, kept } = erased;
    const { databaseUrl } = ground.described;
    const [data, keys] = await Promise.all(
      (['data', 'keys'] as const).map(async (of) => texts(await readBackup(database, databaseUrl, of))),
    );
    expect(data).toContain(id);
    expect(data).not.toContain(kept.sealed.toString('hex'));
    expect(keys).not.toContain(kept.wrapped);
  });
});

describe('each line of the log', () => {
  interface Line {
    readonly msg: string;
    readonly level: number;
    readonly route?: string;
    readonly failure?: { readonly type?: string };
  }
  let lines: Record<'api' | 'worker' | 'operator-api', Line[]>;
  beforeAll(async () => {
    const [api = [], worker = [], operatorApi = []] = (await readLogs(ground.directory)).map(({ text }) =>
      // what is no JSON fails here
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line),
    );
    lines = { api, worker, 'operator-api': operatorApi };
  });

  it('says of a failed step whose it was, at which attempt, and how it failed', () => {
    const failed = lines.worker.filter(({ msg, failure }) => msg === 'Activity failed' && failure);
    expect(failed.length).toBeGreaterThan(0);
    for (const line of failed)
      expect(line).toMatchObject({
        workflowId: expect.stringMatching(/^case-|reconcile|watch/),
        activityType: expect.any(String),
        attempt: expect.any(Number),
        failure: { type: expect.any(String) },
      });
    expect(failed.map(({ failure }) => failure?.type)).toContain('ProviderUnavailable');
  });

  it('says of a request which case and whose it was; a probe is told at debug', () => {
    const about = lines.api.filter(({ route }) => /:caseId/.test(route ?? ''));
    expect(about.length).toBeGreaterThan(0);
    expect(about.filter((line) => 'caseId' in line && 'partnerId' in line).length).toBeGreaterThan(0);
    const probes = lines.api.filter(({ route }) => route?.startsWith('/health/'));
    expect(new Set(probes.map(({ level }) => level))).toEqual(new Set([20]));
  });
});

describe('a metric', () => {
  it('has labels that are known, with values that are words of ours; Temporal’s own are there', async () => {
    // measured every half a minute
    const text = await eventually(
      async () => {
        const all = (await readMetrics(ground.described.metrics)).map((one) => one.text).join('\n');
        return all.includes('booking_attention{') && all;
      },
      { what: 'what needs an operator is told', withinMs: 60_000, everyMs: 500 },
    );
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const labels = samples.flatMap((line) => [...line.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]);
    expect(labels.map(([, name]) => name).filter((name) => !LABELS.has(name ?? ''))).toEqual([]);
    for (const [, , value] of labels) {
      expect(value).toMatch(/^[\w:/.+ -]{0,80}$/);
      // an id of a case or a booking
      expect(value).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    }
    expect(samples.length).toBeLessThan(20_000);
    const names = samples.map((line) => /^\w+/.exec(line)?.[0].replace(/_(bucket|sum|count)$/, ''));
    expect(names).toEqual(expect.arrayContaining([...TEMPORAL_METRICS]));
    expect(samples).toContain('booking_current_version_workers 1');
  });
});

describe('whoever is let out is found', () => {
  /** A workflow that no worker takes. */
  const stray = (more: Partial<WorkflowStartOptions>) =>
    client.workflow.start(WORKFLOW_TYPE, {
      workflowId: `stray-${randomUUID()}`,
      taskQueue: 'nobody',
      args: [],
      ...more,
    });
  const temporal = 'histories, visibility and pages of workflows';
  const tables = 'every table, as backups without the keys have them';
  const LEAKS: Readonly<Record<string, readonly [Channel, (mark: string) => Promise<unknown>]>> = {
    'a payload': [temporal, (mark) => stray({ args: [{ deep: { note: mark } }] })],
    'a memo': [temporal, (mark) => stray({ memo: { note: mark } })],
    'a search attribute': [
      temporal,
      (mark) => stray({ typedSearchAttributes: [{ key: searchAttributes.partnerCaseId, value: mark }] }),
    ],
    'a summary': [temporal, (mark) => stray({ staticSummary: mark })],
    'the details on a page': [temporal, (mark) => stray({ staticDetails: `# ${mark}` })],
    'the reason of an end': [temporal, async (mark) => (await stray({})).terminate(mark)],
    'a finding at a clinic': [
      tables,
      (mark) =>
        database.query(sql.type(nothing)`
          INSERT INTO provider_findings VALUES ('nordlys', 'malformed', ${mark}, 1, now(), now())`),
    ],
    "a case's own state": [
      tables,
      (mark) =>
        database.query(sql.type(nothing)`
          UPDATE cases SET state = state || jsonb_build_object('note', ${mark}::text)
          WHERE id = (SELECT id FROM cases LIMIT 1)`),
    ],
    'what is written of a case, in a backup': [
      'a backup of the data',
      (mark) =>
        database.query(sql.type(nothing)`
          UPDATE case_texts SET sealed = convert_to(${mark}, 'UTF8') WHERE id = (SELECT id FROM case_texts LIMIT 1)`),
    ],
    'an event': [
      "partners' events",
      (mark) =>
        database.query(sql.type(nothing)`
          UPDATE events SET data = jsonb_build_object('status', ${mark}::text) WHERE number = 1`),
    ],
    'a log': [
      'what API and worker write on standard output, with all that they have to say',
      (mark) => appendFile(`${ground.directory}/logs/worker.log`, `${JSON.stringify({ err: mark })}\n`),
    ],
    'a mail': [
      'mails to the operator',
      async (mark) => {
        const mail = createTransport({ url: ground.mail.smtpUrl });
        await mail.sendMail({ from: 'us@timebestilling.example', to: OPERATOR, text: `Kjære ${mark}` });
        mail.close();
      },
    ],
    'a webhook': [
      'webhooks to the operator',
      (mark) =>
        database.query(sql.type(nothing)`
          INSERT INTO alerts (channel, kind, cause, since, waiting, answer)
          VALUES ('webhook', 'message_stuck', 'email', now(), 1, ${mark})`),
    ],
    'a span': [
      'spans of all processes',
      (mark) =>
        fetch(`${ground.described.traces}/v1/traces`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ resourceSpans: [], note: mark }),
        }),
    ],
    'an address': [
      'addresses that clinics and the telephone service log',
      (mark) => fetch(`${ground.phone.url}/?to=${encodeURIComponent(mark)}`),
    ],
  };

  it.each(Object.entries(LEAKS))('by %s', async (_, [channel, leak]) => {
    const before = tracesIn(await CHANNELS[channel]());
    await leak(MARKS.firstName);
    // visibility lags, and standard output is written by another process
    await eventually(async () => tracesIn(await CHANNELS[channel]()).length > before.length);
  });

  it('by an error, a header or a redirect', async () => {
    const { call, heard } = createListener(ground.registry.url);
    ground.registry.failsWith({ status: 404 });
    await call('POST', '/fhir', { name: MARKS.lastName });
    expect(tracesIn(heard).map((trace) => trace.replace(/:.*/s, ''))).toEqual([
      'kanari in the headers of POST /fhir',
      'kanari in the error of POST /fhir',
    ]);
  });
});
