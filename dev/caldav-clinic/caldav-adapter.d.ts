/** The package has no types of its own. Only what is used here. */
declare module 'caldav-adapter' {
  import type { Context, Middleware } from 'koa';

  interface Place {
    readonly principalId: string;
    readonly calendarId: string;
    readonly eventId: string;
  }
  interface Range {
    readonly start: Date | null;
    readonly end: Date | null;
  }
  interface Data<Calendar, Event> {
    getCalendarId(context: Context, calendar: Calendar): string;
    getETag(context: Context, thing: Calendar | Event): string;
    buildICS(context: Context, events: Event | Event[], calendar: Calendar): Promise<string>;
    getCalendar(context: Context, place: Place): Promise<Calendar | null>;
    getCalendarsForPrincipal(context: Context, place: Place): Promise<Calendar[]>;
    getEventsForCalendar(context: Context, place: Place): Promise<Event[]>;
    getEventsByDate(context: Context, place: Place & Range): Promise<Event[]>;
    getEvent(context: Context, place: Place): Promise<Event | null>;
    createEvent(context: Context, place: Place): Promise<Event>;
    updateEvent(context: Context, place: Place): Promise<Event>;
    deleteEvent(context: Context, place: Place): Promise<void>;
  }

  export default function caldav<Calendar, Event>(options: {
    readonly authenticate: (context: Context, user: { username: string }) => Promise<object | null>;
    readonly authRealm: string;
    readonly caldavRoot: string;
    readonly calendarRoot: string;
    readonly principalRoot: string;
    readonly logEnabled: boolean;
    readonly data: Data<Calendar, Event>;
  }): Middleware;
}
