import { sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId, ProviderId } from '../domain/ids.ts';
import type { ProviderConnection } from '../providers/auth/connection.ts';
import { nothing } from './case-row.ts';
import type { Database, Queries } from './database.ts';
import { providerConnection } from './provider-connection.ts';

const providerId = z.custom<ProviderId>((id) => typeof id === 'string');

const treatmentRow = z.object({
  code: z.string(),
  name_nb: z.string(),
  name_en: z.string(),
  /** A free time that is shorter is not offered. */
  minimum_minutes: z.number().nullable(),
  providers: z.array(z.object({ id: providerId, name: z.string() })),
});
export type TreatmentType = z.infer<typeof treatmentRow>;

/** How soon a new offer is seen everywhere (milliseconds). */
const AS_NEW_AS = 5_000;

/** The kinds of treatment that somebody offers, and who does: asked for with every request, so kept for a moment. */
export function createCatalogue(database: Database): () => Promise<readonly TreatmentType[]> {
  let known: { readonly until: number; readonly types: Promise<readonly TreatmentType[]> } | null = null;
  return () => {
    if (known && performance.now() < known.until) return known.types;
    const types = treatmentTypes(database);
    known = { until: performance.now() + AS_NEW_AS, types };
    // a failure is nobody else's answer
    types.catch(() => (known = null));
    return types;
  };
}

const treatmentTypes = (queries: Queries): Promise<readonly TreatmentType[]> =>
  queries.any(sql.type(treatmentRow)`
    SELECT t.code, t.name_nb, t.name_en, t.minimum_minutes,
           jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) ORDER BY p.id) AS providers
    FROM treatment_types t
    JOIN provider_treatments o ON o.treatment_type = t.code
    JOIN providers p ON p.id = o.provider_id
    GROUP BY t.code ORDER BY t.code`);

const providerRow = z.object({
  id: providerId,
  name: z.string(),
  kind: z.string(),
  base_url: z.string(),
  /** Null when it can not be read: that provider is not reachable then, and the others are. */
  connection: providerConnection.nullable().catch(null),
});
export type ProviderRow = z.infer<typeof providerRow>;
/** One as it is to be registered. */
export type NewProvider = ProviderRow & { readonly connection: ProviderConnection };

export const providers = (queries: Queries): Promise<readonly ProviderRow[]> =>
  queries.any(sql.type(providerRow)`SELECT id, name, kind, base_url, connection FROM providers ORDER BY id`);

/** Registers a provider, or brings its registration up to date. */
export const saveProvider = (
  database: Database,
  provider: NewProvider & { readonly treatments: readonly string[] },
): Promise<void> =>
  database.transaction(async (tx) => {
    await tx.query(sql.type(nothing)`
      INSERT INTO providers (id, name, kind, base_url, connection)
      VALUES (${provider.id}, ${provider.name}, ${provider.kind}, ${provider.base_url}, ${sql.jsonb({ ...provider.connection })})
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind, base_url = excluded.base_url,
        connection = excluded.connection`);
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
