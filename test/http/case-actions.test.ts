import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CaseBody, Reply } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { newCase, today } from '../support/new-case.ts';
import { startService, type TestService } from '../support/service.ts';

interface Mail {
  readonly to: readonly { readonly address: string }[];
  readonly text: string;
}

interface Timeline {
  readonly data: readonly {
    readonly id: string;
    readonly type: string;
    readonly actor: string;
    readonly data: object;
  }[];
  readonly nextCursor: string | null;
}

const DAY = 24 * 60 * 60 * 1000;

describe('what a partner does to a case', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ worker: true, messages: true });
  });
  afterAll(() => service.stop());

  const create = async (changes: Readonly<Record<string, unknown>> = {}) =>
    (await service.partner.post<CaseBody>('/cases', newCase(changes))).body;
  const read = async (id: string) => (await service.partner.get<CaseBody>(`/cases/${id}`)).body;
  const until = (id: string, isSo: (theCase: CaseBody) => boolean) =>
    eventually(async () => {
      const theCase = await read(id);
      return isSo(theCase) ? theCase : null;
    });
  const invited = (id: string, count = 2) =>
    until(id, ({ notifications }) => notifications.filter(({ status }) => status === 'sent').length >= count);
  const act = <T = CaseBody>(id: string, action: string, body?: unknown) =>
    service.partner.post<T>(`/cases/${id}/${action}`, body);
  const typesOf = async (id: string) =>
    (await service.partner.get<Timeline>(`/cases/${id}/events`)).body.data.map(({ type }) => type);
  const mailsTo = async (address: string) => {
    const mails = (await (await fetch(`${service.mailUrl ?? ''}/email`)).json()) as Mail[];
    return mails.filter(({ to }) => to.some((one) => one.address === address));
  };
  const refusal = (reply: Reply<unknown>) => {
    const { details } = reply.body as { details: Record<string, unknown> };
    const { requestId, ...rest } = details;
    expect(requestId).toMatch(/./);
    return { status: reply.status, ...rest, ...(rest['status'] ? { inStatus: rest['status'] } : {}) };
  };
  /** Made by an API whose clock is behind, so that its last day is over already. */
  const expired = async () => {
    const behind = await service.alsoAt(() => new Date(Date.now() - 3 * DAY));
    const { body } = await behind.post<CaseBody>('/cases', newCase({ bookingDeadline: today(-2) }));
    return until(body.id, ({ status }) => status === 'deadline_expired');
  };

  describe('a new case', () => {
    it('is started, and its customer invited on each channel, once', async () => {
      const { id } = await create();
      const { notifications, status } = await invited(id);
      expect(status).toBe('pending_patient_action');
      expect(
        notifications.map(({ kind, channel, status: sent, reason }) => [kind, channel, sent, reason]).sort(),
      ).toEqual([
        ['invitation', 'email', 'sent', null],
        ['invitation', 'sms', 'sent', null],
      ]);
    });
  });

  describe('recall', () => {
    it('ends the case, keeps the reason, and tells the customer', async () => {
      const { id } = await create();
      await invited(id);
      const { status, body } = await act(id, 'recall', { reason: ' Settled otherwise ' });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        status: 'recalled',
        recall: { reason: 'Settled otherwise' },
        allowedActions: ['archive'],
      });
      expect(body.recall?.at).toMatch(/Z$/);
      expect((await read(id)).recall).toEqual(body.recall);
      await until(id, ({ notifications }) => notifications.some(({ kind }) => kind === 'recalled'));
      expect(await typesOf(id)).toContain('case.recalled');
    });

    it('is done already when it is asked for again, and changes nothing', async () => {
      const { id } = await create();
      const first = await act(id, 'recall', { reason: 'first' });
      const second = await act(id, 'recall', { reason: 'second' });
      expect([second.status, second.body.recall]).toEqual([200, first.body.recall]);
      const bare = await act(id, 'recall');
      expect([bare.status, bare.body.recall?.reason]).toEqual([200, 'first']);
      expect((await typesOf(id)).filter((type) => type === 'case.recalled')).toHaveLength(1);
    });

    it('needs no reason; a reason is a text of up to 1,000 characters, and nothing else is taken', async () => {
      const { id } = await create();
      for (const body of [{ reason: 7 }, { reason: 'x'.repeat(1_001) }, { reason: '' }, { why: 'x' }])
        expect(refusal(await act(id, 'recall', body))).toMatchObject({
          status: 400,
          code: 'VALIDATION_FAILED',
        });
      const { status, body } = await act(id, 'recall', {});
      expect([status, body.recall?.reason]).toEqual([200, null]);
    });

    it('makes room for another case of the same reference', async () => {
      const first = await create();
      await act(first.id, 'recall');
      const second = await service.partner.post<CaseBody>(
        '/cases',
        newCase({ partnerCaseId: first.partnerCaseId }),
      );
      expect(second.status).toBe(201);
      expect(second.body.id).not.toBe(first.id);
    });

    it('of ten at once is granted to all, and happens once', async () => {
      const { id } = await create();
      const replies = await Promise.all(Array.from({ length: 10 }, () => act(id, 'recall')));
      expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
      expect((await typesOf(id)).filter((type) => type === 'case.recalled')).toHaveLength(1);
    });
  });

  describe('archive', () => {
    it('is refused while the case is open, and says what is possible', async () => {
      const { id } = await create();
      expect(refusal(await act(id, 'archive'))).toEqual({
        status: 'pending_patient_action',
        inStatus: 'pending_patient_action',
        code: 'ACTION_NOT_ALLOWED',
        action: 'archive',
        allowedActions: ['recall', 'moveDeadline', 'changeContact', 'resendLink'],
      });
    });

    it('closes a recalled case for good: whatever is asked of it then is refused, and archiving again is done', async () => {
      const { id } = await create();
      await act(id, 'recall');
      const { status, body } = await act(id, 'archive');
      expect([status, body.status, body.allowedActions]).toEqual([200, 'archived', []]);
      expect((await act(id, 'archive')).status).toBe(200);
      for (const reply of [
        await act(id, 'recall'),
        await act(id, 'notifications'),
        await service.partner.patch(`/cases/${id}`, { bookingDeadline: today(9) }),
        await service.partner.patch(`/cases/${id}`, { patientEmail: 'new@example.com' }),
      ])
        expect([reply.status, refusal(reply)]).toMatchObject([
          400,
          { code: 'ACTION_NOT_ALLOWED', inStatus: 'archived', allowedActions: [] },
        ]);
    });
  });

  describe('PATCH bookingDeadline', () => {
    it('moves the last day', async () => {
      const { id } = await create();
      const { status, body } = await service.partner.patch<CaseBody>(`/cases/${id}`, {
        bookingDeadline: today(40),
      });
      expect([status, body.bookingDeadline, body.status]).toEqual([200, today(40), 'pending_patient_action']);
      const { data } = (await service.partner.get<Timeline>(`/cases/${id}/events`)).body;
      expect(data.find(({ type }) => type === 'case.deadline_moved')).toMatchObject({
        actor: 'partner',
        data: { from: today(20), to: today(40) },
      });
    });

    it('changes nothing when it is the same day', async () => {
      const { id } = await create();
      expect((await service.partner.patch(`/cases/${id}`, { bookingDeadline: today(20) })).status).toBe(200);
      expect(await typesOf(id)).not.toContain('case.deadline_moved');
    });

    it('opens an expired case again, and invites anew', async () => {
      const { id, allowedActions } = await expired();
      expect(allowedActions).toEqual(['recall', 'archive', 'moveDeadline']);
      const { status, body } = await service.partner.patch<CaseBody>(`/cases/${id}`, {
        bookingDeadline: today(5),
      });
      expect([status, body.status]).toEqual([200, 'pending_patient_action']);
      await until(id, ({ notifications }) =>
        notifications.some(({ kind, status: sent }) => kind === 'invitation' && sent === 'sent'),
      );
      expect(await typesOf(id)).toEqual(expect.arrayContaining(['case.deadline_expired', 'case.reopened']));
    });

    it('is refused on a recalled case', async () => {
      const { id } = await create();
      await act(id, 'recall');
      const reply = await service.partner.patch(`/cases/${id}`, { bookingDeadline: today(9) });
      expect([reply.status, refusal(reply)]).toMatchObject([
        400,
        { code: 'ACTION_NOT_ALLOWED', action: 'moveDeadline', allowedActions: ['archive'] },
      ]);
    });
  });

  describe('PATCH patientEmail, patientPhone', () => {
    it('sends the link to the corrected address at once, and nothing more to the old one', async () => {
      const [old, corrected] = [`old-${Date.now()}@example.com`, `new-${Date.now()}@example.com`];
      const { id } = await create({ patientEmail: old });
      await invited(id);
      const { status, body } = await service.partner.patch<CaseBody>(`/cases/${id}`, {
        patientEmail: corrected,
      });
      expect([status, body.patientEmail, body.patientPhone]).toEqual([200, corrected, '+4790000000']);
      await invited(id, 3);
      const [mail] = await mailsTo(corrected);
      expect(mail?.text).toContain(`/b/${id}`);
      await act(id, 'recall');
      await until(
        id,
        ({ notifications }) =>
          notifications.filter(({ kind, status: sent }) => kind === 'recalled' && sent === 'sent').length ===
          2,
      );
      expect(await mailsTo(old)).toHaveLength(1);
      expect(await mailsTo(corrected)).toHaveLength(2);
    });

    it('puts a case right whose only address was no good', async () => {
      const { id } = await create({ patientEmail: 'nobody@refused.example', patientPhone: null });
      const broken = await until(id, ({ status }) => status === 'error');
      expect(broken.problem).toMatchObject({ code: 'UNDELIVERABLE' });
      expect(broken.notifications[0]).toMatchObject({ status: 'failed' });
      const { body } = await service.partner.patch<CaseBody>(`/cases/${id}`, {
        patientPhone: '0047 91 00 00 00',
      });
      expect(body).toMatchObject({
        status: 'pending_patient_action',
        problem: null,
        patientPhone: '+4791000000',
      });
      await until(id, ({ notifications }) =>
        notifications.some(({ channel, status }) => channel === 'sms' && status === 'sent'),
      );
    });

    it('is all or nothing: a wrong address leaves the deadline where it was', async () => {
      const { id } = await create();
      const sent = { bookingDeadline: today(40), patientEmail: 'new@' };
      const reply = await service.partner.patch(`/cases/${id}`, sent);
      expect(refusal(reply)).toMatchObject({
        code: 'VALIDATION_FAILED',
        fields: [{ field: 'patientEmail' }],
      });
      expect((await read(id)).bookingDeadline).toBe(today(20));
    });

    it('is refused for a fixed line when there is no e-mail address', async () => {
      const { id } = await create({ patientEmail: null });
      const reply = await service.partner.patch(`/cases/${id}`, { patientPhone: '+4722000000' });
      expect(refusal(reply)).toMatchObject({ fields: [{ field: 'patientPhone', code: 'no_sms' }] });
    });

    it('changes both and the deadline together', async () => {
      const { id } = await create();
      const sent = {
        bookingDeadline: today(30),
        patientEmail: 'both@example.com',
        patientPhone: '+4792000000',
      };
      const { status, body } = await service.partner.patch<CaseBody>(`/cases/${id}`, sent);
      expect(status).toBe(200);
      expect(body).toMatchObject(sent);
    });
  });

  describe('PATCH names', () => {
    it('corrects them until somebody has logged in', async () => {
      const { id } = await create();
      const { body } = await service.partner.patch<CaseBody>(`/cases/${id}`, { patientFirstName: 'Karin' });
      expect([body.patientFirstName, body.patientLastName]).toEqual(['Karin', 'Nordmann']);
    });
  });

  it('PATCH refuses what it can not change, and a body without anything to change', async () => {
    const { id } = await create();
    const refused = async (body: unknown) =>
      refusal(await service.partner.patch(`/cases/${id}`, body))['fields' as never];
    expect(await refused({ status: 'booked', treatmentType: 'psychology' })).toMatchObject([
      { field: 'status', code: 'unknown_field' },
      { field: 'treatmentType', code: 'unknown_field' },
    ]);
    expect(await refused({})).toMatchObject([{ code: 'required' }]);
    expect(await refused({ patientEmail: null })).toMatchObject([{ field: 'patientEmail' }]);
  });

  describe('POST notifications', () => {
    it('sends the link again on the channel that is asked for, five times a day', async () => {
      const { id } = await create();
      await invited(id);
      for (let i = 1; i <= 5; i += 1) {
        const { status } = await act(id, 'notifications', { channel: 'sms' });
        expect(status).toBe(200);
      }
      const reply = await act(id, 'notifications', { channel: 'email' });
      expect([reply.status, refusal(reply)]).toMatchObject([429, { code: 'CASE_LIMIT_EXCEEDED' }]);
      expect(reply.headers.get('Retry-After')).toMatch(/^\d+$/);
      const { notifications } = await invited(id, 7);
      expect(notifications.filter(({ channel }) => channel === 'sms')).toHaveLength(6);
    });

    it('refuses a channel that is none, or that the case has no address for', async () => {
      const { id } = await create({ patientPhone: null });
      for (const channel of ['fax', 'sms', 7])
        expect(refusal(await act(id, 'notifications', { channel }))).toMatchObject({
          fields: [{ field: 'channel' }],
        });
    });
  });

  describe('GET events', () => {
    it('tells the case’s life, oldest first, page by page, with nothing personal', async () => {
      const { id, partnerCaseId } = await create();
      await invited(id);
      await act(id, 'recall', { reason: 'A secret reason' });
      await until(
        id,
        ({ notifications }) => notifications.filter(({ status }) => status === 'sent').length === 4,
      );
      const seen: Timeline['data'][number][] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const page: Timeline = (await service.partner.get<Timeline>(`/cases/${id}/events?limit=2${after}`))
          .body;
        seen.push(...page.data);
        cursor = page.nextCursor;
      }
      expect(seen[0]).toMatchObject({
        type: 'case.created',
        actor: 'partner',
        caseId: id,
        partnerCaseId,
        data: {},
      });
      expect(seen.map(({ type }) => type)).toEqual([
        'case.created',
        'notification.sent',
        'notification.sent',
        'case.recalled',
        'notification.sent',
        'notification.sent',
      ]);
      expect(new Set(seen.map((event) => event.id)).size).toBe(6);
      expect(JSON.stringify(seen)).not.toMatch(/Kari|Nordmann|example\.com|900000|secret/);
    });

    it('refuses what it does not know', async () => {
      const { id } = await create();
      for (const query of ['?limit=0', '?limit=101', '?type=x', '?cursor=abc'])
        expect((await service.partner.get(`/cases/${id}/events${query}`)).status).toBe(400);
    });
  });

  it('nothing personal is in the log', () => {
    expect(service.log.join('')).not.toMatch(/Kari|Nordmann|@example|refused\.example|90000000|Settled/);
  });
});
