import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import { deadlineOn } from '../../src/calendar/dates.ts';
import { openCase } from '../../src/domain/decide.ts';
import type { CaseId, PartnerId } from '../../src/domain/ids.ts';
import { type CalendarDate, instant } from '../../src/domain/instant.ts';
import { NO_DETAILS } from '../../src/domain/slot.ts';
import type { SealedCase } from '../../src/postgres/case-row.ts';
import type { Database, Queries } from '../../src/postgres/database.ts';
import { type DataKey, newDataKey, seal, searchHash } from '../../src/postgres/sealing.ts';
import { today } from './new-case.ts';

const nothing = z.object({});

/** Also those of which nobody but the service reads. */
export const FILLED: readonly string[] = [
  ...[
    'cases',
    'bookings',
    'slot_claims',
    'notifications',
    'case_texts',
    'persons',
    'case_persons',
    'events',
    'attention',
  ],
  ...['access_log', 'keys.data_keys'],
];

/**
 * Fills the tables, empty before, as if `count` cases had come in over the last `days`, spread over the partners and
 * providers, which must exist: what is older than 90 days is archived mostly, the newest wait for their customers, and
 * each has its messages, events, booking, claim, person, reason, entry in the access log, and who is to look at it. Made by
 * PostgreSQL itself but for what is sealed. No workflow is behind them.
 *
 * @param days up to 90: all are open
 */
export async function loadManyCases(
  database: Database,
  { count, partners, days = 400 }: { count: number; partners: readonly PartnerId[]; days?: number },
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(sql.type(nothing)`SET LOCAL statement_timeout = 0`);
    await tx.query(sql.type(nothing)`SET LOCAL maintenance_work_mem = '256MB'`);
    // what refers to what is right as it is made here; checking it row by row would take longer than all the rest
    await tx.query(sql.type(nothing)`SET LOCAL session_replication_role = replica`);
    await tx.query(sql.type(nothing)`SELECT setseed(0.5)`);
    // made at once, in the end, in a third of the time
    const indexes = await tx.any(sql.type(z.object({ name: z.string(), made: z.string() }))`
      SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS made
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE c.oid = ANY(${sql.array(FILLED, 'text')}::regclass[]) AND c.relkind = 'r'
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)`);
    for (const { name } of indexes) await raw(tx, `DROP INDEX ${name}`);
    const keys = await loadPeople(tx, { count, partners, days });
    await loadCases(tx, { count, partners, days });
    await loadBookings(tx);
    await loadMessages(tx);
    await loadReasons(tx, keys);
    await loadPersons(tx, keys);
    await loadEvents(tx);
    await loadLooks(tx);
    for (const { made } of indexes) await raw(tx, made);
  });
  // the planner has to know the new sizes, and a list the pages that all may see
  for (const table of FILLED) await raw(database, `VACUUM (ANALYZE) ${table}`);
}

const raw = (queries: Queries, statement: string) =>
  queries.query(sql.type(nothing)`${{ ...sql.fragment``, sql: statement }}`);

const CHUNK = 5_000;

