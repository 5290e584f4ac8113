import { describe, expect, it } from '@jest/globals';
import type { CaseBody } from '../support/caller.ts';
import { BY_BOTH, newCase, today } from '../support/new-case.ts';
import { hasLeft, partnersCases, refusalOf, type Timeline } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';

describe('what a partner does to a case', () => {
  const service = useService();

  const { act, create, notified, read, timeline, until, untouched } = partnersCases(() => service);
  const typesOf = async (id: string) => (await timeline(id)).data.map(({ type }) => type);

  describe('a new case', () => {
    it('is started, and its customer invited on each channel, once', async () => {
      const { id } = await create(BY_BOTH);
      await notified(id, 2);
      const { notifications, status } = await until(id, (it) =>
        it.notifications.some((message) => message.status === 'delivered'),
      );
      expect(status).toBe('pending_patient_action');
      expect(
        notifications.map(({ kind, channel, status: sent, reason }) => [kind, channel, sent, reason]).sort(),
      ).toEqual([
        ['invitation', 'email', 'sent', null],
        ['invitation', 'sms', 'delivered', null],
      ]);
    });
  });

  describe('recall', () => {
    it('ends the case, keeps the reason, and tells the customer', async () => {
      const { id } = await create();
      await notified(id);
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
        expect(refusalOf(await act(id, 'recall', body))).toMatchObject({
          http: 400,
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
      expect(refusalOf(await act(await untouched(), 'archive'))).toEqual({
        http: 400,
        status: 'pending_patient_action',
        code: 'ACTION_NOT_ALLOWED',
        action: 'archive',
        allowedActions: ['recall', 'moveDeadline', 'changeContact', 'correctName', 'resendLink'],
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
        expect([reply.status, refusalOf(reply)]).toMatchObject([
          400,
          { code: 'ACTION_NOT_ALLOWED', status: 'archived', allowedActions: [] },
        ]);
    });
  });

  describe('POST notifications', () => {
    it('sends the link again on the channel that is asked for, five times a day', async () => {
      const { id } = await create(BY_BOTH);
      await notified(id, 2);
      for (let i = 1; i <= 5; i += 1) {
        const { status } = await act(id, 'notifications', { channel: 'sms' });
        expect(status).toBe(200);
      }
      const reply = await act(id, 'notifications', { channel: 'email' });
      expect([reply.status, refusalOf(reply)]).toMatchObject([429, { code: 'CASE_LIMIT_EXCEEDED' }]);
      expect(reply.headers.get('Retry-After')).toMatch(/^\d+$/);
      const { notifications } = await notified(id, 7);
      expect(notifications.filter(({ channel }) => channel === 'sms')).toHaveLength(6);
    });

    it('lets no burst have more than five', async () => {
      const { id } = await create();
      const burst = await Promise.all(
        Array.from({ length: 8 }, () => act(id, 'notifications', { channel: 'email' })),
      );
      expect(burst.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    });

    it('counts no link that was refused', async () => {
      const { id } = await create();
      await act(id, 'recall');
      for (let i = 0; i < 6; i += 1) expect((await act(id, 'notifications')).status).toBe(400);
    });

    it('refuses a channel that is none, or that the case has no address for', async () => {
      const id = await untouched();
      for (const channel of ['fax', 'sms', 7])
        expect(refusalOf(await act(id, 'notifications', { channel }))).toMatchObject({
          fields: [{ field: 'channel' }],
        });
    });
  });

  describe('GET events', () => {
    it('tells the case’s life, oldest first, page by page, with nothing personal', async () => {
      const { id, partnerCaseId } = await create(BY_BOTH);
      await notified(id, 2);
      await act(id, 'recall', { reason: 'A secret reason' });
      await until(
        id,
        ({ notifications }) =>
          notifications.filter(hasLeft).length === 4 &&
          notifications.filter(({ status }) => status === 'delivered').length === 2,
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
      // a report that a message has arrived comes at any time after it has left
      expect(seen.map(({ type }) => type).filter((type) => type !== 'notification.delivered')).toEqual([
        'case.created',
        'notification.sent',
        'notification.sent',
        'case.recalled',
        'notification.sent',
        'notification.sent',
      ]);
      expect(new Set(seen.map((event) => event.id)).size).toBe(8);
      expect(JSON.stringify(seen)).not.toMatch(/Kari|Nordmann|example\.com|900000|secret/);
    });

    it('refuses what it does not know', async () => {
      const id = await untouched();
      for (const query of ['?limit=0', '?limit=101', '?type=x', '?cursor=abc'])
        expect((await service.partner.get(`/cases/${id}/events${query}`)).status).toBe(400);
    });
  });

  it('nothing personal is in the log', () => {
    expect(service.log.join('')).not.toMatch(/Kari|Nordmann|@example|refused\.example|90000000|Settled/);
  });
});
