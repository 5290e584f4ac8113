import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId } from '../src/domain/ids.ts';
import { hashOfKey, issueKey } from '../src/keys/api-key.ts';
import { addKey } from '../src/postgres/api-keys.ts';
import { savePartner } from '../src/postgres/catalogue.ts';
import { openDatabase, type Database } from '../src/postgres/database.ts';
import { createProgress } from '../src/sandbox/progress.ts';
import { startStack } from '../src/sandbox/stack.ts';
import { logIn } from '../test/stories/log-in.ts';
import { openBrowser } from '../test/support/browser.ts';
import { inDays } from '../test/stories/world.ts';

/**
 * The spine's promises about time, measured on a whole stack on this machine: creates at a steady pace over several
 * partners, how soon their workflows are started, and confirms. Prints a table, and writes it to .dev/bench.json.
 */
const CREATES_A_SECOND = 20;
const SECONDS = 30;
const PARTNERS = 6;
/** Fewer than the 50 logins that one address has in 15 minutes. */
const CUSTOMERS = 30;

const directory = await mkdtemp(join(tmpdir(), 'treatment-booking-bench-'));
const stack = await startStack({
  directory,
  usualPorts: false,
  progress: createProgress((text) => process.stdout.write(text)),
  onEnded: (name, why) => {
    throw new Error(`the ${name} ended: ${why}`);
  },
});
const { api, web, databaseUrl } = stack.description;
const database = await openDatabase(databaseUrl);

try {
  const keys = await Promise.all(Array.from({ length: PARTNERS }, (_, i) => newPartner(database, i)));
  await steadily(5, 20, (i) => create(keys, i));
  await steadily(5, 20, () => health());
  const baseline = await steadily(SECONDS / 3, CREATES_A_SECOND, () => health());
  const creates = await steadily(SECONDS, CREATES_A_SECOND, (i) => create(keys, i));
  await untilAtRest(database);
  const starts = await startDelays(database);
  const confirms = await customers(keys);

  const rows = [
    row('health check (baseline)', baseline),
    row('create answered', creates, { median: 15 }),
    row('workflow started after', starts, { median: 2_000, p99: 2_000 }),
    row('confirm answered', confirms, { median: 1_000, p99: 1_000 }),
  ];
  console.table(rows);
  const ratio = percentile(creates, 50) / percentile(baseline, 50);
  console.log(
    `a create takes ${ratio.toFixed(1)} times as long as a health check (medians, same stack, same run)`,
  );
  await writeFile('.dev/bench.json', JSON.stringify({ rows, createToHealth: ratio }, null, 2)).catch(
    () => undefined,
  );
} finally {
  await database.end();
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
}

/** Starts so many a second, whether or not the ones before are answered. @returns how long each took, in milliseconds */
async function steadily(
  seconds: number,
  perSecond: number,
  work: (i: number) => Promise<unknown>,
): Promise<number[]> {
  const begun = performance.now();
  const all = Array.from({ length: seconds * perSecond }, async (_, i) => {
    await delay(Math.max(0, (i * 1_000) / perSecond - (performance.now() - begun)));
    const start = performance.now();
    await work(i);
    return performance.now() - start;
  });
  return Promise.all(all);
}

async function newPartner(on: Database, i: number): Promise<string> {
  const key = issueKey('test');
  const id = `bench-${i}` as PartnerId;
  await savePartner(on, { id, name: `Bench ${i}` });
  await addKey(on, { partnerId: id, name: 'bench', keyHash: hashOfKey(key) });
  return key;
}

async function create(keys: readonly string[], i: number): Promise<{ id: string; bookingUrl: string }> {
  const response = await fetch(`${api}/cases`, {
    method: 'POST',
    headers: { 'x-api-key': keys[i % keys.length] ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({
      partnerCaseId: crypto.randomUUID(),
      patientFirstName: 'Kari',
      patientLastName: 'Nordmann',
      patientEmail: 'kari.nordmann@example.com',
      patientPhone: '+4790000000',
      injuryDate: '2026-10-01',
      injuryDescription: 'Fall on ice',
      treatmentType: 'psychology',
      bookingDeadline: inDays(20),
    }),
  });
  if (response.status !== 201)
    throw new Error(`create answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as { id: string; bookingUrl: string };
}

async function health(): Promise<void> {
  await (await fetch(`${web}/health/ready`)).text();
}

/** Until every case is started and has sent its messages, so that what is measured next stands for itself. */
async function untilAtRest(on: Database): Promise<void> {
  const underWay = () =>
    on.oneFirst(sql.type(z.object({ n: z.number() }))`
      SELECT 2 * count(*) - (SELECT count(*) FROM notifications WHERE status = 'sent') AS n FROM cases`);
  while ((await underWay()) > 0) await delay(100);
}

async function startDelays(on: Database): Promise<number[]> {
  const delays = await on.anyFirst(sql.type(z.object({ ms: z.coerce.number() }))`
    SELECT extract(epoch FROM workflow_started_at - created_at) * 1000 AS ms FROM cases`);
  return [...delays];
}

/** Each logs in, looks at the times and confirms one that nobody else wants; the confirm is timed. */
async function customers(keys: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < CUSTOMERS; i++) {
    const { id, bookingUrl } = await create(keys, i);
    const browser = openBrowser();
    await logIn(browser, bookingUrl, { givenName: 'Kari', familyName: 'Nordmann' });
    const { slots } = (await browser.json('GET', `${api}/booking/${id}/availability`)).body;
    const start = performance.now();
    const { status, body } = await browser.json('POST', `${api}/booking/${id}/confirm`, {
      slotId: slots[i].slotId,
    });
    times.push(performance.now() - start);
    if (status !== 200) throw new Error(`confirm answered ${status}: ${JSON.stringify(body)}`);
  }
  return times;
}

function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? Number.NaN;
}

function row(what: string, values: readonly number[], goals: { median?: number; p99?: number } = {}) {
  const median = percentile(values, 50);
  const p99 = percentile(values, 99);
  const met = median <= (goals.median ?? Infinity) && p99 <= (goals.p99 ?? Infinity);
  const goal = [goals.median && `median ≤ ${goals.median}`, goals.p99 && `99 % ≤ ${goals.p99}`]
    .filter(Boolean)
    .join(', ');
  return {
    what,
    n: values.length,
    'median ms': round(median),
    '99 % ms': round(p99),
    goal: goal || '–',
    met: goal ? met : '–',
  };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
