import { sql } from 'slonik';
import { z } from 'zod';
import { nothing } from './case-row.ts';
import type { Queries } from './database.ts';

/** What is to be counted. */
export interface Hits {
  /** A keyed hash: nothing about a person can be read from it. */
  readonly key: Buffer;
  readonly add: number;
  /** What the count begins with where there is none: `add`, and what whoever counts knows of besides. */
  readonly total: number;
  /** How long the window lasts then (milliseconds). */
  readonly lastsMs: number;
}

export interface Count {
  readonly hits: number;
  /** How long the window goes on (milliseconds). Not until when: the clocks of two machines differ. */
  readonly lastsMs: number;
}

const countRow = z.object({ hits: z.number(), lasts_ms: z.number() });

/** Adds to a count, or begins the next one where its window has ended: one row, one statement, however many count. */
export async function addHits(queries: Queries, { key, add, total, lastsMs }: Hits): Promise<Count> {
  const row = await queries.one(sql.type(countRow)`
    INSERT INTO rate_counts AS c (key, hits, expires_at)
    VALUES (${sql.binary(key)}, ${total}, now() + ${lastsMs} * interval '1 millisecond')
    ON CONFLICT (key) DO UPDATE SET
      hits = CASE WHEN c.expires_at > now() THEN c.hits + ${add} ELSE excluded.hits END,
      expires_at = CASE WHEN c.expires_at > now() THEN c.expires_at ELSE excluded.expires_at END
    RETURNING hits, floor(extract(epoch FROM expires_at - now()) * 1000)::int AS lasts_ms`);
  return { hits: row.hits, lastsMs: row.lasts_ms };
}

const AT_ONCE = 5_000;

/** Deletes counts whose window has ended, those that somebody is at excepted. @returns whether there may be more */
export async function deleteExpired(queries: Queries): Promise<boolean> {
  const { rowCount } = await queries.query(sql.type(nothing)`
    DELETE FROM rate_counts WHERE key = ANY (ARRAY (
      SELECT key FROM rate_counts WHERE expires_at <= now()
      ORDER BY expires_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED))`);
  return rowCount === AT_ONCE;
}
