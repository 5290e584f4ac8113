import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { instant } from '../../src/domain/instant.ts';
import { composeSms, isOneSegment } from '../../src/messaging/texts/sms.ts';
import type { MessageFacts } from '../../src/messaging/texts/wording.ts';
import { EACH, LONG, LONGEST, SITUATIONS, USUAL } from './messages.ts';

/** How many septets, where it is one segment of the 7-bit alphabet; else what it is. */
function septets(body: string): number | string {
  const { encodingName, segmentsCount, messageSize } = new SegmentedMessage(body);
  return encodingName === 'GSM-7' && segmentsCount === 1
    ? messageSize / 7
    : `${segmentsCount} segments of ${encodingName}`;
}

const isOneGsmSegment = (body: string) => {
  const size = septets(body);
  return typeof size === 'number' && size <= 160;
};

describe.each(EACH)('the SMS %s in %s', (kind, language) => {
  it.each([
    ['usual facts', USUAL],
    ['long facts', LONG],
    ['the longest facts there may be', LONGEST],
    ['no appointment', { ...LONGEST, appointment: null }],
    ['a name outside the alphabet', { ...LONG, partnerName: 'Łódź „Életbiztosító” – Čačak' }],
    ['a name of which nothing is in the alphabet', { ...LONG, partnerName: '保険会社' }],
    ['signs that count twice', { ...LONGEST, partnerName: '[Forsikring] {€~^|}' }],
  ])('is one segment of the 7-bit alphabet with %s', (_, facts) => {
    for (const daysLeft of [3, 1, 0, -1]) {
      const body = composeSms(kind, { ...facts, daysLeft }, language);
      expect([body, isOneGsmSegment(body)]).toEqual([body, true]);
      expect(body).toContain(facts.bookingUrl);
    }
  });

  it('says who it is from, whom to call, and the time, in any situation', () => {
    for (const facts of SITUATIONS) {
      const body = composeSms(kind, facts, language);
      expect(body).toMatch(/^Fremtind: /);
      expect(body).toMatch(/(Hjelp|Help): \+4722123456$/);
    }
  });

  it('says so with a long name and a long address, too', () => {
    const body = composeSms(kind, LONG, language);
    expect(body).toMatch(/^Gjensidig/);
    expect(body).toContain('+4722123456');
    const saysWhen = composeSms(kind, USUAL, language).includes('14');
    if (saysWhen) expect(body).toMatch(/24\.? sep\D* 14[.:]30/i);
  });
});

describe('what counts as one segment', () => {
  it('is what Twilio’s own calculator says', () => {
    const letters = fc.constantFrom(...'aZ0 æøåÅ@$^{}[]~|€\\Ωàčł–’"保'.split(''));
    fc.assert(
      fc.property(fc.string({ unit: letters, minLength: 1, maxLength: 170 }), (text) => {
        expect(isOneSegment(text)).toBe(isOneGsmSegment(text));
        expect(isOneSegment('a'.repeat(150) + text)).toBe(isOneGsmSegment('a'.repeat(150) + text));
      }),
    );
  });
});

describe('an SMS', () => {
  it('fits one segment for any name and any day', () => {
    const day = fc.date({ min: new Date('2026-01-01'), max: new Date('2028-12-31'), noInvalidDate: true });
    const partnerName = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
    const daysLeft = fc.integer({ min: -2, max: 365 });
    fc.assert(
      fc.property(
        fc.constantFrom(...EACH),
        partnerName,
        day,
        daysLeft,
        ([kind, language], name, start, left) => {
          const appointment = { start: instant(start), end: instant(start) };
          const facts: MessageFacts = { ...LONGEST, partnerName: name, appointment, daysLeft: left };
          const body = composeSms(kind, facts, language);
          return isOneGsmSegment(body) && body.includes(LONGEST.bookingUrl);
        },
      ),
    );
  });

  it('leaves out pleasant words and the end of the insurer’s name, and the telephone last', () => {
    expect(composeSms('receipt', USUAL, 'nb')).toBe(
      `Fremtind: Du har time torsdag 24. september kl. 14.30. Se, endre eller avlys: ${USUAL.bookingUrl} Hjelp: +4722123456`,
    );
    expect(composeSms('receipt', LONG, 'nb')).toBe(
      `Gjensidige: Time torsdag 24. september kl. 14.30: ${LONG.bookingUrl} Hjelp: +4722123456`,
    );
    expect(composeSms('receipt', LONGEST, 'nb')).toBe(
      `Livsforsikr.: Du har time torsdag 24. september kl. 14.30: ${LONGEST.bookingUrl}`,
    );
  });

  it('writes a name outside the alphabet as one would say it', () => {
    const named = (partnerName: string) =>
      composeSms('invitation', { ...USUAL, partnerName }, 'nb').split(':')[0];
    expect(named('Životní pojišťovna')).toBe('Zivotni pojistovna');
    expect(named('Łódź')).toBe('Lodz');
    expect(named('Þór – “Trygging”')).toBe('Thor - "Trygging"');
    expect(named('Ærlig Øst Ås')).toBe('Ærlig Øst Ås');
  });
});
