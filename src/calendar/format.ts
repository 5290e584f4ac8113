import { DateTime } from 'luxon';
import type { CalendarDate, Instant } from '../domain/instant.ts';
import { dateAt, ZONE } from './dates.ts';

/** What customers read: bokmål, nynorsk, English. The first is for who asks for none. */
export const LANGUAGES = ['nb', 'nn', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** How a language writes days and hours, in Luxon's signs. */
interface Manner {
  readonly locale: string;
  /** The day of the month before its month. */
  readonly day: string;
  readonly betweenHourAndMinutes: string;
  readonly beforeHours: string;
  /** Between a day and its hours. */
  readonly afterDay: string;
  /** Day and start, where every character costs; and where not even those fit. */
  readonly fewWords: string;
  readonly fewestWords: string;
}

const NORWEGIAN = {
  day: 'd.',
  betweenHourAndMinutes: '.',
  beforeHours: 'kl. ',
  afterDay: ' ',
  fewWords: "cccc d. LLLL 'kl.' HH.mm",
  fewestWords: "ccc d. LLL 'kl.' HH.mm",
};

const MANNERS: Readonly<Record<Language, Manner>> = {
  nb: { locale: 'nb-NO', ...NORWEGIAN },
  nn: { locale: 'nn-NO', ...NORWEGIAN },
  en: {
    locale: 'en-GB',
    day: 'd',
    betweenHourAndMinutes: ':',
    beforeHours: '',
    afterDay: ', ',
    fewWords: 'ccc d LLLL HH:mm',
    fewestWords: 'ccc d LLL HH:mm',
  },
};

const inNorway = (time: Instant, language: Language): DateTime =>
  DateTime.fromISO(time, { zone: ZONE, locale: MANNERS[language].locale });

const write = (date: CalendarDate, language: Language, format: (day: string) => string): string => {
  const { locale, day } = MANNERS[language];
  // a day has no clock: Norway's would be looked up for nothing, which takes four times as long as all else
  return DateTime.fromISO(date, { zone: 'utc', locale }).toFormat(format(day));
};

/** `3. mars 2026`, `3 March 2026` */
export const dateInWords = (date: CalendarDate, language: Language): string =>
  write(date, language, (day) => `${day} LLLL yyyy`);

/** `3. mars`, `3 March`: where the year goes without saying. */
export const shortDateInWords = (date: CalendarDate, language: Language): string =>
  write(date, language, (day) => `${day} LLLL`);

/** `tirsdag 3. mars 2026`, `tysdag 3. mars 2026`, `Tuesday 3 March 2026` */
export const dayInWords = (date: CalendarDate, language: Language): string =>
  write(date, language, (day) => `cccc ${day} LLLL yyyy`);

/** `tirsdag 3. mars`, `Tuesday 3 March`: where the year goes without saying. */
export const shortDayInWords = (date: CalendarDate, language: Language): string =>
  write(date, language, (day) => `cccc ${day} LLLL`);

/** `tir. 3.`, `Tue 3`: among other days of the same week. */
export const dayInFewWords = (date: CalendarDate, language: Language): string =>
  write(date, language, (day) => `ccc ${day}`);

// not Luxon, which takes five times as long: a page has a thousand slots
const hoursAndMinutes = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, timeStyle: 'short' });

/** `14.30`, `14:30` */
const timeOfDay = (time: Instant, language: Language): string =>
  hoursAndMinutes.format(Date.parse(time)).replace(':', MANNERS[language].betweenHourAndMinutes);

/** `kl. 14.30`, `14:30` */
export const clockInWords = (time: Instant, language: Language): string =>
  MANNERS[language].beforeHours + timeOfDay(time, language);

/** `kl. 14.30–15.15`, `14:30–15:15` */
export const hoursInWords = ({ start, end }: Period, language: Language): string =>
  `${clockInWords(start, language)}–${timeOfDay(end, language)}`;

/** What stands between a day and its hours. */
export const afterDay = (language: Language): string => MANNERS[language].afterDay;

/** `tirsdag 3. mars 2026 kl. 14.30–15.15`, `Tuesday 3 March 2026, 14:30–15:15` */
export const periodInWords = (period: Period, language: Language): string =>
  dayInWords(dateAt(period.start), language) + afterDay(language) + hoursInWords(period, language);

/** `tirsdag 3. mars kl. 14.30`, `Tue 3 March 14:30`: where every character costs. */
export const startInFewWords = (start: Instant, language: Language): string =>
  inNorway(start, language).toFormat(MANNERS[language].fewWords);

/** `tir. 3. mars kl. 14.30`, `Tue 3 Mar 14:30`: where not even those fit. */
export const startInFewestWords = (start: Instant, language: Language): string =>
  inNorway(start, language).toFormat(MANNERS[language].fewestWords);

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
  return `${write(first, language, (day) => day)}–${end}`;
}
