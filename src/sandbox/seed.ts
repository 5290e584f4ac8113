import type { PartnerId, ProviderId } from '../domain/ids.ts';
import { hashOfKey, hintOfKey } from '../keys/api-key.ts';
import { addKey } from '../postgres/api-keys.ts';
import { savePartner, saveProvider } from '../postgres/catalogue.ts';
import type { Database } from '../postgres/database.ts';

export interface Seed {
  /** The first is the one that examples use. */
  readonly partners: readonly { readonly id: string; readonly name: string; readonly apiKey: string }[];
  readonly providers: readonly { readonly id: string; readonly name: string; readonly fhirUrl: string }[];
}

/** What the sandbox's clinics treat. */
const TREATMENTS = ['physiotherapy', 'psychology'];

/** Puts partners, their keys and the sandbox's providers into the database, or brings them up to date. */
export async function seed(database: Database, { partners, providers }: Seed): Promise<void> {
  for (const { id, name, apiKey } of partners) {
    const partnerId = id as PartnerId;
    await savePartner(database, { id: partnerId, name });
    await addKey(database, {
      partnerId,
      name: 'sandbox',
      keyHash: hashOfKey(apiKey),
      hint: hintOfKey(apiKey),
    });
  }
  for (const { id, name, fhirUrl } of providers) {
    const row = { id: id as ProviderId, name, kind: 'fhir', base_url: fhirUrl, token_variable: null };
    await saveProvider(database, { ...row, treatments: TREATMENTS });
  }
}
