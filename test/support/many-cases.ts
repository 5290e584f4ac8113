import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import { deadlineOn } from '../../src/calendar/dates.ts';
import { openCase } from '../../src/domain/decide.ts';
import type { CaseId, PartnerId } from '../../src/domain/ids.ts';
import { type CalendarDate, instant } from '../../src/domain/instant.ts';
import { NO_DETAILS } from '../../src/domain/slot.ts';
import type { Database, Queries } from '../../src/postgres/database.ts';
import { type DataKey, newDataKey, seal, searchHash } from '../../src/postgres/sealing.ts';
import { today } from './new-case.ts';

const nothing = z.object({});

/**
 * Fills the tables, empty before, as if `count` cases had come in over the last 400 days, spread over the partners, which must exist,
 * as must a provider: most are archived by now, the newest wait for their customers, and each has its messages, events,
 * booking and reason. Made by PostgreSQL itself but for what is sealed, 100,000 in a minute. No workflow is behind them.
 */
export async function loadManyCases(
  database: Database,
  { count, partners }: { count: number; partners: readonly PartnerId[] },
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(sql.type(nothing)`SET LOCAL statement_timeout = 0`);
    // what refers to what is right as it is made here; checking it row by row would take longer than all the rest
    await tx.query(sql.type(nothing)`SET LOCAL session_replication_role = replica`);
    await tx.query(sql.type(nothing)`SELECT setseed(0.5)`);
    const keys = await loadPeople(tx, count);
    await loadCases(tx, count, partners);
    await loadBookings(tx);
    await loadMessages(tx);
    await loadReasons(tx, keys);
    await loadEvents(tx);
  });
  // the planner has to know the new sizes, and a list the pages that all may see
  for (const table of ['cases', 'bookings', 'notifications', 'case_texts', 'events'])
    await database.query(sql.type(nothing)`VACUUM (ANALYZE) ${sql.identifier([table])}`);
}

const CHUNK = 5_000;

/** What is sealed of each case, and by what: made here, since PostgreSQL can not. */
async function loadPeople(tx: Queries, count: number): Promise<ReadonlyMap<string, DataKey>> {
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
        const { data } = seal(key, 'cases.sealed', {
          partner_case_id: `TF-${n}`,
          patient_first_name: 'Kari',
          patient_last_name: 'Nordmann',
          patient_email: 'kari@example.com',
          patient_phone: '+4790000000',
          injury_date: today(-Math.round((n / count) * 400) - 10),
          injury_description: 'Fall on ice, hurts to lift the arm',
        });
        const reference = await searchHash(tx, 'reference', `TF-${n}`);
        return [n, id, reference.toString('hex'), data.toString('hex'), key.wrapped] as const;
      }),
    );
    await tx.query(sql.type(nothing)`
      WITH made AS (
        SELECT * FROM ${sql.unnest(people, ['int4', 'uuid', 'text', 'text', 'text'])}
          AS made (n, id, reference_hash, sealed, wrapped)
      ), wrapped AS (INSERT INTO keys.data_keys (case_id, wrapped) SELECT id, wrapped FROM made)
      INSERT INTO people SELECT n, id, reference_hash, sealed FROM made`);
  }
  await tx.query(sql.type(nothing)`CREATE INDEX ON people (n)`);
  return keys;
}

/** The older a case, the likelier it is archived; of 1,000 some 3 are in error. Ten at a time came in one instant. */
async function loadCases(tx: Queries, count: number, partners: readonly PartnerId[]): Promise<void> {
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
             now() - (n / 10) * (interval '400 days' / ${count / 10}) AS created_at
      FROM generate_series(1, ${count}) AS n
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
                  jsonb_build_object('bookingId', booking_id, 'providerId', (SELECT min(id) FROM providers),
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
    SELECT booking_id, id, (SELECT min(id) FROM providers), 'Ingrid Fjellrev', 'Storgata 1, Oslo', 'in_person',
           ${sql.jsonb({ ...NO_DETAILS, town: 'Oslo' })},
           tstzrange(created_at + interval '14 days', created_at + interval '14 days 1 hour')
    FROM cases WHERE booking_id IS NOT NULL`);

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
