import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { sql } from 'slonik';
import { z } from 'zod';
import { deadlineOn } from '../../src/calendar/dates.ts';
import { openCase } from '../../src/domain/decide.ts';
import type { CaseId } from '../../src/domain/ids.ts';
import { type CalendarDate, instant } from '../../src/domain/instant.ts';
import { writeText } from '../../src/postgres/case-texts.ts';
import { CASES_CHANNEL } from '../../src/postgres/create-case.ts';
import { findCases } from '../../src/postgres/cases.ts';
import { lockCase } from '../../src/postgres/customers.ts';
import { listen } from '../../src/postgres/database.ts';
import { hashReferences } from '../../src/postgres/partners.ts';
import { type CaseClient, createCaseClient } from '../../src/temporal/case-client.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { startCase } from '../../src/temporal/start-case.ts';
import { createStarts, runStarter } from '../../src/temporal/starter.ts';
import { type CaseStart, searchAttributes, workflowIdOf } from '../../workflows/contract.ts';
import { openCases, PARTNERS, type TestCases } from '../postgres/support/cases.ts';
import { eventually } from '../support/eventually.ts';
import { today } from '../support/new-case.ts';
import { runningServers } from '../support/running-servers.ts';

const OPENING = {
  deadline: deadlineOn(today(20) as CalendarDate),
  archiveAfterDays: 30,
  hasAddress: { email: true, sms: true },
};

