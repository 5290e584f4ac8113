import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { Appointment, Bundle, Resource, Slot } from 'fhir/r4.d.ts';
import { sql } from 'slonik';
import { z } from 'zod';
import { createSweepActivities } from '../../activities/sweep.ts';
import type { ReceivedAlert } from '../../dev/alert-receiver.ts';
import type { BookingId, CaseId, ProviderId } from '../../src/domain/ids.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import type { SlotRef } from '../../src/domain/slot.ts';
import { runBulk } from '../../src/cases/bulk.ts';
import { listAttention } from '../../src/postgres/attention.ts';
import { listFindings } from '../../src/postgres/provider-findings.ts';
import { createOrphans, createSlotClaims } from '../../src/postgres/slot-claims.ts';
import { connectBookingSystem } from '../../src/providers/connect.ts';
import type { BookingSystem } from '../../src/providers/port.ts';
import { createCaseClient } from '../../src/temporal/case-client.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { scheduleIdOf, upsertSchedules } from '../../src/temporal/schedules.ts';
import { bookingOf } from '../providers/clinic-at-hand.ts';
import { BOOKING_SYSTEM } from '../../src/providers/fhir/mark.ts';
import { searchAttributes, workflowIdOf } from '../../workflows/contract.ts';
import type { CaseBody } from '../support/caller.ts';
import { PAYLOAD_KEYS } from '../support/service-settings.ts';
import { clinicFaults } from '../support/clinics.ts';
import { eventually } from '../support/eventually.ts';
import { mailboxOf } from '../support/mailbox.ts';
import { hasLeft, partnersCases } from '../support/partners-cases.ts';
import { runningServers } from '../support/running-servers.ts';
import { startService, type TestService } from '../support/service.ts';

