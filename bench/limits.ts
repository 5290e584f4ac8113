import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import express from 'express';
import { createLimits } from '../src/http/limits.ts';
import { serve } from '../src/http/serve.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { openRateCounter } from '../src/postgres/rate-counter.ts';
import { pickPort } from '../src/sandbox/ports.ts';
import { startPostgres } from '../src/sandbox/postgres.ts';

/**
 * What counting adds to a request (contract §5): the same empty answer with and without a limit in front of it, in
 * turn, on a durable PostgreSQL of its own; then with one busy key, and with PostgreSQL stopped. Prints a table.
 */
const A_SECOND = 100;
const SECONDS = 20;
/** Enough for none to reach its 500 a minute. */
const KEYS = 20;

const directory = await mkdtemp(join(tmpdir(), 'treatment-booking-bench-limits-'));
const postgres = await startPostgres({
  dataDir: join(directory, 'data'),
  port: (await pickPort()).port,
  log: () => undefined,
});
await migrate(postgres.url);
const away = Promise.withResolvers<unknown>();
const counter = await openRateCounter(postgres.url, { onAway: away.resolve, onBack: () => undefined });
const limits = createLimits({ counter, secret: 'a secret of the benchmark' });
const app = express();
app.get('/free', (_req, res) => {
  res.json({});
});
app.get('/counted/:key', async (req, res) => {
  await limits.authenticated(req, res, req.params.key);
  res.json({});
});
const serving = await serve(app, { host: '127.0.0.1', port: 0 });

try {
  await inTurn('warm-up', 2);
  const { free, counted } = await inTurn('key', SECONDS);
  const busy = await atOnce(50, 8, '/counted/busy');
  await postgres.stop();
  await Promise.all([away.promise, call('/counted/first')]);
  const without = await inTurn('away', 3);
  const added = median(counted) - median(free);
  console.table([
    row('without a limit', free),
    row('counted in PostgreSQL', counted),
    row('counted, one key 50 at once', busy),
    row('counted, PostgreSQL away', without.counted),
  ]);
  console.log(
    `counting adds ${added.toFixed(2)} ms (medians; goal < 2): ${added < 2 ? 'met' : 'missed'}; ` +
      `while PostgreSQL is away ${(median(without.counted) - median(without.free)).toFixed(2)} ms`,
  );
} finally {
  await serving.stop();
  await counter.close();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}

/** Both kinds by turns at a steady pace, so that what else this machine does falls on both. */
async function inTurn(name: string, seconds: number): Promise<{ free: number[]; counted: number[] }> {
  const times = { free: [] as number[], counted: [] as number[] };
  const begun = performance.now();
  const all = Array.from({ length: seconds * A_SECOND }, async (_, i) => {
    await delay(Math.max(0, (i * 1_000) / A_SECOND - (performance.now() - begun)));
    times.free.push(await call('/free'));
    times.counted.push(await call(`/counted/${name}-${i % KEYS}`));
  });
  await Promise.all(all);
  return times;
}

async function atOnce(count: number, rounds: number, path: string): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < rounds; i += 1)
    times.push(...(await Promise.all(Array.from({ length: count }, () => call(path)))));
  return times;
}

/** @returns how long it took, in milliseconds */
async function call(path: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(`http://127.0.0.1:${serving.port}${path}`);
  await response.text();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return performance.now() - start;
}

function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? Number.NaN;
}

function median(values: readonly number[]): number {
  return percentile(values, 50);
}

function row(what: string, values: readonly number[]) {
  const round = (ms: number) => Math.round(ms * 100) / 100;
  return {
    what,
    n: values.length,
    'median ms': round(median(values)),
    '99 % ms': round(percentile(values, 99)),
  };
}
