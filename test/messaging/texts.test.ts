import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import type { Language } from '../../src/calendar/format.ts';
import { MESSAGE_KINDS, type MessageKind } from '../../src/domain/events.ts';
import { instant, type CalendarDate } from '../../src/domain/instant.ts';
import { composeEmail } from '../../src/messaging/texts/compose-email.ts';
import { composeSms } from '../../src/messaging/texts/compose-sms.ts';
import type { MessageFacts } from '../../src/messaging/texts/facts.ts';

const URL_75 = 'https://booking.insurance.test.no/b/6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d/aa';
const URL = 'https://book.example.no/b/6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d';

/** The longest day and month names there are, so that what fits here fits always. */
const LONGEST: MessageFacts = {
  partnerName: 'Gjensidige Livsforsikring Norge',
  bookingUrl: URL_75,
  bookingDeadline: '2026-09-30' as CalendarDate,
  appointment: { start: instant('2026-09-24T12:30:00Z'), end: instant('2026-09-24T13:15:00Z') },
  supportEmail: 'hjelp@example.no',
  supportPhone: '+47 22 12 34 56',
};
const USUAL: MessageFacts = { ...LONGEST, partnerName: 'Fremtind', bookingUrl: URL };

const LANGUAGES: Language[] = ['nb', 'en'];
const EACH = LANGUAGES.flatMap((language) =>
  MESSAGE_KINDS.map((kind): [MessageKind, Language] => [kind, language]),
);
const WITH_TIME: MessageKind[] = ['receipt', 'changed', 'cancelled', 'choose_again', 'recalled'];

/** What a message must not even hint at: contract §7. */
const FORBIDDEN =
  /behandl|treatment|fysio|physio|kiropr|chiro|psyk|psych|terap|therap|klinikk|clinic|lege|doctor|sykehus|hospital|skade|injur|pasient|patient|diagnos|helse|health|smerte|pain|ulykke|accident|sykdom|illness/i;

const withoutUrl = (text: string, facts: MessageFacts): string => text.replaceAll(facts.bookingUrl, '');
const partsOf = (kind: MessageKind, facts: MessageFacts, language: Language): string[] => {
  const { subject, text, html } = composeEmail(kind, facts, language);
  return [subject, text, html, composeSms(kind, facts, language)];
};

describe.each(EACH)('the message %s in %s', (kind, language) => {
  it.each([
    ['usual facts', USUAL],
    ['the longest facts', LONGEST],
    ['no appointment', { ...LONGEST, appointment: null }],
    ['a name outside the alphabet', { ...LONGEST, partnerName: 'Łódź „Életbiztosító” – Čačak' }],
  ])('is one SMS segment of the 7-bit alphabet with %s', (_, facts) => {
    const body = composeSms(kind, facts, language);
    const message = new SegmentedMessage(body);
    expect(message.encodingName).toBe('GSM-7');
    expect(message.messageSize / 7).toBeLessThanOrEqual(160);
    expect(body).toContain(facts.bookingUrl);
  });

  it('says nothing about treatment, practitioner, clinic or injury', () => {
    for (const part of partsOf(kind, USUAL, language)) {
      expect(withoutUrl(part, USUAL)).not.toMatch(FORBIDDEN);
    }
  });

  it('says who it is from, in subject, text and SMS', () => {
    for (const part of partsOf(kind, USUAL, language)) expect(part).toContain('Fremtind');
    expect(composeSms(kind, LONGEST, language)).toMatch(/^Gjensidige/);
  });

  it('says whom to call', () => {
    const { text, html } = composeEmail(kind, LONGEST, language);
    for (const part of [text, html]) {
      expect(part).toContain('+47 22 12 34 56');
      expect(part).toContain('hjelp@example.no');
    }
    expect(composeSms(kind, USUAL, language)).toContain('+4722123456');
  });

  it('has the link in both forms of the e-mail', () => {
    const { text, html } = composeEmail(kind, USUAL, language);
    expect(text).toContain(`\n${URL}\n`);
    expect(html).toContain(`href="${URL}"`);
    expect(html).toContain(`<html lang="${language}">`);
  });

  it('leaves no hole where there is no appointment', () => {
    for (const part of partsOf(kind, { ...USUAL, appointment: null }, language)) {
      expect(part).not.toMatch(/null|undefined|NaN|Invalid| {2}[^ <]/);
    }
  });
});

describe('the date and the time', () => {
  it.each(WITH_TIME)('are in words, in Norwegian time, in the message %s', (kind) => {
    expect(composeEmail(kind, USUAL).text).toContain('torsdag 24. september 2026 kl. 14.30–15.15');
    expect(composeSms(kind, LONGEST)).toContain('torsdag 24. september kl. 14.30');
    expect(composeEmail(kind, USUAL, 'en').text).toContain('Thursday 24 September 2026, 14:30–15:15');
    expect(composeSms(kind, LONGEST, 'en')).toContain('Thu 24 September 14:30');
  });

  it('name the last day to book', () => {
    expect(composeEmail('invitation', USUAL).subject).toContain('30. september 2026');
    expect(composeSms('invitation', LONGEST)).toContain('30. september');
    expect(composeSms('invitation', LONGEST, 'en')).toContain('30 September');
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
    expect(composeSms('receipt', { ...USUAL, appointment })).toContain(words);
  });
});

describe('an SMS', () => {
  it('fits one segment for any name and any day', () => {
    const day = fc.date({ min: new Date('2026-01-01'), max: new Date('2028-12-31'), noInvalidDate: true });
    const partnerName = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(fc.constantFrom(...EACH), partnerName, day, ([kind, language], name, start) => {
        const appointment = { start: instant(start), end: instant(start) };
        const body = composeSms(kind, { ...LONGEST, partnerName: name, appointment }, language);
        const message = new SegmentedMessage(body);
        return message.encodingName === 'GSM-7' && message.segmentsCount === 1 && body.includes(URL_75);
      }),
    );
  });

  it('leaves out pleasant words before it cuts the insurer, and the telephone last', () => {
    expect(composeSms('receipt', USUAL)).toBe(
      `Fremtind: Du har time torsdag 24. september kl. 14.30. Endre eller avlys: ${URL} Hjelp: +4722123456`,
    );
    expect(composeSms('receipt', LONGEST)).toBe(
      `Gjensidige: Du har time torsdag 24. september kl. 14.30: ${URL_75} Hjelp: +4722123456`,
    );
  });
});

describe('an e-mail', () => {
  it('shows whatever stands in the facts as text', () => {
    const { html, subject } = composeEmail('invitation', {
      ...USUAL,
      partnerName: '<b>A & "B"</b>\r\nBcc: x@y.no',
    });
    expect(html).not.toContain('<b>');
    expect(html).toContain('&lt;b&gt;A &amp; &quot;B&quot;&lt;/b&gt;');
    expect(subject).not.toMatch(/[\r\n]/);
  });

  it('needs no picture, script or table', () => {
    expect(composeEmail('receipt', USUAL).html).not.toMatch(/<(img|script|table|link|style)/);
  });

  it('has a short line in English when it is Norwegian', () => {
    expect(composeEmail('invitation', USUAL, 'nb').text).toContain('In English');
    expect(composeEmail('invitation', USUAL, 'en').text).not.toContain('In English');
  });
});
