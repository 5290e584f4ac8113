import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { BookingId, ProviderId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import {
  addFindings,
  createFindings,
  deleteOldFindings,
  listFindings,
} from '../../src/postgres/provider-findings.ts';
import {
  createWatchRepository,
  findProvider,
  noteCircuit,
  saveProvider,
} from '../../src/postgres/providers.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

let providers = 0;

describe('when providers were watched', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(await createTestDatabase());
  });
  afterAll(() => database.end());

  it('is kept with what the clinic answered where it failed since', async () => {
    const id = 'nordlys' as ProviderId;
    const connection = { auth: 'none' } as const;
    const base = { id, name: 'Nordlys', kind: 'fhir', base_url: 'https://fhir.example', connection };
    await saveProvider(database, { ...base, treatments: [] });
    const watches = createWatchRepository(database);
    const kept = () =>
      database.one(sql.type(z.object({ isToday: z.boolean(), answer: z.string().nullable() }))`
        SELECT watched_at > now() - interval '1 day' AS "isToday", unwatched_answer AS answer FROM providers WHERE id = ${id}`);
    await database.query(
      sql.type(z.object({}))`UPDATE providers SET watched_at = '2026-01-01' WHERE id = ${id}`,
    );
    await watches.unwatched(id, 'FHIR GET Appointment: HTTP 503');
    await saveProvider(database, { ...base, name: 'Nordlys Helse', treatments: [] });
    expect(await kept()).toEqual({ isToday: false, answer: 'FHIR GET Appointment: HTTP 503' });
    await noteCircuit(database, id, 'FHIR GET Slot: HTTP 503');
    const place = { ends: instant('2026-03-01T10:00:00.000Z'), bookingId: randomUUID() as BookingId };
    await watches.watchedUntil(id, place);
    expect(await watches.place(id)).toEqual(place);
    await watches.watched(id);
    expect(await watches.place(id)).toBeNull();
    expect(await kept()).toEqual({ isToday: true, answer: null });
    expect(await findProvider(database, id)).toMatchObject({ circuit_open_since: null });
  });
});

describe('what was found at providers', () => {
  let databaseUrl: string;
  let database: Database;
  beforeAll(async () => {
    databaseUrl = await createTestDatabase();
    database = await openDatabase(databaseUrl);
  });
  afterAll(() => database.end());

  const newProvider = () => `clinic-${(providers += 1)}` as ProviderId;
  const fail = (error: unknown) => {
    throw error;
  };
  const shown = async (providerId: ProviderId) =>
    (await listFindings(database, providerId)).map(({ kind, about, count }) => [kind, about, count]);

  it('is counted by kind, and by what it was about', async () => {
    const providerId = newProvider();
    await addFindings(database, [
      { providerId, kind: 'malformed', about: 'Slot', count: 3 },
      { providerId, kind: 'malformed', about: 'Slot' },
      { providerId, kind: 'malformed', about: 'Appointment' },
    ]);
    await addFindings(database, [{ providerId, kind: 'malformed', about: 'Slot' }]);
    expect(new Set(await shown(providerId))).toEqual(
      new Set([
        ['malformed', 'Slot', 5],
        ['malformed', 'Appointment', 1],
      ]),
    );
  });

  it('says when it was first and last seen', async () => {
    const providerId = newProvider();
    await addFindings(database, [{ providerId, kind: 'unreachable' }]);
    await database.query(sql.type(z.object({}))`
      UPDATE provider_findings SET first_seen = '2026-01-01T00:00Z', last_seen = '2026-01-01T00:00Z'
      WHERE provider_id = ${providerId}`);
    await addFindings(database, [{ providerId, kind: 'unreachable' }]);
    const [finding] = await listFindings(database, providerId);
    expect(finding?.first_seen).toBe('2026-01-01T00:00:00.000Z');
    expect(Date.now() - Date.parse(finding?.last_seen ?? '')).toBeLessThan(60_000);
  });

  it('is gathered in memory and written after a moment, and what is left at the end', async () => {
    const providerId = newProvider();
    const findings = createFindings(database, fail, 20);
    for (let i = 0; i < 10; i += 1) findings.note({ providerId, kind: 'unreachable', about: 'search' });
    await eventually(async () => (await shown(providerId)).length > 0);
    findings.note({ providerId, kind: 'not_free' });
    await findings.close();
    expect(new Set(await shown(providerId))).toEqual(
      new Set([
        ['unreachable', 'search', 10],
        ['not_free', '', 1],
      ]),
    );
  });

  it('is kept while PostgreSQL is away', async () => {
    const providerId = newProvider();
    const elsewhere = await openDatabase(databaseUrl);
    await elsewhere.end();
    const failures: unknown[] = [];
    let queries = elsewhere;
    const findings = createFindings(
      { query: (query: Parameters<Database['query']>[0]) => queries.query(query) } as Database,
      (error) => failures.push(error),
      20,
    );
    findings.note({ providerId, kind: 'unreachable' });
    await eventually(() => failures.length > 0);
    queries = database;
    await eventually(async () => (await shown(providerId)).length > 0);
    await findings.close();
    expect(await shown(providerId)).toEqual([['unreachable', '', 1]]);
  });

  it('is deleted when it was not seen again for 30 days', async () => {
    const [old, recent] = [newProvider(), newProvider()];
    await addFindings(
      database,
      [old, recent].map((providerId) => ({ providerId, kind: 'unreachable' })),
    );
    const age = (providerId: ProviderId, days: number) =>
      database.query(sql.type(z.object({}))`
        UPDATE provider_findings SET last_seen = now() - make_interval(days => ${days})
        WHERE provider_id = ${providerId}`);
    await age(old, 31);
    await age(recent, 29);
    await deleteOldFindings(database);
    expect([await shown(old), await shown(recent)]).toEqual([[], [['unreachable', '', 1]]]);
  });
});