describe('the schedule that watches the clinics', () => {
  let service: TestService;
  let client: Client;
  beforeAll(async () => {
    service = await startService({
      ...{ worker: true, messages: true, clinics: ['fjordklinikken'], alertsEvery: 1_000 },
    });
    client = createTemporalClient({
      address: runningServers().temporalAddress,
      namespace: 'default',
      payloadKeys: PAYLOAD_KEYS,
    });
  });
  afterAll(async () => {
    await client.connection.close();
    await service.stop();
  });

  const { create, read, until, timeline } = partnersCases(() => service);
  const schedule = () => client.schedule.getHandle(scheduleIdOf(service.taskQueue, 'watch-providers'));
  let lastLook = 0;
  const second = () => Math.floor(Date.now() / 1000);
  /**
   * Also where the run before sleeps over a doubt that another test gave it. The server names a run by its second, and
   * drops the later one of two in the same.
   */
  const look = async () => {
    await eventually(() => Promise.resolve(second() > lastLook));
    await schedule().trigger('ALLOW_ALL');
    lastLook = second();
  };
  const fhirUrl = () => service.clinics[0]?.fhirUrl ?? '';
  const get = async <T>(path: string) => (await (await fetch(`${fhirUrl()}/${path}`)).json()) as T;
  const found = async <T extends Resource>(path: string): Promise<T[]> =>
    ((await get<Bundle<T>>(path)).entry ?? []).flatMap(({ resource }) => resource ?? []);
  /** As the clinic's own staff writes. */
  const write = async (resource: Appointment | Slot) => {
    const { status } = await fetch(`${fhirUrl()}/${resource.resourceType}/${resource.id ?? ''}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/fhir+json' },
      body: JSON.stringify(resource),
    });
    expect(status).toBe(200);
  };
  const theirs = async (bookingId: string): Promise<Appointment> => {
    const [one] = await found<Appointment>(`Appointment?identifier=${BOOKING_SYSTEM}|${bookingId}`);
    if (!one) throw new Error('it stands in no calendar');
    return one;
  };
  const booked = async () => {
    const { id } = await create();
    const { body } = await service.partner.post<CaseBody>(`/sandbox/cases/${id}/book`);
    if (!body.booking) throw new Error('not booked');
    return { id, booking: body.booking };
  };
  const told = (id: string, kind: string) =>
    until(id, ({ notifications }) => notifications.some((m) => m.kind === kind && hasLeft(m)));

  it('is made once, whoever starts, and stays paused when it was', async () => {
    await eventually(() =>
      schedule()
        .describe()
        .catch(() => null),
    );
    await schedule().pause('for a test');
    await upsertSchedules(client, service.taskQueue);
    const { state, policies, spec } = await schedule().describe();
    expect([state.paused, policies.overlap, spec.intervals?.[0]?.every]).toEqual([true, 'SKIP', 300_000]);
    await schedule().unpause();
  });

  it('tells anew with whom and where an appointment is, which a restore has lost', async () => {
    const { id, booking } = await booked();
    await until(id, (theCase) => theCase.booking?.transferredAt != null);
    await service.database.query(sql.type(z.object({}))`
      UPDATE bookings SET practitioner = '', location = '' WHERE id = ${booking.bookingId}`);
    expect((await read(id)).booking?.practitioner).toBe('');
    await look();
    const { practitioner, location } = booking;
    await until(id, (theCase) => theCase.booking?.practitioner === practitioner);
    expect((await read(id)).booking?.location).toBe(location);
  });

  describe('a clinic that answers 503 to every transfer', () => {
    const faults = clinicFaults(() => service);
    const kind = 'transfer_pending';
    const webhooks = async (id: string) => {
      const all = (await (await fetch(`${service.alertsUrl ?? ''}/alerts`)).json()) as ReceivedAlert[];
      return all
        .flatMap(({ body }) => body.data.alerts)
        .filter((one) => one.kind === kind && one.cases.some(({ caseId }) => caseId === id));
    };
    const mailbox = mailboxOf(() => service.mailUrl);
    const mails = async (id: string) =>
      (await mailbox()).filter(
        ({ subject, text }) => subject.includes('in the clinic’s calendar') && text.includes(id),
      );
    const listed = (caseId: CaseId) => listAttention(service.database, { caseId, limit: 5 });
    const shown = async (id: CaseId) =>
      (await client.workflow.getHandle(workflowIdOf(id)).describe()).typedSearchAttributes.get(
        searchAttributes.needsAttention,
      );
    afterAll(() => faults.clear());

    it('is seen in list, Temporal, mail and webhook after half an hour, with its answer, until it takes them', async () => {
      await faults.add({ effect: 'answer', status: 503, method: 'POST', times: null });
      const { id } = await booked();
      const failing = await eventually(
        () =>
          service.database.maybeOneFirst(sql.type(z.object({ answer: z.string() }))`
            SELECT answer FROM booking_failures WHERE case_id = ${id}`),
        { what: 'the clinic has answered' },
      );
      expect(failing).toContain('HTTP 503');
      expect(await listed(id)).toEqual([]);
      // half an hour passes
      await service.database.query(sql.type(z.object({}))`
        UPDATE cases SET state = jsonb_set(state, '{bookings,0,confirmedAt}',
          to_jsonb(${instant(Date.now() - 31 * 60_000)}::text)) WHERE id = ${id}`);
      const [found] = await eventually(async () => {
        const rows = await listed(id);
        return rows.length > 0 && rows;
      });
      expect(found).toMatchObject({
        kind,
        cause: 'fjordklinikken',
        why: expect.stringContaining('HTTP 503'),
      });
      await eventually(async () => (await shown(id)) === kind, { what: 'Temporal shows it' });
      const [webhook] = await eventually(async () => {
        const told = await webhooks(id);
        return told.length > 0 && told;
      });
      expect(webhook).toMatchObject({
        state: 'open',
        waiting: 1,
        answer: expect.stringContaining('HTTP 503'),
      });
      await eventually(async () => (await mails(id)).length === 1, { what: 'a mail' });

      await faults.clear();
      // an operator need not wait for the next attempt, unless the clinic is left alone just then
      const deps = {
        database: service.database,
        caseClient: createCaseClient({ client }),
        now: () => new Date(),
      };
      const scope = { kind, cause: 'fjordklinikken' } as const;
      await eventually(
        async () => {
          await runBulk(deps, scope);
          return (await read(id)).booking?.transferredAt !== null;
        },
        { what: 'the clinic has it', withinMs: 60_000, everyMs: 1_000 },
      );
      expect(await createCaseClient({ client }).tryNow(id, 'transferBooking')).toBe(false);
      await eventually(async () => (await listed(id)).length === 0);
      await eventually(async () => (await shown(id)) === 'none', { what: 'Temporal shows nothing' });
      await eventually(async () => (await webhooks(id)).some(({ state }) => state === 'over'));
      await eventually(async () => (await mails(id)).some(({ subject }) => subject.startsWith('Over: ')));
    });
  });

  describe('where something was left at the clinic', () => {
    const newId = () => randomUUID() as BookingId;
    const statusOf = async ({ slot }: SlotRef) => (await get<Slot>(`Slot/${slot}`)).status;
    /** Our own client of the clinic, as the worker has it. */
    const system = (): BookingSystem => {
      const id = 'fjordklinikken' as ProviderId;
      return connectBookingSystem({ id, name: id, kind: 'fhir', baseUrl: fhirUrl() });
    };
    const freeSlot = async () => {
      const from = instant(Date.now());
      const slots = await system().search({ treatmentType: 'psychology', from, to: daysAfter(from, 14) });
      const slot = slots.at(-1);
      if (!slot) throw new Error('no free time');
      return slot;
    };
    const held = async () => {
      const [slot, bookingId] = [await freeSlot(), newId()];
      expect(await system().hold(slot, bookingId)).toMatchObject({ outcome: 'held' });
      return { slot, bookingId };
    };
    const noted: string[] = [];
    const sweep = (discrepancy: BookingId) => {
      const { sweepSlots } = createSweepActivities({
        bookingSystemOf: system,
        orphanRepository: createOrphans(service.database),
        caseClient: createCaseClient({ client }),
        noteFinding: ({ kind }) => noted.push(kind),
      });
      const task = { providerId: 'fjordklinikken' as ProviderId, discrepancies: [discrepancy] };
      return new MockActivityEnvironment().run(sweepSlots, task);
    };

    it('lets a hold go whose claim has ended without a booking, and then the claim', async () => {
      const { id } = await create();
      const { slot, bookingId } = await held();
      await createSlotClaims(service.database).claim({ caseId: id, bookingId, slot });
      await sweep(bookingId);
      expect(await statusOf(slot)).toBe('busy-tentative');
      await service.database.query(sql.type(z.object({}))`
        UPDATE slot_claims SET expires_at = now() - interval '1 second' WHERE booking_id = ${bookingId}`);
      await look();
      await eventually(async () => (await createOrphans(service.database).claimed([bookingId])).length === 0);
      expect(await statusOf(slot)).toBe('free');
    });

    it('takes a mark off that no claim and no case stands for', async () => {
      const { slot, bookingId } = await held();
      await sweep(bookingId);
      expect([await statusOf(slot), noted.at(-1)]).toEqual(['free', 'orphaned_slot']);
    });

    it('leaves an appointment that our books know nothing of', async () => {
      const { slot, bookingId } = await held();
      const booking = bookingOf(slot, bookingId);
      expect(await system().book(booking)).toMatchObject({ outcome: 'booked' });
      await sweep(bookingId);
      expect([await statusOf(slot), noted.at(-1)]).toEqual(['busy', 'unknown_appointment']);
      expect((await theirs(bookingId)).status).toBe('booked');
    });

    it('leaves a booking whose claim was lost, as its case says that it wants it', async () => {
      const { booking } = await booked();
      const bookingId = booking.bookingId;
      await createSlotClaims(service.database).free(bookingId);
      await sweep(bookingId);
      expect((await theirs(bookingId)).status).toBe('booked');
    });
  });

  it('brings what the clinic moved, and then cancelled, to the partner and the customer', async () => {
    const { id, booking } = await booked();
    const appointment = await theirs(booking.bookingId);
    const oldSlot = await get<Slot>(appointment.slot?.[0]?.reference ?? '');
    const free = await found<Slot>('Slot?status=free&service-type=psychology&_count=500');
    const other = free.find(
      (slot) => slot.schedule.reference !== oldSlot.schedule.reference && slot.start !== oldSlot.start,
    );
    if (!other) throw new Error('no other time');
    await write({ ...other, status: 'busy' });
    const { start, end } = other;
    await write({ ...appointment, start, end, slot: [{ reference: `Slot/${other.id ?? ''}` }] });

    await look();
    const moved = await until(id, (it) => it.booking?.start === new Date(start).toISOString());
    expect(moved.status).toBe('booked');
    expect(moved.booking?.practitioner).not.toBe(booking.practitioner);
    await told(id, 'changed');
    const { data } = await timeline(id);
    expect(data.find(({ type }) => type === 'booking.moved_by_provider')).toMatchObject({
      actor: 'provider',
    });

    await write({ ...(await theirs(booking.bookingId)), status: 'cancelled' });
    await look();
    await until(id, ({ status }) => status === 'pending_patient_action');
    await told(id, 'choose_again');
    expect((await read(id)).booking).toBeNull();
    await eventually(async () => {
      const marked = await found<Slot>(`Slot?identifier=${BOOKING_SYSTEM}|${booking.bookingId}`);
      return marked.length === 0;
    });
    await eventually(async () => {
      const kinds = (await listFindings(service.database)).map(({ kind, count }) => `${kind} ${count}`);
      return kinds.includes('moved 1') && kinds.includes('cancelled 1');
    });
  });
});