/** What is sealed of each case, and by what: made here, since PostgreSQL can not. */
async function loadPeople(
  tx: Queries,
  { count, partners, days }: { count: number; partners: readonly PartnerId[]; days: number },
): Promise<ReadonlyMap<string, DataKey>> {
  await tx.query(sql.type(nothing)`
    CREATE TEMPORARY TABLE people (n integer, id uuid, reference_hash text, sealed text) ON COMMIT DROP`);
  const keys = new Map<string, DataKey>();
  for (let first = 1; first <= count; first += CHUNK) {
    const numbers = Array.from({ length: Math.min(CHUNK, count - first + 1) }, (_, i) => first + i);
    const people = await Promise.all(
      numbers.map(async (n) => {
        const id = randomUUID() as CaseId;
        const key = await newDataKey(tx, id);
        keys.set(id, key);
        const personal: SealedCase = {
          partner_case_id: `TF-${n}`,
          patient_first_name: 'Kari',
          patient_last_name: 'Nordmann',
          patient_email: 'kari@example.com',
          patient_phone: '+4790000000',
          injury_date: today(-Math.round((n / count) * days) - 10) as CalendarDate,
          injury_description: 'Fall on ice, hurts to lift the arm',
        };
        const { data } = seal(key, 'cases.sealed', personal);
        const reference = await searchHash(tx, 'reference', `TF-${n}`);
        return {
          ...{ n, id, wrapped: key.wrapped },
          ...{ reference_hash: reference.toString('hex'), sealed: data.toString('hex') },
        };
      }),
    );
    await tx.query(sql.type(nothing)`
      WITH made AS (
        SELECT * FROM json_to_recordset(${JSON.stringify(people)})
          AS made (n integer, id uuid, reference_hash text, sealed text, wrapped text)
      ), wrapped AS (INSERT INTO keys.data_keys (case_id, partner_id, wrapped)
        SELECT id, (${sql.array(partners, 'text')})[1 + n % ${partners.length}], wrapped FROM made)
      INSERT INTO people SELECT n, id, reference_hash, sealed FROM made`);
  }
  await tx.query(sql.type(nothing)`CREATE INDEX ON people (n)`);
  return keys;
}

/** The older a case, the likelier it is archived; of 1,000 some 3 are in error. Ten at a time came in one instant. */
async function loadCases(
  tx: Queries,
  { count, partners, days }: { count: number; partners: readonly PartnerId[]; days: number },
): Promise<void> {
  const opening = {
    deadline: deadlineOn(today(20) as CalendarDate),
    archiveAfterDays: 30,
    hasAddress: { email: true, sms: true },
  };
  const { state } = openCase(opening, instant(Date.now()));
  await tx.query(sql.type(nothing)`
    WITH drawn AS (
      SELECT n, (${sql.array(partners, 'text')})[1 + n % ${partners.length}] AS partner_id, random() AS luck,
             gen_random_uuid() AS booking_id, gen_random_uuid() AS text_id,
             now() - (n / 10) * (${days} * interval '1 day' / ${count / 10}) AS created_at,
             clinics.ids[1 + n / ${partners.length} % cardinality(clinics.ids)] AS provider_id
      FROM generate_series(1, ${count}) AS n, (SELECT array_agg(id ORDER BY id) AS ids FROM providers) AS clinics
    ), judged AS (
      SELECT *, CASE
          WHEN created_at < now() - interval '90 days' AND luck < 0.95 THEN 'archived'
          WHEN luck < 0.30 THEN 'pending_patient_action'
          WHEN luck < 0.75 THEN 'booked'
          WHEN luck < 0.85 THEN 'recalled'
          WHEN luck < 0.95 THEN 'deadline_expired'
          WHEN luck < 0.997 THEN 'assistance_requested'
          ELSE 'error' END AS status
      FROM drawn
    ), told AS (
      SELECT *, status = 'booked' OR (status = 'archived' AND luck < 0.8) AS has_booking,
             to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS iso
      FROM judged
    )
    INSERT INTO cases (
      id, partner_id, reference_hash, sealed, treatment_type, created_at, updated_at, workflow_started_at, revision, status,
      booking_deadline, booking_id, state
    )
    SELECT id, partner_id, decode(reference_hash, 'hex'), decode(sealed, 'hex'),
           CASE WHEN n % 1000 = 0 THEN 'chiropractic' WHEN n % 2 = 0 THEN 'psychology' ELSE 'physiotherapy' END,
           created_at, created_at + luck * least(now() - created_at, interval '60 days'), created_at, 5, status,
           created_at::date + 20, CASE WHEN has_booking THEN booking_id END,
           ${sql.jsonb(state as never)} || jsonb_build_object('status', status)
             || CASE WHEN status = 'booked' THEN jsonb_build_object('waitlist', NULL) ELSE '{}' END
             || CASE WHEN has_booking THEN jsonb_build_object('bookingId', booking_id, 'bookings', jsonb_build_array(
                  jsonb_build_object('bookingId', booking_id, 'providerId', provider_id,
                    'slot', 'slot-' || n, 'practitionerId', 'fjellrev', 'start', iso, 'end', iso, 'confirmedAt', iso,
                    'transferredAt', iso, 'providerReference', 'A-' || n, 'reminder', NULL, 'abandonedBy', NULL, 'unverified', false, 'formerly', '[]'::jsonb, 'overlaps', false, 'doubleBooked', false)))
                ELSE '{}' END
             || CASE status
                  WHEN 'recalled' THEN jsonb_build_object('endedAt', iso,
                    'recall', jsonb_build_object('at', iso, 'textId', text_id))
                  WHEN 'deadline_expired' THEN jsonb_build_object('endedAt', iso)
                  WHEN 'archived' THEN jsonb_build_object('endedAt', iso, 'recall', NULL)
                  WHEN 'assistance_requested' THEN jsonb_build_object('assistance',
                    jsonb_build_object('requestedAt', iso, 'resolvedAt', NULL))
                  WHEN 'error' THEN jsonb_build_object('problem', jsonb_build_object('code', 'UNDELIVERABLE',
                    'since', iso, 'cancelled', false))
                  ELSE '{}' END
    FROM told JOIN people USING (n)`);
}

