import { describe, expect, it } from '@jest/globals';
import { instant, type CalendarDate } from '../../src/domain/instant.ts';
import { composeCalendarEntry } from '../../src/messaging/texts/calendar-entry.ts';
import type { MessageFacts } from '../../src/messaging/texts/facts.ts';

const FACTS: MessageFacts = {
  partnerName: 'Fremtind',
  bookingUrl: 'https://book.example.no/b/6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d',
  bookingDeadline: '2026-09-30' as CalendarDate,
  appointment: { start: instant('2026-09-24T12:30:00Z'), end: instant('2026-09-24T13:15:00Z') },
  supportEmail: 'hjelp@example.no',
  supportPhone: '+47 22 12 34 56',
};
const ENTRY = {
  uid: 'u-1@book',
  sequence: 2,
  attendee: 'kari@example.no',
  at: instant('2026-09-01T08:00:00Z'),
};

const unfolded = (calendar: string | null): string => (calendar ?? '').replaceAll(/\r\n[ \t]/g, '');

describe('the calendar entry of a message', () => {
  it('says when, from whom and the link', () => {
    const calendar = unfolded(composeCalendarEntry(FACTS, ENTRY));
    for (const line of [
      'METHOD:REQUEST',
      'UID:u-1@book',
      'SEQUENCE:2',
      'DTSTAMP:20260901T080000Z',
      'DTSTART:20260924T123000Z',
      'DTEND:20260924T131500Z',
      'SUMMARY:Time (Fremtind)',
      'CLASS:PRIVATE',
    ]) {
      expect(calendar.split('\r\n')).toContain(line);
    }
    expect(calendar).toContain(FACTS.bookingUrl);
    expect(calendar).toMatch(/ORGANIZER.*mailto:hjelp@example\.no/i);
    expect(calendar).toMatch(/ATTENDEE.*mailto:kari@example\.no/i);
  });

  it('says nothing about where, with whom or what', () => {
    const calendar = unfolded(composeCalendarEntry(FACTS, ENTRY, 'en')).replaceAll('treatment-booking', '');
    expect(calendar).not.toMatch(/LOCATION|GEO|treatment|clinic|behandl|klinikk/i);
  });

  it('is none without an appointment', () => {
    expect(composeCalendarEntry({ ...FACTS, appointment: null }, ENTRY)).toBeNull();
  });
});
