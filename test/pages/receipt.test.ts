import { describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import { instant } from '../../src/domain/instant.ts';
import { appointmentCalendar, type AppointmentEntry } from '../../src/pages/receipt.ts';
import { STRINGS } from '../../src/pages/strings/strings.ts';
import { BOOKING, CASE_ID, EVIL } from './page-samples.ts';

const ENTRY: AppointmentEntry = {
  uid: CASE_ID,
  sequence: 3,
  url: `https://book.example.no/b/${CASE_ID}`,
  at: instant('2026-03-01T09:01:00Z'),
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