const loadBookings = (tx: Queries) =>
  tx.query(sql.type(nothing)`
    INSERT INTO bookings (id, case_id, provider_id, practitioner, location, mode, details, during)
    SELECT booking_id, id, state -> 'bookings' -> 0 ->> 'providerId', 'Ingrid Fjellrev', 'Storgata 1, Oslo', 'in_person',
           ${sql.jsonb({ ...NO_DETAILS, town: 'Oslo' })},
           tstzrange(created_at + interval '14 days', created_at + interval '14 days 1 hour')
    FROM cases WHERE booking_id IS NOT NULL`);

/** Who holds which hour, who has read it, and what needs somebody. */
async function loadLooks(tx: Queries): Promise<void> {
  await tx.query(sql.type(nothing)`
    INSERT INTO slot_claims (booking_id, case_id, provider_id, practitioner_id, slot, during)
    SELECT id, case_id, provider_id, id::text, 'slot-' || id, during FROM bookings WHERE upper(during) > now()`);
  await tx.query(sql.type(nothing)`
    INSERT INTO attention (kind, case_id, partner_id, case_created_at, cause, since)
    SELECT CASE status WHEN 'error' THEN 'undeliverable' ELSE 'assistance' END, id, partner_id, created_at, id::text, updated_at
    FROM cases WHERE status IN ('error', 'assistance_requested') ORDER BY updated_at`);
  await tx.query(sql.type(nothing)`
    INSERT INTO access_log (number, previous, hash, at, process, who, who_id, partner_id, action, outcome, case_ids, network)
    SELECT n, '', sha256(n::text::bytea), date_trunc('month', now(), 'UTC') + n * ((now() - date_trunc('month', now(), 'UTC')) / many),
      'api', 'partner_key', 'key-' || partner_id, partner_id, 'getCase', 'done', ARRAY[id],
      ('10.' || n % 200 || '.' || n / 200 % 200 || '.0/24')::cidr
    FROM (SELECT id, partner_id, row_number() OVER () AS n, count(*) OVER () AS many FROM cases) AS looks`);
  await tx.query(sql.type(nothing)`
    UPDATE log_heads SET number = (SELECT coalesce(max(number), 0) FROM access_log) WHERE log = 'access_log'`);
}

