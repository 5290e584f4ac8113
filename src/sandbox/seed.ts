import type { PartnerId, ProviderId } from '../domain/ids.ts';
import { hashOfKey, hintOfKey } from '../keys/api-key.ts';
import { createPasswords } from '../keys/password.ts';
import { issueToken } from '../keys/token.ts';
import { accountOf } from '../postgres/access-tokens.ts';
import { addKey } from '../postgres/api-keys.ts';
import { savePartner, saveProvider } from '../postgres/catalogue.ts';
import type { Database } from '../postgres/database.ts';
import type { ProviderConnection } from '../providers/auth/connection.ts';
import { activate, createPartnerUser, issueActivation } from '../postgres/partner-users.ts';

export interface SeededPartner {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
  /** Activated, with this password whatever it was before. */
  readonly user?: { readonly email: string; readonly password: string };
}

export interface Seed {
  /** The first is the one that examples use. */
  readonly partners: readonly SeededPartner[];
  readonly providers: readonly SeededProvider[];
}

export type SeededProvider = {
  readonly id: string;
  readonly name: string;
  /** Nothing is shown when left out. */
  readonly connection?: ProviderConnection;
} & ({ readonly fhirUrl: string } | { readonly calDavUrl: string });

/** What the sandbox's clinics treat. */
const TREATMENTS = ['physiotherapy', 'psychology'];
const OPEN: ProviderConnection = { auth: 'none' };

/** Puts partners, their keys and users, and the sandbox's providers into the database, or brings them up to date. */
export async function seed(database: Database, { partners, providers }: Seed): Promise<void> {
  for (const { id, name, apiKey, user } of partners) {
    const partnerId = id as PartnerId;
    await savePartner(database, { id: partnerId, name });
    await addKey(database, {
      partnerId,
      name: 'sandbox',
      keyHash: hashOfKey(apiKey),
      hint: hintOfKey(apiKey),
    });
    if (user) await seedUser(database, partnerId, user);
  }
  for (const { id, name, connection = OPEN, ...at } of providers) {
    const speaks =
      'fhirUrl' in at ? { kind: 'fhir', base_url: at.fhirUrl } : { kind: 'caldav', base_url: at.calDavUrl };
    const row = { id: id as ProviderId, name, ...speaks, connection };
    await saveProvider(database, { ...row, treatments: TREATMENTS });
  }
}

async function seedUser(
  database: Database,
  partnerId: PartnerId,
  { email, password }: NonNullable<SeededPartner['user']>,
): Promise<void> {
  const passwords = createPasswords();
  const account = await accountOf(database, email);
  if (account && (await passwords.matches(account.password_hash, password))) return;
  if (!account) await createPartnerUser(database, { partnerId, email });
  const { tokenHash } = issueToken('activation');
  await issueActivation(database, { email, tokenHash });
  await activate(database, { tokenHash, passwordHash: await passwords.hash(password) });
}
