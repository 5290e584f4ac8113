import ICAL from 'ical.js';
import { z } from 'zod';
import type { BookingId, CaseId } from '../../domain/ids.ts';
import { jsonOrNull } from '../../http-client/exchange.ts';
import type { BookingRequest, ReleaseRequest } from '../port.ts';

/** Our mark on an event: held or booked by this booking. */
export const BOOKING = 'x-treatment-booking';
/** The case, which the clinic quotes when it calls. An event that has it is an appointment. */
const CASE = 'x-treatment-booking-case';
/** The bookings that were cancelled here last, with spaces between: they must not come to life again. */
const WITHDRAWN = 'x-treatment-booking-withdrawn';
/** It is against an attempt that was held up for minutes; three more bookings come and go in no such time. */
const MAX_WITHDRAWN = 3;

export const textIn = (component: ICAL.Component, name: string): string | null => {
  const value: unknown = component.getFirstPropertyValue(name);
  return typeof value === 'string' && value !== '' ? value : null;
};

/** A property that the library does not know is text only when that is said. */
export function setText(component: ICAL.Component, name: string, text: string): void {
  component.removeAllProperties(name);
  component.addProperty(new ICAL.Property([name, {}, 'text', text]));
}

/** The booking that an event is held or booked by, null when it is none of ours. */
export const bookingOf = (component: ICAL.Component): BookingId | null =>
  textIn(component, BOOKING) as BookingId | null;

export const isAppointment = (component: ICAL.Component): boolean =>
  bookingOf(component) !== null && component.hasProperty(CASE);

export function mark(component: ICAL.Component, bookingId: BookingId, caseId: CaseId | null): void {
  setText(component, BOOKING, bookingId);
  if (caseId !== null) setText(component, CASE, caseId);
}

export function unmark(component: ICAL.Component): void {
  component.removeAllProperties(BOOKING);
  component.removeAllProperties(CASE);
}

/** Whether an appointment of this booking was taken back here, or is another one's of the same series. */
export const wasWithdrawn = (root: ICAL.Component, bookingId: BookingId): boolean =>
  root.getAllSubcomponents('vevent').some((component) => withdrawnOn(component).includes(bookingId));

export function rememberWithdrawn(component: ICAL.Component, bookingId: BookingId): void {
  const others = withdrawnOn(component).filter((one) => one !== bookingId);
  setText(component, WITHDRAWN, [...others, bookingId].slice(-MAX_WITHDRAWN).join(' '));
}

const withdrawnOn = (component: ICAL.Component): string[] =>
  (textIn(component, WITHDRAWN) ?? '').split(' ').filter((id) => id !== '');

/**
 * What the clinic wrote on the free time, kept on the event itself while it is ours: so whoever cancels, and whenever,
 * it becomes what it was.
 */
const OFFER = 'x-treatment-booking-offer';

/** What we write over. */
const REPLACED = ['summary', 'description', 'status', 'transp'] as const;

/** In jCal (RFC 7265). */
const propertySchema = z.tuple([z.enum(REPLACED), z.record(z.string(), z.unknown()), z.string(), z.string()]);
const offerSchema = z.union([z.array(propertySchema), z.literal('series')]);

export function keepOffer(component: ICAL.Component): void {
  if (component.hasProperty(OFFER)) return;
  const kept = REPLACED.flatMap((name) =>
    component.getAllProperties(name).map((one) => one.toJSON() as unknown),
  );
  setText(component, OFFER, JSON.stringify(kept));
}

/** For an exception that we make of a series: it becomes what the series says. */
export const keepSeries = (component: ICAL.Component): void =>
  setText(component, OFFER, JSON.stringify('series'));

/** Whether we made it an exception of its series: then it is to be taken out, since the series says what it was. */
export const isOfSeries = (component: ICAL.Component): boolean => keptOn(component) === 'series';

/** Makes it the free time that it was. */
export function restoreOffer(component: ICAL.Component): void {
  const kept = keptOn(component);
  for (const name of [...REPLACED, OFFER]) component.removeAllProperties(name);
  const written = kept === null || kept === 'series' ? DEFAULT_OFFER : kept;
  for (const jCal of written) component.addProperty(new ICAL.Property([...jCal]));
}

/** Some calendar programs drop what they don't know of an event that they change. */
const DEFAULT_OFFER: z.infer<typeof propertySchema>[] = [
  ['summary', {}, 'text', 'Ledig time'],
  ['transp', {}, 'text', 'TRANSPARENT'],
];

const keptOn = (component: ICAL.Component): z.infer<typeof offerSchema> | null =>
  offerSchema.safeParse(jsonOrNull(textIn(component, OFFER) ?? '')).data ?? null;

// Calendars show titles on screens that others see: nothing about who, the injury or the insurer there.
export const HELD_TITLE = 'Holdes av for bestilling på nett';
export const BOOKED_TITLE = 'Time bestilt på nett';

/** What the clinic gets to know: docs/contract.md §7. */
export function appointmentText(request: BookingRequest): string {
  const { patient } = request;
  const lines: [label: string, value: string | null][] = [
    ['Pasient', `${patient.givenName} ${patient.familyName}`],
    ['Fødselsdato', patient.birthDate],
    ['Telefon', patient.phone],
    ['E-post', patient.email],
    ['Behandling', request.treatmentType],
    ['Forsikringsselskap', request.partnerName],
    ['Saksnummer hos selskapet', request.partnerCaseId],
    ['Skadedato', request.injuryDate],
    ['Skade', request.injuryDescription],
    ['Sak i bestillingstjenesten', request.caseId],
  ];
  return lines.flatMap(([label, value]) => (value === null ? [] : [`${label}: ${value}`])).join('\n');
}

/** What the clinic's staff reads on a time that became free again. */
export const REASONS: Record<ReleaseRequest['cancelledBy'], string> = {
  customer: 'Avbestilt av pasienten',
  partner: 'Trukket tilbake av forsikringsselskapet',
  operator: 'Avbestilt av kundeservice i bestillingstjenesten',
  provider: 'Avlyst av klinikken',
  service: 'Trukket tilbake av bestillingstjenesten',
};
