import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { applyCommonFault, commonEffects, effect, type Faults, interceptEnd } from '../faults.ts';
import { CALENDAR_HOME } from './adapter-data.ts';
import type { CalendarStore } from './store.ts';

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The CalDAV server, with what the faults make of it. */
export function createFaultyCalDav(
  serve: Serve,
  store: CalendarStore,
  faults: Faults<CalendarFault>,
): RequestHandler {
  return async (request, response) => {
    const fault = faults.take(request.method, calendarIn(request.path));
    if (fault && !applyFault(fault, store, request, response)) return;
    await serve(request, response);
  };
}

/** Makes the fault happen, to the request or to its answer. @returns whether the request is to be carried out */
function applyFault(
  fault: CalendarFault,
  store: CalendarStore,
  request: Request,
  response: Response,
): boolean {
  switch (fault.effect) {
    case 'forget':
      response.status(204).set('etag', '"forgotten"').end();
      return false;
    case 'meanwhile':
      if (fault.ics === null) store.remove(fault.calendar, fault.name);
      else store.put({ calendar: fault.calendar, name: fault.name, ics: fault.ics });
      return true;
    case 'no-etag':
      interceptEnd(response, (body, usual) => {
        response.removeHeader('etag');
        usual(body);
      });
      return true;
    default:
      return applyCommonFault(fault, request, response);
  }
}

const calendarIn = (path: string): string =>
  path.startsWith(`${CALENDAR_HOME}/`) ? (path.slice(CALENDAR_HOME.length + 1).split('/')[0] ?? '') : '';

/** What a calendar server can do wrong: as a FHIR server does it. */
export const calendarFaultSchema = z.discriminatedUnion('effect', [
  /** Does it, and does not say which version it is now: then it need not be as it was sent. */
  effect('no-etag', {}),
  /** Says that it does it, and does not. */
  effect('forget', {}),
  /** Somebody at the clinic is a moment quicker, with a calendar program: writes this object; null deletes it. */
  effect('meanwhile', { calendar: z.string(), name: z.string(), ics: z.string().nullable() }),
  ...Object.values(commonEffects),
]);

export type CalendarFault = z.infer<typeof calendarFaultSchema>;
