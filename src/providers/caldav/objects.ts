import ICAL from 'ical.js';
import { DAVNamespace, davRequest, getDAVAttribute, updateObject } from 'tsdav';
import { ProviderUnavailable, type TimeRange } from '../port.ts';
import { at } from './calendars.ts';
import { boundedFetch, type CalDavServer, entriesOf, textOf } from './server.ts';

/** What lies at one address of a calendar: one event, or a series with its exceptions. */
export interface CalendarObject {
  readonly path: string;
  /** Without it nothing can be changed safely. */
  readonly etag: string;
  readonly root: ICAL.Component;
}

export interface Objects {
  readonly objects: CalendarObject[];
  /** How many could not be read. */
  readonly unreadable: number;
}

/** More would keep the whole process busy with one clinic's calendar. */
const MAX_OBJECTS = 5_000;
const NONE: Objects = { objects: [], unreadable: 0 };

/** Which objects of a calendar are asked for: those with events in `range`; and only those with this property, if any. */
interface Wanted {
  readonly range: TimeRange;
  readonly having?: string;
}

/** @throws ProviderUnavailable also when there are too many to read */
export function queryObjects(
  server: CalDavServer,
  calendar: string,
  { range, having }: Wanted,
): Promise<Objects> {
  const filter = {
    'comp-filter': {
      _attributes: { name: 'VCALENDAR' },
      'comp-filter': {
        _attributes: { name: 'VEVENT' },
        'time-range': { _attributes: { start: stamp(range.from), end: stamp(range.to) } },
        ...(having === undefined ? {} : { 'prop-filter': { _attributes: { name: having } } }),
      },
    },
  };
  return report(server, calendar, { 'calendar-query': { 'd:prop': PROPERTIES, filter } });
}

/** Those that are gone are left out. */
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
): Promise<Objects> {
  const answers = await davRequest({
    url: at(server, calendar).href,
    init: {
      method: 'REPORT',
      headers: { depth: '1' },
      namespace: 'c',
      attributes: getDAVAttribute([DAVNamespace.CALDAV, DAVNamespace.DAV]),
      body,
    },
    fetch: boundedFetch(server),
  });
  const entries = entriesOf('REPORT', server.baseUrl, answers);
  // The calendar was deleted since it was listed: nothing of it can be had.
  if (entries === null) return NONE;
  if (entries.some(({ status }) => status === 507) || entries.length > MAX_OBJECTS)
    throw new ProviderUnavailable('CalDAV REPORT: more events than can be read at a time');
  const there = entries.filter(({ status, path }) => status < 300 && path !== calendar);
  const objects = there.flatMap(({ path, properties }) => {
    const etag = textOf(properties.getetag);
    const root = parse(textOf(properties.calendarData));
    return etag === null || root === null ? [] : [{ path, etag, root }];
  });
  return { objects, unreadable: there.length - objects.length };
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

function parse(text: string | null): ICAL.Component | null {
  if (text === null) return null;
  try {
    const parsed: unknown = ICAL.parse(text);
    // An array of calendars, or a calendar: itself an array whose first element is its name.
    if (!Array.isArray(parsed) || parsed[0] !== 'vcalendar') return null;
    return new ICAL.Component(parsed);
  } catch {
    return null;
  }
}
