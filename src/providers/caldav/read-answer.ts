import ICAL from 'ical.js';
import { davRequest } from 'tsdav';
import { z } from 'zod';
import type { TimeRange } from '../port.ts';
import {
  type CalendarTask,
  type Entry,
  type ReadAnswer,
  type ReadEvent,
  type ReadObject,
  type ReadTask,
  textOf,
} from './answers.ts';
import { eventsIn, writtenEvents } from './events.ts';
import { type Budget, TooMany } from './recurrence.ts';

/*
 * Run in a thread of its own, since XML, calendars and the rules of series are as costly to read as who wrote them likes:
 * nothing in here is called by anybody else.
 */

/** More objects than any calendar of half a year has. */
const MAX_OBJECTS = 5_000;
/** Steps through the rules of a calendar's series, all together: a hundred series, each a day for half a year. */
const MAX_OCCURRENCES = 20_000;

const answerSchema = z.object({
  status: z.number(),
  ok: z.boolean(),
  raw: z.unknown().optional(),
  href: z.unknown().optional(),
  props: z.record(z.string(), z.unknown()).optional(),
});
const multistatusSchema = z.looseObject({ multistatus: z.unknown() });

/** Reads an answer of a server's, which must be a multistatus (RFC 4918 §13). */
export async function readAnswer({
  status,
  contentType,
  body,
  base,
  calendar,
}: ReadTask): Promise<ReadAnswer> {
  const answers = await davRequest({
    url: base,
    init: { method: 'PROPFIND', headers: {}, body: undefined },
    // the library reads what it has sent for: here that has come already
    fetch: async () => new Response(Buffer.from(body), { status, headers: { 'content-type': contentType } }),
  });
  const read = z.array(answerSchema).safeParse(answers);
  const [first] = read.data ?? [];
  if (read.data === undefined || !multistatusSchema.safeParse(first?.raw).success)
    return { outcome: 'wrong_server' };
  const entries = read.data.flatMap(({ href, status: own, props = {} }) => {
    const path = pathOf(textOf(href), base);
    return path === null ? [] : [{ path, status: own, properties: props }];
  });
  return calendar === null ? { outcome: 'entries', entries } : readCalendar(entries, calendar);
}

function readCalendar(
  entries: readonly Entry[],
  { path: calendar, expand, containing }: CalendarTask,
): ReadAnswer {
  if (entries.some(({ status }) => status === 507) || entries.length > MAX_OBJECTS)
    return { outcome: 'too_many' };
  const budget: Budget = { left: MAX_OCCURRENCES };
  const isWanted = (text: string | null) =>
    containing === '' || text?.toUpperCase().includes(containing) === true;
  const there = entries.filter(
    ({ status, path, properties }) =>
      status < 300 && path !== calendar && isWanted(textOf(properties['calendarData'])),
  );
  try {
    const objects = there.flatMap(({ path, properties }): ReadObject[] => {
      const etag = textOf(properties['getetag']);
      const parsed = parse(textOf(properties['calendarData']));
      if (etag === null || parsed === null) return [];
      return [{ path, etag, calendar: parsed, events: eventsOf(path, etag, parsed, expand, budget) }];
    });
    return { outcome: 'calendar', objects, unreadable: there.length - objects.length };
  } catch (error) {
    if (error instanceof TooMany) return { outcome: 'too_many' };
    throw error;
  }
}

function eventsOf(
  path: string,
  etag: string,
  calendar: unknown[],
  expand: TimeRange | null,
  budget: Budget,
): readonly ReadEvent[] | null {
  try {
    const root = new ICAL.Component(structuredClone(calendar));
    const components = root.getAllSubcomponents('vevent');
    const object = { path, etag, root };
    const events = expand === null ? writtenEvents(object) : eventsIn(object, expand, budget);
    return events.map(({ component, recurrence, start, end, isAllDay, written }) => ({
      ...{ recurrence, start, end, isAllDay, written },
      component: components.indexOf(component),
    }));
  } catch (error) {
    if (error instanceof TooMany) throw error;
    // ours, or one of the many kinds that the library throws at what is no iCalendar
    return null;
  }
}

function parse(text: string | null): unknown[] | null {
  if (text === null) return null;
  try {
    const parsed: unknown = ICAL.parse(text);
    // An array of calendars, or a calendar: itself an array whose first element is its name.
    return Array.isArray(parsed) && parsed[0] === 'vcalendar' ? parsed : null;
  } catch {
    return null;
  }
}

/** Only the path: behind a proxy, servers name themselves by addresses that lead elsewhere. */
function pathOf(href: string | null, base: string): string | null {
  return href !== null && URL.canParse(href, base) ? new URL(href, base).pathname : null;
}
