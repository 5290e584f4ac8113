import type { Json } from '../../support/browser.ts';
import type { Outside, SeenAppointment, SeenSlot } from '../outside.ts';

const BOOKING = 'urn:treatment-booking:booking';
const CASE = 'urn:treatment-booking:case';
const OVER = ['cancelled', 'entered-in-error', 'noshow', 'fulfilled'];

/** Every appointment and slot, as the clinic's own booking system tells over FHIR. */
export async function seeClinics(
  clinics: readonly { readonly id: string; readonly fhirUrl: string }[],
): Promise<Pick<Outside, 'appointments' | 'slots'>> {
  const seen = await Promise.all(clinics.map(seeClinic));
  return {
    appointments: seen.flatMap(({ appointments }) => appointments),
    slots: seen.flatMap(({ slots }) => slots),
  };
}

async function seeClinic({ id: clinic, fhirUrl }: { id: string; fhirUrl: string }) {
  const [appointments, slots, practitioners] = await Promise.all(
    ['Appointment', 'Slot', 'Practitioner'].map((type) => allOf(fhirUrl, type)),
  );
  const nameOf = (reference: string) => {
    const [name] = (practitioners ?? []).find(({ id }) => reference === `Practitioner/${id}`)?.name ?? [];
    return name ? [...(name.given ?? []), name.family].join(' ') : reference;
  };
  return {
    appointments: (appointments ?? []).map((one): SeenAppointment => {
      const actors: string[] = one.participant.map(({ actor }: Json) => actor?.reference ?? '');
      return {
        clinic,
        id: one.id,
        caseId: identifierOf(one, CASE),
        bookingId: identifierOf(one, BOOKING),
        slots: (one.slot ?? []).map(({ reference }: Json) => String(reference).replace('Slot/', '')),
        practitioner: nameOf(actors.find((actor) => actor.startsWith('Practitioner/')) ?? ''),
        start: Date.parse(one.start),
        end: Date.parse(one.end),
        isLive: !OVER.includes(one.status),
      };
    }),
    slots: (slots ?? []).map((one): SeenSlot => ({
      clinic,
      id: one.id,
      isFree: one.status === 'free',
      mark: identifierOf(one, BOOKING),
    })),
  };
}

const identifierOf = (resource: Json, system: string): string | null =>
  (resource.identifier ?? []).find((one: Json) => one.system === system)?.value ?? null;

async function allOf(fhirUrl: string, type: string): Promise<Json[]> {
  const found: Json[] = [];
  let next: string | undefined = `${fhirUrl}/${type}?_count=500`;
  while (next !== undefined) {
    const bundle = (await (await fetch(next)).json()) as Json;
    found.push(...(bundle.entry ?? []).map(({ resource }: Json) => resource));
    next = bundle.link?.find(({ relation }: Json) => relation === 'next')?.url;
  }
  return found;
}
