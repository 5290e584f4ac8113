import { sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId } from '../src/domain/ids.ts';
import { asRole } from '../dev/postgres/server.ts';
import { type AccessEntry, createAccessLog } from '../src/postgres/access-log.ts';
import { type Database, openDatabase } from '../src/postgres/database.ts';
import { loadManyCases } from '../test/support/many-cases.ts';
import { row, steadily, timesAsLong, type Measured } from './measure.ts';
import { healthCheck, newPartner, onStack } from './on-stack.ts';

const CASES = 100_000;
const A_SECOND = 100;
const SECONDS = 20;
const PARTNERS = 5;
/** 20 keys in all, none of which gets near its 500 a minute. */
const KEYS_EACH = 4;
/** How many of a partner's cases are looked up. */
const LOOKED_UP = 500;
const LISTED = 100;
/** Processes that add to the access log's one chain at the same time, four times as often together. */
const WRITERS = 8;

interface Reader {
  readonly key: string;
  readonly ids: readonly string[];
  /** Places in the list, from the newest to the oldest. */
  readonly cursors: readonly string[];
}

/** Reads of a partner's among 100,000 cases, 100 a second of each kind, one kind after the other. */
export const read = (): Promise<Measured> =>
  onStack(async ({ api, web, database, databaseUrl, progress }) => {
    const writers = await Promise.all(
      Array.from({ length: WRITERS }, () => openDatabase(asRole(databaseUrl, 'booking_api'))),
    );
    const notes = writers.map((writer) => createAccessLog(writer, 'api', () => undefined));
    const partners = await Promise.all(
      Array.from({ length: PARTNERS }, (_, i) => newPartner(database, i, KEYS_EACH)),
    );
    await progress(`${CASES.toLocaleString('en')} cases`, () =>
      loadManyCases(database, { count: CASES, partners: partners.map(({ id }) => id) }),
    );

    const get = async (path: string, key: string): Promise<Answer> => {
      const response = await fetch(api + path, { headers: { 'x-api-key': key } });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
      // a page is not parsed: that would be the caller's time
      return { text, json: () => JSON.parse(text) as ReturnType<Answer['json']> };
    };
    const readers = await Promise.all(
      partners.flatMap(({ id, keys }) =>
        keys.map(async (key): Promise<Reader> => {
          const [ids, cursors] = await Promise.all([someCases(database, id), places(get, key)]);
          return { key, ids, cursors };
        }),
      ),
    );
    const by = (work: (reader: Reader, i: number) => Promise<unknown>) => (i: number) =>
      work(readers[i % readers.length] as Reader, i);
    const list = async (query: string, { key }: Reader) => get(`/cases?limit=${LISTED}${query}`, key);
    await database.query(sql.type(z.object({}))`CREATE TABLE commits (i bigint)`);
    const kinds = {
      health: () => healthCheck(web),
      commit: (i: number) => database.query(sql.type(z.object({}))`INSERT INTO commits VALUES (${i})`),
      entry: by((reader, i) => notes[0]?.(entryOf(reader, i)) ?? Promise.reject(new Error('no log'))),
      look: by(
        (reader, i) =>
          notes[0]?.({ ...entryOf(reader, i), commit: 'soon' }) ?? Promise.reject(new Error('no log')),
      ),
      entries: by(
        (reader, i) =>
          notes[i % WRITERS]?.({ ...entryOf(reader, i), commit: 'soon' }) ??
          Promise.reject(new Error('no log')),
      ),
      one: by(({ key, ids }, i) => get(`/cases/${ids[(i * 7) % ids.length] ?? ''}`, key)),
      newest: by((reader) => list('', reader)),
      filtered: by((reader, i) => list(FILTERS[i % FILTERS.length] ?? '', reader)),
      anywhere: by((reader, i) => list(`&cursor=${reader.cursors[i % reader.cursors.length] ?? ''}`, reader)),
      feed: by(({ key }) => get(`/events?limit=${LISTED}`, key)),
    };
    const measure = async (seconds: number) => ({
      health: await steadily(seconds, A_SECOND, kinds.health),
      commit: await steadily(seconds, A_SECOND, kinds.commit),
      entry: await steadily(seconds, A_SECOND, kinds.entry),
      look: await steadily(seconds, A_SECOND, kinds.look),
      entries: await steadily(seconds, 4 * A_SECOND, kinds.entries),
      one: await steadily(seconds, A_SECOND, kinds.one),
      newest: await steadily(seconds, A_SECOND, kinds.newest),
      filtered: await steadily(seconds, A_SECOND, kinds.filtered),
      anywhere: await steadily(seconds, A_SECOND, kinds.anywhere),
      feed: await steadily(seconds, A_SECOND, kinds.feed),
    });
    await progress('warm-up', () => measure(3));
    const times = await measure(SECONDS);
    await Promise.all(writers.map((writer) => writer.end()));

    return {
      rows: [
        row('health check (baseline)', times.health),
        row('the least that is written durably', times.commit),
        row('an entry in the access log, of a change', times.entry),
        row('of a look', times.look, { median: 1 }),
        row(`the same by ${WRITERS} processes, 400 a second`, times.entries, { median: 1 }),
        row('one case', times.one, { median: 5 }),
        row(`${LISTED} cases, the newest`, times.newest, { median: 20 }),
        row(`${LISTED} cases, by a filter`, times.filtered, { median: 20 }),
        row(`${LISTED} cases, from anywhere`, times.anywhere, { median: 20 }),
        row(`${LISTED} events`, times.feed, { median: 20 }),
      ],
      notes: [
        timesAsLong(['an entry of a change', times.entry], ['the least write', times.commit]),
        timesAsLong(['an entry of a look', times.look], ['reading a case', times.one]),
        timesAsLong(
          [`an entry of a look beside ${WRITERS - 1} other processes`, times.entries],
          ['one alone', times.look],
        ),
        timesAsLong(['reading a case', times.one], ['a health check', times.health]),
        timesAsLong([`a list of ${LISTED}`, times.newest], ['reading a case', times.one]),
      ],
    };
  });

