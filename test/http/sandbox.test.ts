import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { components } from '../../clients/typescript/index.ts';
import { CASE_STATUSES } from '../../src/domain/case-state.ts';
import { SANDBOX_ACTIONS } from '../../src/http/sandbox/actions.ts';
import type { CaseBody, Reply } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { BOOKING_SYSTEM } from '../../src/providers/fhir/mark.ts';
import { BY_BOTH, today } from '../support/new-case.ts';
import { hasLeft, partnersCases, refusalOf } from '../support/partners-cases.ts';
import { startService, type TestService } from '../support/service.ts';

type Messages = components['schemas']['SandboxMessages'];

describe('in the sandbox', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ worker: true, messages: true, clinics: ['fjordklinikken'] });
  });
  afterEach(() => fetch(`${clinicUrl()}/_faults`, { method: 'DELETE' }));
  afterAll(() => service.stop());

  const { act, create, notified, read, timeline, until, untouched } = partnersCases(() => service);
  const clinicUrl = () => service.clinics[0]?.url ?? '';
  const drive = <T = CaseBody>(id: string, action: string, days = 1): Promise<Reply<T>> =>
    service.partner.post(`/sandbox/cases/${id}/${action}`, action === 'advance' ? { days } : undefined);
  const driven = async (id: string, action: string, days?: number): Promise<CaseBody> => {
    const { status, body } = await drive(id, action, days);
    expect([action, status]).toEqual([action, 200]);
    return body;
  };
  const created = async (changes = {}) => (await create(changes)).id;
  const booked = async () => driven(await created(), 'book');
  const bookingOf = ({ booking }: CaseBody) => {
    if (!booking) throw new Error('nothing is booked');
    return booking;
  };
  const kindsSent = ({ notifications }: CaseBody) => notifications.filter(hasLeft).map(({ kind }) => kind);
  const fhir = async (path: string) => (await fetch(`${clinicUrl()}/fhir/${path}`)).json() as any;
  /** The clinic's own appointments of a booking, and the slots that they stand on. */
  const atClinic = async (bookingId: string) => {
    const { entry = [] } = await fhir(`Appointment?identifier=${BOOKING_SYSTEM}|${bookingId}`);
    const appointments = entry.map(({ resource }: any) => resource);
    return appointments.map(({ status }: any) => status);
  };
  const slotMarkedBy = async (bookingId: string) => {
    const { total } = await fhir(`Slot?identifier=${BOOKING_SYSTEM}|${bookingId}&_summary=count`);
    return total as number;
  };

  const messages = async (query: string) =>
    (await service.partner.get<Messages>(`/sandbox/messages${query}`)).body;
  const messagesOf = (id: string) => messages(`?caseId=${id}`);

  describe('book', () => {
    it('books a free time as the customer does, and waits for the provider to have it', async () => {
      const { id, status, booking } = await booked();
      expect(status).toBe('booked');
      expect(booking).toMatchObject({ providerId: 'fjordklinikken', mode: expect.any(String) });
      expect(booking?.transferredAt).toMatch(/Z$/);
      expect(await atClinic(booking?.bookingId ?? '')).toEqual(['booked']);
      await until(id, (it) => kindsSent(it).includes('receipt'));
      const { data } = await timeline(id);
      expect(data.find(({ type }) => type === 'booking.confirmed')).toMatchObject({ actor: 'customer' });
    });

    it('changes a booked case to another time, and the old one is let go', async () => {
      const before = await booked();
      const after = await driven(before.id, 'book');
      expect(bookingOf(after).bookingId).not.toBe(bookingOf(before).bookingId);
      await eventually(async () => (await slotMarkedBy(bookingOf(before).bookingId)) === 0);
      expect(await atClinic(bookingOf(before).bookingId)).toEqual(['cancelled']);
    });

    it('finds a time for each of several cases at once', async () => {
      const ids = await Promise.all(Array.from({ length: 3 }, () => created()));
      const cases = await Promise.all(ids.map((id) => driven(id, 'book')));
      const times = cases.map((it) => `${bookingOf(it).practitioner} ${bookingOf(it).start}`);
      expect(new Set(times).size).toBe(3);
    });

    it('says so when no provider answers, and books nothing', async () => {
      const id = await created();
      const fault = { method: 'GET', effect: 'answer', status: 503, times: null };
      await fetch(`${clinicUrl()}/_faults`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(fault),
      });
      expect(refusalOf(await drive(id, 'book'))).toMatchObject({ http: 500, code: 'PROVIDER_UNAVAILABLE' });
      expect((await read(id)).status).toBe('pending_patient_action');
    });
  });

  describe('expire', () => {
    it('lets the deadline pass, and a new one opens the case again', async () => {
      const id = await created();
      const expired = await driven(id, 'expire');
      expect(expired).toMatchObject({ status: 'deadline_expired', bookingDeadline: today(-1) });
      const { status, body } = await service.partner.patch<CaseBody>(`/cases/${id}`, {
        bookingDeadline: today(9),
      });
      expect([status, body.status]).toEqual([200, 'pending_patient_action']);
    });

    it('changes nothing when the case has expired already', async () => {
      // a message that leaves meanwhile changes it
      const { id } = await notified(await created());
      const { updatedAt } = await driven(id, 'expire');
      expect((await driven(id, 'expire')).updatedAt).toBe(updatedAt);
    });

    it('is refused on a booked case, with what is possible instead', async () => {
      const { id } = await booked();
      const reply = await drive(id, 'expire');
      expect(refusalOf(reply)).toEqual({
        http: 400,
        code: 'ACTION_NOT_ALLOWED',
        status: 'booked',
        action: 'expire',
        allowedActions: ['recall', 'changeContact'],
        sandboxActions: [
          'book',
          'request-assistance',
          'fail-transfer',
          'provider-cancel',
          'pass-appointment',
          'advance',
        ],
      });
    });
  });

  describe('request-assistance and resolve-assistance', () => {
    it('play the customer who asks for help, and the operator who gives it', async () => {
      const id = await created();
      const asked = await driven(id, 'request-assistance');
      expect(asked).toMatchObject({ status: 'assistance_requested', assistance: { resolvedAt: null } });
      const helped = await driven(id, 'resolve-assistance');
      expect(helped.status).toBe('pending_patient_action');
      expect(helped.assistance?.resolvedAt).toMatch(/Z$/);
      const { data } = await timeline(id);
      expect(data.filter(({ type }) => type.startsWith('assistance')).map(({ actor }) => actor)).toEqual([
        'customer',
        'operator',
      ]);
    });

    it('may be repeated more often than a customer may ask, and leave the customer their three times', async () => {
      const id = await created();
      for (let i = 0; i < 5; i += 1) await driven(id, 'request-assistance');
      const own = await service.nobody.post(`/booking/${id}/assistance`, { message: 'Hjelp' });
      expect(own.status).toBe(200);
    });
  });

  describe('bounce', () => {
    it('ends in an error that a corrected address puts right', async () => {
      const id = await created(BY_BOTH);
      const bounced = await driven(id, 'bounce');
      expect(bounced).toMatchObject({ status: 'error', problem: { code: 'UNDELIVERABLE' } });
      const failed = bounced.notifications.filter(({ status }) => status === 'failed');
      expect(failed.map(({ reason }) => reason)).toEqual(
        expect.arrayContaining(['address_refused', 'invalid_address']),
      );

      const { body } = await service.partner.patch<CaseBody>(`/cases/${id}`, {
        patientEmail: 'corrected@example.com',
      });
      expect([body.status, body.problem]).toEqual(['pending_patient_action', null]);
      await service.partner.post(`/cases/${id}/notifications`, {});
      await until(id, ({ notifications }) => {
        const last = notifications.findLast(({ channel }) => channel === 'email');
        return last?.status === 'sent';
      });
      expect((await driven(id, 'book')).status).toBe('booked');
    });

    it('is an error again when the link is sent to the same addresses again', async () => {
      const id = await created(BY_BOTH);
      await driven(id, 'bounce');
      expect((await act(id, 'notifications', { channel: 'sms' })).status).toBe(200);
      await until(id, ({ status }) => status === 'error');
    });

    it('leaves a case that waits for help as it is', async () => {
      const id = await created();
      await driven(id, 'request-assistance');
      const bounced = await driven(id, 'bounce');
      expect([bounced.status, bounced.problem]).toEqual(['assistance_requested', null]);
      expect(bounced.notifications.some(({ status }) => status === 'failed')).toBe(true);
    });
  });

  describe('fail-transfer', () => {
    it('ends in an error, and leaves nothing at the provider', async () => {
      const id = await created();
      const failed = await driven(id, 'fail-transfer');
      expect(failed).toMatchObject({ status: 'error', booking: null, problem: { code: 'TRANSFER_REFUSED' } });
      const { data } = await timeline(id);
      const refused = data.find(({ type }) => type === 'booking.transfer_refused');
      const bookingId = refused?.data.bookingId ?? '';
      await eventually(async () => (await slotMarkedBy(bookingId)) === 0);
      expect(await atClinic(bookingId)).toEqual([]);
    });

    it('lets a customer who is booked keep the appointment, and book another time after that', async () => {
      const before = await booked();
      const kept = await driven(before.id, 'fail-transfer');
      expect(kept).toMatchObject({ status: 'booked', booking: { bookingId: before.booking?.bookingId } });
      const after = await driven(before.id, 'book');
      expect(after.booking?.bookingId).not.toBe(before.booking?.bookingId);
      expect(after.booking?.transferredAt).toMatch(/Z$/);
    });
  });

  describe('provider-cancel', () => {
    it('opens the case again with time to choose, tells the customer, and the time is free again', async () => {
      const { id, booking } = await driven(await created({ bookingDeadline: today(1) }), 'book');
      const cancelled = await driven(id, 'provider-cancel');
      expect(cancelled).toMatchObject({
        status: 'pending_patient_action',
        booking: null,
        bookingDeadline: today(3),
      });
      const bookingId = booking?.bookingId ?? '';
      expect([await atClinic(bookingId), await slotMarkedBy(bookingId)]).toEqual([['cancelled'], 0]);
      await until(id, (it) => kindsSent(it).includes('choose_again'));
      expect((await driven(id, 'book')).status).toBe('booked');
    });
  });

  describe('pass-appointment', () => {
    it('lets the appointment be over: the case can be archived, and not be recalled any more', async () => {
      const { id } = await booked();
      const passed = await driven(id, 'pass-appointment');
      expect(passed.status).toBe('booked');
      expect(bookingOf(passed).end < new Date().toISOString()).toBe(true);
      expect(passed.allowedActions).toEqual(['archive', 'changeContact']);
      expect((await driven(id, 'pass-appointment')).booking).toEqual(passed.booking);
      expect(refusalOf(await act(id, 'recall'))).toMatchObject({ http: 400, code: 'APPOINTMENT_STARTED' });
      expect(refusalOf(await drive(id, 'book'))).toMatchObject({
        code: 'APPOINTMENT_STARTED',
        action: 'book',
        sandboxActions: ['request-assistance', 'provider-cancel', 'pass-appointment', 'advance'],
      });
      const { body } = await act(id, 'archive');
      expect([body.status, body.booking?.bookingId]).toEqual(['archived', passed.booking?.bookingId]);
    });

    it('works for several appointments of one practitioner at once', async () => {
      const cases = await Promise.all(Array.from({ length: 2 }, booked));
      const passed = await Promise.all(cases.map(({ id }) => driven(id, 'pass-appointment')));
      expect(passed.every((it) => bookingOf(it).end < new Date().toISOString())).toBe(true);
    });
  });

  describe('advance', () => {
    it('has the customer reminded, the deadline pass and the case archived, by the workflow’s own timers', async () => {
      const id = await created({ ...BY_BOTH, bookingDeadline: today(6) });
      await notified(id, 2);
      // to the last day, for the day before it has its reminder in the morning, whatever the hour is now
      const reminded = await driven(id, 'advance', 6);
      expect(reminded.status).toBe('pending_patient_action');
      // two, each by mail and SMS
      expect(kindsSent(reminded).filter((kind) => kind === 'reminder')).toHaveLength(4);
      const { data: sent } = await messagesOf(id);
      expect(sent.some(({ kind, text }) => kind === 'reminder' && text.includes(`/b/${id}`))).toBe(true);
      const last = sent.findLast(({ kind, channel }) => kind === 'reminder' && channel === 'email');
      expect(last?.subject).toMatch(/i morgen|1 dag/i);

      const expired = await driven(id, 'advance', 3);
      expect(expired).toMatchObject({ status: 'deadline_expired', bookingDeadline: today(6) });
      const again = await service.partner.patch(`/cases/${id}`, { bookingDeadline: today(7) });
      expect(refusalOf(again)).toMatchObject({ fields: [{ field: 'bookingDeadline', code: 'in_the_past' }] });
      expect((await driven(id, 'advance', 30)).status).toBe('archived');
      const { data } = await timeline(id, '?limit=100');
      const by = data.filter(({ type }) => ['case.deadline_expired', 'case.archived'].includes(type));
      expect(by.map(({ type, actor }) => [type, actor])).toEqual([
        ['case.deadline_expired', 'service'],
        ['case.archived', 'service'],
      ]);
    });

    it('lets an appointment come near and begin, by the case’s clock alone', async () => {
      const [first, second] = await Promise.all([booked(), booked()]);
      const days = Math.ceil((Date.parse(bookingOf(first).start) - Date.now()) / 86_400_000);
      const begun = await driven(first.id, 'advance', days);
      expect(begun.allowedActions).toEqual(['archive', 'changeContact']);
      expect(refusalOf(await act(first.id, 'recall'))).toMatchObject({ code: 'APPOINTMENT_STARTED' });
      expect((await read(second.id)).allowedActions).toEqual(['recall', 'changeContact']);
    });

    it('goes on from there: what is booked, and what a provider’s cancellation leaves, is by that clock', async () => {
      const id = await created({ bookingDeadline: today(8) });
      await driven(id, 'advance', 7);
      const { booking } = await driven(id, 'book');
      expect((booking?.start ?? '') > today(8)).toBe(true);
      expect(await driven(id, 'provider-cancel')).toMatchObject({
        status: 'pending_patient_action',
        bookingDeadline: today(10),
      });
    });

    it('takes 1 to 400 days at a time, and 1,000 in all', async () => {
      const id = await created();
      for (const days of [0, 401, 1.5])
        expect(refusalOf(await drive(id, 'advance', days))).toMatchObject({ fields: [{ field: 'days' }] });
      await act(id, 'recall');
      const failing = await created();
      await driven(failing, 'fail-transfer');
      for (const days of [400, 400, 200]) await driven(failing, 'advance', days);
      const beyond = refusalOf(await drive(failing, 'advance', 1));
      expect(beyond).toMatchObject({ http: 400, fields: [{ field: 'days', code: 'too_far_ahead' }] });
    });
  });

  describe('seed', () => {
    it('makes a case in each status, each by its real workflow', async () => {
      const under = { 'Idempotency-Key': 'once' };
      const seed = () =>
        service.partner.post<components['schemas']['SandboxSeed']>('/sandbox/seed', undefined, under);
      const { status, body } = await seed();
      expect(status).toBe(201);
      expect(body.data.map((it) => it.status)).toEqual([...CASE_STATUSES]);
      expect(body.data.find((it) => it.status === 'error')?.problem?.code).toBe('UNDELIVERABLE');
      for (const { id, status: shown } of body.data) expect((await read(id)).status).toBe(shown);
      // told once more, and not done
      expect((await seed()).body).toEqual(body);
      const stranger = await service.nobody.post('/sandbox/seed');
      expect(refusalOf(stranger)).toMatchObject({ http: 401, reason: 'missing' });
    });
  });

  describe('GET messages', () => {
    it('shows what left for the customer, oldest first, page by page', async () => {
      const id = await created(BY_BOTH);
      await notified(id, 2);
      await act(id, 'recall');
      await notified(id, 4);
      const first = await messages(`?caseId=${id}&limit=3`);
      expect(first.data).toHaveLength(3);
      const rest = await messages(`?caseId=${id}&limit=3&cursor=${first.nextCursor ?? ''}`);
      const other = await created();
      const elsewhere = await service.partner.get(
        `/sandbox/messages?caseId=${other}&cursor=${first.nextCursor ?? ''}`,
      );
      expect(refusalOf(elsewhere)).toMatchObject({ http: 400, fields: [{ field: 'cursor' }] });
      expect(rest.nextCursor).toBeNull();
      const all = [...first.data, ...rest.data];
      expect(all.map(({ kind }) => kind)).toEqual(['invitation', 'invitation', 'recalled', 'recalled']);
      expect(all.find(({ channel }) => channel === 'sms')).toMatchObject({
        caseId: id,
        to: '+4790000000',
        subject: null,
        text: expect.stringContaining(`/b/${id}`),
      });
      expect(all.find(({ channel }) => channel === 'email')).toMatchObject({
        to: 'kari.nordmann@example.com',
        subject: expect.stringMatching(/\S/),
        text: expect.stringContaining(`/b/${id}`),
      });
    });

    it('shows nothing that bounced', async () => {
      const id = await created();
      await notified(id);
      await driven(id, 'bounce');
      expect((await messages(`?caseId=${id}`)).data).toHaveLength(1);
    });

    it('is for one case of one’s own', async () => {
      const id = await untouched();
      const others = await service.otherPartner.get(`/sandbox/messages?caseId=${id}`);
      expect(refusalOf(others)).toEqual({ http: 404, code: 'CASE_NOT_FOUND' });
      const unknown = await service.partner.get('/sandbox/messages?caseId=x');
      expect(refusalOf(unknown)).toEqual({ http: 404, code: 'CASE_NOT_FOUND' });
    });

    it('refuses what it does not know', async () => {
      const id = await untouched();
      const { nextCursor } = await timeline(id, '?limit=1');
      for (const [query, field] of [
        ['', 'caseId'],
        [`?caseId=${id}&caseId=${id}`, 'caseId'],
        [`?caseId=${id}&limit=0`, 'limit'],
        [`?caseId=${id}&kind=receipt`, 'kind'],
        [`?caseId=${id}&cursor=${nextCursor ?? 'x'}`, 'cursor'],
      ])
        expect(refusalOf(await service.partner.get(`/sandbox/messages${query}`))).toMatchObject({
          http: 400,
          fields: [{ field }],
        });
    });
  });

  it('needs a key, and a case of one’s own, for every action', async () => {
    const id = await untouched();
    for (const action of SANDBOX_ACTIONS) {
      const path = `/sandbox/cases/${id}/${action}`;
      expect(refusalOf(await service.nobody.post(path))).toMatchObject({ http: 401, reason: 'missing' });
      const stranger = await service.otherPartner.post(path);
      expect(refusalOf(stranger)).toEqual({ http: 404, code: 'CASE_NOT_FOUND' });
      expect(refusalOf(await service.partner.post(path, { status: 'booked' }))).toMatchObject({
        http: 400,
        fields: expect.arrayContaining([expect.objectContaining({ field: 'status', code: 'unknown_field' })]),
      });
    }
  });

  it('refuses every action once the case is archived', async () => {
    const id = await created();
    await act(id, 'recall');
    await act(id, 'archive');
    for (const action of SANDBOX_ACTIONS)
      expect(refusalOf(await drive(id, action))).toEqual({
        http: 400,
        code: 'ACTION_NOT_ALLOWED',
        status: 'archived',
        action,
        allowedActions: [],
        sandboxActions: [],
      });
  });
});
