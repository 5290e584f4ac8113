import { describe, expect, it } from '@jest/globals';
import type { CaseId } from '../../src/domain/ids.ts';
import { readAccessLog } from '../../src/postgres/access-log.ts';
import type { CaseBody, Reply } from '../support/caller.ts';
import { logIn, type Availability, type BookingBody, type Customer } from '../support/customer.ts';
import { eventually } from '../support/eventually.ts';
import { partnersCases, refusalOf } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';

describe('confirming, changing and cancelling a time', () => {
  const service = useService();

  const { create, read, until } = partnersCases(() => service);
  const atHome = async (changes: Readonly<Record<string, unknown>> = {}): Promise<[string, Customer]> => {
    const { id } = await create(changes);
    return [id, await logIn(service, id)];
  };
  const codeOf = (reply: Reply<unknown>) => {
    const { http, code } = refusalOf(reply);
    return [http, code];
  };
  const booked = async (): Promise<[string, Customer, BookingBody]> => {
    const [id, customer] = await atHome();
    const { status, body } = await customer.confirm(await customer.freshSlot());
    expect(status).toBe(200);
    return [id, customer, body];
  };
  const appointments = async (id: string) => {
    const found: { status: string }[] = [];
    for (const { fhirUrl } of service.clinics) {
      const bundle = (await (await fetch(`${fhirUrl}/Appointment?_count=1000`)).json()) as {
        entry?: { resource: { status: string; identifier?: { value: string }[] } }[];
      };
      const own = (bundle.entry ?? []).map(({ resource }) => resource);
      found.push(...own.filter(({ identifier }) => identifier?.some(({ value }) => value === id)));
    }
    return found.filter(({ status }) => status === 'booked');
  };

  describe('confirm', () => {
    it('books, and soon the appointment stands in the provider’s calendar and the receipt is sent', async () => {
      const [id, customer] = await atHome();
      const slot = await customer.freshSlot();
      const { status, body } = await customer.confirm(slot);
      expect(status).toBe(200);
      const { providerId, providerName, practitioner, location, mode, start, end } = slot;
      expect(body).toEqual({
        bookingId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        confirmedAt: expect.stringMatching(/Z$/),
        transferredAt: body.transferredAt,
        providerReference: body.providerReference,
        ...{ providerId, providerName, practitioner, location, mode, start, end },
      });
      const done = await until(id, ({ notifications }) =>
        notifications.some(({ kind }) => kind === 'receipt'),
      );
      expect(done).toMatchObject({ status: 'booked', booking: { bookingId: body.bookingId } });
      expect(done.booking?.providerReference).toMatch(/./);
      expect(await appointments(id)).toHaveLength(1);
      // what a clinic is sent of a customer is a disclosure
      const told = { caseId: id as CaseId, whoId: providerId, limit: 5 };
      expect(await readAccessLog(service.database, told)).toMatchObject([
        { process: 'worker', who: 'clinic', action: 'transfer', outcome: 'done', requestId: body.bookingId },
      ]);
      expect((await customer.get<unknown>('')).body).toMatchObject({
        status: 'booked',
        booking: { bookingId: body.bookingId },
        allowedActions: ['change', 'cancel', 'requestAssistance'],
      });
    });

    it('of the same time by five clicks at once books it once', async () => {
      const [id, customer] = await atHome();
      const slot = await customer.freshSlot();
      const replies = await Promise.all(Array.from({ length: 5 }, () => customer.confirm(slot)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(new Set(replies.map(({ body }) => body.bookingId)).size).toBe(1);
      await until(id, ({ booking }) => booking?.transferredAt !== null);
      expect(await appointments(id)).toHaveLength(1);
    });

    it('changes to another time, and lets the old one go', async () => {
      const [id, customer, before] = await booked();
      await until(id, ({ booking }) => booking?.transferredAt !== null);
      const { status, body } = await customer.confirm(await customer.freshSlot());
      expect(status).toBe(200);
      expect(body.bookingId).not.toBe(before.bookingId);
      await until(id, ({ notifications }) => notifications.some(({ kind }) => kind === 'changed'));
      await eventually(async () => (await appointments(id)).length === 1);
      const { slots } = await customer.slots();
      expect(
        slots.some(
          ({ start, practitioner }) => start === before.start && practitioner === before.practitioner,
        ),
      ).toBe(true);
    });

    it('400 SLOT_UNKNOWN for a time that was never offered, was altered, or was offered to another case', async () => {
      const [, customer] = await atHome();
      const [, other] = await atHome();
      const { slotId } = await customer.freshSlot();
      const [payload = '', signature = ''] = slotId.split('.');
      const fields = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[];
      const altered = Buffer.from(JSON.stringify([fields[0], 'other', ...fields.slice(2)])).toString(
        'base64url',
      );
      for (const wrong of [
        'x',
        '.',
        `${payload}.`,
        `${payload}.${signature}x.y`,
        `${altered}.${signature}`,
        `${payload}.AAAA`,
      ])
        expect(codeOf(await customer.confirm({ slotId: wrong }))).toEqual([400, 'SLOT_UNKNOWN']);
      expect(codeOf(await other.confirm({ slotId }))).toEqual([400, 'SLOT_UNKNOWN']);
      for (const body of [{}, { slotId: '' }, { slotId: 7 }, { slotId, price: 0 }])
        expect(codeOf(await customer.post('/confirm', body))).toEqual([400, 'VALIDATION_FAILED']);
      expect((await customer.confirm({ slotId })).status).toBe(200);
    });

    it('400 SLOT_TAKEN for the slower of two cases, with three other times that can be had', async () => {
      const [one, two] = [(await atHome())[1], (await atHome())[1]];
      const wanted = await one.freshSlot();
      const same = (await two.slots()).slots.find(
        ({ start, practitioner }) => start === wanted.start && practitioner === wanted.practitioner,
      );
      const replies = await Promise.all([one.confirm(wanted), two.confirm(same ?? wanted)]);
      const [lost] = replies.filter(({ status }) => status === 400);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
      if (!lost) throw new Error('both got it');
      expect(refusalOf(lost)['code']).toBe('SLOT_TAKEN');
      const alternatives = refusalOf(lost)['alternatives'] as Availability['slots'];
      expect(alternatives).toHaveLength(3);
      // in the same town, or by video, as what was lost
      for (const { mode, town } of alternatives) expect([mode, town]).toEqual([wanted.mode, wanted.town]);
      const loser = replies[0] === lost ? one : two;
      expect((await loser.confirm(alternatives[0] ?? wanted)).status).toBe(200);
    });

    it('400 ACTION_NOT_ALLOWED on a recalled case, with what the customer may do', async () => {
      const [id, customer] = await atHome();
      const slot = await customer.freshSlot();
      await service.partner.post(`/cases/${id}/recall`);
      const reply = await customer.confirm(slot);
      expect([reply.status, refusalOf(reply)]).toMatchObject([
        400,
        { code: 'ACTION_NOT_ALLOWED', status: 'recalled', action: 'confirm', allowedActions: [] },
      ]);
    });
  });

  describe('cancel', () => {
    it('frees the time and opens the case again; twice is as good as once', async () => {
      const [id, customer, before] = await booked();
      await until(id, ({ booking }) => booking?.transferredAt !== null);
      expect((await customer.post('/cancel')).status).toBe(200);
      expect(await read(id)).toMatchObject({ status: 'pending_patient_action', booking: null });
      expect((await customer.post('/cancel')).status).toBe(200);
      await eventually(async () => (await appointments(id)).length === 0);
      const free = await eventually(async () => {
        const { slots } = await customer.slots();
        return slots.find(
          ({ start, practitioner }) => start === before.start && practitioner === before.practitioner,
        );
      });
      expect((await customer.confirm(free)).status).toBe(200);
    });
  });

  it('a recall of a booked case cancels the appointment at the provider', async () => {
    const [id] = await booked();
    await until(id, ({ booking }) => booking?.transferredAt !== null);
    const { body } = await service.partner.post<CaseBody>(`/cases/${id}/recall`);
    expect([body.status, body.booking]).toEqual(['recalled', null]);
    await eventually(async () => (await appointments(id)).length === 0);
  });

  it('nothing personal is in the log', () => {
    expect(service.log.join('')).not.toMatch(/Kari|Nordmann|@example|90000000|1985-03/);
  });
});
