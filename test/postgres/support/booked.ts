import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Booking } from '../../../src/domain/case-state.ts';
import type { CaseEvent } from '../../../src/domain/events.ts';
import type { BookingId, CaseId, ProviderId } from '../../../src/domain/ids.ts';
import { daysAfter, instant } from '../../../src/domain/instant.ts';
import { NO_DETAILS, type Slot } from '../../../src/domain/slot.ts';
import { projectCase } from '../../../src/postgres/project-case.ts';
import { createSlotClaims } from '../../../src/postgres/slot-claims.ts';
import type { TestCases } from './cases.ts';

const PROVIDER = 'fjordklinikken' as ProviderId;
let days = 0;

/** 45 minutes of one practitioner, on a day of its own unless said otherwise. */
export const newSlot = (changes: Partial<Slot> = {}): Slot => {
  const start = changes.start ?? daysAfter(instant(Date.now()), (days += 1));
  return {
    providerId: PROVIDER,
    slot: randomUUID(),
    practitionerId: 'fjellrev',
    start,
    end: instant(Date.parse(start) + 45 * 60_000),
    practitioner: 'Fjell Rev',
    location: 'Storgata 1',
    mode: 'in_person',
    details: NO_DETAILS,
    ...changes,
  };
};

export const bookingOn = (slot: Slot, changes: Partial<Booking> = {}): Booking => ({
  bookingId: randomUUID() as BookingId,
  providerId: slot.providerId,
  slot: slot.slot,
  practitionerId: slot.practitionerId,
  start: slot.start,
  end: slot.end,
  confirmedAt: instant(Date.now()),
  transferredAt: instant(Date.now()),
  providerReference: 'Appointment/1',
  reminder: null,
  abandonedBy: null,
  unverified: false,
  formerly: [],
  overlaps: false,
  doubleBooked: false,
  ...changes,
});

/** Books as the activities do, and moves as the clinic does. */
export function bookingsOf(cases: () => TestCases) {
  const project = async (caseId: CaseId, change: object, events: readonly CaseEvent[] = []) => {
    const row = await cases().row(caseId);
    const at = instant(Date.now());
    const state = { ...row.state, ...change };
    const revision = row.revision + 1;
    const snapshot = { caseId, revision, state, events: events.map((one) => ({ ...one, revision })), at };
    return { answer: await projectCase(cases().database, snapshot), snapshot };
  };
  return {
    project,
    async addProvider(id = PROVIDER) {
      await cases().database.query(sql.type(z.object({}))`
        INSERT INTO providers (id, name, kind, base_url, connection)
        VALUES (${id}, ${id}, 'fhir', 'http://localhost', '{"auth": "none"}')`);
    },
    async book(slot = newSlot(), changes: Partial<Booking> = {}) {
      const caseId = await cases().create();
      const booking = bookingOn(slot, changes);
      const claims = createSlotClaims(cases().database);
      await claims.claim({ caseId, bookingId: booking.bookingId, slot });
      await claims.describe(caseId, booking.bookingId, slot);
      const isCurrent = booking.abandonedBy === null;
      await project(caseId, {
        status: isCurrent ? 'booked' : 'pending_patient_action',
        bookingId: isCurrent ? booking.bookingId : null,
        bookings: [booking],
      });
      return { caseId, booking };
    },
    move(caseId: CaseId, booking: Booking, to: Slot) {
      const { slot, practitionerId, start, end } = to;
      const moved = { ...booking, slot, practitionerId, start, end };
      const event = {
        type: 'booking.moved_by_provider',
        at: instant(Date.now()),
        actor: 'provider',
        status: 'booked',
        bookingId: booking.bookingId,
        data: { bookingId: booking.bookingId, providerId: booking.providerId, start, end },
      } as const;
      return project(caseId, { bookings: [moved] }, [event]);
    },
  };
}
