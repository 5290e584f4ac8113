import caldav from 'caldav-adapter';
import express from 'express';
import type { RequestHandler } from 'express';
import Koa from 'koa';
import { createFaultRoutes, createFaults } from '../faults.ts';
import { serveLocally } from '../local-server.ts';
import { CALENDAR_HOME, createAdapterData } from './adapter-data.ts';
import { appointmentsPage } from './appointments-page.ts';
import { calendarFaultSchema, createFaultyCalDav } from './faulty-caldav.ts';
import { type CalendarProfile, seedCalendars } from './seed.ts';
import { openCalendarStore, type StoredObject } from './store.ts';

export interface CalendarClinicOptions {
  readonly profile: CalendarProfile;
  /** 0 takes a free one. */
  readonly port?: number;
  /** Where its calendars live from one start to the next; null keeps nothing. */
  readonly dataFile?: string | null;
  /** How far ahead times are offered; 0 leaves the calendars empty. */
  readonly weeks?: number;
  /** What the `Authorization` of a request must be; null lets everybody in. */
  readonly authorization?: string | null;
  readonly now?: () => number;
}

export interface RunningCalendarClinic {
  readonly name: string;
  /** The page with the appointments. Faults are at `/_faults`. */
  readonly url: string;
  /** The collection that holds its calendars. */
  readonly calDavUrl: string;
  /** What its staff does with a calendar program, without faults. */
  readonly staff: Staff;
  /** Stops at once, and writes what is not written yet. */
  close(): Promise<void>;
}

export interface Staff {
  list(calendar: string): readonly StoredObject[];
  write(calendar: string, name: string, ics: string): void;
  delete(calendar: string, name: string): void;
}

/** A provider that keeps its times on a CalDAV server, for development. */
export async function startCalendarClinic(options: CalendarClinicOptions): Promise<RunningCalendarClinic> {
  const { profile, port = 0, weeks = 6, authorization = null, now = Date.now } = options;
  const store = await openCalendarStore(options.dataFile ?? null);
  seedCalendars(store, profile, now(), weeks);

  const faults = createFaults(calendarFaultSchema);
  const app = express().disable('x-powered-by').disable('etag');
  app.get('/', (_request, response) => response.type('html').send(appointmentsPage(store, profile)));
  app.use('/_faults', createFaultRoutes(faults));
  const library = caldav({
    // who asks has been looked at by then
    authenticate: async () => ({ principalId: 'clinic', principalName: 'clinic' }),
    authRealm: profile.name,
    caldavRoot: 'dav',
    calendarRoot: 'calendars',
    principalRoot: 'principals',
    logEnabled: false,
    data: createAdapterData(store, profile),
  });
  const koa = new Koa();
  koa.silent = true;
  app.use(
    requireAuthorization(authorization),
    createFaultyCalDav(koa.use(library).callback(), store, faults),
  );

  const { url, stop } = await serveLocally(app, port);
  return {
    name: profile.name,
    url,
    calDavUrl: `${url}${CALENDAR_HOME}/`,
    staff: {
      list: (calendar) => store.in(calendar),
      write: (calendar, name, ics) => void store.put({ calendar, name, ics }),
      delete: (calendar, name) => store.remove(calendar, name),
    },
    async close() {
      await stop();
      await store.flush();
    },
  };
}

/** The library takes a name and a password only, and a calendar server may want anything. */
const requireAuthorization =
  (authorization: string | null): RequestHandler =>
  (request, response, next) => {
    if (authorization !== null && request.get('authorization') !== authorization) {
      response.status(401).end();
      return;
    }
    request.headers.authorization = `Basic ${Buffer.from('clinic:').toString('base64')}`;
    next();
  };
