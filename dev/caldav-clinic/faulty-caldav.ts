import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { applyCommonFault, commonEffects, delayMs, effect, type Faults, interceptEnd } from '../faults.ts';
import { CALENDAR_HOME } from './adapter-data.ts';
import type { CalendarStore } from './store.ts';

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The CalDAV server, with what the faults make of it. */
export function createFaultyCalDav(
  serve: Serve,
  store: CalendarStore,
  faults: Faults<CalendarFault>,
): RequestHandler {
  /** What a laborious server has to do first. */
  let busy = Promise.resolve();
  return async (request, response) => {
    const fault = faults.take(request.method, calendarIn(request.path));
    if (fault?.effect === 'laborious') {
      const parts = partsReadOf(request);
      interceptEnd(response, (body, usual) => {
        const isFiltered = Buffer.concat(parts).includes('prop-filter');
        // it is done also where nobody waits for the answer any more
        busy = busy.then(() => wait(fault.delayMs * (isFiltered ? FILTER_FACTOR : 1)));
        void busy.then(() => usual(body));
      });
    } else if (fault && !applyFault(fault, store, request, response)) return;
    await serve(request, response);
  };
}

/** What is read of the body by whoever reads it. A listener would have it read too early. */
function partsReadOf(request: Request): readonly Buffer[] {
  const parts: Buffer[] = [];
  const emit = request.emit.bind(request);
  request.emit = (event: string | symbol, ...args: unknown[]) => {
    if (event === 'data') parts.push(args[0] as Buffer);
    return emit(event, ...args);
  };
  return parts;
}

/** As at Radicale: 1.5 to 2.9 s in place of 0.1 to 0.6. */
const FILTER_FACTOR = 6;

/** Makes the fault happen, to the request or to its answer. @returns whether the request is to be carried out */
function applyFault(
  fault: Exclude<CalendarFault, { effect: 'laborious' }>,
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
  /** Does one after the other, and takes so long for each; with a filter by property several times as long. */
  effect('laborious', { delayMs }),
  /** Somebody at the clinic is a moment quicker, with a calendar program: writes this object; null deletes it. */
  effect('meanwhile', { calendar: z.string(), name: z.string(), ics: z.string().nullable() }),
  ...Object.values(commonEffects),
]);

export type CalendarFault = z.infer<typeof calendarFaultSchema>;
