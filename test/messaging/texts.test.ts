import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from '../../src/calendar/format.ts';
import type { MessageKind } from '../../src/domain/events.ts';
import { instant } from '../../src/domain/instant.ts';
import { composeEmail } from '../../src/messaging/texts/email.ts';
import { composeSms } from '../../src/messaging/texts/sms.ts';
import { EACH, partsOf, situationsOf, USUAL } from './messages.ts';

const WITH_TIME: MessageKind[] = [
  'receipt',
  'changed',
  'appointment_reminder',
  'cancelled',
  'choose_again',
  'recalled',
];

describe.each(EACH)('the e-mail %s in %s', (kind, language) => {
  it('says who it is from, in subject, text and HTML', () => {
    for (const part of partsOf(kind, USUAL, language)) expect(part).toContain('Fremtind');
  });

  it('says whom to call, by links that can be touched, and what we never ask for', () => {
    const { text, html } = composeEmail(kind, USUAL, language);
    for (const part of [text, html]) {
      expect(part).toContain('+47 22 12 34 56');
      expect(part).toContain('hjelp@example.no');
      expect(part).toMatch(/Vi ber aldri om fødselsnummer|We never ask for your identity number/);
    }
    expect(html).toContain('href="tel:+4722123456"');
    expect(html).toContain('href="mailto:hjelp@example.no"');
  });

  it('has the link in both forms, and one button in its HTML', () => {
    const { text, html } = composeEmail(kind, USUAL, language);
    expect(text).toContain(`\n${USUAL.bookingUrl}\n`);
    expect(html).toContain(`>${USUAL.bookingUrl}</a>`);
    expect(html.split('mso-padding-alt')).toHaveLength(2);
    expect(html).toContain(`<html lang="${language}">`);
  });

  it('leaves no hole, with an appointment and without, before the last day and after', () => {
    for (const facts of situationsOf(kind)) {
      for (const part of [...partsOf(kind, facts, language), composeSms(kind, facts, language)]) {
        expect(part).not.toMatch(/null|undefined|NaN|Invalid| -1|\[object/);
        expect(part.replaceAll(/\n {4}/g, '\n')).not.toMatch(/ {2}| [.,:] |\n\n\n\n/);
      }
    }
  });

  it('says beside the subject what the subject does not', () => {
    const { subject, html } = composeEmail(kind, USUAL, language);
    const [, preview = ''] = /mso-hide:all">([^<]+)</.exec(html) ?? [];
    expect(preview.length).toBeGreaterThan(10);
    expect(subject).not.toContain(preview);
  });

  it('keeps its subject short enough for a telephone with the insurer’s name in it', () => {
    expect(composeEmail(kind, USUAL, language).subject.length).toBeLessThanOrEqual(60);
  });
});

describe('an e-mail to somebody who has not chosen a language', () => {
  it.each(EACH.filter(([, language]) => language === 'nb'))(
    'has %s in bokmål, and the same in English below',
    (kind) => {
      const { text, html } = composeEmail(kind, USUAL, 'nb');
      const english = composeEmail(kind, USUAL, 'en');
      expect(text).toMatch(/^Fremtind · English below\n/);
      for (const paragraph of english.text.trim().split('\n\n')) expect(text).toContain(paragraph);
      expect(html).toMatch(/<html lang="nb">[\s\S]*<td class="card line" lang="en"/);
      expect(text.indexOf('Vi ber aldri')).toBeLessThan(text.indexOf('We never ask'));
    },
  );
});

describe('an e-mail to somebody who chose nynorsk', () => {
  it.each(EACH.filter(([, language]) => language === 'nn'))('has %s in nynorsk alone', (kind) => {
    const { subject, text, html } = composeEmail(kind, USUAL, 'nn');
    expect(html).toContain('<html lang="nn">');
    expect(html).not.toMatch(/lang="(nb|en)"/);
    for (const part of [subject, text, html]) expect(part).not.toMatch(/English below|\b(ikke|noe|siden)\b/);
  });
});

describe('an e-mail to somebody who chose English', () => {
  it.each(EACH.filter(([, language]) => language === 'en'))('has %s in English alone', (kind) => {
    const { subject, text, html } = composeEmail(kind, USUAL, 'en');
    expect(html).not.toContain('lang="nb"');
    for (const part of [subject, text, html]) expect(part).not.toMatch(/[æøå]|English below/i);
  });
});

describe('the date and the time', () => {
  it.each(WITH_TIME)('are in words, in Norwegian time, in the message %s', (kind) => {
    expect(composeEmail(kind, USUAL, 'nb').text).toContain('torsdag 24. september 2026 kl. 14.30–15.15');
    expect(composeSms(kind, USUAL, 'nb')).toContain('torsdag 24. september kl. 14.30');
    expect(composeEmail(kind, USUAL, 'nn').text).toContain('torsdag 24. september 2026 kl. 14.30–15.15');
    expect(composeSms(kind, USUAL, 'nn')).toContain('torsdag 24. september kl. 14.30');
    expect(composeEmail(kind, USUAL, 'en').text).toContain('Thursday 24 September 2026, 14:30–15:15');
    expect(composeSms(kind, USUAL, 'en')).toContain('Thu 24 September 14:30');
  });

  it.each(['receipt', 'changed'] as const)('stand out in the message %s, with the zone', (kind) => {
    expect(composeEmail(kind, USUAL, 'nb').text).toContain(
      '    torsdag 24. september 2026 kl. 14.30–15.15 (norsk tid)\n',
    );
    expect(composeEmail(kind, USUAL, 'en').text).toContain(
      '    Thursday 24 September 2026, 14:30–15:15 (Norwegian time)\n',
    );
  });

  it('name the last day to book', () => {
    expect(composeEmail('invitation', USUAL, 'nb').subject).toContain('30. september 2026');
    expect(composeEmail('invitation', USUAL, 'nb').text).toContain('onsdag 30. september 2026');
    expect(composeSms('invitation', USUAL, 'nb')).toContain('30. september');
    expect(composeSms('invitation', USUAL, 'en')).toContain('30 September');
  });

  it.each([
    ['before the change in spring', '2026-03-29T00:30:00Z', 'søndag 29. mars kl. 01.30'],
    ['after the change in spring', '2026-03-29T01:30:00Z', 'søndag 29. mars kl. 03.30'],
    ['later that day', '2026-03-29T10:00:00Z', 'søndag 29. mars kl. 12.00'],
    ['before the change in autumn', '2026-10-25T00:30:00Z', 'søndag 25. oktober kl. 02.30'],
    ['after the change in autumn', '2026-10-25T01:30:00Z', 'søndag 25. oktober kl. 02.30'],
    ['later that day', '2026-10-25T11:00:00Z', 'søndag 25. oktober kl. 12.00'],
    ['late in the evening in UTC', '2026-06-30T22:30:00Z', 'onsdag 1. juli kl. 00.30'],
  ])('are right %s', (_, start, words) => {
    const appointment = { start: instant(start), end: instant(start) };
    expect(composeSms('receipt', { ...USUAL, appointment }, 'nb')).toContain(words);
  });
});

describe('a reminder', () => {
  it.each([
    [3, '3 dager igjen til å bestille time', '3 days left to book'],
    [1, 'i morgen er siste dag å bestille time', 'tomorrow is the last day to book'],
    [0, 'i dag er siste dag å bestille time', 'today is the last day to book'],
  ])('with %i days left says so in its subject, and the date in its text', (daysLeft, norwegian, english) => {
    const facts = { ...USUAL, daysLeft };
    expect(composeEmail('reminder', facts, 'nb').subject).toBe(`Fremtind: ${norwegian}`);
    expect(composeEmail('reminder', facts, 'en').subject).toContain(english);
    expect(composeEmail('reminder', facts, 'nb').text).toContain('onsdag 30. september 2026');
    expect(composeSms('reminder', facts, 'nb')).toContain('30. september');
  });

  it('on the last day says in the SMS that it is', () => {
    expect(composeSms('reminder', { ...USUAL, daysLeft: 0 }, 'nb')).toContain('i dag er siste dag');
    expect(composeSms('reminder', { ...USUAL, daysLeft: 1 }, 'en')).toContain('tomorrow is the last day');
  });
});

describe('a message that an appointment is cancelled', () => {
  it('offers a new one while the last day is to come, and help after it', () => {
    expect(composeEmail('cancelled', USUAL, 'nb').text).toContain('Bestill ny time:');
    expect(composeSms('cancelled', USUAL, 'nb')).toContain('Bestill ny:');
    const late = { ...USUAL, daysLeft: -1 };
    expect(composeEmail('cancelled', late, 'nb').text).toContain('Fristen for å bestille er ute');
    for (const language of LANGUAGES) {
      expect(composeEmail('cancelled', late, language).text).not.toMatch(/Bestill (ein )?ny|Book a new/);
      expect(composeSms('cancelled', late, language)).not.toMatch(/Bestill|Book/);
    }
  });
});

describe('who got a message that is not theirs', () => {
  it.each(['invitation', 'reminder', 'choose_again'] as const)('reads in %s how to end them', (kind) => {
    expect(composeEmail(kind, USUAL, 'nb').text).toContain('Er meldingen ikke til deg?');
    expect(composeEmail(kind, USUAL, 'en').text).toContain('Is this message not for you?');
  });

  it('is not promised it once somebody has logged in and booked', () => {
    expect(composeEmail('receipt', USUAL, 'nb').text).not.toMatch(/ikke til deg|not for you/);
  });
});

describe('an e-mail', () => {
  it('shows whatever stands in the facts as text', () => {
    const partnerName = '<b>A & "B"</b>\r\nBcc: x@y.no';
    const { html, subject } = composeEmail('invitation', { ...USUAL, partnerName }, 'nb');
    expect(html).not.toContain('<b>');
    expect(html).toContain('&lt;b&gt;A &amp; &quot;B&quot;&lt;/b&gt;');
    expect(subject).not.toMatch(/[\r\n]/);
  });

  it('needs nothing from anywhere: no picture, script, font or style sheet', () => {
    for (const [kind] of EACH) {
      const { html } = composeEmail(kind, USUAL, 'nb');
      expect(html).not.toMatch(/<(img|script|link|iframe|form)|url\(|@import|src=/);
      const addresses = [...html.matchAll(/(?:href|action)="([^"]+)"/g)].map(([, address]) => address);
      expect(new Set(addresses)).toEqual(
        new Set([USUAL.bookingUrl, 'tel:+4722123456', 'mailto:hjelp@example.no']),
      );
    }
  });

  it('is smaller than what Gmail cuts off', () => {
    for (const [kind] of EACH)
      expect(Buffer.byteLength(composeEmail(kind, USUAL, 'nb').html)).toBeLessThan(20_000);
  });
});
