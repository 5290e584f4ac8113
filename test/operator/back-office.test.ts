import { describe, expect, it } from '@jest/globals';
import { DESCRIPTIONS } from '../../src/operator/descriptions/index.ts';
import { inputSchema } from '../../src/operator/description.ts';
import { wayIn } from '../../src/operator/pages/view.ts';
import { inputFrom } from '../../src/operator/pages/form.ts';
import { describedBy } from '../../src/operator/pages/layout.ts';
import { ATTENTION } from '../../src/domain/attention.ts';
import { asRole } from '../../dev/postgres/server.ts';
import { today } from '../support/new-case.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';
import { actor, operatorOf } from './command.ts';
import { officeOf } from './office.ts';

describe('the back office', () => {
  const service = useService();
  const { create, read, until } = partnersCases(() => service);
  const operator = operatorOf(() => service);
  const clock = { aheadMs: 0 };
  const office = officeOf(
    operator.url,
    () => service.database,
    () => new Date(Date.now() + clock.aheadMs),
  );
  const kari = () => office.logIn(actor('kari'));
  const waiting = async () => {
    const { id } = await create();
    await service.nobody.post(`/booking/${id}/assistance`, { message: 'help' });
    await until(id, ({ status }) => status === 'assistance_requested');
    return id;
  };

  it('has a page for everything that one may do, and for nothing else', async () => {
    const ada = await office.logIn(actor('ada'));
    const aksel = await office.logIn(actor('aksel', ['auditor']));
    for (const { name, roles } of DESCRIPTIONS) {
      const [hers, his] = [await ada.get(office.pagePath(name)), await aksel.get(office.pagePath(name))];
      expect([name, hers.status]).toEqual([name, expect.any(Number)]);
      expect([name, hers.status < 500]).toEqual([name, true]);
      expect([name, his.status === 403]).toEqual([name, !(roles as readonly string[]).includes('auditor')]);
    }
    const everything = (await aksel.get('/operations')).html;
    expect(everything).toContain('/do/case/reveals');
    expect(everything).not.toContain('/do/case/recall');
  });

  it('asks for each field that an operation takes, by a label of its own', async () => {
    const ada = await office.logIn(actor('ada'));
    for (const { name, changes, input } of DESCRIPTIONS) {
      if (!changes || name === 'grant') continue;
      const { html, names } = await ada.get(office.pagePath(name));
      const asked = Object.keys(input.shape).filter(
        (field) => !['expectedStatus', 'revision'].includes(field),
      );
      expect([name, names]).toEqual([name, expect.arrayContaining(asked)]);
      for (const field of asked) expect(html).toContain(`for="${field}"`);
    }
  });

  it('works through the list: takes a case, helps, and settles it', async () => {
    const id = await waiting();
    const page = await kari();
    const list = await page.get('/?kind=assistance');
    expect(list.text).toContain('A customer asks for help');
    expect(list.html).toContain(`/do/case/show?case=${id}`);
    expect((await page.perform('case take', { case: id })).text).toContain('You have it');
    expect((await page.get('/?takenBy=me')).html).toContain(id);
    expect((await page.get('/?takenBy=nobody')).html).not.toContain(`case=${id}`);
    const shown = await page.get(`/do/case/show?case=${id}`);
    expect(shown.text).toContain('Who has it: you');
    expect(shown.html).toMatch(
      /href="\/do\/case\/resolve-assistance\?case=[^"]+expectedStatus=assistance_requested"/,
    );
    await page.perform('case resolve-assistance', { case: id, note: 'explained' });
    expect((await page.get('/?takenBy=me')).html).not.toContain(id);
  });

  it('does nothing where the case has changed under the operator’s eyes, and says so', async () => {
    const { id } = await create();
    const page = await kari();
    const { html } = await page.get(`/do/case/show?case=${id}`);
    const [, address = ''] = /href="(\/do\/case\/recall\?[^"]+)"/.exec(html) ?? [];
    const path = address.replaceAll('&amp;', '&');
    const { form } = await page.get(path);
    await operator.done(`case move-deadline ${id} 2031-01-01`).catch(() => undefined);
    await service.nobody.post(`/booking/${id}/assistance`, { message: 'help' });
    await until(id, ({ status }) => status === 'assistance_requested');
    const refused = await page.post(path, [...form, ['reason', 'Settled otherwise']]);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('The case has changed meanwhile'),
    ]);
    expect((await read(id)).status).toBe('assistance_requested');
  });

  it('does once what is sent twice, one after the other or at the same moment', async () => {
    const page = await kari();
    const count = async (): Promise<number> =>
      (await operator.json(`key list ${service.partnerId}`)).data.length;
    const before = await count();
    const { path, form } = await page.fill('key create', { partner: service.partnerId, name: 'twice' });
    const both = await Promise.all([page.post(path, form), page.post(path, form)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await page.post(path, form)).text).toContain('was sent before');
    expect(await count()).toBe(before + 1);
    // what did nothing can be sent again
    const wrong = await page.fill('key create', {
      partner: service.partnerId,
      name: 'again',
      network: 'nowhere',
    });
    for (let i = 0; i < 2; i += 1) expect((await page.post(wrong.path, wrong.form)).status).toBe(400);
  });

  it.each([
    ['PostgreSQL takes no writes', 'PostgreSQL takes no writes now, so nothing was changed'],
    ['Temporal is away', 'Temporal unreachable; nothing was changed'],
  ])('says so while %s, and does what the same form asks for once it can', async (what, words) => {
    const { id } = await create();
    const readOnly = new URL(asRole(service.databaseUrl, 'booking_operator'));
    readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
    let settings: Record<string, string> = what.startsWith('Temporal')
      ? { TEMPORAL_ADDRESS: '127.0.0.1:9' }
      : { OPERATOR_DATABASE_URL: readOnly.href };
    const page = await officeOf(
      () => operator.url({ settings }),
      () => service.database,
    ).logIn(actor('kari'));
    expect((await page.get(`/do/case/show?case=${id}`)).text).toContain(id);
    const { path, form } = await page.fill('case move-deadline', { case: id, date: today(30) });
    const refused = await page.post(path, form);
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining(words)]);
    expect((await read(id)).bookingDeadline).not.toBe(today(30));
    settings = {};
    expect((await page.post(path, form)).text).toContain(`The last day to book is ${today(30)}`);
    expect((await page.post(path, form)).status).toBe(409);
    const { data } = await operator.json(`log --case ${id} --action case.move-deadline`);
    expect(data.filter(({ outcome }: { outcome: string }) => outcome === 'done')).toHaveLength(1);
  });

  it('says what is wrong where it was typed, and keeps the rest', async () => {
    const page = await kari();
    const { path, form } = await page.fill('partner add', { id: 'Not An Id', name: 'Trygg & Co' });
    const again = await page.post(path, form);
    expect([again.status, again.text]).toEqual([
      400,
      expect.stringContaining('Id must be made of a-z, 0-9 and -'),
    ]);
    expect(again.html).toContain('value="Trygg &amp; Co"');
    expect(again.html).toContain('aria-invalid="true"');
  });

  it('shows personal data only by a form with reason and ticket, and logs it', async () => {
    const { id } = await create();
    const page = await kari();
    const asked = await page.get(`/do/case/show?case=${id}&reveal=true&reason=x&ticket=y`);
    expect(asked.text).not.toContain('Nordmann');
    expect((await operator.json(`case reveals ${id}`)).data).toEqual([]);
    const shown = await page.perform('case show', {
      case: id,
      reveal: true,
      reason: 'called',
      ticket: 'S-1',
    });
    expect(shown.text).toContain('Nordmann');
    expect(shown.text.indexOf('Nordmann')).toBeLessThan(shown.text.indexOf('Messages'));
    expect((await operator.json(`case reveals ${id}`)).data).toMatchObject([
      { note: 'called', ticket: 'S-1' },
    ]);
    const siri = await office.logIn(actor('siri', ['support']));
    expect((await siri.perform('case show', { case: id, reveal: true })).status).toBe(403);
  });

  it('has one of several chosen by a button', async () => {
    const { id } = await create();
    const page = await kari();
    const { path, form } = await page.fill('case book', { case: id, identityChecked: 'called back' });
    const choice = await page.post(path, form);
    const [, slot = ''] = /name="slot"\s+value="([^"]+)"/.exec(choice.html) ?? [];
    expect(choice.text).toContain('Choose');
    const done = await page.post(path, [...choice.form, ['slot', slot.replaceAll('&amp;', '&')]]);
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('Booked')]);
    expect((await read(id)).status).toBe('booked');
  });

  it('comes by page, with a count, and the filters stay', async () => {
    await Promise.all([waiting(), waiting(), waiting()]);
    const page = await kari();
    const first = await page.get(`/?partner=${service.partnerId}&limit=2`);
    expect(first.text).toMatch(/2 of \d+, what has waited longest first/);
    const [, next = ''] = /href="([^"]+)" rel="next"/.exec(first.html) ?? [];
    const second = await page.get(next.replaceAll('&amp;', '&'));
    const casesOf = (html: string) => [...html.matchAll(/do\/case\/show\?case=([^"]+)/g)].map(([, id]) => id);
    expect(casesOf(second.html).length).toBeGreaterThan(0);
    expect(casesOf(first.html)).not.toEqual(expect.arrayContaining(casesOf(second.html)));
    expect((await page.get('/?after=nonsense')).status).toBe(400);
  });

  describe('lets nobody in', () => {
    const refusedWith = async (
      page: Awaited<ReturnType<typeof kari>>,
      headers: Record<string, string>,
      drop = '',
    ) => {
      const { path, form } = await page.fill('partner add', { id: 'never', name: 'Never' });
      const { status, text } = await page.post(
        path,
        form.filter(([name]) => name !== drop),
        headers,
      );
      return [status, text];
    };

    it('from another site, or without the page’s own token', async () => {
      const page = await kari();
      const notOurs = [401, expect.stringContaining('was not sent by a page of ours')];
      expect(await refusedWith(page, { origin: 'https://evil.example' })).toEqual(notOurs);
      expect(await refusedWith(page, { origin: 'null', 'sec-fetch-site': 'cross-site' })).toEqual(notOurs);
      expect(await refusedWith(page, {}, 'token')).toEqual(notOurs);
      expect(await refusedWith(page, {}, 'form')).toEqual([409, expect.stringContaining('sent before')]);
    });

    it('whose session has ended: what they sent is not done, and they are led back after the login', async () => {
      const page = await kari();
      const { path, form } = await page.fill('partner add', { id: 'never', name: 'Never' });
      await office.sessions().end(page.cookie);
      const ended = await page.post(path, form);
      expect([ended.status, ended.text]).toEqual([401, expect.stringContaining('Nobody is logged in')]);
      expect(ended.html).toContain('href="/login?to=%2Fdo%2Fpartner%2Fadd%3Fid%3Dnever"');
      expect(await page.get('/?kind=assistance')).toMatchObject({
        status: 303,
        url: '/login?to=%2F%3Fkind%3Dassistance',
      });
      const partners = (await operator.json('partner list')).data.map(({ id }: any) => id);
      expect(partners).not.toContain('never');
    });

    it('whose role was taken away meanwhile', async () => {
      const page = await kari();
      const { path, form } = await page.fill('partner add', { id: 'never', name: 'Never' });
      await office.sessions().end(page.cookie);
      const less = await office.logIn(actor('kari', ['auditor']));
      const token = (await less.get('/do/log')).html.match(/name="token" value="([^"]+)"/)?.[1] ?? '';
      const refused = await less.post(path, [...form.filter(([name]) => name !== 'token'), ['token', token]]);
      expect([refused.status, refused.text]).toEqual([
        403,
        expect.stringContaining('takes the role onboarding'),
      ]);
    });

    it('past our own policy: no scripts, no frames, nothing kept', async () => {
      const { cookie } = await kari();
      const { headers } = await fetch(await operator.url(), { headers: { cookie, accept: 'text/html' } });
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none';style-src 'self';img-src 'self' data:;form-action 'self';frame-ancestors 'none';base-uri 'none'",
      );
      expect(headers.get('cache-control')).toBe('no-store');
    });
  });
});

