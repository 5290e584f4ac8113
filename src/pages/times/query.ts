import { parseDate, PARTS_OF_DAY, type PartOfDay, partOfDayAt } from '../../calendar/dates.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import type { Mode, Slot, SlotDetails } from '../../domain/slot.ts';

/** What the customer wants to see alone; null: whatever there is. */
export interface Filters {
  readonly town: string | null;
  readonly mode: Mode | null;
  readonly partOfDay: PartOfDay | null;
  readonly provider: string | null;
  readonly practitioner: string | null;
  /** Which the practitioner speaks. */
  readonly speaks: string | null;
  readonly gender: SlotDetails['gender'];
  readonly profession: string | null;
}

/** Which times are looked at. It stands in the address, so that it survives the back button and a slot that was taken. */
export interface TimesQuery {
  /** The first day; null: whenever the first time is. */
  readonly from: CalendarDate | null;
  /** That day alone, with all its times, and not the rest of its week. */
  readonly oneDay: boolean;
  /** How many of the day's times stand on the pages before. */
  readonly skip: number;
  /** Said, and not merely left out: every town will do, and video too. */
  readonly anywhere: boolean;
  readonly filters: Filters;
}

export const NO_FILTERS: Filters = {
  town: null,
  mode: null,
  partOfDay: null,
  provider: null,
  practitioner: null,
  speaks: null,
  gender: null,
  profession: null,
};

export const NO_QUERY: TimesQuery = {
  from: null,
  oneDay: false,
  skip: 0,
  anywhere: false,
  filters: NO_FILTERS,
};

/** Whether the customer has said where; a clinic or a practitioner is somewhere, too. */
export const isPlaceSaid = ({ anywhere, filters }: TimesQuery): boolean =>
  anywhere ||
  [filters.town, filters.mode, filters.provider, filters.practitioner].some((one) => one !== null);

/** How `mode` says that each will do. */
const ANY = 'any';

/** As fields of an address or of a form; what is as it always is, is left out. */
export const queryFields = ({ from, oneDay, skip, anywhere, filters = NO_FILTERS }: Partial<TimesQuery>) => ({
  from: from ?? null,
  view: oneDay === true ? 'day' : null,
  skip: skip === undefined || skip === 0 ? null : String(skip),
  ...filters,
  mode: filters.mode ?? (anywhere === true && filters.town === null ? ANY : null),
});

/** Takes no offence: what it does not understand is as good as left out, for an address may come from anywhere. */
export function readTimesQuery(fields: Readonly<Record<string, unknown>>): TimesQuery {
  const text = (name: string): string | null => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const oneOf = <T extends string>(name: string, known: readonly T[]): T | null =>
    known.find((one) => one === text(name)) ?? null;
  const from = parseDate(text('from') ?? '');
  const skip = Number(text('skip') ?? '0');
  const town = text('town');
  return {
    from,
    oneDay: from !== null && text('view') === 'day',
    skip: Number.isSafeInteger(skip) && skip > 0 ? skip : 0,
    anywhere: town === null && text('mode') === ANY,
    filters: {
      town,
      mode: oneOf('mode', ['in_person', 'video']),
      partOfDay: oneOf('partOfDay', PARTS_OF_DAY),
      provider: text('provider'),
      practitioner: text('practitioner'),
      speaks: text('speaks'),
      gender: oneOf('gender', ['female', 'male']),
      profession: text('profession'),
    },
  };
}

export const fits =
  ({ town, mode, partOfDay, provider, practitioner, speaks, gender, profession }: Filters) =>
  (slot: Pick<Slot, 'providerId' | 'practitioner' | 'start' | 'mode' | 'details'>): boolean =>
    (town === null || slot.details.town === town) &&
    (mode === null || slot.mode === mode) &&
    (partOfDay === null || partOfDayAt(slot.start) === partOfDay) &&
    (provider === null || slot.providerId === provider) &&
    (practitioner === null || slot.practitioner === practitioner) &&
    (speaks === null || slot.details.languages.includes(speaks)) &&
    (gender === null || slot.details.gender === gender) &&
    (profession === null || slot.details.profession === profession);

/** How many there are besides the place, which is asked for by itself. */
export const filtersOn = (filters: Filters): number =>
  Object.values({ ...filters, town: null, mode: null }).filter((value) => value !== null).length;

/** The place alone, of all that narrows it. */
export const onlyPlace = ({ town, mode }: Filters): Filters => ({ ...NO_FILTERS, town, mode });