const loadMessages = (tx: Queries) =>
  tx.query(sql.type(nothing)`
    INSERT INTO notifications (dedup_id, case_id, kind, channel, sequence, contact_version, status, at)
    SELECT id || ':' || kind || ':' || channel || ':1', id, kind, channel, 1, 1, 'sent', created_at + interval '2 seconds'
    FROM cases, (VALUES ('invitation'), ('receipt')) AS kinds (kind), (VALUES ('email'), ('sms')) AS channels (channel)
    WHERE kind = 'invitation' OR booking_id IS NOT NULL`);

async function loadReasons(tx: Queries, keys: ReadonlyMap<string, DataKey>): Promise<void> {
  const recalled = await tx.any(sql.type(z.object({ id: z.string(), textId: z.string() }))`
    SELECT id, state -> 'recall' ->> 'textId' AS "textId" FROM cases WHERE status = 'recalled'`);
  const texts = recalled.map(({ id, textId }) => {
    const { data } = seal(keys.get(id) as DataKey, 'case_texts.sealed', { body: 'Settled otherwise' });
    return [textId, id, data.toString('hex')];
  });
  await tx.query(sql.type(nothing)`
    INSERT INTO case_texts (id, case_id, kind, sealed)
    SELECT id, case_id, 'recall_reason', decode(sealed, 'hex')
    FROM ${sql.unnest(texts, ['uuid', 'uuid', 'text'])} AS text (id, case_id, sealed)`);
}

/** So many have logged in: sealing takes time. */
const LOGGED_IN = 2_000;

async function loadPersons(tx: Queries, keys: ReadonlyMap<string, DataKey>): Promise<void> {
  const booked = await tx.anyFirst(sql.type(z.object({ id: z.string() }))`
    SELECT id FROM cases WHERE booking_id IS NOT NULL ORDER BY id LIMIT ${LOGGED_IN}`);
  const persons = booked.map((id) => {
    const named = { givenName: 'Kari', familyName: 'Nordmann', birthDate: '1980-01-01' };
    return [id, seal(keys.get(id) as DataKey, 'case_persons.sealed', named).data.toString('hex')];
  });
  await tx.query(sql.type(nothing)`
    WITH known AS (
      INSERT INTO persons (secret_id, hash) SELECT 'many', sha256(id::text::bytea)
      FROM cases WHERE id = ANY(${sql.array(booked, 'uuid')}) RETURNING id, hash
    )
    INSERT INTO case_persons (case_id, person_id, sealed)
    SELECT person.case_id, known.id, decode(sealed, 'hex')
    FROM ${sql.unnest(persons, ['uuid', 'text'])} AS person (case_id, sealed)
      JOIN known ON known.hash = sha256(person.case_id::text::bytea)`);
}

async function loadEvents(tx: Queries): Promise<void> {
  await tx.query(sql.type(nothing)`
    WITH told AS (
      SELECT partner_id, id, created_at AS at, 'case.created' AS type, 'partner' AS actor, '{}'::jsonb AS data FROM cases
      UNION ALL
      SELECT c.partner_id, c.id, n.at, 'notification.sent', 'service',
             jsonb_build_object('kind', n.kind, 'channel', n.channel)
      FROM notifications n JOIN cases c ON c.id = n.case_id
      UNION ALL
      SELECT partner_id, id, created_at + interval '1 day', type, 'customer', jsonb_build_object('bookingId', booking_id)
      FROM cases, (VALUES ('booking.confirmed'), ('booking.transferred')) AS types (type) WHERE booking_id IS NOT NULL
    )
    INSERT INTO events (partner_id, number, case_id, type, at, actor, status, data)
    SELECT partner_id, row_number() OVER (PARTITION BY partner_id ORDER BY at, id), id, type, at, actor, 'booked', data FROM told`);
  await tx.query(sql.type(nothing)`
    UPDATE partners SET last_event = (SELECT coalesce(max(number), 0) FROM events WHERE partner_id = partners.id)`);
}
