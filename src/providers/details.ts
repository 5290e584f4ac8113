import type { Slot, SlotDetails } from '../domain/slot.ts';
import type { BookingSystem, ProviderSettings } from './port.ts';

/** More than this is nobody's instruction, and would push the rest of the page away (characters). */
const MOST_LETTERS = 1_000;

/** What a clinic wrote for people, without what is for machines. @returns null when nothing is left */
export function plainText(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const plain = text
    .replaceAll(/\r\n?/g, '\n')
    // every control and format character but the line's end, so that nothing turns the writing around
    .replaceAll(/[^\P{C}\n]/gu, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  if (plain === '') return null;
  return plain.length > MOST_LETTERS ? `${plain.slice(0, MOST_LETTERS)} …` : plain;
}

/** Small words in the names of Norwegian towns: Mo i Rana. */
const SMALL_WORDS = new Set(['i', 'og', 'på', 'ved']);

/** A town as one writes it, so that `BERGEN` and `Bergen` are one: postal registers write in capitals. */
export function townNamed(text: unknown): string | null {
  const town = plainText(text)?.replaceAll(/\s+/g, ' ') ?? null;
  if (town === null || town !== town.toUpperCase()) return town;
  const words = town.toLowerCase().split(' ');
  return words
    .map((word, i) =>
      i > 0 && SMALL_WORDS.has(word) ? word : word.replace(/^\p{L}/u, (c) => c.toUpperCase()),
    )
    .join(' ');
}

/** The town behind the four digits of a Norwegian postal code: `Tareveien 5, 4006 Stavanger`. */
export const townInAddress = (address: string | null | undefined): string | null =>
  townNamed(/\b\d{4}\s+(\p{L}[\p{L} .'-]*)/u.exec(address ?? '')?.[1]);

/** A telephone number, alone or in a longer text. */
export const phoneIn = (text: unknown): string | null =>
  (typeof text === 'string' ? /\+?\d[\d ]{4,16}\d/.exec(text)?.[0] : undefined) ?? null;

/** @returns null for what is nowhere on the earth */
export function positionAt(latitude: unknown, longitude: unknown): SlotDetails['position'] {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return null;
  return { latitude, longitude };
}

type Words = Pick<ProviderSettings, 'town' | 'phone' | 'instructions' | 'videoInstructions'>;

/** Each slot with what the operator was told by the clinic, which counts before what its system says. */
export function inOperatorsWords(system: BookingSystem, words: Words): BookingSystem {
  const told = (slot: Slot): Slot => ({ ...slot, details: detailsTold(slot, words) });
  return {
    ...system,
    search: async (query) => (await system.search(query)).map(told),
    async hold(slot, bookingId, signal) {
      const held = await system.hold(slot, bookingId, signal);
      return held.outcome === 'held' ? { ...held, slot: told(held.slot) } : held;
    },
    async lookUp(bookings, signal) {
      const found = await system.lookUp(bookings, signal);
      return found.map((one) => (one.state === 'stands' ? { ...one, slot: told(one.slot) } : one));
    },
  };
}

function detailsTold({ details, mode }: Slot, words: Words): SlotDetails {
  const isVideo = mode === 'video';
  return {
    ...details,
    town: isVideo ? null : (words.town ?? details.town),
    phone: words.phone ?? details.phone,
    instructions: (isVideo ? words.videoInstructions : words.instructions) ?? details.instructions,
  };
}
