import type { Appointment, Bundle } from 'fhir/r4.d.ts';
import { startCalendarClinic } from '../../dev/caldav-clinic/clinic.ts';
import { HAVGLOTT } from '../../dev/caldav-clinic/seed.ts';
import { type RunningClinic, startClinic } from '../../dev/fhir-clinic/clinic.ts';
import type { ClinicName } from '../../dev/fhir-clinic/profiles.ts';
import { FHIR_KINDS, type FhirKind } from '../../dev/fhir/capabilities.ts';
import type { ProviderId } from '../../src/domain/ids.ts';
import type { SlotRef } from '../../src/domain/slot.ts';
import type { Subject } from '../../src/providers/conformance/check.ts';
import type { Transport } from '../../src/http-client/exchange.ts';
import { connectBookingSystem } from '../../src/providers/connect.ts';
import { openClinicInMemory } from '../support/clinic-in-memory.ts';
import { appointmentsIn, eventOf, utcTimesOf } from './caldav-calendars.ts';

export interface RunningSubject {
  readonly subject: Subject;
  /** At all times together, counted without the adapter. */
  liveAppointments(): Promise<number>;
  /** What its staff does with the appointment at this time, in their own program: calls it off; and frees the time again. */
  callOff(slot: SlotRef): Promise<void>;
  free(slot: SlotRef): Promise<void>;
  /** What its staff books at this time beside the appointment that stands there; undone by what it answers with. */
  bookOver(slot: SlotRef): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** Every adapter, at a sandbox of its own kind; how they travel makes no difference, so one goes over the network. */
export const SUBJECTS: readonly (readonly [name: string, start: () => Promise<RunningSubject>])[] = [
  ...(Object.keys(FHIR_KINDS) as FhirKind[]).map((kind, i) => {
    // one writes times in UTC, the other with an offset; one has schedules of people, the other of their roles
    const profile = (['nordlys', 'fjordklinikken'] as const)[i % 2] ?? 'nordlys';
    const open = kind === 'stepwise' ? startClinic : openClinicInMemory;
    return [
      `FHIR, a server that is ${kind}`,
      async () => fhirSubject(profile, await open({ profile, fhir: kind, ...FEW_TIMES })),
    ] as const;
  }),
  ['CalDAV, times as events of their own', () => calDavSubject('marihand')],
  ['CalDAV, times as series', () => calDavSubject('torskeland')],
];

/** A check needs a time or two, and searches for it anew. */
export const FEW_TIMES = { weeks: 2, starts: ['09:00', '13:00'] };

type Clinic = Pick<RunningClinic, 'fhirUrl' | 'staffUrl'> & {
  readonly transport?: Transport;
  close?(): Promise<void>;
};

export function fhirSubject(profile: ClinicName, clinic: Clinic): RunningSubject {
  const { transport } = clinic;
  const send: typeof fetch = transport?.fetch ?? fetch;
  const live = async (search: string) => {
    const answer = await send(`${clinic.staffUrl}/Appointment?status=booked&_count=1000${search}`);
    return ((await answer.json()) as Bundle<Appointment>).entry?.length ?? 0;
  };
  const change = async (reference: string, set: object) => {
    const url = `${clinic.staffUrl}/${reference}`;
    const body = JSON.stringify({ ...((await (await send(url)).json()) as object), ...set });
    await send(url, { method: 'PUT', headers: { 'content-type': 'application/fhir+json' }, body });
  };
  return {
    callOff: async ({ slot }) => {
      const search = `${clinic.staffUrl}/Appointment?status=booked&slot=Slot/${slot}`;
      const { entry = [] } = (await (await send(search)).json()) as Bundle<Appointment>;
      for (const { resource } of entry) await change(`Appointment/${resource?.id}`, { status: 'cancelled' });
    },
    async bookOver({ slot, start, end }) {
      const appointment: Appointment = {
        ...{ resourceType: 'Appointment', status: 'booked', start, end },
        slot: [{ reference: `Slot/${slot}` }],
        participant: [{ status: 'accepted' }],
      };
      const headers = { 'content-type': 'application/fhir+json' };
      const body = JSON.stringify(appointment);
      const made = await send(`${clinic.staffUrl}/Appointment`, { method: 'POST', headers, body });
      const { id } = (await made.json()) as Appointment;
      return () => change(`Appointment/${id}`, { status: 'cancelled' });
    },
    free: ({ slot }) => change(`Slot/${slot}`, { status: 'free' }),
    subject: {
      ...subjectAt(profile, 'fhir', clinic.fhirUrl, transport),
      appointmentsAt: ({ slot }) => live(`&slot=Slot/${slot}`),
    },
    liveAppointments: () => live(''),
    close: async () => clinic.close?.(),
  };
}

async function calDavSubject(practitioner: string): Promise<RunningSubject> {
  const practitioners = HAVGLOTT.practitioners.filter(({ id }) => id === practitioner);
  const clinic = await startCalendarClinic({ profile: { ...HAVGLOTT, practitioners }, weeks: 2 });
  const live = () => appointmentsIn(clinic, practitioner);
  const rewrite = async ({ slot }: SlotRef, from: string, to: string) => {
    const name = slot.split('#')[0]?.split('/').at(-1)?.replace('.ics', '');
    for (const one of clinic.staff.list(practitioner))
      if (one.name === name) clinic.staff.write(practitioner, name, one.ics.replace(from, to));
  };
  return {
    callOff: (slot) => rewrite(slot, 'STATUS:CONFIRMED', 'STATUS:CANCELLED'),
    async bookOver({ start, end }) {
      const event = eventOf('phoned', ...utcTimesOf(start, end), 'SUMMARY:Ringte selv');
      clinic.staff.write(practitioner, 'phoned', event);
      return async () => clinic.staff.delete(practitioner, 'phoned');
    },
    free: (slot) => rewrite(slot, 'STATUS:CANCELLED', 'STATUS:CONFIRMED'),
    subject: {
      ...subjectAt(practitioner, 'caldav', clinic.calDavUrl),
      appointmentsAt: async ({ start }) =>
        live().filter(({ startDate }) => startDate.toJSDate().toISOString() === start).length,
    },
    liveAppointments: async () => live().length,
    close: () => clinic.close(),
  };
}

function subjectAt(name: string, kind: string, baseUrl: string, transport?: Transport): Subject {
  const providerId = name as ProviderId;
  const system = connectBookingSystem(
    { id: providerId, name, kind, baseUrl },
    { ...(transport && { transport }) },
  );
  return {
    ...{ system, providerId, treatmentType: 'psychology', days: 14, slot: null },
    ...{ now: Date.now, appointmentsAt: null },
  };
}
