import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { ReceivedAlert } from '../../dev/alert-receiver.ts';
import { ATTENTION, type AttentionKind } from '../../src/domain/attention.ts';
import { breakGlassAuthorization } from '../../src/identity/operators/break-glass.ts';
import { createClient } from '../../src/operator/command-line/client.ts';
import { Failure } from '../../src/operator/command-line/failure.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import type { Json } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import type { DevStack } from './dev-stack.ts';
import { inDays, SELDOM, type World } from './world.ts';

const KINDS = [
  'transfer_pending',
  'release_pending',
  'message_stuck',
  'changes_unseen',
  'deadline_unreached',
  'break_glass',
] as const satisfies readonly AttentionKind[];

interface Customer {
  readonly booking: string;
  readonly browser: {
    json(method: string, url: string, body?: unknown): Promise<{ status: number; body: Json }>;
  };
  readonly slots: () => Promise<Json[]>;
}

/**
 * What has not happened for too long, with nothing made up but the clock: a clinic that answers 503, a mail server that
 * puts off, and rows that are made older than they are.
 */
export function describeAttention(
  at: () => { readonly stack: DevStack; readonly world: World },
  customerOf: (created: Json) => Promise<Customer>,
): void {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(at().stack.description.databaseUrl);
  });
  afterAll(() => database.end());

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
    const all = (await (await fetch(`${at().stack.description.mail}/email`)).json()) as Json[];
    const operators = all.filter(({ to }) => JSON.stringify(to).includes('drift@'));
    return operators.map(({ subject, text }) => `${subject}\n${text}`).join('\n');
  };

  it('is in the work list, in a mail and at the webhook, and is told to be over once it is settled', async () => {
    const { stack, world } = at();
    const { providers, temporalAddress } = stack.description;
    const [clinic] = providers;
    const atClinic = ({ providerId }: Json) => providerId === clinic?.id;
    const confirmed = async (created: Json) => {
      const { browser, booking, slots } = await customerOf(created);
      const slot = (await slots()).filter(atClinic).at(-1);
      const answer = await browser.json('POST', `${booking}/confirm`, { slotId: slot?.slotId });
      expect(answer).toMatchObject({ status: 200 });
    };
    const read = async (id: string) => (await world.call('GET', `/cases/${id}`)).body;

    const [staying, leaving, arriving] = [
      await world.newCase(),
      await world.newCase(),
      await world.newCase(),
    ];
    for (const one of [staying, leaving]) {
      await confirmed(one);
      await eventually(async () => (await read(one.id)).booking.transferredAt, {
        what: 'it stands in the calendar',
        ...SELDOM,
      });
    }
    const faults = `${clinic?.calendar}/_faults`;
    const fail = (method?: string) =>
      fetch(faults, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ method, resource: 'Appointment', effect: 'answer', status: 503, times: null }),
      });
    // what is there already is read before a time is held
    await fail('POST');
    await confirmed(arriving);
    await fail();
    expect((await world.call('POST', `/cases/${leaving.id}/recall`)).status).toBe(200);
    const unreached = await world.newCase({
      ...{ patientEmail: 'kari@later.example', patientPhone: undefined, bookingDeadline: inDays(1) },
    });
    const temporal = createTemporalClient({ address: temporalAddress, namespace: 'default' });
    await run(sql.fragment`UPDATE providers SET watched_at = ${ago(16)} WHERE id = ${clinic?.id ?? ''}`);
    await temporal.schedule.getHandle('treatment-cases/watch-providers').trigger();
    await temporal.connection.close();

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
        return failing.join() === 'release,transfer' && held === 'smtp_451';
      },
      { what: 'the clinic and the mail server have refused', ...SELDOM },
    );
    await run(sql.fragment`UPDATE booking_failures SET since = ${ago(31)} WHERE case_id = ${leaving.id}`);
    await run(sql.fragment`
      UPDATE cases SET state = jsonb_set(state, '{bookings,0,confirmedAt}', to_jsonb(${ago(31)}::text))
      WHERE id = ${arriving.id}`);
    await run(sql.fragment`UPDATE notifications SET at = ${ago(61)} WHERE case_id = ${unreached.id}`);
    await run(sql.fragment`UPDATE cases SET created_at = ${ago(61)} WHERE id = ${unreached.id}`);

    const ofThese = (alert: Json) =>
      [clinic?.id, 'email', unreached.id, 'vakt (break-glass)'].includes(alert.cause.id ?? alert.cause);
    const opened = await eventually(
      async () => {
        const found = (await byWebhook('open')).filter(ofThese);
        return KINDS.every((kind) => found.some((alert) => alert.kind === kind)) && found;
      },
      { what: 'the webhook has all of them', withinMs: 60_000, everyMs: 500 },
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
        return KINDS.every((kind) => text.includes(ATTENTION[kind].heading));
      },
      { what: 'a mail has all of them', withinMs: 30_000, everyMs: 500 },
    );
    const list = await listed();
    for (const kind of KINDS.filter((one) => one !== 'transfer_pending'))
      expect(list).toContainEqual(expect.objectContaining({ kind, whatToDo: ATTENTION[kind].whatToDo }));

    await fetch(faults, { method: 'DELETE' });
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
}
