import { ForeignKeyIntegrityConstraintViolationError, sql } from 'slonik';
import { z } from 'zod';
import type { BookingId, PartnerId, ProviderId } from '../domain/ids.ts';
import type { ProviderConnection } from '../providers/auth/connection.ts';
import { instantColumn, nothing, textColumn } from './case-row.ts';
import { affects, type Database, type Queries } from './database.ts';
import { providerConnection, providerSettings } from './provider-connection.ts';

const treatmentRow = z.object({
  code: z.string(),
  name_nb: z.string(),
  name_en: z.string(),
  /** A free time that is shorter is not offered. */
  minimum_minutes: z.number().nullable(),
  providers: z.array(z.object({ id: textColumn<ProviderId>(), name: z.string() })),
});
export type TreatmentType = z.infer<typeof treatmentRow>;

/** How soon a new offer is seen everywhere (milliseconds). */
const CATALOGUE_TTL = 5_000;

/** The kinds of treatment that somebody offers, and who does: asked for with every request, so kept for a moment. */
export function createTreatmentCatalogue(database: Database): () => Promise<readonly TreatmentType[]> {
  let known: { readonly until: number; readonly types: Promise<readonly TreatmentType[]> } | null = null;
  return () => {
    if (known && performance.now() < known.until) return known.types;
    const types = readOfferedTreatments(database);
    known = { until: performance.now() + CATALOGUE_TTL, types };
    // a failure is nobody else's answer
    types.catch(() => (known = null));
    return types;
  };
}

const readOfferedTreatments = (queries: Queries): Promise<readonly TreatmentType[]> =>
  queries.any(sql.type(treatmentRow)`
    SELECT t.code, t.name_nb, t.name_en, t.minimum_minutes,
           jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) ORDER BY p.id) AS providers
    FROM treatment_types t
    JOIN provider_treatments o ON o.treatment_type = t.code
    JOIN providers p ON p.id = o.provider_id
    GROUP BY t.code ORDER BY t.code`);

const providerRow = z.object({
  id: textColumn<ProviderId>(),
  name: z.string(),
  kind: z.string(),
  base_url: z.string(),
  /** Null when it can not be read: that provider is not reachable then, and the others are. */
  connection: providerConnection.nullable().catch(null),
  settings: providerSettings.catch({}),
});
export type ProviderRow = z.infer<typeof providerRow>;
/** One as it is to be registered. */
export type NewProvider = ProviderRow & { readonly connection: ProviderConnection };

export const listProviders = (queries: Queries): Promise<readonly ProviderRow[]> =>
  queries.any(
    sql.type(providerRow)`SELECT id, name, kind, base_url, connection, settings FROM providers ORDER BY id`,
  );

/** Registers a provider, or brings its registration up to date. */
export const saveProvider = (
  database: Database,
  provider: Omit<NewProvider, 'settings'> &
    Partial<Pick<NewProvider, 'settings'>> & { readonly treatments: readonly string[] },
): Promise<void> =>
  database.transaction(async (tx) => {
    await tx.query(sql.type(nothing)`
      INSERT INTO providers (id, name, kind, base_url, connection, settings)
      VALUES (${provider.id}, ${provider.name}, ${provider.kind}, ${provider.base_url},
        ${sql.jsonb({ ...provider.connection })}, ${sql.jsonb({ ...provider.settings })})
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind, base_url = excluded.base_url,
        connection = excluded.connection, settings = excluded.settings`);
    await tx.query(sql.type(nothing)`DELETE FROM provider_treatments WHERE provider_id = ${provider.id}`);
    await tx.query(sql.type(nothing)`
      INSERT INTO provider_treatments (provider_id, treatment_type)
      SELECT ${provider.id}, t FROM unnest(${sql.array(provider.treatments, 'text')}) AS t`);
  });

export async function savePartner(queries: Queries, partner: { id: PartnerId; name: string }): Promise<void> {
  await queries.query(sql.type(nothing)`
    INSERT INTO partners (id, name) VALUES (${partner.id}, ${partner.name})
    ON CONFLICT (id) DO UPDATE SET name = excluded.name`);
}

const registeredRow = providerRow.extend({
  treatments: z.array(z.string()),
  upcoming: z.number(),
  watched_at: instantColumn,
  unwatched_answer: z.string().nullable(),
  circuit_open_since: instantColumn.nullable(),
  circuit_answer: z.string().nullable(),
});
/** A provider with what it offers, and how many of its appointments are to come. */
export type RegisteredProvider = z.infer<typeof registeredRow>;

const registeredColumns = sql.fragment`
  p.id, p.name, p.kind, p.base_url, p.connection, p.settings, p.watched_at, p.unwatched_answer,
  p.circuit_open_since, p.circuit_answer,
  (SELECT coalesce(jsonb_agg(o.treatment_type ORDER BY o.treatment_type), '[]')
     FROM provider_treatments o WHERE o.provider_id = p.id) AS treatments`;

