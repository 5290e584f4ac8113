import ICAL from 'ical.js';
import { DAVNamespace, davRequest, getDAVAttribute, updateObject } from 'tsdav';
import type { TimeRange } from '../port.ts';
import { at } from './calendars.ts';
import type { CalendarEvent, CalendarObject } from './events.ts';
import type { ReadObject } from './answers.ts';
import { ask, boundedFetch, type CalDavServer } from './server.ts';

export interface Objects {
  readonly objects: readonly CalendarObject[];
  readonly events: readonly CalendarEvent[];
  /** How many objects could not be read, or hold events that can't be. */
  readonly unreadable: number;
}

const NONE: Objects = { objects: [], events: [], unreadable: 0 };

/** Which objects of a calendar are asked for: those with events in `range`. */
interface Wanted {
  readonly range: TimeRange;
  /** Which of their events: all of these days, or only those that are written out. */
  readonly expand: TimeRange | null;
  /** Only objects in whose text this stands, in upper case: the others are left out unread. All when left out. */
  readonly containing?: string;
}

/**
 * Asked for by time alone: a filter by property takes some servers many times as long, and others pay no heed to it.
 *
 * @throws ProviderUnavailable also when there are too many to read
 */
export function queryObjects(
  server: CalDavServer,
  calendar: string,
  { range, ...wanted }: Wanted,
): Promise<Objects> {
  const filter = {
    'comp-filter': {
      _attributes: { name: 'VCALENDAR' },
      'comp-filter': {
        _attributes: { name: 'VEVENT' },
        'time-range': { _attributes: { start: stamp(range.from), end: stamp(range.to) } },
      },
    },
  };
  return report(server, calendar, { 'calendar-query': { 'd:prop': PROPERTIES, filter } }, wanted);
}

/** Those that are gone are left out. Of their events, those that are written out. */
export const readObjects = (
  server: CalDavServer,
  calendar: string,
  paths: readonly string[],
): Promise<Objects> =>
  report(server, calendar, { 'calendar-multiget': { 'd:prop': PROPERTIES, 'd:href': [...paths] } });

const PROPERTIES = { 'd:getetag': {}, 'c:calendar-data': {} };

async function report(
  server: CalDavServer,
  calendar: string,
  body: Record<string, object>,
  { expand, containing = '' }: Pick<Wanted, 'expand' | 'containing'> = { expand: null },
): Promise<Objects> {
  const request = {
    url: at(server, calendar).href,
    init: {
      method: 'REPORT' as const,
      headers: { depth: '1' },
      namespace: 'c',
      attributes: getDAVAttribute([DAVNamespace.CALDAV, DAVNamespace.DAV]),
      body,
    },
  };
  const send = (fetch: typeof globalThis.fetch) => davRequest({ ...request, fetch });
  const read = await ask(server, 'REPORT', send, { path: calendar, expand, containing });
  // Null: the calendar was deleted since it was listed, and nothing of it can be had.
  if (read?.outcome !== 'calendar') return NONE;
  const made = read.objects.map(objectOf);
  return {
    objects: made.map(({ object }) => object),
    events: made.flatMap(({ events }) => events),
    unreadable: read.unreadable + read.objects.filter(({ events }) => events === null).length,
  };
}

/** From what came out of the thread. */
function objectOf({ path, etag, calendar, events }: ReadObject): {
  readonly object: CalendarObject;
  readonly events: readonly CalendarEvent[];
} {
  const object = { path, etag, root: new ICAL.Component(calendar) };
  const components = object.root.getAllSubcomponents('vevent');
  const made = (events ?? []).flatMap(({ component: number, ...event }) => {
    const component = components[number];
    return component === undefined ? [] : [{ ...event, object, component }];
  });
  return { object, events: made };
}

export type Written =
  /** `asSent`: the server keeps it as it was sent, to the octet (RFC 4791 §5.3.4). */
  | { readonly outcome: 'done'; readonly asSent: boolean }
  /** Somebody changed or deleted it since. */
  | { readonly outcome: 'conflict' }
  /** The server will not take this. `cause` is e.g. `http_413`. */
  | { readonly outcome: 'refused'; readonly cause: string };

/** Replaces the version that was read, and no other. */
export async function writeObject(server: CalDavServer, object: CalendarObject): Promise<Written> {
  const { status, ok, headers } = await updateObject({
    url: at(server, object.path).href,
    data: object.root.toString(),
    headers: { 'content-type': 'text/calendar; charset=utf-8', 'if-match': object.etag },
    fetch: boundedFetch(server),
  });
  if (ok) return { outcome: 'done', asSent: headers.has('etag') };
  // 409 is also said of a collection that is gone
  if ([404, 409, 410, 412].includes(status)) return { outcome: 'conflict' };
  return { outcome: 'refused', cause: `http_${status}` };
}

/** iCalendar's UTC form. */
const stamp = (time: string): string => ICAL.Time.fromJSDate(new Date(time), true).toICALString();
