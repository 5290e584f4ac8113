import { beforeAll, describe, expect, it } from '@jest/globals';
import { logIn } from '../support/customer.ts';
import { eventually } from '../support/eventually.ts';
import { BY_BOTH } from '../support/new-case.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';
import { pageVisitor, type PageVisitor } from './page-visitor.ts';

describe('“this is not for me”', () => {
  const service = useService();
  let stranger: PageVisitor;
  const { create, act, read, until, notified, timeline } = partnersCases(() => service, BY_BOTH);

  beforeAll(() => {
    stranger = pageVisitor(service);
  });

  const drive = (id: string, action: string) => service.partner.post(`/sandbox/cases/${id}/${action}`);
  const disownings = async (id: string) =>
    (await timeline(id)).data.filter(({ type }) => type === 'contact.disowned');
  const disown = async (id: string, visitor = stranger): Promise<void> => {
    const sent = await visitor.post(`/b/${id}/not-for-me`);
    expect([sent.status, sent.location]).toEqual([303, `/b/${id}/not-for-me?done=1`]);
  };

  it('is explained without a login, and a GET does nothing', async () => {
    const { id } = await create();
    const page = await stranger.get(`/b/${id}/not-for-me`);
    expect([page.status, page.title]).toEqual([200, 'Var ikke meldingen til deg?']);
    expect(page.text).toContain('Fjordtrygd Forsikring');
    expect(page.text).not.toMatch(/Kari|Nordmann/);
    expect((await stranger.get(`/b/${id}`)).text).toContain(`href="/b/${id}/not-for-me"`);
    await stranger.get(`/b/${id}/not-for-me?done=1`);
    // behind anything that the pages had asked for
    await act(id, 'recall');
    expect((await timeline(id)).data.filter(({ actor }) => actor === 'customer')).toEqual([]);
  });

  it('stops the messages, tells the partner once, and leads on to help', async () => {
    const { id } = await create();
    await notified(id);
    await disown(id);
    await disown(id);
    const done = await stranger.get(`/b/${id}/not-for-me?done=1`);
    expect(done.title).toBe('Takk for at du sa fra');
    expect(done.text).toContain('det kommer ingen meldinger, heller ikke om noen bestiller time');
    expect(done.text).toMatch(new RegExp(`<main[\\s\\S]*href="/b/${id}/help"[\\s\\S]*</main>`));
    await eventually(async () => (await disownings(id)).length > 0);

    await stranger.post(`/b/${id}/help`, { formId: crypto.randomUUID(), message: 'Det var til meg.' });
    const { notifications } = await until(id, ({ status }) => status === 'assistance_requested');
    expect(new Set(notifications.map(({ kind }) => kind))).toEqual(new Set(['invitation']));
    expect(await disownings(id)).toMatchObject([{ actor: 'customer', data: { channels: ['email', 'sms'] } }]);
  });

  it('lets whoever it is for book with the link all the same, and tells them that no message comes', async () => {
    const { id } = await create();
    await disown(id);
    await eventually(async () => (await disownings(id)).length > 0);
    const customer = await logIn(service, id);
    expect((await customer.confirm(await customer.freshSlot())).status).toBe(200);
    await until(id, ({ booking }) => booking?.transferredAt !== null);

    const kari = pageVisitor(service);
    await kari.logIn(id);
    const receipt = await kari.get(`/b/${id}`);
    expect(receipt.title).toBe('Timen din er bestilt');
    expect(receipt.text).toContain('Vi sender ingen meldinger om timen');
    expect(receipt.text).not.toContain('Du får en bekreftelse');
    // behind whatever was still to be sent
    await act(id, 'recall');
    expect((await read(id)).notifications.filter(({ kind }) => kind !== 'invitation')).toEqual([]);
  });

  it('answers the same whatever has become of the case, and notes nothing once it is booked or over', async () => {
    const pages = new Map<string, string>();
    for (const [status, ways] of Object.entries({
      pending_patient_action: [],
      assistance_requested: ['request-assistance'],
      booked: ['book'],
      deadline_expired: ['expire'],
    })) {
      const { id } = await create();
      for (const action of ways) expect((await drive(id, action)).status).toBe(200);
      expect((await read(id)).status).toBe(status);
      await disown(id);
      const noted = status === 'booked' ? 0 : 1;
      await eventually(async () => (await disownings(id)).length === noted);
      pages.set(status, mainOf(id, (await stranger.get(`/b/${id}/not-for-me?done=1`)).text));
      await act(id, 'recall');
      await disown(id);
      pages.set(`recalled from ${status}`, mainOf(id, (await stranger.get(`/b/${id}/not-for-me`)).text));
      expect([status, (await disownings(id)).length]).toEqual([status, noted]);
      await act(id, 'archive');
      await disown(id);
    }
    expect(new Set(pages.values()).size).toBe(2);
  });

  it('is not heard from the customer who is logged in, whom it leads on to help', async () => {
    const { id } = await create();
    const kari = pageVisitor(service);
    await kari.logIn(id);
    const sent = await kari.post(`/b/${id}/not-for-me`);
    expect([sent.status, sent.location]).toEqual([303, `/b/${id}/not-for-me`]);
    const page = await kari.get(`/b/${id}/not-for-me`);
    expect([page.status, page.title]).toEqual([200, 'Denne timen er din']);
    expect(page.text).toMatch(new RegExp(`<main[\\s\\S]*href="/b/${id}/help"[\\s\\S]*</main>`));
    await act(id, 'recall');
    expect(await disownings(id)).toEqual([]);
  });

  it('does not silence the customer once they have logged in, and tells nobody that they have', async () => {
    const [quiet, known] = [await create(), await create()];
    const kari = pageVisitor(service);
    await kari.logIn(known.id);
    await kari.get(`/b/${known.id}/times`);
    const told = [];
    for (const { id } of [quiet, known]) {
      await disown(id);
      told.push(mainOf(id, (await stranger.get(`/b/${id}/not-for-me?done=1`)).text));
      await act(id, 'recall');
    }
    expect(told[1]).toBe(told[0]);
    expect([(await disownings(quiet.id)).length, (await disownings(known.id)).length]).toEqual([1, 0]);
  });

  it('is heard from somebody else who is logged in', async () => {
    const { id } = await create();
    const ola = pageVisitor(service);
    await ola.logIn(id, { givenName: 'Ola', familyName: 'Hansen', birthDate: '1990-01-01' });
    await disown(id, ola);
    await eventually(async () => (await disownings(id)).length > 0);
  });
});

/** The page's own part, as it would be for any case. */
const mainOf = (id: string, text: string): string =>
  (/<main.*<\/main>/s.exec(text)?.[0] ?? '').replaceAll(id, '…').replaceAll(/value="[^"]*"/g, '');
