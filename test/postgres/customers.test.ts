import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { beginSession, deleteOldSessions, isSessionOpen } from '../../src/postgres/customer-sessions.ts';
import {
  bindPerson,
  listUnboundPersons,
  readBoundPerson,
  readmitPerson,
  stageCorrection,
  unbindPerson,
  withdrawCorrection,
} from '../../src/postgres/customers.ts';
import { caseEvents } from '../../src/postgres/events.ts';
import { projectCase } from '../../src/postgres/project-case.ts';
import { eventually } from '../support/eventually.ts';
import { openCases, type TestCases } from './support/cases.ts';

const NAMES = { first: 'Kari', last: 'Nordmann' };
const OPERATOR = { by: 'ops', reason: 'a namesake' };

describe('whose a case is', () => {
  let cases: TestCases;
  beforeAll(async () => {
    cases = await openCases();
  });
  afterAll(() => cases.close());

  const bind = (caseId: CaseId, personKey: string, sessionId: string) =>
    bindPerson(cases.database, caseId, NAMES, {
      ...{ personKey, givenName: 'Kari', familyName: 'Nordmann', birthDate: null },
      sessionId,
    });
  const logIn = (personKey: string) => beginSession(cases.database, personKey);
  const boundTo = async (caseId: CaseId) =>
    (await readBoundPerson(cases.database, caseId))?.personKey ?? null;

  /** How many statements of this database wait for another's lock. */
  const waiting = () =>
    cases.database.oneFirst(sql.type(z.object({ count: z.number() }))`
      SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);

  it('is decided once, however many log in at the same moment', async () => {
    const caseId = await cases.create();
    const people = Array.from({ length: 10 }, (_, i) => `person-${i}`);
    const bound = await Promise.all(people.map(async (key) => bind(caseId, key, await logIn(key))));
    expect(new Set(bound).size).toBe(1);
    expect(await boundTo(caseId)).toBe(bound[0]);
  });

  it('is nobody’s again once somebody is unbound, whose logins and requests of that moment come too late', async () => {
    for (let round = 0; round < 20; round += 1) {
      const caseId = await cases.create();
      const key = `unbound-${round}`;
      const session = await logIn(key);
      await bind(caseId, key, session);
      await Promise.all([
        unbindPerson(cases.database, caseId, OPERATOR),
        ...Array.from({ length: 5 }, () => bind(caseId, key, session)),
        ...Array.from({ length: 5 }, async () => bind(caseId, key, await logIn(key))),
      ]);
      expect(await boundTo(caseId)).toBeNull();
      expect(await isSessionOpen(cases.database, session)).toBe(false);
      expect(await bind(caseId, key, await logIn(key))).toBeNull();
    }
  });

  it('is decided by sessions from after an unbinding only, and by whoever was readmitted as by anybody', async () => {
    const caseId = await cases.create();
    const early = await logIn('other');
    await bind(caseId, 'first', await logIn('first'));
    await unbindPerson(cases.database, caseId, OPERATOR);
    expect(await bind(caseId, 'other', early)).toBeNull();
    const [first] = await listUnboundPersons(cases.database, caseId);
    expect(await readmitPerson(cases.database, first?.id ?? 0, 'ops')).toBe(true);
    expect(await readmitPerson(cases.database, first?.id ?? 0, 'ops')).toBe(false);
    expect(await bind(caseId, 'first', await logIn('first'))).toBe('first');
    expect(await unbindPerson(cases.database, caseId, OPERATOR)).toBe(true);
    expect(await bind(caseId, 'first', await logIn('first'))).toBeNull();
    expect(await bind(caseId, 'other', await logIn('other'))).toBe('other');
  });

  /** Staged, for the workflow to grant it. @returns what grants it, and says whether it was told */
  async function correction(caseId: CaseId): Promise<() => Promise<boolean>> {
    const correctionId = await stageCorrection(cases.database, caseId, { patientLastName: 'Hansen' });
    const { state, revision } = await cases.row(caseId);
    const at = instant(Date.now());
    const event = {
      type: 'case.name_corrected',
      at,
      actor: 'partner',
      correctionId,
      status: state.status,
      bookingId: null,
      data: { fields: ['patientLastName'] },
    } as const;
    return async () => {
      await projectCase(cases.database, { caseId, revision: revision + 1, state, events: [event], at });
      const told = await caseEvents(cases.database, { caseId, after: 0, limit: 10 });
      expect(await withdrawCorrection(cases.database, correctionId)).toBe(told.length === 1);
      return told.length === 2;
    };
  }

  it.each([
    ['bound first', ['bind', 'correct'], ['person', false, 'Nordmann']],
    ['corrected first', ['correct', 'bind'], [null, true, 'Hansen']],
  ] as const)(
    'is nobody’s by a name that is corrected at the same moment: %s',
    async (_, order, [bound, isCorrected, lastName]) => {
      const caseId = await cases.create();
      const sessionId = await logIn('person');
      const acts = {
        bind: () => bind(caseId, 'person', sessionId),
        correct: await correction(caseId),
      };
      const begun: Promise<unknown>[] = [];
      const [locked, released] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
      const holder = cases.database.transaction(async (tx) => {
        await tx.query(sql.type(z.object({}))`SELECT FROM cases WHERE id = ${caseId} FOR UPDATE`);
        locked.resolve(null);
        await released.promise;
      });
      await locked.promise;
      for (const act of order) {
        begun.push(acts[act]());
        await eventually(async () => (await waiting()) === begun.length, { what: `${act} to wait` });
      }
      // both have begun by the time at which the first of them goes on
      released.resolve(null);
      await holder;
      const outcome = { [order[0]]: await begun[0], [order[1]]: await begun[1] };
      expect(outcome).toEqual({ bind: bound, correct: isCorrected });
      const { patient_last_name } = await cases.row(caseId);
      expect([await boundTo(caseId), patient_last_name]).toEqual([bound, lastName]);
    },
  );

  it('leaves no session behind that ran out long ago', async () => {
    const [old, running] = [await logIn('old'), await logIn('running')];
    const begin = (id: string, ago: string) =>
      cases.database.query(sql.type(z.object({}))`
        UPDATE customer_sessions SET started_at = now() - ${ago}::interval WHERE id = ${id}`);
    await begin(old, '3 hours 1 minute');
    await begin(running, '1 hour 59 minutes');
    await deleteOldSessions(cases.database);
    expect([await isSessionOpen(cases.database, old), await isSessionOpen(cases.database, running)]).toEqual([
      false,
      true,
    ]);
  });
});
