import type caldav from 'caldav-adapter';
import ICAL from 'ical.js';
import type { Context } from 'koa';
import { instantInZone } from '../../src/calendar/wall-clock.ts';
import type { CalendarProfile } from './seed.ts';
import { type CalendarStore, etagOf, type StoredObject } from './store.ts';

/** Below it lie the calendars. */
export const CALENDAR_HOME = '/dav/calendars/clinic';

interface StoredCalendar {
  readonly id: string;
  readonly name: string;
}
/** `href` and not `ical`: then the library filters by no property, which real servers don't all do either. */
type StoredEvent = StoredObject & { readonly href: string };
type Data = Parameters<typeof caldav<StoredCalendar, StoredEvent>>[0]['data'];

/** What the CalDAV library asks for and writes. */
export function createAdapterData(store: CalendarStore, profile: CalendarProfile): Data {
  const calendars = profile.practitioners.map(({ id, name }): StoredCalendar => ({ id, name }));
  const inside = (calendarId: string) => store.in(calendarId).map(asEvent);
  const save = (context: Context, calendarId: string, eventId: string): StoredEvent => {
    const ics = (context.request as { body?: unknown }).body;
    if (typeof ics !== 'string' || !isCalendar(ics)) context.throw(403, 'valid-calendar-data');
    return asEvent(store.put({ calendar: calendarId, name: objectName(eventId), ics }));
  };
  return {
    getCalendarId: (_context, { id }) => id,
    getETag: (_context, thing) => ('ics' in thing ? etagOf(thing) : `"${thing.id}"`),
    buildICS: async (_context, events) =>
      [events]
        .flat()
        .map(({ ics }) => ics)
        .join(''),
    getCalendar: async (_context, { calendarId }) => calendars.find(({ id }) => id === calendarId) ?? null,
    getCalendarsForPrincipal: async () => calendars,
    getEventsForCalendar: async (_context, { calendarId }) => inside(calendarId),
    getEventsByDate: async (_context, { calendarId, start, end }) =>
      store
        .in(calendarId)
        .filter((object) => mayOverlap(object, start, end))
        .map(asEvent),
    getEvent: async (_context, { calendarId, eventId }) => {
      const found = store.get(calendarId, objectName(eventId));
      return found && asEvent(found);
    },
    createEvent: async (context, { calendarId, eventId }) => {
      // the library makes anew what was deleted since it was read
      if (context.get('if-match') !== '') context.throw(412);
      return save(context, calendarId, eventId);
    },
    updateEvent: async (context, { calendarId, eventId }) => save(context, calendarId, eventId),
    deleteEvent: async (_context, { calendarId, eventId }) => store.remove(calendarId, objectName(eventId)),
  };
}

const asEvent = (object: StoredObject): StoredEvent => ({
  ...object,
  href: `${CALENDAR_HOME}/${object.calendar}/${encodeURIComponent(object.name)}.ics`,
});

const objectName = (eventId: string): string => eventId.replace(/\.ics$/, '');

function isCalendar(text: string): boolean {
  try {
    return new ICAL.Component(ICAL.parse(text) as unknown[]).name === 'vcalendar';
  } catch {
    return false;
  }
}

interface Span {
  readonly from: Date;
  readonly to: Date;
}
/** Read once: what is written to an address is another object. */
const spans = new WeakMap<StoredObject, readonly Span[]>();

function mayOverlap(object: StoredObject, from: Date | null, to: Date | null): boolean {
  const known = spans.get(object) ?? spansOf(object.ics);
  spans.set(object, known);
  return known.some((span) => (to === null || span.from < to) && (from === null || span.to > from));
}

const ALWAYS: Span = { from: new Date(-8.64e15), to: new Date(8.64e15) };

/** A series is always, and what can't be read. */
function spansOf(ics: string): Span[] {
  try {
    const events = new ICAL.Component(ICAL.parse(ics) as unknown[]).getAllSubcomponents('vevent');
    return events.map((component) => {
      const event = new ICAL.Event(component);
      return event.isRecurring() ? ALWAYS : { from: dateOf(event.startDate), to: dateOf(event.endDate) };
    });
  } catch {
    return [ALWAYS];
  }
}

/** By the zone's name: its definition, which the library would work out, takes it milliseconds for each event. */
function dateOf(time: ICAL.Time): Date {
  if (time.zone === ICAL.Timezone.utcTimezone) return time.toJSDate();
  return new Date(instantInZone(time.toString(), 'Europe/Oslo') ?? 0);
}
