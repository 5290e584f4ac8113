import { z } from 'zod';
import type { Instant } from '../../domain/instant.ts';
import type { TimeRange } from '../port.ts';

/** An answer of a server's, as it goes into the thread in which it is read (`reader.ts`). */
export interface ReadTask {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Of the server. */
  readonly base: string;
  /** Null for an answer without calendars in it. */
  readonly calendar: CalendarTask | null;
}

export interface CalendarTask {
  readonly path: string;
  /** All events of these days; or else those that are written out, however long ago. */
  readonly expand: TimeRange | null;
  /** Objects in whose text this does not stand are left out, and cost nothing more. In upper case; empty: all are read. */
  readonly containing: string;
}

/** What a server says of one resource. */
export interface Entry {
  /** The path of its URL, as the server writes it. */
  readonly path: string;
  readonly status: number;
  /** By their names as the library writes them, e.g. `calendarData`. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/** What comes out of the thread: plain data. What was refused is told of by a word, since errors lose their class on the way. */
export type ReadAnswer =
  | { readonly outcome: 'entries'; readonly entries: readonly Entry[] }
  | { readonly outcome: 'calendar'; readonly objects: readonly ReadObject[]; readonly unreadable: number }
  /** What answers is no CalDAV server. */
  | { readonly outcome: 'wrong_server' }
  /** More objects, or more events of series, than are read at a time. */
  | { readonly outcome: 'too_many' };

/** One object of a calendar. */
export interface ReadObject {
  readonly path: string;
  readonly etag: string;
  /** As jCal (RFC 7265). */
  readonly calendar: unknown[];
  /** Null where they can't be read. */
  readonly events: readonly ReadEvent[] | null;
}

/** One time in a calendar, with the number of its component among the object's. */
export interface ReadEvent extends EventTimes {
  readonly component: number;
}

export interface EventTimes {
  /** Which one of a series: the time that the series' rule gives it. Null for an event by itself. */
  readonly recurrence: Instant | null;
  readonly start: Instant;
  readonly end: Instant;
  readonly isAllDay: boolean;
  /** For one that only the rule of a series makes: its start as the series writes it, and the zone that it names. */
  readonly written: { readonly time: string; readonly zone: string | null } | null;
}

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const cdata = z.looseObject({ _cdata: z.union([scalar, z.array(scalar)]) });

/** The text of an element, which the library makes a number or a section of; null when it has none. */
export function textOf(element: unknown): string | null {
  const section = cdata.safeParse(element);
  if (section.success) return [section.data._cdata].flat().join('');
  const text = scalar.safeParse(element);
  return text.success && text.data !== '' ? String(text.data) : null;
}
