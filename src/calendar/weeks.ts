import { DateTime } from 'luxon';
import type { CalendarDate } from '../domain/instant.ts';
import { dateInWords, shortDateInWords, type Language } from './format.ts';

/** Monday to Sunday, with the number by which people in Norway call it (ISO 8601). */
export interface Week {
  readonly number: number;
  readonly first: CalendarDate;
  readonly last: CalendarDate;
}

export function weekOf(date: CalendarDate): Week {
  const day = DateTime.fromISO(date, { zone: 'utc' });
  return {
    number: day.weekNumber,
    first: day.startOf('week').toISODate() as CalendarDate,
    last: day.endOf('week').toISODate() as CalendarDate,
  };
}

/** `23.–29. november`, `30. november–6. desember`, `23–29 November`; with the year where it changes. */
export function daysInWords(first: CalendarDate, last: CalendarDate, language: Language): string {
  if (first === last) return shortDateInWords(first, language);
  if (first.slice(0, 4) !== last.slice(0, 4))
    return `${dateInWords(first, language)}–${dateInWords(last, language)}`;
  const end = shortDateInWords(last, language);
  if (first.slice(0, 7) !== last.slice(0, 7)) return `${shortDateInWords(first, language)}–${end}`;
  const day = Number(first.slice(8));
  return `${day}${language === 'nb' ? '.' : ''}–${end}`;
}
