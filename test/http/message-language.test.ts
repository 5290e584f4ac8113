import { describe, expect, it } from '@jest/globals';
import { pageVisitor, type PageVisitor } from '../pages/page-visitor.ts';
import { eventually } from '../support/eventually.ts';
import { BY_BOTH } from '../support/new-case.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';

interface Kept {
  readonly kind: string;
  readonly channel: 'email' | 'sms';
  readonly subject: string | null;
  readonly text: string;
}

describe('the language of messages', () => {
  const service = useService();
  const { create } = partnersCases(() => service, BY_BOTH);

  const message = (caseId: string, kind: string, channel: Kept['channel']) =>
    eventually(
      async () => {
        const { body } = await service.partner.get<{ data: Kept[] }>(`/sandbox/messages?caseId=${caseId}`);
        return body.data.find((one) => one.kind === kind && one.channel === channel);
      },
      { what: `the ${channel} of ${kind}` },
    );

  /** Books the first time on the page. */
  async function book(visitor: PageVisitor, caseId: string): Promise<void> {
    const { text } = await visitor.get(`/b/${caseId}/times?mode=any`);
    const [, slot = ''] = /\/confirm\?slot=([^"&]+)/.exec(text) ?? [];
    const form = { slot: decodeURIComponent(slot), replaces: '' };
    expect((await visitor.post(`/b/${caseId}/confirm`, form)).status).toBe(303);
  }

  it('is bokmål, with English below in e-mails, until the customer has said something else', async () => {
    const { id } = await create();
    expect((await message(id, 'invitation', 'sms')).text).toContain('Siste dag er');
    const { subject, text } = await message(id, 'invitation', 'email');
    expect(subject).toContain('bestill timen din');
    expect(text).toContain('English below');

    const visitor = pageVisitor(service);
    await visitor.logIn(id);
    await book(visitor, id);
    expect((await message(id, 'receipt', 'email')).subject).toContain('timen din er bestilt');
    expect((await message(id, 'receipt', 'sms')).text).toContain('Du har time');
  });

  it('is English for who books and cancels on the English pages', async () => {
    const { id } = await create();
    const visitor = pageVisitor(service);
    await visitor.logIn(id);
    visitor.cookies.set('language', 'en');
    await book(visitor, id);
    const { subject, text } = await message(id, 'receipt', 'email');
    expect(subject).toContain('your appointment is booked');
    expect(text).not.toContain('English below');
    expect((await message(id, 'receipt', 'sms')).text).toContain('Your appointment is');
  });

  it('is nynorsk alone for who books on the pages in nynorsk', async () => {
    const { id } = await create();
    const visitor = pageVisitor(service);
    await visitor.logIn(id);
    visitor.cookies.set('language', 'nn');
    await book(visitor, id);
    const { subject, text } = await message(id, 'receipt', 'email');
    expect(subject).toContain('timen din er bestilt');
    expect(text).toContain('Logg inn for å sjå kvar du skal.');
    expect(text).not.toMatch(/English below|Log in/);
    expect((await message(id, 'receipt', 'sms')).text).toContain('Sjå, endre eller avlys');
  });

  it('is not changed by somebody else who holds the link', async () => {
    const { id } = await create();
    const stranger = pageVisitor(service);
    stranger.cookies.set('language', 'en');
    await stranger.logIn(id, { givenName: 'Per', familyName: 'Hansen', birthDate: '1970-01-01' });
    await stranger.post(`/b/${id}/confirm`, { slot: 'none' });
    await stranger.post(`/b/${id}/help`, { message: 'help' });
    expect((await message(id, 'assistance_received', 'email')).subject).toContain(
      'vi har fått meldingen din',
    );
  });
});