describe('what pages make of', () => {
  it.each([
    ['case show 3f2a9c1e', { name: 'case show', input: { case: '3f2a9c1e' } }],
    ['key create fjordtrygd --name <name>', { name: 'key create', input: { partner: 'fjordtrygd' } }],
    ['provider show CAUSE --check', { name: 'provider show', input: { check: true } }],
    ['log --by "Kari Nordmann"', { name: 'log', input: { by: 'Kari Nordmann' } }],
    ['attention --taken-by nobody', { name: 'attention', input: { takenBy: 'nobody' } }],
    ['node src/main/migrate.ts', null],
  ])('the command `%s`', (command, way) => {
    expect(wayIn(command)).toEqual(way);
  });

  it('each command of what needs an operator', () => {
    for (const { commands } of Object.values(ATTENTION))
      for (const one of commands) expect(wayIn(one)).not.toBeNull();
  });

  it.each([
    [{ overlapHours: '48', expires: ' ' }, { overlapHours: 48 }],
    [{ overlapHours: 'two' }, { overlapHours: 'two' }],
    [{ key: ['a', 'b'] }, { key: 'b' }],
    [{ unknown: 'x' }, {}],
  ])('a form with %j', (form, input) => {
    expect(inputFrom(describedBy('key rotate'), form)).toEqual(input);
  });

  it('lists, and boxes that are ticked', () => {
    const form = { treatments: 'psychology, physiotherapy', id: 'nordlys' };
    expect(inputFrom(describedBy('provider offer'), form).treatments).toEqual([
      'psychology',
      'physiotherapy',
    ]);
    expect(inputFrom(describedBy('reconcile'), { full: 'true' })).toEqual({ full: true });
    expect(inputFrom(describedBy('provider change'), { serviceOnSlots: 'false' })).toEqual({
      serviceOnSlots: false,
    });
    expect(inputSchema(describedBy('reconcile')).properties).toHaveProperty('confirm');
  });
});
