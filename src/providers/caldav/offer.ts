import ICAL from 'ical.js';
import { z } from 'zod';
import { setText, textIn } from './mark.ts';

/**
 * What the clinic wrote on the free time, kept on the event itself while it is ours: so whoever cancels, and whenever,
 * it becomes what it was.
 */
const OFFER = 'x-treatment-booking-offer';

/** What we write over. */
const REPLACED = ['summary', 'description', 'status', 'transp'] as const;

/** In jCal (RFC 7265). */
const property = z.tuple([z.enum(REPLACED), z.record(z.string(), z.unknown()), z.string(), z.string()]);
const offer = z.union([z.array(property), z.literal('series')]);

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
  const written = kept === null || kept === 'series' ? LOST : kept;
  for (const jCal of written) component.addProperty(new ICAL.Property([...jCal]));
}

/** Some calendar programs drop what they don't know of an event that they change. */
const LOST: z.infer<typeof property>[] = [
  ['summary', {}, 'text', 'Ledig time'],
  ['transp', {}, 'text', 'TRANSPARENT'],
];

function keptOn(component: ICAL.Component): z.infer<typeof offer> | null {
  try {
    return offer.safeParse(JSON.parse(textIn(component, OFFER) ?? '')).data ?? null;
  } catch {
    return null;
  }
}
