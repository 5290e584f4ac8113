import { describe, expect, it } from '@jest/globals';
import { workflowIdOf } from '../../workflows/contract.ts';
import { operatorOf } from '../operator/command.ts';
import { eventually } from '../support/eventually.ts';
import { mailboxOf } from '../support/mailbox.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';

describe('the operator', () => {
  const service = useService();

  const operator = operatorOf(() => service);
  const { act, create, until } = partnersCases(() => service);
  const mails = mailboxOf(() => service.mailUrl);
  const callsAbout = async (id: string) =>
    (await mails()).filter(
      ({ to, text }) => to.some(({ address }) => address.startsWith('drift@')) && text.includes(id),
    );
  const alarmsAbout = async (id: string) =>
    (await callsAbout(id)).filter(({ subject }) => !subject.startsWith('Over: '));
  const called = (id: string, times: number) =>
    eventually(async () => {
      const alarms = await alarmsAbout(id);
      return alarms.length === times && alarms;
    });
  const linkOf = (id: string) =>
    `http://temporal.example/namespaces/default/workflows/${workflowIdOf(id as never)}`;

  it('gets a mail with a link to the case, and nothing of the customer, when help is asked for, and when it is settled', async () => {
    const { id } = await create();
    await service.nobody.post(`/booking/${id}/assistance`, { message: 'I have no BankID' });
    const [mail] = await called(id, 1);
    expect(mail?.text).toContain(linkOf(id));
    expect(mail?.html).toContain(linkOf(id));
    expect(JSON.stringify(mail)).toContain('Fjordtrygd');
    expect(JSON.stringify(mail)).not.toMatch(/Kari|Nordmann|kari\.|900000|BankID|isen|psych/i);
    await operator.done(`case resolve-assistance ${id}`);
    await eventually(async () => (await callsAbout(id)).some(({ subject }) => subject.startsWith('Over: ')), {
      what: 'a mail that it is over',
    });
    await service.nobody.post(`/booking/${id}/assistance`, {});
    await called(id, 2);
  });

  it('gets a mail when no message reaches the customer, and another once the next address is no good', async () => {
    const { id } = await create({ patientEmail: 'nobody@refused.example' });
    await until(id, ({ status }) => status === 'error');
    await called(id, 1);
    await service.partner.patch(`/cases/${id}`, { patientEmail: 'nobody-else@refused.example' });
    await act(id, 'notifications');
    const [first, second] = await called(id, 2);
    expect(first?.subject).toBe(second?.subject);
    await act(id, 'recall');
  });
});
