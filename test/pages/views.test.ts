import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { LANGUAGES } from '../../src/calendar/format.ts';
import { instant } from '../../src/domain/instant.ts';
import { html } from '../../src/pages/html.ts';
import { confirmPath, pathOf, pendingPath, timesPath } from '../../src/pages/paths.ts';
import { appointmentCalendar, type AppointmentEntry } from '../../src/pages/receipt.ts';
import { statusPage } from '../../src/pages/status.ts';
import { STRINGS } from '../../src/strings/strings.ts';
import { BOOKING, CASE_ID, context, count, EVIL, render, textOf } from './page-samples.ts';

describe('the welcome page', () => {
  it('tells a stranger who it is from and by when, and no more', () => {
    const text = textOf(render('welcome', 'nb'));
    expect(text).toContain('torsdag 30. april 2026');
    expect(text).not.toMatch(/Kari|Klinikk|Hansen/);
  });
});

describe('the welcome page of a case that can not be booked', () => {
  it('says the same whether it was booked, recalled or is over', () => {
    const text = textOf(render('welcome, not open', 'nb'));
    expect(text).toContain('Logg inn og se timen');
    expect(text).not.toMatch(/Bestill innen|frist|trukket/);
  });
});

describe('the page for somebody to whom the message was not meant', () => {
  it('explains what happens, posts, and says nothing about whose it was', () => {
    const markup = render('not yours', 'nb');
    expect(markup).toContain(`<form method="post" action="/b/${CASE_ID}/not-for-me"`);
    expect(textOf(markup)).toMatch(/Vi sier fra til Fremtind .* at adressen er feil/);
    expect(textOf(markup)).not.toContain('Kari');
  });
});

describe('after the login', () => {
  it.each(['times', 'where', 'confirm', 'receipt', 'cancel'])('%s says what the time is for', (page) => {
    const markup = render(page, 'nb');
    expect(textOf(/<title>.*<\/title>/.exec(markup)?.[0] ?? '')).toContain('– Psykolog');
    expect(textOf(/<main[^]*<\/main>/.exec(markup)?.[0] ?? '')).toContain('Psykolog');
  });

  it.each(['confirm', 'receipt', 'cancel'])(
    '%s says where it is, how to get in, whom to call and who pays',
    (page) => {
      const markup = render(page, 'nb');
      const text = textOf(markup);
      for (const words of ['Oslo', 'Storgata 1', 'Ta med legitimasjon', 'Fremtind', 'betaler'])
        expect(text).toContain(words);
      expect(markup).toContain('href="tel:+4722000001"');
      expect(markup).toMatch(/href="https:[^"]+59\.9[^"]+10\.7[^"]*"[^>]*>Se på kart/);
    },
  );

  it.each([
    ['receipt', 'Avlys timen'],
    ['cancel', 'Ja, avlys timen'],
  ])('%s has what takes the appointment away in red, and nothing else', (page, words) => {
    const dangerous = [...render(page, 'nb').matchAll(/data-color="danger"[^>]*>([^<]*)</g)];
    expect(dangerous.map(([, said]) => said?.trim())).toEqual([words]);
  });

  it('a change has the new time in the card, and the old one below it in small print', () => {
    const [, card = '', below = ''] =
      /<section class="ds-card chosen">([^]*?)<\/section>([^]*)<\/main>/.exec(
        render('confirm a change', 'nb'),
      ) ?? [];
    expect(textOf(card)).toContain('fredag 27. mars 2026');
    expect(textOf(card)).not.toContain('3. mars');
    expect(textOf(/<p class="old">[^]*?<\/p>/.exec(below)?.[0] ?? '')).toContain('tirsdag 3. mars');
  });
});

describe('the help form', () => {
  it('gives back what was typed, points to the faults, and says who reads it', () => {
    const markup = render('help with faults', 'nb');
    expect(markup).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;</textarea>');
    expect(markup).toContain('href="#message"');
    expect(markup).toContain('aria-describedby="message-hint message-fault"');
    expect(markup).toMatch(/id="preferredContact-email"\s+value="email"\s+checked/);
    expect(textOf(markup)).toContain('leses av oss som driver timebestillingen');
    expect(textOf(markup)).toMatch(/Fremtind .* får ikke se den/);
    expect(textOf(/<title>.*<\/title>/.exec(markup)?.[0] ?? '')).toMatch(/^ Feil: /);
  });
});

