import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import express from 'express';
import type { Express } from 'express';
import { pickPort } from '../dev/ports.ts';
import { startPostgres } from '../dev/postgres/server.ts';
import { createLimits } from '../src/http/limits.ts';
import { serve } from '../src/http/serve.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { createRateCounter, type RateCounter } from '../src/postgres/rate-limits.ts';
import { type Measured, median, row, timeOf } from './measure.ts';

const A_SECOND = 100;
const SECONDS = 20;
/** Enough for none to reach its 500 a minute. */
const KEYS = 20;
/** Milliseconds: docs/decisions/0020-rate-limits-in-postgresql.md. */
const MAY_ADD = 2;

/**
 * What counting adds to a request (contract §5): the same empty answer with and without a limit in front of it, in
 * turn, on a durable PostgreSQL of its own; then with one busy key, and with PostgreSQL stopped.
 */
export async function limits(): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), 'treatment-booking-bench-limits-'));
  const postgres = await startPostgres({
    dataDir: join(directory, 'data'),
    port: (await pickPort()).port,
    log: () => undefined,
  });
  await migrate(postgres.url);
  const away = Promise.withResolvers<unknown>();
  const counter = await createRateCounter(postgres.url, {
    onUnavailable: away.resolve,
    onAvailable: () => undefined,
  });
  const serving = await serve(answering(counter), { host: '127.0.0.1', port: 0 });
  const call = (path: string) => timeOf(() => get(`http://127.0.0.1:${serving.port}${path}`));
  try {
    await inTurn(call, 'warm-up', 2);
    const { free, counted } = await inTurn(call, 'key', SECONDS);
    const busy = await atOnce(50, 8, () => call('/counted/busy'));
    await postgres.stop();
    await Promise.all([away.promise, call('/counted/first')]);
    const without = await inTurn(call, 'away', 3);
    const added = median(counted) - median(free);
    const addedAway = median(without.counted) - median(without.free);
    return {
      rows: [
        row('without a limit', free),
        row('counted in PostgreSQL', counted, { median: median(free) + MAY_ADD }),
        row('counted, one key 50 at once', busy),
        row('counted, PostgreSQL away', without.counted),
      ],
      notes: [
        `counting adds ${added.toFixed(2)} ms (medians); while PostgreSQL is away ${addedAway.toFixed(2)} ms`,
      ],
    };
  } finally {
    await serving.stop();
    await counter.close();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

function answering(counter: RateCounter): Express {
  const { authenticated } = createLimits({ counter, secret: 'a secret of the benchmark' });
  const app = express();
  app.get('/free', (_req, res) => {
    res.json({});
  });
  app.get('/counted/:key', async (req, res) => {
    await authenticated(req, res, req.params.key);
    res.json({});
  });
  return app;
}

async function get(url: string): Promise<void> {
  const response = await fetch(url);
  await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
}

/** A call. @returns how long it took, in milliseconds */
type Call = (path: string) => Promise<number>;

/** Both kinds by turns at a steady pace, so that what else this machine does falls on both. */
async function inTurn(
  call: Call,
  name: string,
  seconds: number,
): Promise<{ free: number[]; counted: number[] }> {
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

async function atOnce(count: number, rounds: number, call: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < rounds; i += 1) times.push(...(await Promise.all(Array.from({ length: count }, call))));
  return times;
}
