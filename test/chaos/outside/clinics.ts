import type { Json } from '../../support/browser.ts';
import type { Outside, SeenAppointment, SeenSlot } from '../outside.ts';

const BOOKING = 'urn:treatment-booking:booking';
const CASE = 'urn:treatment-booking:case';
const OVER = ['cancelled', 'entered-in-error', 'noshow', 'fulfilled'];

/** Every appointment and slot, as the clinics' own staff have them over FHIR. */
export async function seeClinics(
  clinics: readonly { readonly id: string; readonly staffUrl: string }[],
): Promise<Pick<Outside, 'appointments' | 'slots'>> {
  const seen = await Promise.all(clinics.map(seeClinic));
  return {
    appointments: seen.flatMap(({ appointments }) => appointments),
    slots: seen.flatMap(({ slots }) => slots),
  };
}

async function seeClinic({ id: clinic, staffUrl }: { id: string; staffUrl: string }) {
  const [appointments, slots, practitioners] = await Promise.all(
    ['Appointment', 'Slot', 'Practitioner'].map((type) => allOf(staffUrl, type)),
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
      heldFor: one.status === 'busy-tentative' ? Date.now() - Date.parse(one.meta.lastUpdated) : null,
      mark: identifierOf(one, BOOKING),
    })),
  };
}

const identifierOf = (resource: Json, system: string): string | null =>
  (resource.identifier ?? []).find((one: Json) => one.system === system)?.value ?? null;

async function allOf(baseUrl: string, type: string): Promise<Json[]> {
  const found: Json[] = [];
  let next: string | undefined = `${baseUrl}/${type}?_count=500`;
  while (next !== undefined) {
    const answer = await fetch(next);
    if (!answer.ok) throw new Error(`${next} answered ${answer.status}`);
    const bundle = (await answer.json()) as Json;
    found.push(...(bundle.entry ?? []).map(({ resource }: Json) => resource));
    next = bundle.link?.find(({ relation }: Json) => relation === 'next')?.url;
  }
  return found;
}
