import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Appointment } from 'fhir/r4.js';
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Client } from '@temporalio/client';
import type { ReceivedAlert } from '../../dev/alert-receiver.ts';
import { ATTENTION, type AttentionKind } from '../../src/domain/attention.ts';
import type { CaseId } from '../../src/domain/ids.ts';
import { breakGlassAuthorization } from '../../src/identity/operators/break-glass.ts';
import { createClient } from '../../src/operator/command-line/client.ts';
import { Failure } from '../../src/operator/command-line/failure.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { workflowIdOf } from '../../workflows/contract.ts';
import { type Json, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { hiddenField } from './log-in.ts';
import type { DevStack } from './dev-stack.ts';
import { inDays, type World } from './world.ts';

/** What has not happened for too long: with nothing made up but the clock. */
const LATE = [
  'transfer_pending',
  'release_pending',
  'message_stuck',
  'changes_unseen',
  'deadline_unreached',
  'break_glass',
] as const satisfies readonly AttentionKind[];

const OPERATOR = fileURLToPath(new URL('../../src/main/operator.ts', import.meta.url));

interface Customer {
  readonly booking: string;
  readonly browser: {
    json(method: string, url: string, body?: unknown): Promise<{ status: number; body: Json }>;
  };
  readonly slots: () => Promise<Json[]>;
}

/**
 * Each kind comes about as it would: a clinic that answers 503 or has its calendar changed by its staff, a mail server
 * that puts off, a workflow that somebody ends, and rows that are made older than they are.
 */
export function describeAttention(
  at: () => { readonly stack: DevStack; readonly world: World },
  customerOf: (created: Json) => Promise<Customer>,
): void {
  let database: Database;
  let temporal: Client;

  const run = (statement: ReturnType<typeof sql.fragment>) =>
    database.query(sql.type(z.object({}))`${statement}`);
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

  /** An operator who came in without a login: which is told of, too. */
  const operate = async (path: string, input: Readonly<Record<string, unknown>>): Promise<Json> => {
    const call = createClient({
      url: 'http://operator-api',
      socketPath: join(at().stack.directory, 'operator.sock'),
      authorization: async () =>
        breakGlassAuthorization({ user: 'vakt', reason: 'the login server is away' }),
    });
    const { signal } = new AbortController();
    const { result } = await call(path, input, () => undefined, signal).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.code !== 'CONFIRMATION_REQUIRED') throw error;
      return call(path, { ...input, confirm: error.details['confirm'] }, () => undefined, signal);
    });
    return result;
  };
  const listed = async (): Promise<Json[]> => (await operate('/attention', { limit: 1_000 })).data;
  const byWebhook = async (state: 'open' | 'over'): Promise<Json[]> => {
    const all = (await (await fetch(`${at().stack.description.alerts}/alerts`)).json()) as ReceivedAlert[];
    return all.flatMap(({ body }) => body.data.alerts).filter((alert) => alert.state === state);
  };
  const byMail = async (): Promise<string> => {
    const all = await at().world.mailbox();
    const operators = all.filter(({ to }) => to.some(({ address }) => address.startsWith('drift@')));
    return operators.map(({ subject, text }) => `${subject}\n${text}`).join('\n');
  };

  const read = async (id: string) => (await at().world.call('GET', `/cases/${id}`)).body;
  /** The customer takes the last time there. A clinic that was slow to answer is left out of what is offered. */
  const book = async (created: Json, providerId: string | undefined) => {
    const { browser, booking } = await customerOf(created);
    let said: Json;
    const slot = await eventually(
      async () => {
        said = (await browser.json('GET', `${booking}/availability`)).body;
        return said.slots?.findLast((one: Json) => one.providerId === providerId);
      },
      {
        what: () => `the clinic offers its times: ${JSON.stringify({ ...said, slots: said?.slots?.length })}`,
        // its circuit may be open by what was done to it before
        ...{ withinMs: 120_000, everyMs: 1_000 },
      },
    );
    const answer = await browser.json('POST', `${booking}/confirm`, { slotId: slot.slotId });
    expect(answer).toMatchObject({ status: 200 });
  };
  const standsInCalendar = ({ id }: Json) =>
    eventually(async () => (await read(id)).booking.transferredAt, {
      what: 'it stands in the calendar',
    });
  const watchClinics = () => temporal.schedule.getHandle('treatment-cases/watch-providers').trigger();
  const json = { 'content-type': 'application/json' };
  const faultsOf = (url: string) => ({
    add: (fault: object) =>
      fetch(`${url}/_faults`, { method: 'POST', headers: json, body: JSON.stringify(fault) }),
    clear: () => fetch(`${url}/_faults`, { method: 'DELETE' }),
  });

  /** At a clinic that keeps its slot busy. It has two minutes to let go of it, so it begins before all else. */
  let notLetGo = '';
  beforeAll(async () => {
    const [clinic] = at().stack.description.calendarClinics;
    const created = await at().world.newCase();
    await book(created, clinic?.id);
    await standsInCalendar(created);
    await faultsOf(clinic?.calendar ?? '').add({ method: 'PUT', effect: 'forget', times: null });
    expect(await at().world.call('POST', `/cases/${created.id}/recall`)).toMatchObject({ status: 200 });
    notLetGo = created.id;
  });

  describe('what needs an operator', () => {
    beforeAll(async () => {
      const { databaseUrl, temporalAddress } = at().stack.description;
      database = await openDatabase(databaseUrl);
      temporal = createTemporalClient({ address: temporalAddress, namespace: 'default' });
    });
    afterAll(async () => {
      // also where a test failed before it could: the stories behind it have a clinic that is well
      const { providers, calendarClinics } = at().stack.description;
      await Promise.all([...providers, ...calendarClinics].map(({ calendar }) => faultsOf(calendar).clear()));
      await Promise.all([database.end(), temporal.connection.close()]);
    });

    it('is in the work list, in a mail and at the webhook, and is told to be over once it is settled', async () => {
      const { stack, world } = at();
      const [clinic] = stack.description.providers;
      const confirmed = (created: Json) => book(created, clinic?.id);
      const [staying, leaving, arriving] = [
        await world.newCase(),
        await world.newCase(),
        await world.newCase(),
      ];
      for (const one of [staying, leaving]) {
        await confirmed(one);
        await standsInCalendar(one);
      }
      const faults = faultsOf(clinic?.calendar ?? '');
      const fail = (method?: string) =>
        faults.add({ method, resource: 'Appointment', effect: 'answer', status: 503, times: null });
      // what is there already is read before a time is held
      await fail('POST');
      await confirmed(arriving);
      await fail();
      expect((await world.call('POST', `/cases/${leaving.id}/recall`)).status).toBe(200);
      const unreached = await world.newCase({
        ...{ patientEmail: 'kari@later.example', patientPhone: undefined, bookingDeadline: inDays(1) },
      });
      await watchClinics();

      // so that somebody has come in by break-glass
      await listed();

      // half an hour, an hour, a quarter of an hour later
      await eventually(
        async () => {
          const failing = await database.anyFirst(
            sql.type(z.object({ task: z.string() }))`
            SELECT task FROM booking_failures WHERE case_id IN (${leaving.id}, ${arriving.id}) ORDER BY task`,
          );
          const held = await database.maybeOneFirst(
            sql.type(z.object({ failure: z.string().nullable() }))`
            SELECT failure FROM notifications WHERE case_id = ${unreached.id}`,
          );
          const unwatched = await database.maybeOneFirst(
            sql.type(z.object({ answer: z.string().nullable() }))`
            SELECT unwatched_answer AS answer FROM providers WHERE id = ${clinic?.id ?? ''}`,
          );
          return failing.join() === 'release,transfer' && held === 'smtp_451' && unwatched !== null;
        },
        { what: 'the clinic and the mail server have refused' },
      );
      // again and again: the comparison of cases with their workflows puts right what is made old here
      const makeOld = async () => {
        await run(sql.fragment`UPDATE providers SET watched_at = ${ago(16)} WHERE id = ${clinic?.id ?? ''}`);
        await run(sql.fragment`UPDATE booking_failures SET since = ${ago(31)} WHERE case_id = ${leaving.id}`);
        await run(sql.fragment`
        UPDATE cases SET state = jsonb_set(state, '{bookings,0,confirmedAt}', to_jsonb(${ago(31)}::text))
        WHERE id = ${arriving.id}`);
        await run(sql.fragment`UPDATE notifications SET at = ${ago(61)} WHERE case_id = ${unreached.id}`);
        await run(sql.fragment`UPDATE cases SET created_at = ${ago(61)} WHERE id = ${unreached.id}`);
      };

      const ofThese = (alert: Json) =>
        [clinic?.id, 'email', unreached.id, 'vakt (break-glass)'].includes(alert.cause.id ?? alert.cause);
      let untold: readonly AttentionKind[] = [];
      const opened = await eventually(
        async () => {
          await makeOld();
          const found = (await byWebhook('open')).filter(ofThese);
          untold = LATE.filter((kind) => !found.some((alert) => alert.kind === kind));
          return untold.length === 0 && found;
        },
        {
          what: () => `the webhook has all of them, but not ${untold.join()}`,
          ...{ withinMs: 60_000, everyMs: 500 },
        },
      );
      const answers = Object.fromEntries(opened.map(({ kind, answer }) => [kind, answer]));
      expect(answers).toMatchObject({
        transfer_pending: expect.stringContaining('503'),
        release_pending: expect.stringContaining('503'),
        changes_unseen: expect.stringContaining('503'),
        message_stuck: 'smtp_451',
      });
      expect(opened.find(({ kind }) => kind === 'transfer_pending')?.['link']).toContain('transfer_pending');
      await eventually(
        async () => {
          const text = await byMail();
          return LATE.every((kind) => text.includes(ATTENTION[kind].heading));
        },
        { what: 'a mail has all of them', withinMs: 30_000, everyMs: 500 },
      );
      const list = await listed();
      for (const kind of LATE.filter((one) => one !== 'transfer_pending'))
        expect(list).toContainEqual(expect.objectContaining({ kind, whatToDo: ATTENTION[kind].whatToDo }));

      await faults.clear();
      await operate('/case/settle', { kind: 'release_pending', cause: clinic?.id });
      await eventually(async () => (await read(arriving.id)).booking.transferredAt, {
        what: 'the clinic has the appointment',
        withinMs: 90_000,
        everyMs: 500,
      });
      await eventually(
        async () => {
          const kinds = (await byWebhook('over')).map(({ kind }) => kind);
          return kinds.includes('transfer_pending') && kinds.includes('release_pending');
        },
        { what: 'the webhook is told that both are over', withinMs: 60_000, everyMs: 500 },
      );
    }, 240_000);

    describe('of every other kind', () => {
      let begun = '';
      beforeAll(() => {
        begun = new Date().toISOString();
      });
      const workflowOf = (id: string) => temporal.workflow.getHandle(workflowIdOf(id as CaseId));
      const sandbox = async (action: string) => {
        const { id } = await at().world.newCase();
        expect(await at().world.call('POST', `/sandbox/cases/${id}/${action}`)).toMatchObject({
          status: 200,
        });
        return id;
      };
      const invited = async () => {
        const { id } = await at().world.newCase();
        await eventually(async () => (await at().world.mails(id)).length > 0);
        return id as string;
      };
      /** Where its staff writes without a token. */
      const clinic = () => at().stack.description.providers[1];
      const atClinic = async () => {
        const created = await at().world.newCase();
        await book(created, clinic()?.id);
        await standsInCalendar(created);
        const [appointment] = (await at().world.appointments(created.id)) as Appointment[];
        if (!appointment) throw new Error('it stands in no calendar');
        return { id: created.id as string, appointment };
      };
      const staff = async (method: 'POST' | 'PUT', path: string, appointment: Appointment) => {
        const headers = { 'content-type': 'application/fhir+json' };
        const body = JSON.stringify(appointment);
        const answer = await fetch(`${clinic()?.staffUrl}/${path}`, { method, headers, body });
        expect(answer.ok).toBe(true);
      };

      /** @returns the case that needs somebody; null where it is none, or all of them */
      const provoke: Record<Exclude<AttentionKind, (typeof LATE)[number]>, () => Promise<string | null>> = {
        release_unverified: async () => notLetGo,
        assistance: () => sandbox('request-assistance'),
        undeliverable: () => sandbox('bounce'),
        transfer_refused: () => sandbox('fail-transfer'),
        async disowned() {
          const { id, bookingUrl } = await at().world.newCase();
          const browser = openBrowser();
          const page = await browser.get(`${bookingUrl}/not-for-me`);
          await browser.post(page.url, { _token: hiddenField(page, '_token') });
          return id;
        },
        // a booking whose step is failed by hand, as Temporal's command line can
        async internal() {
          await faultsOf(clinic()?.calendar ?? '').add({
            ...{ method: 'POST', effect: 'delay', delayMs: 15_000 },
          });
          const created = await at().world.newCase();
          await book(created, clinic()?.id);
          const workflow = workflowOf(created.id);
          const step = await eventually(async () => {
            const { pendingActivities } = (await workflow.describe()).raw;
            return pendingActivities?.find(({ activityType }) => activityType?.name === 'transferBooking');
          });
          const activity = { workflowId: workflow.workflowId, activityId: step.activityId ?? '' };
          await temporal.activity.fail(activity, ApplicationFailure.nonRetryable('by hand'));
          return created.id;
        },
        async double_booked() {
          const { id, appointment } = await atClinic();
          const { start, end, slot } = appointment;
          await staff('POST', 'Appointment', {
            ...{ resourceType: 'Appointment', status: 'booked', start, end, slot },
            participant: [{ status: 'accepted' }],
          });
          return id;
        },
        async overlap() {
          const [one, other] = [await atClinic(), await atClinic()];
          const { start, end, slot, participant } = one.appointment;
          await staff('PUT', `Appointment/${other.appointment.id}`, {
            ...{ ...other.appointment, start, end, slot },
            participant: [
              ...participant.filter(({ actor }) => actor?.reference?.startsWith('Practitioner')),
              ...other.appointment.participant.filter(
                ({ actor }) => !actor?.reference?.startsWith('Practitioner'),
              ),
            ],
          });
          return other.id;
        },
        // the address has got all that it may in a day
        async messages_held() {
          const fields = { patientEmail: 'kari@often.example', patientPhone: undefined };
          const keys = sql.type(z.object({ key: z.string() }))`SELECT DISTINCT key FROM message_quotas`;
          const before = await database.anyFirst(keys);
          const { id } = await at().world.newCase(fields);
          await eventually(async () => (await at().world.mails(id)).length > 0);
          await run(sql.fragment`
          UPDATE message_quotas SET used = 1e9
          WHERE key LIKE 'recipient:%' AND key <> ALL(${sql.array(before, 'text')})`);
          return (await at().world.newCase(fields)).id;
        },
        async workflow_lost() {
          const id = await invited();
          await workflowOf(id).terminate('by mistake');
          return id;
        },
        // as if Temporal had come back from a backup of before
        async workflow_behind() {
          await run(sql.fragment`
          UPDATE cases SET revision = revision + 1 WHERE created_at < ${begun} AND status <> 'archived'`);
          return null;
        },
        async alerts_failing() {
          await eventually(
            async () => {
              const { rowCount } = await run(sql.fragment`
              UPDATE alerts SET failing_since = ${ago(16)} WHERE failing_since IS NOT NULL`);
              return rowCount > 0;
            },
            { what: 'the webhook has refused', withinMs: 60_000, everyMs: 500 },
          );
          return null;
        },
      };

      it('is in the work list and in a mail, and at the webhook as soon as that takes them again', async () => {
        const { alerts, calendarClinics } = at().stack.description;
        const webhook = faultsOf(alerts);
        await webhook.add({ effect: 'answer', status: 503, times: null });
        const waiting: { kind: AttentionKind; caseId: string | null }[] = [];
        for (const [kind, work] of Object.entries(provoke))
          waiting.push({ kind: kind as AttentionKind, caseId: await work() });
        await operate('/reconcile', { full: true });
        await watchClinics();
        let missing: string[] = [];
        let untold: string[] = [];
        await eventually(
          async () => {
            const [list, text] = [await listed(), await byMail()];
            const isIn = ({ kind, caseId }: (typeof waiting)[number]) =>
              list.some((one) => one.kind === kind && (caseId === null || one.caseId === caseId));
            missing = waiting.filter((one) => !isIn(one)).map(({ kind }) => kind);
            untold = waiting
              .map(({ kind }) => kind)
              .filter((kind) => !text.includes(ATTENTION[kind].heading));
            return missing.length + untold.length === 0;
          },
          {
            what: () => `not in the list: ${missing.join()}; in no mail: ${untold.join()}`,
            ...{ withinMs: 180_000, everyMs: 1_000 },
          },
        );
        await webhook.clear();
        await run(
          sql.fragment`UPDATE alerts SET due_at = now() WHERE channel = 'webhook' AND due_at < 'infinity'`,
        );
        await eventually(
          async () => {
            const kinds = (await byWebhook('open')).map(({ kind }) => kind);
            return waiting.every(({ kind }) => kinds.includes(kind));
          },
          { what: 'the webhook has all of them', withinMs: 60_000, everyMs: 500 },
        );
        await faultsOf(calendarClinics[0]?.calendar ?? '').clear();
      }, 400_000);

      it('is settled by the same command again where the API was killed in the midst of it, and no case twice', async () => {
        const { stack } = at();
        const workflows = temporal.workflow.list({
          query: `WorkflowType = 'treatmentCase' AND ExecutionStatus = 'Running'`,
        });
        const ids: string[] = [];
        for await (const { workflowId } of workflows) {
          await temporal.workflow.getHandle(workflowId).terminate('the namespace was lost');
          ids.push(workflowId.replace('case-', ''));
        }
        await operate('/reconcile', { full: true });
        const command = () => {
          const argv = ['case', 'restart', '--all-lost', '--note', 'all lost', '--yes', '--json'];
          const child = spawn(
            process.execPath,
            [OPERATOR, ...argv, '--break-glass', 'the namespace was lost'],
            {
              env: { OPERATOR_SOCKET: join(stack.directory, 'operator.sock') },
              stdio: ['ignore', 'pipe', 'pipe'],
            },
          );
          const said = { out: '', err: '' };
          child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
          child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
          const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
          return { said, ended };
        };
        const first = command();
        // the one whose workflow was lost by mistake is among them, beside those that ran
        const [, lost] = await eventually(() => /\d+ of (\d+)/.exec(first.said.err), {
          what: 'one case is through',
        });
        for (const pid of stack.processes('src/main/operator-api.ts')) process.kill(pid, 'SIGKILL');
        expect([await first.ended, JSON.parse(first.said.out)]).toMatchObject([
          69,
          { error: { code: 'OUTCOME_UNKNOWN' } },
        ]);
        const result = await eventually(
          async () => {
            const again = command();
            return (await again.ended) === 0 && JSON.parse(again.said.out);
          },
          { what: 'the operator API is back', withinMs: 60_000, everyMs: 500 },
        );
        expect(result.total).toBeLessThan(Number(lost));
        expect(result).toMatchObject({ done: result.total, refused: {} });
        const { data: log } = await operate('/log', { action: 'case.restart', limit: 1_000 });
        const all = log.filter(({ note }: Json) => note === 'all lost');
        for (const id of ids) {
          expect((await workflowOf(id).describe()).status.name).toBe('RUNNING');
          const outcomes = all
            .filter(({ caseId }: Json) => caseId === id)
            .map(({ outcome }: Json) => outcome);
          // the newest first; of one that was under way nobody wrote down what came of it, and it may be begun again
          expect([['done'], ['done', null], [null]]).toContainEqual(outcomes);
        }
      }, 180_000);
    });
  });
}
