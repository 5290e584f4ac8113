import type { MemoryRepository } from '@medplum/fhir-router';
import type { Appointment, HumanName, Patient, Practitioner } from '@medplum/fhirtypes';
import { DateTime } from 'luxon';

const STATUSES: Partial<Record<Appointment['status'], string>> = {
  booked: 'Bestilt',
  cancelled: 'Avlyst',
  arrived: 'Møtt',
  fulfilled: 'Gjennomført',
  noshow: 'Ikke møtt',
  'entered-in-error': 'Feilført',
};

/** The clinic's calendar as its staff sees it: every appointment, in order. */
export async function calendarPage(repository: MemoryRepository, name: string): Promise<string> {
  const appointments = await repository.searchResources<Appointment>({ resourceType: 'Appointment' });
  const names = new Map<string, string>();
  for (const resourceType of ['Practitioner', 'Patient'] as const) {
    for (const person of await repository.searchResources<Practitioner | Patient>({ resourceType })) {
      names.set(`${resourceType}/${person.id}`, nameOf(person.name?.[0]));
    }
  }
  const rows = appointments
    .sort((a, b) => Date.parse(a.start ?? '') - Date.parse(b.start ?? ''))
    .map((appointment) => row(appointment, names));
  return page(escape(name), rows.join('\n'));
}

function row(appointment: Appointment, names: ReadonlyMap<string, string>): string {
  const person = (type: string) =>
    appointment.participant
      .map(({ actor }) => actor?.reference ?? '')
      .filter((reference) => reference.startsWith(`${type}/`))
      .map((reference) => names.get(reference) ?? reference)
      .join(', ');
  const cells = [
    when(appointment),
    person('Practitioner'),
    person('Patient'),
    appointment.serviceType?.[0]?.coding?.[0]?.display ??
      appointment.serviceType?.[0]?.coding?.[0]?.code ??
      '',
    STATUSES[appointment.status] ?? appointment.status,
    appointment.cancelationReason?.text ?? appointment.comment ?? '',
  ];
  return `<tr class="${escape(appointment.status)}">${cells.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`;
}

function when({ start, end }: Appointment): string {
  const clock = (time: string | undefined) =>
    DateTime.fromISO(time ?? '', { zone: 'Europe/Oslo' }).setLocale('nb');
  return `${clock(start).toFormat('cccc d. LLLL yyyy HH:mm')}–${clock(end).toFormat('HH:mm')}`;
}

const nameOf = (name: HumanName | undefined): string =>
  name?.text ?? [...(name?.given ?? []), name?.family].filter(Boolean).join(' ');

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = (name: string, rows: string): string => `<!doctype html>
<html lang="nb">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="10">
<title>${name}: timebok</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1d2433 }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem; border-bottom: 1px solid #d5dae3; white-space: pre-line }
tr.cancelled td { color: #5b6475; text-decoration: line-through }
tr.cancelled td:nth-last-child(-n+2) { text-decoration: none }
</style>
</head>
<body>
<main>
<h1>${name}: timebok</h1>
<p>Sandkasse. Alle personer og steder er oppdiktet.</p>
${
  rows === ''
    ? '<p>Ingen timer er bestilt ennå.</p>'
    : `<table>
<thead><tr><th>Tid</th><th>Behandler</th><th>Pasient</th><th>Tjeneste</th><th>Status</th><th>Merknad</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>`
}
</main>
</body>
</html>
`;
