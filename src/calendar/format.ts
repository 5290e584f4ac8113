import { DateTime } from 'luxon';
import type { CalendarDate, Instant } from '../domain/instant.ts';
import { dateAt, ZONE } from './dates.ts';

/** Norwegian bokmål or English: what customers read. */
export type Language = 'nb' | 'en';

const LOCALE = { nb: 'nb-NO', en: 'en-GB' } as const;

const inNorway = (time: Instant, language: Language): DateTime =>
  DateTime.fromISO(time, { zone: ZONE, locale: LOCALE[language] });

const ofDate = (date: CalendarDate, language: Language): DateTime =>
  DateTime.fromISO(date, { zone: ZONE, locale: LOCALE[language] });

/** `3. mars 2026`, `3 March 2026` */
export const dateInWords = (date: CalendarDate, language: Language): string =>
  ofDate(date, language).toFormat(language === 'nb' ? 'd. LLLL yyyy' : 'd LLLL yyyy');

/** `3. mars`, `3 March`: where the year goes without saying. */
export const shortDateInWords = (date: CalendarDate, language: Language): string =>
  ofDate(date, language).toFormat(language === 'nb' ? 'd. LLLL' : 'd LLLL');

/** `tirsdag 3. mars 2026`, `Tuesday 3 March 2026` */
export const dayInWords = (date: CalendarDate, language: Language): string =>
  ofDate(date, language).toFormat(language === 'nb' ? 'cccc d. LLLL yyyy' : 'cccc d LLLL yyyy');

/** `tirsdag 3. mars`, `Tuesday 3 March`: where the year goes without saying. */
export const shortDayInWords = (date: CalendarDate, language: Language): string =>
  ofDate(date, language).toFormat(language === 'nb' ? 'cccc d. LLLL' : 'cccc d LLLL');

/** `tir. 3.`, `Tue 3`: among other days of the same week. */
export const dayInFewWords = (date: CalendarDate, language: Language): string =>
  ofDate(date, language).toFormat(language === 'nb' ? 'ccc d.' : 'ccc d');

// not Luxon, which takes five times as long: a page has a thousand slots
const hoursAndMinutes = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, timeStyle: 'short' });

/** `14.30`, `14:30` */
function timeOfDay(time: Instant, language: Language): string {
  const withColon = hoursAndMinutes.format(Date.parse(time));
  return language === 'nb' ? withColon.replace(':', '.') : withColon;
}

/** `kl. 14.30`, `14:30` */
export const clockInWords = (time: Instant, language: Language): string =>
  `${language === 'nb' ? 'kl. ' : ''}${timeOfDay(time, language)}`;

/** `kl. 14.30–15.15`, `14:30–15:15` */
export function hoursInWords({ start, end }: Period, language: Language): string {
  const hours = `${timeOfDay(start, language)}–${timeOfDay(end, language)}`;
  return language === 'nb' ? `kl. ${hours}` : hours;
}

/** `tirsdag 3. mars 2026 kl. 14.30–15.15`, `Tuesday 3 March 2026, 14:30–15:15` */
export function periodInWords(period: Period, language: Language): string {
  const day = dayInWords(dateAt(period.start), language);
  return `${day}${language === 'nb' ? ' ' : ', '}${hoursInWords(period, language)}`;
}

/** `tirsdag 3. mars kl. 14.30`, `Tue 3 March 14:30`: where every character costs. */
export const startInFewWords = (start: Instant, language: Language): string =>
  inNorway(start, language).toFormat(language === 'nb' ? "cccc d. LLLL 'kl.' HH.mm" : 'ccc d LLLL HH:mm');

/** `tir. 3. mars kl. 14.30`, `Tue 3 Mar 14:30`: where not even those fit. */
export const startInFewestWords = (start: Instant, language: Language): string =>
  inNorway(start, language).toFormat(language === 'nb' ? "ccc d. LLL 'kl.' HH.mm" : 'ccc d LLL HH:mm');

/** `2026-03-03 14:30 CET`: for lists, in which nobody is to guess the zone. */
export const formatTimestamp = (time: Instant): string =>
  inNorway(time, 'en').toFormat('yyyy-MM-dd HH:mm ZZZZ');

export interface Period {
  readonly start: Instant;
  readonly end: Instant;
}

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
