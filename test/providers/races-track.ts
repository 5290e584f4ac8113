import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId, PartnerId, ProviderId } from '../../src/domain/ids.ts';
import { savePartner, saveProvider } from '../../src/postgres/catalogue.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { loadManyCases } from '../support/many-cases.ts';
import type { RaceReport } from './races.ts';
import { race } from './races.ts';

/** As many as one round has. */
const CASES = 400;

export interface Races {
  readonly seed: number;
  /** Of each kind. */
  readonly contests: number;
  readonly onRound?: (done: number, report: RaceReport) => void;
}

/** Races with the claims of this database, which has its tables and nothing in them. */
export async function raceOn(databaseUrl: string, races: Races): Promise<RaceReport> {
  const database = await openDatabase(databaseUrl, { maxPoolSize: 20 });
  try {
    await savePartner(database, { id: 'races' as PartnerId, name: 'Races' });
    const providerId = 'races' as ProviderId;
    await saveProvider(database, {
      ...{ id: providerId, name: 'Races', kind: 'fhir', base_url: 'http://127.0.0.1:9/fhir' },
      connection: { auth: 'none' },
      treatments: ['psychology', 'physiotherapy', 'chiropractic'],
    });
    await loadManyCases(database, { count: CASES, partners: ['races' as PartnerId] });
    const caseIds = await database.anyFirst(
      sql.type(z.object({ id: z.custom<CaseId>((id) => typeof id === 'string') }))`SELECT id FROM cases`,
    );
    return await race({ database, providerId, caseIds, ...races });
  } finally {
    await database.end();
  }
}
