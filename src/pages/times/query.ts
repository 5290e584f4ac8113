import { parseDate } from '../../calendar/dates.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import type { Mode, Slot } from '../../domain/slot.ts';

/** What the customer wants to see alone; null: whatever there is. */
export interface Filters {
  readonly provider: string | null;
  readonly practitioner: string | null;
  readonly place: string | null;
  readonly mode: Mode | null;
}

/** Which times are looked at. It stands in the address, so that it survives the back button and a slot that was taken. */
export interface TimesQuery {
  /** The first day; null: whenever the first time is. */
  readonly from: CalendarDate | null;
  /** That day alone, with all its times, and not the rest of its week. */
  readonly oneDay: boolean;
  /** How many of the day's times stand on the pages before. */
  readonly skip: number;
  readonly filters: Filters;
}

export const NO_FILTERS: Filters = { provider: null, practitioner: null, place: null, mode: null };

/** As fields of an address or of a form; what is as it always is, is left out. */
export const queryFields = ({ from, oneDay, skip, filters = NO_FILTERS }: Partial<TimesQuery>) => ({
  from: from ?? null,
  view: oneDay === true ? 'day' : null,
  skip: skip === undefined || skip === 0 ? null : String(skip),
  provider: filters.provider,
  practitioner: filters.practitioner,
  place: filters.place,
  mode: filters.mode,
});

/** Takes no offence: what it does not understand is as good as left out, for an address may come from anywhere. */
export function readTimesQuery(fields: Readonly<Record<string, unknown>>): TimesQuery {
  const text = (name: string): string | null => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const from = parseDate(text('from') ?? '');
  const skip = Number(text('skip') ?? '0');
  const mode = text('mode');
  return {
    from,
    oneDay: from !== null && text('view') === 'day',
    skip: Number.isSafeInteger(skip) && skip > 0 ? skip : 0,
    filters: {
      provider: text('provider'),
      practitioner: text('practitioner'),
      place: text('place'),
      mode: mode === 'in_person' || mode === 'video' ? mode : null,
    },
  };
}

export const fits =
  ({ provider, practitioner, place, mode }: Filters) =>
  (slot: Pick<Slot, 'providerId' | 'practitioner' | 'location' | 'mode'>): boolean =>
    (provider === null || slot.providerId === provider) &&
    (practitioner === null || slot.practitioner === practitioner) &&
    (place === null || slot.location === place) &&
    (mode === null || slot.mode === mode);

export const filtersOn = (filters: Filters): number =>
  Object.values(filters).filter((value) => value !== null).length;
