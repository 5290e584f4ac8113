import { describe, expect, it } from '@jest/globals';
import type { CaseBody } from '../support/caller.ts';
import { mailboxOf } from '../support/mailbox.ts';
import { BY_BOTH, newCase, today } from '../support/new-case.ts';
import { hasLeft, partnersCases, refusalOf } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';

const DAY = 24 * 60 * 60 * 1000;

describe('PATCH /cases/{id}', () => {
  const service = useService();

  const { act, create, notified, read, timeline, until } = partnersCases(() => service);
  const typesOf = async (id: string) => (await timeline(id)).data.map(({ type }) => type);
  const patch = <T = CaseBody>(id: string, body: unknown) => service.partner.patch<T>(`/cases/${id}`, body);
  const mails = mailboxOf(() => service.mailUrl);
  const mailsTo = async (address: string) =>
    (await mails()).filter(({ to }) => to.some((one) => one.address === address));
  /** Made by an API whose clock is behind, so that its last day is over already. */
  const expired = async () => {
    const behind = await service.alsoAt(() => new Date(Date.now() - 3 * DAY));
    const { body } = await behind.post<CaseBody>('/cases', newCase({ bookingDeadline: today(-2) }));
    return until(body.id, ({ status }) => status === 'deadline_expired');
  };

  describe('bookingDeadline', () => {
    it('moves the last day', async () => {
      const { id } = await create();
      const { status, body } = await patch(id, {
        bookingDeadline: today(40),
      });
      expect([status, body.bookingDeadline, body.status]).toEqual([200, today(40), 'pending_patient_action']);
      const { data } = await timeline(id);
      expect(data.find(({ type }) => type === 'case.deadline_moved')).toMatchObject({
        actor: 'partner',
        data: { formerDeadline: today(20), bookingDeadline: today(40) },
      });
    });

    it('opens an expired case again, and invites anew', async () => {
      const { id, allowedActions } = await expired();
      expect(allowedActions).toEqual(['recall', 'archive', 'moveDeadline']);
      const { status, body } = await patch(id, {
        bookingDeadline: today(5),
      });
      expect([status, body.status]).toEqual([200, 'pending_patient_action']);
      await until(id, ({ notifications }) =>
        notifications.some(({ kind, status: sent }) => kind === 'invitation' && hasLeft({ status: sent })),
      );
      expect(await typesOf(id)).toEqual(expect.arrayContaining(['case.deadline_expired', 'case.reopened']));
    });
  });

  describe('patientEmail, patientPhone', () => {
    it('lists the invitation of the corrected address, and sends nothing more to the old one', async () => {
      const [old, corrected] = [`old-${Date.now()}@example.com`, `new-${Date.now()}@example.com`];
      const { id } = await create({ ...BY_BOTH, patientEmail: old });
      await notified(id, 2);
      const { status, body } = await patch(id, {
        patientEmail: corrected,
      });
      expect([status, body.patientEmail, body.patientPhone]).toEqual([200, corrected, '+4790000000']);
      expect(body.notifications.at(-1)).toMatchObject({
        ...{ kind: 'invitation', channel: 'email', status: 'queued', reason: null },
      });
      // which need not be waited for
      expect((await act(id, 'notifications', { channel: 'email' })).body.notifications).not.toContainEqual(
        body.notifications.at(-1),
      );
      await notified(id, 3);
      const [mail] = await mailsTo(corrected);
      expect(mail?.text).toContain(`/b/${id}`);
      await act(id, 'recall');
      await until(
        id,
        ({ notifications }) =>
          notifications.filter(({ kind, status: sent }) => kind === 'recalled' && hasLeft({ status: sent }))
            .length === 2,
      );
      expect(await mailsTo(old)).toHaveLength(1);
      expect(await mailsTo(corrected)).toHaveLength(2);
    });

    it('puts a case right whose only address was no good', async () => {
      const { id } = await create({ patientEmail: 'nobody@refused.example' });
      const broken = await until(id, ({ status }) => status === 'error');
      expect(broken.problem).toMatchObject({ code: 'UNDELIVERABLE' });
      expect(broken.notifications[0]).toMatchObject({ status: 'failed' });
      const { body } = await patch(id, {
        patientPhone: '0047 91 00 00 00',
      });
      expect(body).toMatchObject({
        status: 'pending_patient_action',
        problem: null,
        patientPhone: '+4791000000',
      });
      expect(body.notifications.map(({ channel, status }) => [channel, status])).toEqual([
        ['email', 'failed'],
        ['sms', 'queued'],
      ]);
    });

    it('is all or nothing: a wrong address leaves the deadline where it was', async () => {
      const { id } = await create();
      const sent = { bookingDeadline: today(40), patientEmail: 'new@' };
      const reply = await patch(id, sent);
      expect(refusalOf(reply)).toMatchObject({
        code: 'VALIDATION_FAILED',
        fields: [{ field: 'patientEmail' }],
      });
      expect((await read(id)).bookingDeadline).toBe(today(20));
    });

    it('is refused for a fixed line when there is no e-mail address', async () => {
      const { id } = await create({ ...BY_BOTH, patientEmail: null });
      const reply = await patch(id, { patientPhone: '+4722000000' });
      expect(refusalOf(reply)).toMatchObject({ fields: [{ field: 'patientPhone', code: 'no_sms' }] });
    });

    it('changes both and the deadline together', async () => {
      const { id } = await create();
      const sent = {
        bookingDeadline: today(30),
        patientEmail: 'both@example.com',
        patientPhone: '+4792000000',
      };
      const { status, body } = await patch(id, sent);
      expect(status).toBe(200);
      expect(body).toMatchObject(sent);
    });
  });

  describe('names', () => {
    it('corrects them while the case is open, and tells of it without a name', async () => {
      const { id } = await create();
      const { body } = await patch(id, { patientFirstName: 'Karin', patientLastName: 'Nordmann' });
      expect([body.patientFirstName, body.patientLastName]).toEqual(['Karin', 'Nordmann']);
      const { data } = await timeline(id);
      const told = data.filter(({ type }) => type === 'case.name_corrected');
      expect(told).toMatchObject([{ actor: 'partner', data: { fields: ['patientFirstName'] } }]);
      expect(JSON.stringify(told)).not.toContain('Karin');
    });

    it('clears what the registries said of the name before', async () => {
      const { id } = await create();
      const verified = await act(id, 'policy-verification', { policyNumber: 'POL-KARI-VALID' });
      expect([verified.status, (await read(id)).verification.policy?.outcome]).toEqual([200, 'verified']);
      const { body } = await patch(id, { patientFirstName: 'Ola' });
      expect(body.verification).toEqual({ policy: null, referral: null });
    });

    it.each(['recalled', 'archived'])('refuses it once the case is %s, by the table', async (status) => {
      const { id } = await create();
      await act(id, 'recall');
      if (status === 'archived') await act(id, 'archive');
      const reply = await patch(id, { patientLastName: 'Hansen' });
      expect(refusalOf(reply)).toMatchObject({ code: 'ACTION_NOT_ALLOWED', status, action: 'correctName' });
      const same = await patch(id, { patientLastName: 'Nordmann' });
      expect([same.status, same.body.patientLastName, same.body.status]).toEqual([200, 'Nordmann', status]);
    });
  });

  it('refuses what it can not change, and a body without anything to change', async () => {
    const { id } = await create();
    const refused = async (body: unknown) => refusalOf(await patch(id, body))['fields' as never];
    expect(await refused({ status: 'booked', treatmentType: 'psychology' })).toMatchObject([
      { field: 'status', code: 'unknown_field' },
      { field: 'treatmentType', code: 'unknown_field' },
    ]);
    expect(await refused({})).toMatchObject([
      {
        field: 'body',
        code: 'nothing_to_change',
        message: expect.stringContaining('bookingDeadline') as unknown,
      },
    ]);
    expect(await refused({ patientEmail: null })).toMatchObject([{ field: 'patientEmail' }]);
  });
});
