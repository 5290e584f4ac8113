import type { Appointment, Slot } from 'fhir/r4.d.ts';
import type { RunningClinic } from '../../dev/fhir-clinic/clinic.ts';
import { BOOKING_SYSTEM } from '../../src/providers/fhir/mark.ts';
import type { TestService } from './service.ts';

/** A clinic's own books at one moment, not as its API tells them. */
export interface ClinicBooks {
  readonly slots: ReadonlyMap<string, Slot>;
  /** Appointments that somebody is expected to come to. */
  readonly live: readonly Appointment[];
  /** Pairs of live appointments that one practitioner can not both keep. */
  doubles(): readonly (readonly [Appointment, Appointment])[];
  /** Slots that are not free, though no live appointment stands on them. */
  blocked(): readonly Slot[];
}

export async function booksOf(clinic: Pick<RunningClinic, 'listResources'>): Promise<ClinicBooks> {
  const [slots, appointments] = await Promise.all([
    clinic.listResources<Slot>('Slot'),
    clinic.listResources<Appointment>('Appointment'),
  ]);
  const live = appointments.filter(({ status }) => status !== 'cancelled');
  return {
    slots: new Map(slots.map((slot) => [slot.id ?? '', slot])),
    live,
    doubles: () =>
      live.flatMap((one, i) =>
        live.slice(i + 1).flatMap((other) => (exclude(one, other) ? [[one, other] as const] : [])),
      ),
    blocked() {
      const stoodOn = new Set(live.flatMap(slotsOf));
      return slots.filter(({ id = '', status }) => status !== 'free' && !stoodOn.has(id));
    },
  };
}

export const markOf = ({ identifier }: Slot | Appointment): string | null =>
  identifier?.find(({ system }) => system === BOOKING_SYSTEM)?.value ?? null;

export const slotsOf = ({ slot }: Appointment): string[] =>
  (slot ?? []).map(({ reference = '' }) => reference.replace(/^Slot\//, ''));

function exclude(one: Appointment, other: Appointment): boolean {
  if (slotsOf(one).some((slot) => slotsOf(other).includes(slot))) return true;
  const practitioner = practitionerOf(one);
  if (practitioner === null || practitioner !== practitionerOf(other)) return false;
  const [a, b] = [timesOf(one), timesOf(other)];
  return a.start < b.end && b.start < a.end;
}

const practitionerOf = ({ participant }: Appointment): string | null =>
  participant
    .map(({ actor }) => actor?.reference ?? '')
    .find((reference) => reference.startsWith('Practitioner')) ?? null;

const timesOf = ({ start = '', end = '' }: Appointment) => ({
  start: Date.parse(start),
  end: Date.parse(end),
});

/** The clinic's receptionist books the slot for somebody on the telephone. @returns whether nobody was quicker */
export async function bookByPhone(
  { staffUrl, bookInOwnProgram }: RunningClinic,
  slotId: string,
  leavesSlot: boolean,
): Promise<boolean> {
  if (leavesSlot) return bookInOwnProgram(slotId);
  const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${staffUrl}/${path}`, {
      method,
      headers: { 'content-type': 'application/fhir+json', ...headers },
      body: JSON.stringify(body),
    });
  const slot = (await (await fetch(`${staffUrl}/Slot/${slotId}`)).json()) as Slot;
  if (slot.status !== 'free') return false;
  const ifMatch = { 'if-match': `W/"${slot.meta?.versionId ?? ''}"` };
  const taken = await send('PUT', `Slot/${slotId}`, { ...slot, status: 'busy' }, ifMatch);
  if (!taken.ok) return false;
  const appointment: Appointment = {
    resourceType: 'Appointment',
    status: 'booked',
    comment: 'Ringte selv, og tiden er merket',
    start: slot.start,
    end: slot.end,
    slot: [{ reference: `Slot/${slotId}` }],
    participant: [{ status: 'accepted' }],
  };
  const made = await send('POST', 'Appointment', appointment);
  if (!made.ok) throw new Error(`the receptionist's appointment was answered ${made.status}`);
  return true;
}

/** What the clinics of a service do wrong, until it is cleared. */
export const clinicFaults = (service: () => TestService) => ({
  async add(fault: Readonly<Record<string, unknown>>, which: 'one' | 'all' = 'all'): Promise<void> {
    const clinics = service().clinics.slice(0, which === 'one' ? 1 : undefined);
    const body = JSON.stringify(fault);
    const headers = { 'content-type': 'application/json' };
    for (const { url } of clinics) {
      const answer = await fetch(`${url}/_faults`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`no such fault: ${await answer.text()}`);
    }
  },

  async clear(): Promise<void> {
    for (const { url } of service().clinics) await fetch(`${url}/_faults`, { method: 'DELETE' });
  },
});
