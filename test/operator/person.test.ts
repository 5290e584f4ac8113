import { describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { columnsOf, TABLES } from '../../src/postgres/columns.ts';
import { eraseOverdue } from '../../src/postgres/personal-data.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { scheduleIdOf } from '../../src/temporal/schedules.ts';
import { MARKS } from '../privacy/marks.ts';
import { createSearch } from '../privacy/search.ts';
import { readTables } from '../privacy/readings.ts';
import { customerWith, logIn } from '../support/customer.ts';
import { eventually } from '../support/eventually.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { runningServers } from '../support/running-servers.ts';
import { useService } from '../support/use-service.ts';
import { actor, operatorOf } from './command.ts';

const KARI = { givenName: MARKS.firstName, familyName: MARKS.lastName, birthDate: MARKS.birthDate };
const search = createSearch({
  words: ['kanari', 'fuglunn', 'kasus-777'],
  numbers: ['90055123', '90055124', '19610719'],
});
const nothing = z.object({});

describe('a person’s data', () => {
  const service = useService();
  const { act, create, timeline, until } = partnersCases(() => service);
  const { by, done, json, refuses } = operatorOf(() => service);
  const [asker, granter] = [by(actor('ola')), by(actor('kari'))];

  const run = (statement: ReturnType<typeof sql.fragment>) =>
    service.database.query(sql.type(nothing)`${statement}`);
  const marked = async (reference: string) => {
    const { id } = await create({
      partnerCaseId: reference,
      ...{ patientFirstName: MARKS.firstName, patientLastName: MARKS.lastName },
      ...{ patientEmail: MARKS.email, patientPhone: MARKS.phone, injuryDescription: MARKS.injury },
    });
    return id;
  };
  /** With all that can be kept of one: somebody bound, an appointment, a request for help, operators' words. */
  const lived = async (reference: string) => {
    const id = await marked(reference);
    const customer = await logIn(service, id, KARI);
    expect((await customer.confirm(await customer.freshSlot())).status).toBe(200);
    await customer.post('/assistance', {
      ...{ message: MARKS.message, preferredContact: 'phone', phone: MARKS.otherPhone },
      helper: { name: MARKS.lastName, relation: 'parent' },
    });
    await done(`case note ${id} --text`, `Ringte ${MARKS.firstName}`);
    return { id, customer };
  };
  const closed = async (id: string) => {
    await act(id, 'recall', { reason: MARKS.reason });
    await act(id, 'archive');
    await until(id, ({ status }) => status === 'archived');
  };
  /** Asked for by one, granted by another. */
  const erase = async (words: string) => {
    const { error } = await asker.json(`person erase ${words} --ticket 4711 --yes`);
    return granter.json(`grant ${error.request} --yes`);
  };
  /** Its workflow ends a moment after the case is archived. */
  const eraseSoon = (id: string) =>
    eventually(async () => {
      const ended = await erase(id);
      return ended.data && ended;
    });
  const traces = async () =>
    (await readTables(service.database)).flatMap(({ where, text }) => {
      const found = search(text);
      return found === null ? [] : [`${found} in ${where}`];
    });

  it('is given to them whole: every column of every table that the catalogue does not withhold', async () => {
    const { id } = await lived('kasus-777-1');
    const ofCase = Object.entries(TABLES).flatMap(([name, table]) =>
      table.caseId === undefined ? [] : [{ name, table, column: table.caseId }],
    );
    const keptOf = async ({ name, column }: (typeof ofCase)[number]) =>
      service.database.anyFirst(sql.type(z.object({ row: z.custom<object>() }))`
        SELECT to_jsonb(it) AS row FROM ${sql.identifier(name.split('.'))} AS it
        WHERE ${sql.identifier([column])} = ${id}`);
    // the case goes on by itself for a while: messages, the transfer
    const { tables, kept } = await eventually(async () => {
      const { data } = await json(`person export ${id} --ticket 4711`);
      expect(data.map(({ caseId }: any) => caseId)).toEqual([id]);
      const [{ tables: given }] = data;
      const rows = await Promise.all(ofCase.map(keptOf));
      const isWhole = ofCase.every(({ name }, i) => (given[name]?.length ?? 0) === rows[i]?.length);
      return isWhole && { tables: given, kept: rows };
    });
    for (const word of [...Object.values(KARI), MARKS.email, MARKS.phone, MARKS.injury, MARKS.message])
      expect(JSON.stringify(tables)).toContain(word);
    for (const [i, { name, table }] of ofCase.entries()) {
      const { withheld = {}, sealed = {} } = table;
      // each column, and each field of those that are sealed, and no other
      const names = columnsOf(table).map((one) => one.name);
      const given = names.filter((one) => !(one in withheld) && !(one in sealed));
      const fields = Object.values(sealed).flatMap((one) => Object.keys(one));
      for (const [j, row] of (kept[i] ?? []).entries()) {
        expect(Object.keys(row).sort()).toEqual([...names].sort());
        const shown = Object.keys(tables[name][j]).filter((one) => !one.startsWith('sealed:'));
        expect(shown).toEqual(expect.arrayContaining(given));
        expect([...given, ...fields]).toEqual(expect.arrayContaining(shown));
      }
    }
    expect((await json(`case reveals ${id}`)).data).toEqual([]);
    expect((await json(`log --case ${id}`)).data[0]).toMatchObject({
      action: 'person.export',
      ticket: '4711',
    });
  });

  it('is erased once somebody else grants it: nobody finds the case, and its partner is told', async () => {
    const { id, customer } = await lived('kasus-777-2');
    const { error: open } = await erase(id);
    expect([open.code, open.message]).toEqual(['NOT_ERASABLE', expect.stringContaining('is not archived')]);
    await closed(id);
    await done(`person hold ${id} --reason`, `Strid med ${MARKS.lastName}`);
    const { error: held } = await erase(id);
    expect([held.code, held.message]).toEqual(['NOT_ERASABLE', expect.stringContaining('legal hold')]);
    await done(`person hold ${id} --lift --reason over`);
    const before = await timeline(id);
    expect(before.data.length).toBeGreaterThan(5);

    expect((await eraseSoon(id)).data).toEqual([{ caseId: id, erased: true }]);

    expect((await service.partner.get(`/cases/${id}`)).status).toBe(404);
    expect((await service.partner.get(`/cases/${id}/events`)).status).toBe(404);
    expect((await service.partner.get<any>('/cases?partnerCaseId=kasus-777-2')).body.data).toEqual([]);
    expect((await customer.get('')).status).toBe(404);
    expect((await customerWith(service, id, '').get('')).status).toBe(404);
    expect((await fetch(`${service.url}/b/${id}`)).status).toBe(404);
    const feed = (await service.partner.get<any>('/events?limit=100')).body.data;
    expect(feed.filter(({ caseId }: any) => caseId === id)).toEqual([
      expect.objectContaining({ type: 'case.erased', actor: 'operator', partnerCaseId: null, data: {} }),
    ]);
    await refuses(1, 'was erased', `case show ${id}`);
    expect((await json('person erasures')).data[0]).toMatchObject({
      caseId: id,
      why: 'request',
      erasedBy: 'ola',
    });
    // who saw it stays known, and what was said of it does not
    expect((await json(`access case ${id}`)).data.length).toBeGreaterThan(0);
    const log = (await json(`log --case ${id}`)).data;
    expect(log.map(({ action }: any) => action)).toContain('case.note');
    expect(JSON.stringify(log)).not.toMatch(/Ringte|Strid/);
    for (const [name, { caseId: column }] of Object.entries(TABLES)) {
      if (!column || ['cases', 'events', 'operator_log'].includes(name)) continue;
      const left = await service.database.exists(sql.type(nothing)`
        SELECT FROM ${sql.identifier(name.split('.'))} WHERE ${sql.identifier([column])} = ${id}`);
      expect([name, left]).toEqual([name, false]);
    }
  });

  it('is in no backup without keys before, in none after; a leak would be found', async () => {
    const { id } = await lived('kasus-777-3');
    expect(await traces()).toEqual([]);
    await run(sql.fragment`
      INSERT INTO case_checks VALUES (${id}, ${MARKS.firstName})
      ON CONFLICT (case_id) DO UPDATE SET checked_as = excluded.checked_as`);
    expect(await traces()).toEqual(['fuglunn in the table case_checks']);
    await run(sql.fragment`DELETE FROM case_checks WHERE case_id = ${id}`);
  });

  it('of a restored backup is not read by the keys of today, and is erased again', async () => {
    const { id } = await lived('kasus-777-4');
    await closed(id);
    await run(sql.fragment`CREATE TABLE backup AS SELECT * FROM cases WHERE id = ${id}`);
    await eraseSoon(id);
    await run(sql.fragment`
      UPDATE cases SET sealed = backup.sealed, reference_hash = backup.reference_hash, state = backup.state,
        erased_at = NULL, revision = backup.revision FROM backup WHERE cases.id = backup.id`);
    // the row is there, and no key opens it
    const answer = await service.partner.get(`/cases/${id}`);
    expect([answer.status, search(JSON.stringify(answer.body))]).toEqual([500, null]);
    expect(await json('person reapply-erasures --yes')).toEqual({ erased: 1, unreadable: 0 });
    expect((await service.partner.get(`/cases/${id}`)).status).toBe(404);
    expect(await json('person reapply-erasures --yes')).toEqual({ erased: 0, unreadable: 0 });
    await run(sql.fragment`DROP TABLE backup`);
  });

  it('is found in all cases of the same person, and in none of a namesake’s', async () => {
    const [one, other, foreign] = [
      await marked('kasus-777-5'),
      await marked('kasus-777-6'),
      await marked('kasus-777-7'),
    ];
    for (const [id, birthDate] of [
      [one, '1970-01-01'],
      [other, '1970-01-01'],
      [foreign, '1980-01-01'],
    ] as const) {
      const customer = await logIn(service, id, { ...KARI, birthDate });
      expect((await customer.get<{ authenticated: boolean }>('')).body.authenticated).toBe(true);
    }
    const { data } = await json(`person export ${one} --everywhere --ticket 1`);
    expect(data.map(({ caseId }: any) => caseId)).toEqual([one, other]);
  });

  it('is erased when its time is over: its partner’s, or else the service’s, and never under a legal hold', async () => {
    const id = await marked('kasus-777-8');
    await closed(id);
    const isThere = async () => (await service.partner.get(`/cases/${id}`)).status === 200;
    const erasing = async (months: number) => {
      await eraseOverdue(service.database, months);
      return isThere();
    };
    await run(sql.fragment`UPDATE cases SET updated_at = now() - interval '7 months' WHERE id = ${id}`);
    expect(await erasing(12)).toBe(true);
    await done(`partner retention ${service.partnerId} --months 3`);
    await done(`person hold ${id} --reason dispute`);
    expect(await erasing(12)).toBe(true);
    await done(`person hold ${id} --lift --reason over`);
    const client = createTemporalClient({
      address: runningServers().temporalAddress,
      namespace: 'default',
    });
    await client.schedule.getHandle(scheduleIdOf(service.taskQueue, 'erase-overdue')).trigger();
    await eventually(async () => !(await isThere()));
    await client.connection.close();
    expect((await json('person erasures')).data[0]).toMatchObject({
      caseId: id,
      why: 'retention',
      erasedBy: null,
    });
    await done(`partner retention ${service.partnerId}`);
  });
});
