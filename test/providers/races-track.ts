import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId, PartnerId, ProviderId } from '../../src/domain/ids.ts';
import type { Database } from '../../src/postgres/database.ts';
import { savePartner, saveProvider } from '../../src/postgres/providers.ts';
import { loadManyCases } from '../support/many-cases.ts';
import { openTestDatabase } from '../support/database.ts';
import { takeClaims } from './races-count.ts';

/** As many as meet in one round of the races. */
const CASES = 400;

/** Cases that want times, and the provider whose times they are. */
export interface Track {
  readonly database: Database;
  readonly providerId: ProviderId;
  readonly caseIds: readonly CaseId[];
}

/** @param databaseUrl of one that has its tables, and nothing in them */
export async function onTrack<T>(databaseUrl: string, work: (track: Track) => Promise<T>): Promise<T> {
  const database = await openTestDatabase(databaseUrl, { maxPoolSize: 20 });
  try {
    const [partnerId, providerId] = ['races' as PartnerId, 'races' as ProviderId];
    await savePartner(database, { id: partnerId, name: 'Races' });
    await saveProvider(database, {
      ...{ id: providerId, name: 'Races', kind: 'fhir', base_url: 'http://127.0.0.1:9/fhir' },
      connection: { auth: 'none' },
      treatments: ['psychology', 'physiotherapy', 'chiropractic'],
    });
    await loadManyCases(database, { count: CASES, partners: [partnerId] });
    // what they keep from before is not of the races
    await takeClaims(database, providerId);
    const caseIds = await database.anyFirst(
      sql.type(z.object({ id: z.custom<CaseId>((id) => typeof id === 'string') }))`SELECT id FROM cases`,
    );
    return await work({ database, providerId, caseIds });
  } finally {
    await database.end();
  }
}
