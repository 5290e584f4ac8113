import { ForeignKeyIntegrityConstraintViolationError, sql } from 'slonik';
import { z } from 'zod';
import type { ProviderId } from '../domain/ids.ts';
import { nothing } from './case-row.ts';
import type { NewProvider } from './catalogue.ts';
import type { Database, Queries } from './database.ts';
import { providerConnection } from './provider-connection.ts';

const registeredRow = z.object({
  id: z.custom<ProviderId>((id) => typeof id === 'string'),
  name: z.string(),
  kind: z.string(),
  base_url: z.string(),
  /** Null when it can not be read. */
  connection: providerConnection.nullable().catch(null),
  treatments: z.array(z.string()),
  upcoming: z.number(),
});
/** A provider with what it offers, and how many of its appointments are to come. */
export type RegisteredProvider = z.infer<typeof registeredRow>;

const select = sql.fragment`
  SELECT p.id, p.name, p.kind, p.base_url, p.connection,
    (SELECT coalesce(jsonb_agg(o.treatment_type ORDER BY o.treatment_type), '[]')
       FROM provider_treatments o WHERE o.provider_id = p.id) AS treatments,
    (SELECT count(*) FROM bookings b JOIN cases c ON c.booking_id = b.id
      WHERE b.provider_id = p.id AND upper(b.during) > now() AND c.status = 'booked') AS upcoming
  FROM providers p`;

export const registeredProviders = (queries: Queries): Promise<readonly RegisteredProvider[]> =>
  queries.any(sql.type(registeredRow)`${select} ORDER BY p.id`);

export const findProvider = (queries: Queries, id: string): Promise<RegisteredProvider | null> =>
  queries.maybeOne(sql.type(registeredRow)`${select} WHERE p.id = ${id}`);

/** @returns false when the id is taken, and nothing is changed */
export const addProvider = (
  database: Database,
  { id, name, kind, base_url, connection }: NewProvider,
  treatments: readonly string[],
): Promise<boolean> =>
  database.transaction(async (tx) => {
    const added = await tx.maybeOne(sql.type(z.object({ id: z.string() }))`
      INSERT INTO providers (id, name, kind, base_url, connection)
      VALUES (${id}, ${name}, ${kind}, ${base_url}, ${sql.jsonb({ ...connection })}) ON CONFLICT (id) DO NOTHING RETURNING id`);
    if (!added) return false;
    await offerTreatments(tx, id, treatments);
    return true;
  });

export async function changeProvider(queries: Queries, provider: Omit<NewProvider, 'kind'>): Promise<void> {
  await queries.query(sql.type(nothing)`
    UPDATE providers
    SET name = ${provider.name}, base_url = ${provider.base_url}, connection = ${sql.jsonb({ ...provider.connection })}
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
      const isClaimed = await tx.oneFirst(sql.type(z.object({ claimed: z.boolean() }))`
        SELECT EXISTS (SELECT FROM slot_claims WHERE provider_id = ${id}) AS claimed`);
      if (isClaimed) return false;
      await tx.query(sql.type(nothing)`DELETE FROM provider_treatments WHERE provider_id = ${id}`);
      await tx.query(sql.type(nothing)`DELETE FROM providers WHERE id = ${id}`);
      return true;
    });
  } catch (error) {
    if (error instanceof ForeignKeyIntegrityConstraintViolationError) return false;
    throw error;
  }
}
