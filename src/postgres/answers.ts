import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Queries } from './database.ts';

/** Whoever asks has a patience of his own, often of some seconds. */
const WITHIN = 2_000;

/** Whether PostgreSQL answers now. One that says nothing is as good as none. */
export async function answers(queries: Queries): Promise<boolean> {
  const patience = new AbortController();
  const silent = delay(WITHIN, false, { signal: patience.signal }).catch(() => false);
  const answer = queries.oneFirst(sql.type(z.object({ one: z.number() }))`SELECT 1 AS one`).then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answer, silent]);
  } finally {
    patience.abort();
  }
}
