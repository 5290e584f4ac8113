import type { MemoryRepository } from '@medplum/fhir-router';
import type { Appointment, HumanName, Patient, Practitioner } from '@medplum/fhirtypes';
import { calendarPage, type CalendarRow } from '../page.ts';

const STATUSES: Partial<Record<Appointment['status'], string>> = {
  booked: 'Bestilt',
  cancelled: 'Avlyst',
  arrived: 'Møtt',
  fulfilled: 'Gjennomført',
  noshow: 'Ikke møtt',
  'entered-in-error': 'Feilført',
};

/** The clinic's calendar as its staff sees it: every appointment. */
export async function appointmentsPage(repository: MemoryRepository, name: string): Promise<string> {
  const appointments = await repository.searchResources<Appointment>({ resourceType: 'Appointment' });
  const names = new Map<string, string>();
  for (const resourceType of ['Practitioner', 'Patient'] as const) {
    for (const person of await repository.searchResources<Practitioner | Patient>({ resourceType })) {
      names.set(`${resourceType}/${person.id}`, nameOf(person.name?.[0]));
    }
  }
  return calendarPage(
    `${name}: timebok`,
    ['Behandler', 'Pasient', 'Tjeneste', 'Status', 'Merknad'],
    appointments.map((appointment) => row(appointment, names)),
  );
}

function row(appointment: Appointment, names: ReadonlyMap<string, string>): CalendarRow {
  const person = (type: string) =>
    appointment.participant
      .map(({ actor }) => actor?.reference ?? '')
      .filter((reference) => reference.startsWith(`${type}/`))
      .map((reference) => names.get(reference) ?? reference)
      .join(', ');
  const cells = [
    person('Practitioner'),
    person('Patient'),
    appointment.serviceType?.[0]?.coding?.[0]?.display ??
      appointment.serviceType?.[0]?.coding?.[0]?.code ??
      '',
    STATUSES[appointment.status] ?? appointment.status,
    appointment.cancelationReason?.text ?? appointment.comment ?? '',
  ];
  const [start, end] = [new Date(appointment.start ?? ''), new Date(appointment.end ?? '')];
  return { start, end, cells, isCancelled: appointment.status === 'cancelled' };
}

const nameOf = (name: HumanName | undefined): string =>
  name?.text ?? [...(name?.given ?? []), name?.family].filter(Boolean).join(' ');
