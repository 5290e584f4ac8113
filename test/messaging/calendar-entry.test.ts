import { describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import { type Language, LANGUAGES } from '../../src/calendar/format.ts';
import { MESSAGE_KINDS, type MessageKind } from '../../src/domain/events.ts';
import { instant } from '../../src/domain/instant.ts';
import { composeCalendarEntry, type EntryDetails } from '../../src/messaging/texts/calendar-entry.ts';
import type { MessageFacts } from '../../src/messaging/texts/wording.ts';
import { LONG, USUAL } from './messages.ts';

const CASE_ID = '6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d';
const DETAILS: EntryDetails = {
  uid: CASE_ID,
  sequence: 2,
  organizer: 'post@book.example.no',
  attendee: 'kari@example.no',
  at: instant('2026-09-01T08:00:00Z'),
};
const ABOUT_A_BOOKING: MessageKind[] = ['receipt', 'changed', 'cancelled', 'choose_again', 'recalled'];

/** The entry as Thunderbird reads it. */
function read(kind: MessageKind, facts: MessageFacts = USUAL, details = DETAILS, language: Language = 'nb') {
  const entry = composeCalendarEntry(kind, facts, details, language);
  if (entry === null) throw new Error('no entry');
  const calendar = new ICAL.Component(ICAL.parse(entry.content) as unknown[]);
  const events = calendar.getAllSubcomponents('vevent');
  const vevent = events[0];
  if (vevent === undefined || events.length !== 1) throw new Error(`${events.length} events`);
  return { ...entry, calendar, vevent, event: new ICAL.Event(vevent) };
}

const valueOf = (component: ICAL.Component, name: string) =>
  component.getFirstPropertyValue(name)?.toString() ?? null;

describe('the calendar entry of a receipt', () => {
  it('invites the customer, who has accepted, on behalf of the mail’s sender', () => {
    const { method, calendar, vevent } = read('receipt');
    expect(method).toBe('REQUEST');
    expect(valueOf(calendar, 'method')).toBe('REQUEST');
    expect(valueOf(vevent, 'organizer')).toBe('mailto:post@book.example.no');
    expect(vevent.getFirstProperty('organizer')?.getFirstParameter('cn')).toBe('Fremtind');
    const attendees = vevent.getAllProperties('attendee');
    expect(attendees.map((attendee) => String(attendee.getFirstValue()).toLowerCase())).toEqual([
      'mailto:kari@example.no',
    ]);
    expect(attendees[0]?.getFirstParameter('partstat')).toBe('ACCEPTED');
    expect(attendees[0]?.getFirstParameter('rsvp')).toBe('FALSE');
    expect(valueOf(vevent, 'status')).toBe('CONFIRMED');
  });

  it('says when, from whom, the link and whom to call', () => {
    const { event, vevent } = read('receipt');
    expect(event.summary).toBe('Time (Fremtind)');
    expect(event.description).toContain(USUAL.bookingUrl);
    expect(event.description).toContain('+47 22 12 34 56');
    expect(event.location).toBe(`Logg inn for å se stedet: ${USUAL.bookingUrl}`);
    expect(valueOf(vevent, 'url')).toBe(USUAL.bookingUrl);
    expect(valueOf(vevent, 'class')).toBe('PRIVATE');
    expect(valueOf(vevent, 'dtstamp')).toBe('2026-09-01T08:00:00Z');
    expect(read('receipt', USUAL, DETAILS, 'en').event.summary).toBe('Appointment (Fremtind)');
  });

  it.each([
    ['in summer', '2026-09-24T12:30:00Z', '2026-09-24T13:15:00Z'],
    ['in winter', '2026-12-24T08:30:00Z', '2026-12-24T09:15:00Z'],
    ['over the change in spring', '2026-03-29T00:45:00Z', '2026-03-29T01:30:00Z'],
    ['over the change in autumn', '2026-10-25T00:45:00Z', '2026-10-25T01:30:00Z'],
  ])('has the instants in UTC %s', (_, start, end) => {
    const appointment = { start: instant(start), end: instant(end) };
    const { event } = read('receipt', { ...USUAL, appointment });
    expect(event.startDate.zone.tzid).toBe('UTC');
    expect(event.startDate.toJSDate().toISOString()).toBe(appointment.start);
    expect(event.endDate.toJSDate().toISOString()).toBe(appointment.end);
  });
});

describe('the calendar entries of one case', () => {
  it('have one UID, and a SEQUENCE that grows with each message', () => {
    const kinds: MessageKind[] = ['receipt', 'changed', 'cancelled', 'receipt', 'choose_again'];
    const entries = kinds.map((kind, i) => read(kind, USUAL, { ...DETAILS, sequence: i + 2 }).event);
    expect(new Set(entries.map(({ uid }) => uid))).toEqual(new Set([CASE_ID]));
    expect(entries.map(({ sequence }) => sequence)).toEqual([2, 3, 4, 5, 6]);
  });

  it('move the appointment when it changed', () => {
    expect(read('changed').method).toBe('REQUEST');
  });

  it.each(['cancelled', 'choose_again', 'recalled'] as const)('take it away with %s', (kind) => {
    const { method, calendar, vevent, event } = read(kind);
    expect(method).toBe('CANCEL');
    expect(valueOf(calendar, 'method')).toBe('CANCEL');
    expect(valueOf(vevent, 'status')).toBe('CANCELLED');
    expect(event.summary).toBe('Avlyst: time (Fremtind)');
    // RFC 5546 section 3.2.5
    expect(valueOf(vevent, 'organizer')).toBe('mailto:post@book.example.no');
    expect(vevent.getAllProperties('attendee')).toHaveLength(1);
  });
});

describe.each(LANGUAGES)('a calendar entry in %s', (language) => {
  it.each(ABOUT_A_BOOKING)('keeps to the lines of RFC 5545 in %s, whatever the insurer is called', (kind) => {
    const partnerName = 'Ærlig, Øst; Ås \\ "Liv"\r\nATTENDEE:mailto:x@y.no';
    const { content, event, vevent } = read(kind, { ...LONG, partnerName }, DETAILS, language);
    const lines = content.split('\r\n');
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(content.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(vevent.getAllProperties('attendee')).toHaveLength(1);
    expect(event.summary).toContain('Ærlig, Øst; Ås');
  });
});

describe('no calendar entry', () => {
  it.each(MESSAGE_KINDS.filter((kind) => !ABOUT_A_BOOKING.includes(kind)))('comes with %s', (kind) => {
    expect(composeCalendarEntry(kind, USUAL, DETAILS, 'nb')).toBeNull();
  });

  it.each(ABOUT_A_BOOKING)('comes with %s when it is about no appointment', (kind) => {
    expect(composeCalendarEntry(kind, { ...USUAL, appointment: null }, DETAILS, 'nb')).toBeNull();
  });
});