describe('a status page without a case', () => {
  it.each(LANGUAGES)('stands on its own in %s', (language) => {
    const markup = String(statusPage({ ...context(language), visit: null }, 'unknown_case'));
    expect(count(markup, /<h1[ >]/g)).toBe(1);
    expect(markup.match(/<form[^>]*action="[^"]*"/g)).toEqual(['<form method="post" action="/language"']);
    expect(markup).toContain('tel:+4722123456');
  });
});

describe('the paths', () => {
  it('are built in one place', () => {
    expect(pathOf('calendar', CASE_ID)).toBe(`/b/${CASE_ID}/appointment.ics`);
    expect(timesPath(CASE_ID)).toBe(`/b/${CASE_ID}/times`);
    expect(pendingPath(CASE_ID, { slot: 'x', since: 7 })).toBe(`/b/${CASE_ID}/pending?slot=x&since=7`);
    expect(confirmPath(CASE_ID, 'x')).toBe(`/b/${CASE_ID}/confirm?slot=x`);
  });
});

const ENTRY: AppointmentEntry = {
  uid: CASE_ID,
  sequence: 3,
  url: `https://book.example.no/b/${CASE_ID}`,
  at: instant('2026-03-01T09:01:00Z'),
  treatment: 'Psykolog',
  t: STRINGS.nb,
};

/** The file as Thunderbird reads it. */
function read(booking = BOOKING, entry = ENTRY) {
  const calendar = new ICAL.Component(ICAL.parse(appointmentCalendar(booking, entry)) as unknown[]);
  const [vevent, ...others] = calendar.getAllSubcomponents('vevent');
  if (vevent === undefined || others.length > 0) throw new Error('not one event');
  return { calendar, vevent, event: new ICAL.Event(vevent) };
}

describe('the calendar file', () => {
  it('has the whole appointment', () => {
    const { calendar, event, vevent } = read();
    expect(calendar.getFirstPropertyValue('method')).toBe('PUBLISH');
    expect(event.startDate.toJSDate().toISOString()).toBe(BOOKING.start);
    expect(event.endDate.toJSDate().toISOString()).toBe(BOOKING.end);
    expect(event.summary).toContain('Ola Hansen');
    expect(event.summary).toContain(EVIL);
    expect(event.location).toBe('Storgata 1, Oslo');
    expect(event.description).toContain(ENTRY.url);
    expect(event.summary).toMatch(/^Psykolog: /);
    expect(event.description).toContain('Ta med legitimasjon.\nRing på');
    expect(event.description).toContain('Telefon: +47 22 00 00 01');
    expect(vevent.getFirstPropertyValue('geo')).toEqual([59.9, 10.7]);
    expect(vevent.getFirstPropertyValue('class')).toBe('PRIVATE');
  });

  it('takes the place of the neutral entry that messages carry: the same UID, no lower SEQUENCE, written later', () => {
    const { event, vevent } = read();
    expect(event.uid).toBe(CASE_ID);
    expect(event.sequence).toBe(3);
    expect(vevent.getFirstPropertyValue('dtstamp')?.toString()).toBe('2026-03-01T09:01:00Z');
  });

  it('says it in English, too', () => {
    expect(read(BOOKING, { ...ENTRY, t: STRINGS.en }).event.description).not.toBe(read().event.description);
  });
});

describe('the html tag', () => {
  it('escapes text, in content and in attributes', () => {
    const text = `<script>alert("1")</script> & 'x'`;
    expect(String(html`<p title="${text}">${text}</p>`)).toBe(
      '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;">' +
        '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;</p>',
    );
  });

  it('keeps markup that it made', () => {
    const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
    expect(String(html`<b>${items}</b>`)).toBe('<b><li>a</li><li>&lt;b&gt;</li></b>');
  });

  it('does not take anything else for markup', () => {
    const forged = { toString: () => '<b>' };
    // @ts-expect-error only its own class counts
    expect(() => String(html`${forged}`)).toThrow();
  });

  it('writes nothing for nothing, and zero for zero', () => {
    expect(String(html`${null}${undefined}${false}${[]}${''}${0}`)).toBe('0');
  });

  it('lets no text through that could end an attribute or open an element', () => {
    fc.assert(fc.property(fc.string(), (text) => !/[<>"']/.test(String(html`${text}`))));
  });
});
