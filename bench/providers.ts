import type { ProviderId } from '../src/domain/ids.ts';
import { instant } from '../src/domain/instant.ts';
import { readTakenSlots } from '../src/postgres/slot-claims.ts';
import { createAvailability } from '../src/providers/availability.ts';
import { connectBookingSystem } from '../src/providers/connect.ts';
import { onTrack, type Track } from '../test/providers/races-track.ts';
import { type Calendars, openCalendars } from './calendars.ts';
import { type Measured, row, timeOf, timesAsLong } from './measure.ts';
import { onPostgres } from './on-postgres.ts';
import { stepsOfABooking } from './providers-steps.ts';

/** At all providers together. */
const PRACTITIONERS = 40;
const TIMES = 40;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** What the service itself takes over providers: the free times of ten of them, and the steps of a booking at one. */
export const providers = (): Promise<Measured> =>
  onPostgres((url) =>
    onTrack(url, async (track) => {
      const searches = [
        await searchOf(track, { providers: 10, slowestMs: 0 }),
        await searchOf(track, { providers: 10, slowestMs: 200 }),
        await searchOf(track, { providers: 1, slowestMs: 0 }),
      ];
      const steps = await stepsOfABooking(track);
      return {
        rows: [...searches.flatMap(({ rows }) => rows), ...steps.rows],
        notes: [...searches.flatMap(({ notes }) => notes), ...steps.notes],
      };
    }),
  );

/** @param slowestMs the last provider's answer; 0: all answer at once, so that nothing can be done meanwhile */
async function searchOf(
  { database }: Track,
  { providers: count, slowestMs }: { readonly providers: number; readonly slowestMs: number },
): Promise<Measured> {
  const calendars = await openCalendars(count, slowestMs, PRACTITIONERS / count);
  try {
    const of = calendars.providers.map(({ id, name }) => ({ id: id as ProviderId, name }));
    const availability = createAvailability({
      systems: new Map(
        calendars.providers.map(({ id, name, fhirUrl }) => [
          id as ProviderId,
          connectBookingSystem({
            ...{ id: id as ProviderId, name, kind: 'fhir', baseUrl: fhirUrl },
            settings: { unnamedTreatment: 'chiropractic' },
          }),
        ]),
      ),
      claimedSlots: (range) => readTakenSlots(database, range),
    });
    const from = instant(new Date(calendars.monday));
    const query = { treatmentType: 'chiropractic', from, to: instant(Date.parse(from) + 7 * DAY_MS) };
    const search = async () => {
      const { slots } = await availability({ ...query, providers: of });
      if (slots.length !== calendars.slots) throw new Error(`${slots.length} slots were found`);
    };
    const fetchAll = () =>
      Promise.all(calendars.providers.map(async ({ fhirUrl }) => (await fetch(`${fhirUrl}/Slot`)).json()));

    for (let i = 0; i < TIMES / 4; i += 1) await fetchAll().then(search);
    const [bare, ours, own]: [number[], number[], number[]] = [[], [], []];
    for (let i = 0; i < TIMES; i += 1) {
      bare.push((await besides(calendars, fetchAll)).whole);
      const searched = await besides(calendars, search);
      ours.push(searched.whole);
      own.push(searched.own);
    }
    const how = slowestMs === 0 ? 'at once' : `one after the other within ${slowestMs} ms`;
    const who = `${count} ${count === 1 ? 'provider' : 'providers'}, ${how}`;
    const what = `${calendars.slots.toLocaleString('en')} slots of ${who}`;
    return {
      rows: [
        row(`a bare fetch of ${what}`, bare),
        row('the search', ours),
        row('the search, besides the providers', own, { median: count === 1 ? 150 : 50 }),
      ],
      notes: [timesAsLong([`the search (${who})`, ours], ['a bare fetch of the same', bare])],
    };
  } finally {
    calendars.close();
  }
}

/** How long it takes, and how long besides the time from the first question to the last answer. */
async function besides(calendars: Calendars, work: () => Promise<unknown>) {
  calendars.asked();
  const whole = await timeOf(work);
  const asked = calendars.asked() ?? { from: 0, to: 0 };
  return { whole, own: whole - (asked.to - asked.from) };
}
