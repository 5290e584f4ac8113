import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { mailboxOf } from '../support/mailbox.ts';
import { partnerAccounts } from '../support/partner-user.ts';
import { useService } from '../support/use-service.ts';

describe('a partner’s user is told by mail', () => {
  const service = useService();
  const { activeUser, logIn, withToken } = partnerAccounts(() => service);

  const mailbox = mailboxOf(() => service.mailUrl);
  const mailsTo = async (email: string, subject: string) =>
    (await mailbox()).filter((mail) => mail.to[0]?.address === email && mail.subject.startsWith(subject));
  const told = (email: string, subject: string, times = 1) =>
    eventually(
      async () => {
        const mails = await mailsTo(email, subject);
        return mails.length >= times && mails;
      },
      { what: `${email} has ${times} of “${subject}”` },
    );

  it('of each login from a new network, also when the password is right: it may be a thief’s', async () => {
    const { email, password } = await activeUser();
    const from = (address: string) =>
      service.nobody.post('/auth/login', { email, password }, { 'X-Forwarded-For': address });
    for (const address of ['192.0.2.7', '192.0.2.8', '198.51.100.1']) await from(address);
    const mails = await told(email, 'A login from a new network', 2);
    expect(mails).toHaveLength(2);
    const texts = mails.map(({ text }) => text).join('');
    for (const word of ['192.0.2.0/24', '198.51.100.0/24', '+47 21 00 00 00', 'Fjordtrygd Forsikring'])
      expect(texts).toContain(word);
    for (const secret of [password, '192.0.2.7']) expect(texts).not.toContain(secret);
  });

  it('of each new key, whoever of the partner’s made or rotated it, and nobody of another partner is', async () => {
    const [thief, colleague] = [await activeUser(), await activeUser()];
    const stranger = await activeUser(service.otherPartnerId);
    const { password } = thief;
    const user = withToken(await logIn(thief));
    const { body } = await user.post<{ id: string; apiKey: string }>('/auth/api-keys', {
      name: 'claims system',
      password,
    });
    await user.post(`/auth/api-keys/${body.id}/rotate`, { password });
    for (const { email } of [thief, colleague]) {
      const [mail] = await told(email, 'A new API key', 2);
      expect(mail?.text).toContain('claims system');
      expect(mail?.text).toContain(thief.email);
      expect(mail?.text).not.toContain(body.apiKey.slice(0, 20));
    }
    expect(await mailsTo(stranger.email, 'A new API key')).toEqual([]);
  });
});
