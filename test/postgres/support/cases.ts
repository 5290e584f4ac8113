import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { sql } from 'slonik';
import { deadlineOn } from '../../../src/calendar/dates.ts';
import { openCase } from '../../../src/domain/decide.ts';
import type { CaseId, PartnerId } from '../../../src/domain/ids.ts';
import { type CalendarDate, instant } from '../../../src/domain/instant.ts';
import { caseColumns, caseRow, type CaseRow } from '../../../src/postgres/case-row.ts';
import { createCase, type NewCase } from '../../../src/postgres/create-case.ts';
import type { Keyed } from '../../../src/postgres/idempotency.ts';
import type { Database } from '../../../src/postgres/database.ts';
import { savePartner } from '../../../src/postgres/providers.ts';
import { createTestDatabase, openTestDatabase } from '../../support/database.ts';
import { today } from '../../support/new-case.ts';

export interface TestCases {
  readonly database: Database;
  readonly url: string;
  create(changes?: Partial<NewCase>, keyed?: Keyed<CaseRow>): Promise<CaseId>;
  row(id: CaseId): Promise<CaseRow>;
  close(): Promise<void>;
}

export const PARTNERS = ['fjordtrygd', 'polar'] as [PartnerId, PartnerId];

/** For the suite, or the `describe`, that asks for it. */
export function useCases(): TestCases {
  const cases = {} as TestCases;
  beforeAll(async () => void Object.assign(cases, await openCases()));
  afterAll(() => cases.close());
  return cases;
}

/** A database with two partners, and cases in it as the API makes them. */
export async function openCases(): Promise<TestCases> {
  const databaseUrl = await createTestDatabase();
  const database = await openTestDatabase(databaseUrl, { maxPoolSize: 20 });
  for (const id of PARTNERS) await savePartner(database, { id, name: id });

  const row = (id: CaseId) =>
    database.one(sql.type(caseRow)`SELECT ${caseColumns} FROM cases WHERE id = ${id}`);
  return {
    database,
    url: databaseUrl,
    async create(changes = {}, keyed) {
      const id = randomUUID() as CaseId;
      const deadline = deadlineOn(today(20) as CalendarDate);
      const opening = { deadline, archiveAfterDays: 30, hasAddress: { email: true, sms: true } };
      const { state } = openCase(opening, instant(Date.now()));
      const given: NewCase = {
        id,
        partnerId: PARTNERS[0],
        partnerCaseId: `TF-${id}`,
        patientFirstName: 'Kari',
        patientLastName: 'Nordmann',
        patientEmail: 'kari@example.com',
        patientPhone: '+4790000000',
        injuryDate: today(-30) as CalendarDate,
        injuryDescription: null,
        treatmentType: 'psychology',
        createdAt: instant(Date.now()),
        author: { actor: 'partner' },
        state,
        traceparent: null,
        ...changes,
      };
      const outcome = await createCase(database, given, keyed);
      if (!('created' in outcome)) throw new Error(`it was not created: ${JSON.stringify(outcome)}`);
      return given.id;
    },
    row,
    close: () => database.end(),
  };
}
