import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Appointment, Bundle, Slot as FhirSlot } from 'fhir/r4.d.ts';
import { type RunningClinic, startClinic } from '../../dev/fhir-clinic/clinic.ts';
import type { ClinicName } from '../../dev/fhir-clinic/profiles.ts';
import type { FhirKind } from '../../dev/fhir/capabilities.ts';
import type { BookingId, CaseId, ProviderId } from '../../src/domain/ids.ts';
import { type CalendarDate, daysAfter, instant } from '../../src/domain/instant.ts';
import type { Slot } from '../../src/domain/slot.ts';
import { connectBookingSystem } from '../../src/providers/connect.ts';
import type { BookingRequest, BookingSystem } from '../../src/providers/port.ts';

/** A sandbox clinic for one test file, spoken to over HTTP, and our booking system for it. */
export function clinicAtHand(profile: ClinicName = 'fjordklinikken', timeoutMs = 5_000, fhir?: FhirKind) {
  const providerId = profile as string as ProviderId;
  let clinic: RunningClinic;
  let system: BookingSystem;
  let offered: Slot[] = [];
  let bookings = 0;

  beforeAll(async () => {
    clinic = await startClinic({ profile, weeks: 2, ...(fhir ? { fhir } : {}) });
    const registration = {
      id: providerId,
      name: clinic.name,
      kind: 'fhir',
      baseUrl: clinic.fhirUrl,
    } as const;
    system = connectBookingSystem(registration, { timeoutMs });
  });
  beforeEach(() => fetch(`${clinic.url}/_faults`, { method: 'DELETE' }));
  afterAll(() => clinic.close());

  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${clinic.fhirUrl}/${path}`)).json()) as T;

  return {
    system: () => system,
    clinic: () => clinic,
    newBookingId: () => `booking-${(bookings += 1)}` as BookingId,
    search: (treatmentType = 'psychology') => {
      const now = instant(Date.now());
      return system.search({ treatmentType, from: now, to: daysAfter(now, 30) });
    },
    /** One that no test of this file has had yet. */
    async freshSlot(): Promise<Slot> {
      if (offered.length === 0) offered = await this.search();
      const slot = offered.shift();
      if (!slot) throw new Error('no slot left');
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
    slotAt: ({ slot }: { readonly slot: string }) => get<FhirSlot>(`Slot/${slot}`),
    get,
    async liveAppointments(slot: { readonly slot: string }): Promise<Appointment[]> {
      const all = await clinic.listResources<Appointment>('Appointment');
      const reference = `Slot/${slot.slot}`;
      return all.filter(
        (one) => one.status === 'booked' && one.slot?.some((taken) => taken.reference === reference),
      );
    },
    async allLive(): Promise<Appointment[]> {
      const bundle = await get<Bundle<Appointment>>('Appointment?status=booked&_count=1000');
      return (bundle.entry ?? []).flatMap(({ resource }) => resource ?? []);
    },
  };
}

export const bookingOf = (slot: Slot, bookingId: BookingId, caseId = 'case-1'): BookingRequest => ({
  bookingId,
  caseId: caseId as CaseId,
  slot,
  treatmentType: 'psychology',
  patient: {
    givenName: 'Kari Anne',
    familyName: 'Nordmann',
    birthDate: '1990-02-03' as CalendarDate,
    email: 'kari@example.no',
    phone: '+4799999999',
  },
  injuryDate: '2026-01-15' as CalendarDate,
  injuryDescription: 'Fall på isen',
  partnerName: 'Trygg Forsikring',
  partnerCaseId: 'TF-2026-1',
});
