import type { PartnerId, ProviderId } from '../../src/domain/ids.ts';
import { createPasswords } from '../../src/identity/passwords.ts';
import { hashOfKey, hintOfKey, issueToken } from '../../src/identity/secrets.ts';
import { addKey } from '../../src/postgres/api-keys.ts';
import type { Database } from '../../src/postgres/database.ts';
import {
  activate,
  createPartnerUser,
  findAccount,
  issueActivation,
} from '../../src/postgres/partner-users.ts';
import { savePartner, saveProvider } from '../../src/postgres/providers.ts';
import type { ProviderConnection } from '../../src/providers/auth/connection.ts';
import type { ProviderSettings } from '../../src/providers/port.ts';

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

export interface SeededProvider {
  readonly id: string;
  readonly name: string;
  /** FHIR when left out. */
  readonly kind?: string;
  readonly baseUrl: string;
  /** Nothing is shown when left out. */
  readonly connection?: ProviderConnection;
  readonly settings?: ProviderSettings;
}

/** What the sandbox's clinics treat. */
const TREATMENTS = ['physiotherapy', 'psychology'];
const OPEN: ProviderConnection = { auth: 'none' };

/** Puts partners, their keys and users, and the sandbox's providers into the database, or brings them up to date. */
export async function seedDatabase(database: Database, { partners, providers }: Seed): Promise<void> {
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
  for (const { id, name, kind = 'fhir', baseUrl, connection = OPEN, settings = {} } of providers) {
    const row = { id: id as ProviderId, name, kind, base_url: baseUrl, connection, settings };
    await saveProvider(database, { ...row, treatments: TREATMENTS });
  }
}

async function seedUser(
  database: Database,
  partnerId: PartnerId,
  { email, password }: NonNullable<SeededPartner['user']>,
): Promise<void> {
  const passwords = createPasswords();
  const account = await findAccount(database, email);
  if (account && (await passwords.matches(account.password_hash, password))) return;
  if (!account) await createPartnerUser(database, { partnerId, email });
  const { tokenHash } = issueToken('activation');
  await issueActivation(database, { email, tokenHash });
  await activate(database, { tokenHash, passwordHash: await passwords.hash(password) });
}