describe('the starter', () => {
  let cases: TestCases;
  let client: Client;
  const taskQueue = `starter-${randomUUID()}`;
  const starters: { stop(): Promise<void> }[] = [];
  const errors: unknown[] = [];
  beforeAll(async () => {
    cases = await openCases();
    client = createTemporalClient({ address: runningServers().temporalAddress, namespace: 'default' });
  });
  afterEach(async () => {
    for (const starter of starters.splice(0)) await starter.stop();
    errors.length = 0;
  });
  afterAll(async () => {
    await client.connection.close();
    await cases.close();
  });

  const run = (lookEvery?: number, changes: Partial<Pick<CaseClient, 'start'>> = {}) => {
    const starter = runStarter({
      ...createStarts(cases.database, { ...createCaseClient({ client, taskQueue }), ...changes }),
      listen: (wake, lost) => listen(cases.url, CASES_CHANNEL, wake, lost),
      onError: (error) => errors.push(error),
      ...(lookEvery === undefined ? {} : { pollEvery: lookEvery }),
    });
    starters.push(starter);
    return starter;
  };
  const startedAt = (id: CaseId) =>
    eventually(async () => {
      const { workflow_started_at } = await cases.row(id);
      return workflow_started_at;
    });
  const startsOf = async (id: CaseId) => {
    const { events } = await client.workflow.getHandle(workflowIdOf(id)).fetchHistory();
    return events?.[0]?.workflowExecutionStartedEventAttributes;
  };
  const signalsOf = async (id: CaseId) => {
    const { events } = await client.workflow.getHandle(workflowIdOf(id)).fetchHistory();
    return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
  };
  const age = (textId: string) =>
    cases.database.query(sql.type(z.object({}))`
      UPDATE case_texts SET created_at = now() - interval '1 minute' WHERE id = ${textId}`);
  const isSignalled = (textId: string) =>
    eventually(async () =>
      cases.database.oneFirst(sql.type(z.object({ at: z.string().nullable() }))`
        SELECT signalled_at AS at FROM case_texts WHERE id = ${textId}`),
    );

  it('starts what waited for it, and what is created from then on without waiting for the next round', async () => {
    const waited = await cases.create();
    run(3_600_000);
    await startedAt(waited);
    const next = await cases.create();
    await startedAt(next);
    expect(await startsOf(next)).toMatchObject({ workflowType: { name: 'treatmentCase' } });
  });

  it('has the workflow begin with the state that readers see already, however late it is started', async () => {
    const handedOver = instant(Date.now() - 3_600_000);
    const waited = await cases.create({ createdAt: handedOver, state: openCase(OPENING, handedOver).state });
    run(60_000);
    await startedAt(waited);
    const input = (await startsOf(waited))?.input?.payloads?.[0]?.data ?? [];
    const start = JSON.parse(Buffer.from(input).toString()) as CaseStart;
    const { state } = openCase(start, start.openedAt);
    expect(state).toEqual((await cases.row(waited)).state);
  });

  it('takes a burst larger than a batch', async () => {
    const burst = await Promise.all(Array.from({ length: 45 }, () => cases.create()));
    run(60_000);
    for (const id of burst) await startedAt(id);
  });

  it('finds by itself what no notification told of', async () => {
    run(100);
    const id = await cases.create();
    await startedAt(id);
    await cases.database.query(sql.type(z.object({}))`
      UPDATE cases SET workflow_started_at = NULL WHERE id = ${id}`);
    // started long since, which counts
    await startedAt(id);
    expect(errors).toEqual([]);
  });

  it('beside others starts each case once, and asks for it once', async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, () => cases.create()));
    const asked: CaseId[] = [];
    const caseClient = createCaseClient({ client, taskQueue });
    const start: CaseClient['start'] = (row) => {
      asked.push(row.id);
      return caseClient.start(row);
    };
    for (let each = 0; each < 4; each += 1) run(3_000, { start });
    for (const id of ids) await startedAt(id);
    expect(errors).toEqual([]);
    expect(asked.sort()).toEqual(ids.sort());
    const runs = await Promise.all(
      ids.map(async (id) => (await client.workflow.getHandle(workflowIdOf(id)).describe()).historyLength),
    );
    expect(new Set(runs)).toEqual(new Set([2]));
  });

  it('counts a case whose workflow has ended as started, and does not bring it back to life', async () => {
    const id = await cases.create();
    await startCase(client, await cases.row(id), { taskQueue });
    await client.workflow.getHandle(workflowIdOf(id)).terminate();
    run();
    await startedAt(id);
    const { status } = await client.workflow.getHandle(workflowIdOf(id)).describe();
    expect(status.name).toBe('TERMINATED');
  });

  it('shows Temporal a hash of the reference where the partner asks for it, by which operators find the case', async () => {
    const [partnerId] = PARTNERS;
    await hashReferences(cases.database, partnerId, true);
    const id = await cases.create({ partnerCaseId: 'skade 4711 Kari' });
    const again = await cases.create({ partnerCaseId: 'skade 4711 Kari', treatmentType: 'physiotherapy' });
    await hashReferences(cases.database, partnerId, false);
    const plain = await cases.create({ partnerCaseId: 'skade 4712 Ola' });
    run();
    const shown = async (caseId: CaseId) => {
      await startedAt(caseId);
      const workflow = client.workflow.getHandle(workflowIdOf(caseId));
      const description = await workflow.describe();
      const shown = JSON.stringify([description.raw, await workflow.fetchHistory()]);
      const read = shown.replaceAll(/"data":"([^"]+)"/gu, (_field, data: string) =>
        Buffer.from(data, 'base64').toString(),
      );
      return { reference: description.typedSearchAttributes.get(searchAttributes.partnerCaseId), read };
    };
    const { reference = '', read } = await shown(id);
    expect(reference).toMatch(/^h-[0-9a-f]{32}$/);
    expect(read).toContain(`reference ${reference}`);
    expect(read).not.toMatch(/skade|kari/iu);
    expect((await shown(again)).reference).toBe(reference);
    expect((await shown(plain)).reference).toBe('skade 4712 Ola');
    const found = await findCases(cases.database, reference);
    expect(found.map((one) => one.id).sort()).toEqual([id, again].sort());
  });

  it.each([
    ['CJK', '案'.repeat(100)],
    ['control characters', '\u0001'.repeat(100)],
    ['emoji', '😀'.repeat(50)],
    ['quotes', '"'.repeat(100)],
  ])('starts a case whose reference is 100 letters of %s', async (_, partnerCaseId) => {
    run();
    await startedAt(await cases.create({ partnerCaseId }));
  });

  it('says that it can not start anything, and starts it later', async () => {
    const away = createTemporalClient({ address: '127.0.0.1:9', namespace: 'default' });
    const id = await cases.create();
    const seen: unknown[] = [];
    const starter = runStarter({
      ...createStarts(cases.database, createCaseClient({ client: away, taskQueue })),
      listen: (wake, lost) => listen(cases.url, CASES_CHANNEL, wake, lost),
      onError: (error) => seen.push(error),
      pollEvery: 100,
    });
    await eventually(() => seen.length > 0);
    await starter.stop();
    await away.connection.close();
    run();
    await startedAt(id);
  });

  it('is not held up by as many as it takes at once that can not be started', async () => {
    const poisoned = new Set(await Promise.all(Array.from({ length: 10 }, () => cases.create())));
    const later = await cases.create();
    const caseClient = createCaseClient({ client, taskQueue });
    const { startBatch } = createStarts(cases.database, {
      ...caseClient,
      start: async (row) =>
        poisoned.has(row.id) ? Promise.reject(new Error('refused')) : caseClient.start(row),
    });
    expect(await startBatch()).toMatchObject({ started: 0, failure: { message: 'refused' } });
    expect(await startBatch()).toMatchObject({ started: 1 });
    await startedAt(later);
    run();
    for (const id of poisoned) await startedAt(id);
  });

  it('goes on beside a start that takes long', async () => {
    const all = await Promise.all(Array.from({ length: 45 }, () => cases.create()));
    const asked = new Set<CaseId>();
    const answer = Promise.withResolvers<null>();
    const caseClient = createCaseClient({ client, taskQueue });
    run(100, {
      async start(row) {
        asked.add(row.id);
        await (asked.size === 1 ? answer.promise : caseClient.start(row));
      },
    });
    await eventually(() => all.every((id) => asked.has(id)));
    answer.resolve(null);
    for (const id of all) await startedAt(id);
  });

  it('keeps nobody waiting who needs the row of the case meanwhile, as its customer does at the login', async () => {
    const id = await cases.create();
    const asked = Promise.withResolvers<null>();
    const answer = Promise.withResolvers<null>();
    run(100, {
      async start() {
        asked.resolve(null);
        await answer.promise;
      },
    });
    await asked.promise;
    // what waits for the row is given up by PostgreSQL after a second
    const locked = cases.database.transaction(async (tx) => {
      await tx.query(sql.type(z.object({}))`SET LOCAL lock_timeout = 1000`);
      return lockCase(tx, id);
    });
    try {
      expect(await locked).toMatchObject({ patient_last_name: 'Nordmann' });
    } finally {
      answer.resolve(null);
    }
    await startedAt(id);
  });

  describe('requests for help that the workflow was not told of', () => {
    const request = (id: CaseId) =>
      writeText(cases.database, id, { kind: 'assistance_request', body: 'Help' });

    it('are told once', async () => {
      run(100);
      const id = await cases.create();
      await startedAt(id);
      const textId = await request(id);
      await age(textId);
      await isSignalled(textId);
      expect(await signalsOf(id)).toBe(1);
    });

    it('are told beside a case that can not be started', async () => {
      const [id, poisoned] = [await cases.create(), await cases.create()];
      await startCase(client, await cases.row(id), { taskQueue });
      await cases.database.query(sql.type(z.object({}))`
        UPDATE cases SET workflow_started_at = now() WHERE id = ${id}`);
      const textId = await request(id);
      await age(textId);
      run(100, { start: () => Promise.reject(new Error('refused')) });
      await isSignalled(textId);
      expect((await cases.row(poisoned)).workflow_started_at).toBeNull();
      for (const starter of starters.splice(0)) await starter.stop();
      run();
      await startedAt(poisoned);
    });

    it('are not held up by one of a case that is over, nor by one of a case that can not be started yet', async () => {
      const [over, unstartable, open] = [await cases.create(), await cases.create(), await cases.create()];
      for (const id of [over, open]) await startCase(client, await cases.row(id), { taskQueue });
      await client.workflow.getHandle(workflowIdOf(over)).terminate();
      await cases.database.query(sql.type(z.object({}))`
        UPDATE cases SET workflow_started_at = now() WHERE id IN (${over}, ${unstartable}, ${open})`);
      const texts = [await request(over), await request(unstartable), await request(open)] as const;
      for (const textId of texts) await age(textId);
      run(100);
      await isSignalled(texts[2]);
      await isSignalled(texts[0]);
      expect(await signalsOf(open)).toBe(1);
    });
  });
});
