import { randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { sql } from 'slonik';
import { z } from 'zod';
import type { components } from '../../clients/typescript/index.ts';
import { bookingIdOf, type CaseState } from '../../src/domain/case-state.ts';
import type { CaseId } from '../../src/domain/ids.ts';
import { caseColumns, caseRow, type CaseRow } from '../../src/postgres/case-row.ts';
import { readGauges } from '../../src/postgres/gauges.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { scheduleIdOf } from '../../src/temporal/schedules.ts';
import { startCase } from '../../src/temporal/start-case.ts';
import { type ReconcileResult, workflowIdOf } from '../../workflows/contract.ts';
import { actor, operatorOf } from '../operator/command.ts';
import { PAYLOAD_KEYS } from '../support/service-settings.ts';
import { eventually } from '../support/eventually.ts';
import { mailboxOf } from '../support/mailbox.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { runningServers } from '../support/running-servers.ts';
import { startService, type TestService } from '../support/service.ts';

const nothing = z.object({});

describe('cases and workflows are held against each other', () => {
  let service: TestService;
  let client: Client;
  beforeAll(async () => {
    service = await startService({ worker: true, messages: true });
    client = createTemporalClient({
      address: runningServers().temporalAddress,
      namespace: 'default',
      payloadKeys: PAYLOAD_KEYS,
    });
    // by hand here, so that each comparison is this suite's own
    for (const name of ['reconcile', 'reconcile-nightly'] as const) {
      await eventually(() =>
        schedule(name)
          .pause()
          .then(
            () => true,
            () => false,
          ),
      );
    }
    await eventually(async () => (await schedule('reconcile').describe()).info.runningActions.length === 0, {
      withinMs: 30_000,
    });
  });
  afterAll(async () => {
    await client.connection.close();
    await service.stop();
  });

  const { create, act, notified, until } = partnersCases(() => service);
  const { by, done, json, refused } = operatorOf(() => service, { recheckAfter: 300 });
  const schedule = (name: 'reconcile' | 'reconcile-nightly') =>
    client.schedule.getHandle(scheduleIdOf(service.taskQueue, name));
  const workflowOf = (id: string) => client.workflow.getHandle(workflowIdOf(id as CaseId));
  const statusOf = async (id: string) => (await workflowOf(id).describe()).status.name;
  const row = (id: string): Promise<CaseRow> =>
    service.database.one(sql.type(caseRow)`SELECT ${caseColumns} FROM cases WHERE id = ${id}`);
  /** As a restored backup has it. */
  const putBack = ({ id, revision, status, state }: Pick<CaseRow, 'id' | 'revision' | 'status' | 'state'>) =>
    service.database.query(sql.type(nothing)`
      UPDATE cases SET revision = ${revision}, status = ${status}, state = ${sql.jsonb(state as never)},
        booking_deadline = ${state.deadline.date}, booking_id = ${bookingIdOf(state)} WHERE id = ${id}`);
  const reconcile = (...options: string[]) => json<ReconcileResult>('reconcile', ...options);
  /** Once nobody has the case in hand any more: whoever compares leaves a row that somebody is writing for the next time. */
  const atRest = async (id: string, messages: number): Promise<CaseRow> => {
    await notified(id, messages);
    return eventually(async () => {
      const it = await row(id);
      return it.workflow_started_at && it;
    });
  };
  const resting = async () => atRest((await create()).id, 1);
  const recalled = async () => {
    const before = await resting();
    // without a reason: what is put into another case has none of this one's texts
    await act(before.id, 'recall');
    return { before, after: await atRest(before.id, 2) };
  };
  const mails = mailboxOf(() => service.mailUrl);
  const operatorIsTold = (what: string) =>
    eventually(async () => (await mails()).some(({ subject, text }) => `${subject} ${text}`.includes(what)), {
      what,
    });

  describe('a projection that differs from its workflow', () => {
    it('is left alone where it does not', async () => {
      const { id } = await resting();
      const before = await row(id);
      const counts = await reconcile('--full');
      expect(counts).toMatchObject({
        differing: 0,
        mended: 0,
        withoutWorkflow: 0,
        withoutCase: 0,
        unanswered: 0,
      });
      expect(counts.checked).toBeGreaterThan(0);
      expect(await row(id)).toEqual(before);
    });

    it('is mended when it is behind, as after PostgreSQL was restored', async () => {
      const { before, after } = await recalled();
      await putBack(before);
      expect(await reconcile()).toMatchObject({ differing: 1, mended: 1 });
      const { status, state, revision } = await row(before.id);
      expect({ status, state }).toEqual({ status: 'recalled', state: after.state });
      expect(revision).toBeGreaterThan(after.revision);
    });

    it('is mended when it is ahead, as after Temporal was restored, and what happens next is shown again', async () => {
      const { before, after } = await recalled();
      const other = await resting();
      await putBack({ ...other, revision: 100, status: 'recalled', state: { ...after.state } });
      expect(await reconcile()).toMatchObject({ differing: 1, mended: 1 });
      expect(await row(other.id)).toMatchObject({
        status: 'pending_patient_action',
        state: other.state,
        revision: 101,
      });
      await act(other.id, 'recall');
      expect(await row(other.id)).toMatchObject({ status: 'recalled', revision: 102 });
      expect(await reconcile()).toMatchObject({ differing: 0 });
      expect(before.status).toBe('pending_patient_action');
    });

    it('that was altered at the same revision is mended, though its history has not grown', async () => {
      const { id, state } = await resting();
      expect(await reconcile()).toMatchObject({ differing: 0 });
      await service.database.query(sql.type(nothing)`UPDATE cases SET status = 'booked' WHERE id = ${id}`);
      expect(await reconcile()).toMatchObject({ differing: 1, mended: 1 });
      expect(await row(id)).toMatchObject({ status: 'pending_patient_action', state });
    });

    it('is mended when readers take a case for archived whose workflow goes on', async () => {
      const { id, revision, state } = await resting();
      await putBack({
        id,
        revision: revision + 5,
        status: 'archived',
        state: { ...state, status: 'archived', bookingId: null } as CaseState,
      });
      expect(await reconcile('--full')).toMatchObject({ differing: 1, mended: 1 });
      expect(await row(id)).toMatchObject({ status: 'pending_patient_action', state });
    });

    it('is held back where many are ahead at once, until an operator says whose word counts', async () => {
      const { after } = await recalled();
      const many = await Promise.all(Array.from({ length: 4 }, resting));
      for (const one of many)
        await putBack({ ...one, revision: 100, status: 'recalled', state: after.state });
      const shown = () => Promise.all(many.map(async ({ id }) => (await row(id)).status));
      expect(await reconcile('--full')).toMatchObject({ differing: 4, heldBack: 4, mended: 0 });
      expect(new Set(await shown())).toEqual(new Set(['recalled']));
      await operatorIsTold('Workflows are older than what readers saw');
      const { data } = await json<{ data: { id: string }[] }>('case list --attention workflow_behind');
      expect(new Set(data.map(({ id }) => id))).toEqual(new Set(many.map(({ id }) => id)));

      // those that are settled leave the others alone
      const [first, ...others] = many;
      await workflowOf(first?.id ?? '').terminate('what readers see is to count');
      expect(await reconcile()).toMatchObject({ heldBack: 3, withoutWorkflow: 1 });
      await done(`case restart ${first?.id ?? ''} --yes`);
      expect(await reconcile()).toMatchObject({ heldBack: 3, withoutWorkflow: 0 });
      expect(await row(first?.id ?? '')).toMatchObject({ status: 'recalled' });

      const asked = await json('reconcile --full --workflows-win --yes');
      expect(asked).toMatchObject({ error: { code: 'GRANT_REQUIRED' } });
      expect(await json('case list --attention workflow_behind')).not.toMatchObject({ data: [] });
      const kari = by(actor('kari', ['platform']));
      expect(await kari.json(`grant ${asked.error.request} --yes`)).toMatchObject({
        differing: 3,
        heldBack: 0,
        mended: 3,
      });
      for (const { id, state } of others)
        expect(await row(id)).toMatchObject({ status: 'pending_patient_action', state });
      expect(await json('case list --attention workflow_behind')).toMatchObject({ data: [] });
    });

    it('is mended when its workflow has come to its end meanwhile', async () => {
      const { before, after } = await recalled();
      await act(before.id, 'archive');
      await eventually(async () => (await statusOf(before.id)) === 'COMPLETED');
      await putBack(after);
      expect(await reconcile()).toMatchObject({ differing: 1, mended: 1, withoutWorkflow: 0 });
      expect(await row(before.id)).toMatchObject({ status: 'archived' });
    });
  });

  describe('an open case without a workflow', () => {
    it('that was terminated is told of, not started by itself, and comes back with `case restart` where it was', async () => {
      const { id } = await create();
      await notified(id);
      await workflowOf(id).terminate('by mistake');
      expect(await reconcile()).toMatchObject({ withoutWorkflow: 1, differing: 0 });
      expect(await statusOf(id)).toBe('TERMINATED');
      expect(await done('case list --attention workflow_lost')).toContain(id.slice(0, 8));
      await operatorIsTold('The workflow of a case has ended');
      const before = await row(id);

      await done(`case restart ${id} --yes --note mistake`);
      expect(await statusOf(id)).toBe('RUNNING');
      expect(await json('case list --attention workflow_lost')).toMatchObject({ data: [] });
      expect((await row(id)).state).toEqual(before.state);
      await act(id, 'recall');
      await until(id, ({ status }) => status === 'recalled');
      expect(await reconcile()).toMatchObject({ withoutWorkflow: 0, differing: 0 });
      const sent = (await service.partner.get<{ notifications: { kind: string }[] }>(`/cases/${id}`)).body;
      expect(sent.notifications.filter(({ kind }) => kind === 'invitation')).toHaveLength(1);
    });

    it('that is gone from Temporal is found, and comes back', async () => {
      const { id } = await resting();
      await client.workflowService.deleteWorkflowExecution({
        namespace: 'default',
        workflowExecution: { workflowId: workflowIdOf(id) },
      });
      await eventually(async () =>
        statusOf(id).then(
          () => false,
          () => true,
        ),
      );
      expect(await reconcile()).toMatchObject({ withoutWorkflow: 1 });
      expect(await reconcile()).toMatchObject({ withoutWorkflow: 1 });
      await done(`case restart ${id} --yes`);
      expect(await statusOf(id)).toBe('RUNNING');
      expect(await reconcile()).toMatchObject({ withoutWorkflow: 0 });
    });

    it('sends nothing again where everything has left, and the rest where it has not', async () => {
      const invited = await resting();
      const waiting = await create({ patientEmail: 'kari@later.example' });
      await until(waiting.id, ({ notifications }) => notifications.length === 1);
      for (const { id } of [invited, waiting]) await workflowOf(id).terminate('by mistake');
      expect(await reconcile()).toMatchObject({ withoutWorkflow: 2 });
      expect(await json('case restart --all-lost --yes')).toMatchObject({ done: 2 });
      const begins = (id: string) =>
        eventually(async () => {
          const { events } = await workflowOf(id).fetchHistory();
          const isBegun = events?.some((one) => one.workflowTaskCompletedEventAttributes);
          return isBegun && (events ?? []).filter((one) => one.activityTaskScheduledEventAttributes).length;
        });
      expect(await begins(invited.id)).toBe(0);
      expect(await begins(waiting.id)).toBe(1);
    });

    it('is not made of one that runs, nor of one that is over', async () => {
      const { before } = await recalled();
      expect(await json(`case restart ${before.id} --yes`)).toMatchObject({
        changed: false,
        workflow: 'running',
      });
      await act(before.id, 'archive');
      await eventually(async () => (await statusOf(before.id)) === 'COMPLETED');
      expect((await refused(`case restart ${before.id} --yes`))[1]).toMatch(/is archived/);
    });
  });

  it('a workflow without a case is told of, and left alone', async () => {
    const known = await resting();
    const stray = { ...known, id: randomUUID() as CaseId };
    await startCase(client, stray, { taskQueue: service.taskQueue });
    const counts = await eventually(
      async () => {
        const it = await reconcile('--full');
        return it.withoutCase > 0 && it;
      },
      { withinMs: 50_000 },
    );
    expect(counts).toMatchObject({ withoutCase: 1, orphans: [workflowIdOf(stray.id)], differing: 0 });
    expect(await done('reconcile --last')).toContain(workflowIdOf(stray.id));
    expect(await statusOf(stray.id)).toBe('RUNNING');
    await workflowOf(stray.id).terminate();
  });

  describe('a database that was put back from a backup', () => {
    const follow = async (cursor: string, types = '') =>
      (await service.partner.get<components['schemas']['Feed']>(`/events?limit=100&cursor=${cursor}${types}`))
        .body;
    const remove = async (id: string) => {
      const ofCase = await service.database.anyFirst(sql.type(z.object({ name: z.string() }))`
        SELECT conrelid::regclass::text AS name FROM pg_constraint
        WHERE contype = 'f' AND confrelid = 'cases'::regclass AND conrelid <> 'test_messages'::regclass`);
      await service.database.query(sql.type(nothing)`
        DELETE FROM test_messages WHERE starts_with(dedup_id, ${id})`);
      for (const table of ofCase)
        await service.database.query(sql.type(nothing)`
          DELETE FROM ${sql.identifier([table])} WHERE case_id = ${id}`);
      await service.database.query(sql.type(nothing)`DELETE FROM keys.data_keys WHERE case_id = ${id}`);
      await service.database.query(sql.type(nothing)`DELETE FROM cases WHERE id = ${id}`);
    };

    it('is followed up: who follows the feed passes nothing over, cases come back, and what was erased goes again', async () => {
      const erased = await recalled();
      await act(erased.before.id, 'archive');
      await eventually(async () => (await statusOf(erased.before.id)) === 'COMPLETED');
      const { before, after } = await recalled();
      const forgotten = await resting();
      const over = (await recalled()).before;
      await act(over.id, 'archive');
      await eventually(async () => (await statusOf(over.id)) === 'COMPLETED');
      const begun = await service.partner.get<components['schemas']['Feed']>('/events?from=now');
      const { nextCursor: cursor } = begun.body;

      for (const { id } of [forgotten, over]) await remove(id);
      await putBack(before);
      await service.database.query(sql.type(nothing)`
        DELETE FROM events WHERE case_id = ${before.id} AND type <> 'case.created'`);
      await service.database.query(sql.type(nothing)`
        UPDATE partners SET last_event = (SELECT max(number) FROM events WHERE partner_id = partners.id)
        WHERE id = ${service.partnerId}`);
      await service.database.query(sql.type(nothing)`
        INSERT INTO keys.erasures (case_id, why) VALUES (${erased.before.id}, 'request')`);
      await service.database.query(sql.type(nothing)`UPDATE restores SET database = 'another'`);
      expect((await readGauges(service.database)).restoreUnfinished).toBe(true);

      const followed = await json('after-restore');
      expect(followed).toMatchObject({
        ...{ finished: true, erased: 1, adopted: 2, notAdopted: [], unanswered: 0 },
      });
      const names = ['patientFirstName', 'patientLastName'];
      const lost = [...names, 'patientEmail', 'patientPhone', 'injuryDate', 'injuryDescription'];
      const { partnerId } = service;
      expect(new Set(followed.restored)).toEqual(
        new Set([
          { caseId: before.id, partnerId, status: 'recalled', lost: [] },
          { caseId: forgotten.id, partnerId, status: 'pending_patient_action', lost },
          { caseId: over.id, partnerId, status: 'archived', lost },
        ]),
      );
      // a case's timeline has cursors, too
      const places = sql.type(z.object({ isAbove: z.boolean() }))`
        SELECT last_value >= (SELECT max(numbers_above) FROM restores) AS "isAbove" FROM events_place_seq`;
      expect(await service.database.oneFirst(places)).toBe(true);
      expect((await readGauges(service.database)).restoreUnfinished).toBe(false);

      const told = await follow(cursor);
      expect(new Set(told.data.map(({ caseId, type, status }) => [caseId, type, status].join(' ')))).toEqual(
        new Set([
          `${erased.before.id} case.erased archived`,
          `${before.id} case.restored recalled`,
          `${forgotten.id} case.restored pending_patient_action`,
          `${over.id} case.restored archived`,
        ]),
      );
      const { deadline } = after.state;
      const [restored] = told.data.filter(({ caseId }) => caseId === before.id);
      expect(restored?.data).toEqual({ bookingDeadline: deadline.date, lost: [] });
      // the jump is no gap to be gone through, page by page
      expect((await follow(cursor, '&type=case.restored')).data).toHaveLength(3);

      const { partnerCaseId } = await until(forgotten.id, ({ injuryDate }) => injuryDate === null);
      expect(partnerCaseId).toBe(forgotten.partner_case_id);
      const sent = {
        patientFirstName: 'Kari',
        patientLastName: 'Nordmann',
        patientEmail: 'kari@example.com',
      };
      expect((await service.partner.patch(`/cases/${forgotten.id}`, sent)).status).toBe(200);
      expect(await row(forgotten.id)).toMatchObject({
        patient_first_name: 'Kari',
        patient_email: 'kari@example.com',
      });

      const [{ nextCursor }, again] = [await follow(told.nextCursor), await json('after-restore')];
      expect(again).toMatchObject({ finished: true, erased: 0, adopted: 0, restored: [] });
      const types = (await follow(nextCursor)).data.map(({ type }) => type);
      expect(types.filter((type) => type === 'case.restored' || type === 'case.erased')).toEqual([]);
    });

    it('takes a second person to erase what was erased in the hours that were lost', async () => {
      const { before } = await recalled();
      await act(before.id, 'archive');
      await eventually(async () => (await statusOf(before.id)) === 'COMPLETED');
      const file = join(await mkdtemp(join(tmpdir(), 'erased-')), 'ids');
      await writeFile(file, `${before.id}\n`);
      const asked = await json(`after-restore --again --erased ${file} --yes`);
      expect(asked).toMatchObject({ error: { code: 'GRANT_REQUIRED' } });
      const kari = by(actor('kari', ['platform']));
      expect(await kari.json(`grant ${asked.error.request} --yes`)).toMatchObject({
        ...{ finished: true, erased: 1, notErased: [] },
      });
      expect((await service.partner.get(`/cases/${before.id}`)).status).toBe(404);
    });
  });

  it('by the schedule, every minute', async () => {
    const { before } = await recalled();
    await putBack(before);
    // the run before may still sleep over what another test gave it to doubt
    await schedule('reconcile').trigger('ALLOW_ALL');
    const isMended = async () => (await row(before.id)).status === 'recalled';
    await eventually(isMended, { what: 'the case reads as recalled again', withinMs: 50_000 });
    await eventually(
      async () => {
        const { data } = await json<{ data: { kind: string; mended: number }[] }>('reconcile --last');
        return data.some(({ kind, mended }) => kind === 'regular' && mended === 1);
      },
      { withinMs: 30_000 },
    );
  });

  describe('open cases without a workflow', () => {
    const lose = async (count: number) => {
      const many = await Promise.all(Array.from({ length: count }, () => create()));
      for (const { id } of many) {
        await eventually(async () => (await row(id)).workflow_started_at !== null);
        await workflowOf(id).terminate('the namespace was lost');
      }
      expect(await reconcile('--full')).toMatchObject({ withoutWorkflow: count });
      return many.map(({ id }) => id);
    };

    it('come back at once, all of them or a partner’s, and are logged one by one', async () => {
      const ids = await lose(3);
      const settled = { total: 3, done: 3, refused: {} };
      expect((await refused('case restart --all-lost'))[1]).toContain('3 cases need it for workflow_lost');
      expect(await json('case restart --all-lost --yes --note lost')).toEqual(settled);
      for (const id of ids) expect(await statusOf(id)).toBe('RUNNING');
      expect(await json('attention --kind workflow_lost')).toMatchObject({ data: [] });
      const log = await json<{ data: { action: string; outcome: string; note: string }[] }>('log --limit 3');
      expect(log.data.map(({ action, outcome, note }) => [action, outcome, note])).toEqual(
        ids.map(() => ['case.restart', 'done', 'lost']),
      );
      const again = await lose(2);
      expect(await json(`case settle workflow_lost --partner ${service.otherPartnerId} --yes`)).toMatchObject(
        {
          total: 0,
        },
      );
      expect(await json(`case settle workflow_lost --partner ${service.partnerId} --yes`)).toMatchObject({
        done: 2,
      });
      for (const id of again) expect(await statusOf(id)).toBe('RUNNING');
    });
  });
});