const entryOf = ({ key, ids }: Reader, i: number): AccessEntry => ({
  ...{ who: 'partner_key' as const, whoId: key.slice(0, 12), partnerId: 'bench-0' },
  ...{ action: 'getCase', outcome: 'done', caseIds: [ids[(i * 7) % ids.length] ?? ''] },
  ...{ address: '203.0.113.7', requestId: crypto.randomUUID() },
});

interface Answer {
  readonly text: string;
  readonly json: () => { readonly data: readonly unknown[]; readonly nextCursor: string | null };
}

/** Each lets through 100 and more. */
const FILTERS = [
  '&status=archived',
  '&status=pending_patient_action&status=assistance_requested&status=error',
  '&status=booked&treatmentType=psychology',
  '&treatmentType=physiotherapy',
  '&createdFrom=2000-01-01&createdTo=2100-01-01',
  '&updatedSince=2000-01-01',
];

const someCases = (database: Database, partnerId: PartnerId): Promise<readonly string[]> =>
  database.anyFirst(sql.type(z.object({ id: z.string() }))`
    SELECT id FROM cases WHERE partner_id = ${partnerId} ORDER BY md5(id::text) LIMIT ${LOOKED_UP}`);

/** Where every tenth page of the list ends. */
async function places(get: (path: string, key: string) => Promise<Answer>, key: string): Promise<string[]> {
  const cursors: string[] = [];
  let cursor: string | null = '';
  for (let page = 1; cursor !== null; page += 1) {
    const query: string = cursor && `&cursor=${cursor}`;
    const { data, nextCursor } = (await get(`/cases?limit=${LISTED}${query}`, key)).json();
    if (data.length < LISTED && nextCursor) throw new Error('a page in the middle is not full');
    cursor = nextCursor;
    if (cursor && page % 10 === 0) cursors.push(cursor);
  }
  return cursors;
}
