import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import {
  beginSession,
  deleteOldPersons,
  deleteOldSessions,
  isSessionOpen,
} from '../../src/postgres/customer-sessions.ts';
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
import { listCasesOfPerson } from '../../src/postgres/personal-data.ts';
import { projectCase } from '../../src/postgres/project-case.ts';
import { eventually } from '../support/eventually.ts';
import { useCases } from './support/cases.ts';

const NAMES = { first: 'Kari', last: 'Nordmann' };
const OPERATOR = { by: 'ops', reason: 'a namesake' };

describe('whose a case is', () => {
  const cases = useCases();

  /** By the ids that they were given. */
  const names = new Map<string | null, string>();
  const hashOf = (name: string, secret: string) => createHmac('sha256', secret).update(name).digest();
  const logIn = async (name: string, secrets: readonly [string, ...string[]] = ['k1']) => {
    const hashes = secrets.map((secret) => hashOf(name, secret));
    const begun = await beginSession(cases.database, { newest: secrets[0], hashes });
    names.set(begun.personId, name);
    return begun;
  };
  const bind = async (
    caseId: CaseId,
    { id: sessionId, personId }: { readonly id: string; readonly personId: string },
  ) => {
    const person = { personId, givenName: 'Kari', familyName: 'Nordmann', birthDate: null, sessionId };
    return names.get(await bindPerson(cases.database, caseId, NAMES, person)) ?? null;
  };
  const boundTo = async (caseId: CaseId) =>
    names.get((await readBoundPerson(cases.database, caseId))?.personId ?? null) ?? null;

  /** How many statements of this database wait for another's lock. */
  const waiting = () =>
    cases.database.oneFirst(sql.type(z.object({ count: z.number() }))`
      SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);

  it('is decided once, however many log in at the same moment', async () => {
    const caseId = await cases.create();
    const people = Array.from({ length: 10 }, (_, i) => `person-${i}`);
    const bound = await Promise.all(people.map(async (name) => bind(caseId, await logIn(name))));
    expect(new Set(bound).size).toBe(1);
    expect(await boundTo(caseId)).toBe(bound[0]);
  });

  it('is nobody’s again once somebody is unbound, whose logins and requests of that moment come too late', async () => {
    for (let round = 0; round < 20; round += 1) {
      const caseId = await cases.create();
      const key = `unbound-${round}`;
      const session = await logIn(key);
      await bind(caseId, session);
      await Promise.all([
        unbindPerson(cases.database, caseId, OPERATOR),
        ...Array.from({ length: 5 }, () => bind(caseId, session)),
        ...Array.from({ length: 5 }, async () => bind(caseId, await logIn(key))),
      ]);
      expect(await boundTo(caseId)).toBeNull();
      expect(await isSessionOpen(cases.database, session.id)).toBe(false);
      expect(await bind(caseId, await logIn(key))).toBeNull();
    }
  });

  it('is decided by sessions from after an unbinding only, and by whoever was readmitted as by anybody', async () => {
    const caseId = await cases.create();
    const early = await logIn('other');
    await bind(caseId, await logIn('first'));
    await unbindPerson(cases.database, caseId, OPERATOR);
    expect(await bind(caseId, early)).toBeNull();
    const [first] = await listUnboundPersons(cases.database, caseId);
    expect(await readmitPerson(cases.database, first?.id ?? 0, 'ops')).toBe(true);
    expect(await readmitPerson(cases.database, first?.id ?? 0, 'ops')).toBe(false);
    expect(await bind(caseId, await logIn('first'))).toBe('first');
    expect(await unbindPerson(cases.database, caseId, OPERATOR)).toBe(true);
    expect(await bind(caseId, await logIn('first'))).toBeNull();
    expect(await bind(caseId, await logIn('other'))).toBe('other');
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
      await projectCase(cases.database, {
        ...{ caseId, revision: revision + 1, state, at },
        events: [{ ...event, revision: revision + 1 }],
      });
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
      const session = await logIn('person');
      const acts = {
        bind: () => bind(caseId, session),
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
    await begin(old.id, '3 hours 1 minute');
    await begin(running.id, '1 hour 59 minutes');
    await deleteOldSessions(cases.database);
    expect([
      await isSessionOpen(cases.database, old.id),
      await isSessionOpen(cases.database, running.id),
    ]).toEqual([false, true]);
  });

  describe('while one identity secret replaces another', () => {
    /** As docs/operations/rotation.md has them. */
    const STEPS = [['k1'], ['k1', 'k2'], ['k2', 'k1'], ['k2']] as const;
    const knownBy = (personId: string) =>
      cases.database.oneFirst(
        sql.type(z.object({ by: z.string() }))`SELECT secret_id AS by FROM persons WHERE id = ${personId}`,
      );

    it('stays theirs from step to step, whichever process they log in to, and those from before know them too', async () => {
      const caseId = await cases.create();
      const first = await logIn('steady', STEPS[0]);
      expect(await bind(caseId, first)).toBe('steady');
      for (const [i, after] of STEPS.slice(1).entries())
        for (const secrets of [after, STEPS[i] ?? after, after]) {
          expect((await logIn('steady', secrets)).personId).toBe(first.personId);
          expect(await knownBy(first.personId)).toBe(secrets[0]);
        }
      expect(await bind(caseId, first)).toBe('steady');
      expect((await logIn('steady', ['k1'])).personId).not.toBe(first.personId);
    });

    it('is no more of who was unbound than before', async () => {
      const caseId = await cases.create();
      await bind(caseId, await logIn('kept out', ['k1']));
      await unbindPerson(cases.database, caseId, OPERATOR);
      expect(await bind(caseId, await logIn('kept out', ['k2', 'k1']))).toBeNull();
    });

    it('is of one person who logs in for the first time at several processes at once', async () => {
      for (const [i, after] of STEPS.slice(1).entries())
        for (let round = 0; round < 5; round += 1) {
          const name = `new ${i} ${round}`;
          const secrets = Array.from({ length: 8 }, (_, j) => (j % 2 === 0 && STEPS[i]) || after);
          const logins = await Promise.all(secrets.map((these) => logIn(name, these)));
          expect(new Set(logins.map(({ personId }) => personId)).size).toBe(1);
        }
    });

    it('is of one person again after processes that had no secret in common', async () => {
      const [before, between] = [await cases.create(), await cases.create()];
      await bind(before, await logIn('parted', ['k1']));
      const session = await logIn('parted', ['k2']);
      await bind(between, session);
      const { personId } = await logIn('parted', ['k2', 'k1']);
      const owners = [before, between].map((id) => readBoundPerson(cases.database, id));
      expect((await Promise.all(owners)).map((one) => one?.personId)).toEqual([personId, personId]);
      expect(await isSessionOpen(cases.database, session.id)).toBe(true);
      expect(await listCasesOfPerson(cases.database, before)).toEqual([before, between]);
    });
  });

  it('forgets people without a case when the access log does', async () => {
    const [stranger, owner] = [await logIn('stranger'), await logIn('owner')];
    await bind(await cases.create(), owner);
    const seen = (ago: string) =>
      cases.database.query(sql.type(z.object({}))`
        UPDATE persons SET seen_at = now() - ${ago}::interval WHERE id IN (${stranger.personId}, ${owner.personId})`);
    const known = () =>
      cases.database.anyFirst(sql.type(z.object({ id: z.string() }))`
        SELECT id FROM persons WHERE id IN (${stranger.personId}, ${owner.personId})`);
    await seen('5 months');
    await deleteOldPersons(cases.database, 6);
    expect(await known()).toHaveLength(2);
    await seen('7 months');
    await deleteOldPersons(cases.database, 6);
    expect(await known()).toEqual([owner.personId]);
  });
});
