import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import ICAL from 'ical.js';
import { type RunningCalendarClinic, startCalendarClinic } from '../../dev/caldav-clinic/clinic.ts';
import { HAVGLOTT } from '../../dev/caldav-clinic/seed.ts';
import type { BookingId, ProviderId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import type { Slot } from '../../src/domain/slot.ts';
import { connectBookingSystem } from '../../src/providers/connect.ts';
import type { BookingSystem } from '../../src/providers/port.ts';
import { appointmentsIn, offerOf } from './caldav-calendars.ts';

export const RAGNHILD = 'marihand';
export const LEIF = 'torskeland';
/** A Monday in winter. */
const NOW = '2026-11-16T06:00:00Z';

/** A sandbox clinic with empty calendars for one test file, spoken to over HTTP, and our booking system for it. */
export function calendarsAtHand({ timeoutMs = 5_000 } = {}) {
  let clinic: RunningCalendarClinic;
  let system: BookingSystem;
  let now = Date.parse(NOW);
  let malformed: [type: string, count: number][] = [];
  let days = 0;
  let bookings = 0;

  beforeAll(async () => {
    clinic = await startCalendarClinic({ profile: HAVGLOTT, weeks: 0, authorization: 'Bearer secret' });
    system = connectBookingSystem(
      {
        id: 'havglott' as ProviderId,
        name: clinic.name,
        kind: 'caldav',
        baseUrl: clinic.calDavUrl,
        connection: { auth: 'bearer', tokenVariable: 'TOKEN' },
        // nobody waits here, and a busy machine may take its time
        settings: { searchTimeoutMs: 60_000 },
      },
      {
        secretOf: () => 'secret',
        timeoutMs,
        now: () => now,
        onSkipped: (type, count) => malformed.push([type, count]),
      },
    );
  });
  beforeEach(async () => {
    await fetch(`${clinic.url}/_faults`, { method: 'DELETE' });
    for (const { id } of HAVGLOTT.practitioners) {
      for (const { name } of clinic.staff.list(id)) clinic.staff.delete(id, name);
    }
    malformed = [];
    now = Date.parse(NOW);
  });
  afterAll(() => clinic.close());

  return {
    system: () => system,
    clinic: () => clinic,
    staff: () => clinic.staff,
    malformed: () => malformed,
    newBookingId: () => `booking-${(bookings += 1)}` as BookingId,
    setNow: (time: string) => (now = Date.parse(time)),
    /** @param days from now on */
    search: (days = 30, treatmentType = 'psychology') =>
      system.search({ treatmentType, from: instant(now), to: instant(now + days * 24 * 60 * 60 * 1_000) }),
    /** The one free time of Ragnhild's, on a day that no test of this file has had yet. */
    async freeTime(...more: string[]): Promise<Slot> {
      const day = `202612${String((days += 1) % 28 || 28).padStart(2, '0')}`;
      clinic.staff.write(
        RAGNHILD,
        'time',
        offerOf('time', `${day}T090000`, `${day}T094500`, 'SUMMARY:Ledig\\, rom 2', ...more),
      );
      const [slot] = await this.search(60);
      if (slot === undefined) throw new Error('it is not free');
      return slot;
    },
    async fault(fault: Record<string, unknown>): Promise<void> {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${clinic.url}/_faults`, {
        method: 'POST',
        headers,
        body: JSON.stringify(fault),
      });
      if (answer.status !== 201) throw new Error(await answer.text());
    },
    async requests(verb: () => Promise<unknown>): Promise<number> {
      await this.fault({ effect: 'delay', delayMs: 1, times: null });
      await verb();
      const [{ fired }] = (await (await fetch(`${clinic.url}/_faults`)).json()) as [{ fired: number }];
      return fired;
    },
    /** The events of the one object with this name, as they lie in the calendar. */
    events: (name = 'time', calendar = RAGNHILD): ICAL.Component[] =>
      clinic.staff
        .list(calendar)
        .filter((one) => one.name === name)
        .flatMap(({ ics }) => new ICAL.Component(ICAL.parse(ics) as unknown[]).getAllSubcomponents('vevent')),
    appointments: (calendar = RAGNHILD) => appointmentsIn(clinic, calendar),
  };
}

/** A property of an event as text; undefined where it has none. */
export const textOf = (event: ICAL.Component | undefined, name: string): string | undefined =>
  event?.getFirstPropertyValue(name)?.toString();