/** All of them. What is to come is counted in one go: to look it up clinic by clinic takes three times as long. */
export const listRegisteredProviders = (queries: Queries): Promise<readonly RegisteredProvider[]> =>
  queries.any(sql.type(registeredRow)`
    SELECT ${registeredColumns}, coalesce(k.upcoming, 0) AS upcoming
    FROM providers p LEFT JOIN (
      SELECT provider_id, count(*) AS upcoming FROM slot_claims
      WHERE expires_at IS NULL AND upper(during) > now() GROUP BY provider_id) k ON k.provider_id = p.id
    ORDER BY p.id`);

export const findProvider = (queries: Queries, id: string): Promise<RegisteredProvider | null> =>
  queries.maybeOne(sql.type(registeredRow)`
    SELECT ${registeredColumns},
      (SELECT count(*) FROM slot_claims k
       WHERE k.provider_id = p.id AND k.expires_at IS NULL AND k.during && tstzrange(now(), NULL)) AS upcoming
    FROM providers p WHERE p.id = ${id}`);

/** @returns false when the id is taken, and nothing is changed */
export const addProvider = (
  database: Database,
  { id, name, kind, base_url, connection, settings }: NewProvider,
  treatments: readonly string[],
): Promise<boolean> =>
  database.transaction(async (tx) => {
    const isAdded = await affects(
      tx,
      sql.fragment`
        INSERT INTO providers (id, name, kind, base_url, connection, settings)
        VALUES (${id}, ${name}, ${kind}, ${base_url}, ${sql.jsonb({ ...connection })}, ${sql.jsonb({ ...settings })})
        ON CONFLICT (id) DO NOTHING`,
    );
    if (isAdded) await offerTreatments(tx, id, treatments);
    return isAdded;
  });

export async function updateProvider(queries: Queries, provider: Omit<NewProvider, 'kind'>): Promise<void> {
  await queries.query(sql.type(nothing)`
    UPDATE providers
    SET name = ${provider.name}, base_url = ${provider.base_url},
      connection = ${sql.jsonb({ ...provider.connection })}, settings = ${sql.jsonb({ ...provider.settings })}
    WHERE id = ${provider.id}`);
}

/** What is offered already stays so. */
export async function offerTreatments(
  queries: Queries,
  id: ProviderId,
  treatments: readonly string[],
): Promise<void> {
  await queries.query(sql.type(nothing)`
    INSERT INTO provider_treatments (provider_id, treatment_type)
    SELECT ${id}, t FROM unnest(${sql.array(treatments, 'text')}) AS t ON CONFLICT DO NOTHING`);
}

/** Nothing more of it is booked there; what is booked stays. */
export async function withdrawTreatments(
  queries: Queries,
  id: ProviderId,
  treatments: readonly string[],
): Promise<void> {
  await queries.query(sql.type(nothing)`
    DELETE FROM provider_treatments
    WHERE provider_id = ${id} AND treatment_type = ANY(${sql.array(treatments, 'text')})`);
}

/** @returns false when something was ever booked there, or is being booked now, and nothing is changed */
export async function removeProvider(database: Database, id: ProviderId): Promise<boolean> {
  try {
    return await database.transaction(async (tx) => {
      if (await affects(tx, sql.fragment`SELECT FROM slot_claims WHERE provider_id = ${id} LIMIT 1`))
        return false;
      await tx.query(sql.type(nothing)`DELETE FROM provider_treatments WHERE provider_id = ${id}`);
      await tx.query(sql.type(nothing)`DELETE FROM providers WHERE id = ${id}`);
      return true;
    });
  } catch (error) {
    if (error instanceof ForeignKeyIntegrityConstraintViolationError) return false;
    throw error;
  }
}

const placeRow = z.object({ ends: instantColumn, bookingId: textColumn<BookingId>() });

/** When each provider's calendar was last compared with our appointments there; what was compared is left alone by nobody. */
export const createWatchRepository = (queries: Queries) => ({
  async watched(id: ProviderId): Promise<void> {
    await queries.query(sql.type(nothing)`
      UPDATE providers SET watched_at = now(), watched_until = NULL, watched_booking = NULL, unwatched_answer = NULL,
        circuit_open_since = NULL, circuit_answer = NULL WHERE id = ${id}`);
  },

  place: (id: ProviderId) =>
    queries.maybeOne(sql.type(placeRow)`
      SELECT watched_until AS ends, watched_booking AS "bookingId" FROM providers
      WHERE id = ${id} AND watched_until IS NOT NULL`),

  async watchedUntil(id: ProviderId, { ends, bookingId }: z.infer<typeof placeRow>): Promise<void> {
    await queries.query(sql.type(nothing)`
      UPDATE providers SET watched_until = ${ends}, watched_booking = ${bookingId} WHERE id = ${id}`);
  },

  /** @param answer what its booking system answered; nothing personal */
  async unwatched(id: ProviderId, answer: string): Promise<void> {
    await queries.query(
      sql.type(nothing)`UPDATE providers SET unwatched_answer = ${answer} WHERE id = ${id}`,
    );
  },
});

/** @param answer after which one of our processes leaves it alone; null: it does no longer */
export async function noteCircuit(queries: Queries, id: ProviderId, answer: string | null): Promise<void> {
  await queries.query(sql.type(nothing)`
    UPDATE providers SET circuit_answer = ${answer},
      circuit_open_since = CASE WHEN ${answer}::text IS NOT NULL THEN coalesce(circuit_open_since, now()) END
    WHERE id = ${id}`);
}
