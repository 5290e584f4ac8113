import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { delayWhileConnected, type Faults, interceptEnd } from '../faults.ts';
import { faultRule } from '../fhir-clinic/fault.ts';
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
    if (fault && beforeRequest(fault, store, request, response) === 'answered') return;
    if (fault) afterRequest(fault, request, response);
    await serve(request, response);
  };
}

/** What goes wrong before the request is carried out. */
function beforeRequest(
  fault: CalendarFault,
  store: CalendarStore,
  request: Request,
  response: Response,
): 'answered' | 'to be carried out' {
  switch (fault.effect) {
    case 'answer':
      response.status(fault.status).set(fault.headers).end(fault.body);
      return 'answered';
    case 'forget':
      response.status(204).set('etag', '"forgotten"').end();
      return 'answered';
    case 'drop':
      request.socket.destroy();
      return 'answered';
    case 'ignore-conditions':
      delete request.headers['if-match'];
      return 'to be carried out';
    case 'meanwhile':
      if (fault.ics === null) store.remove(fault.calendar, fault.name);
      else store.put({ calendar: fault.calendar, name: fault.name, ics: fault.ics });
      return 'to be carried out';
    default:
      return 'to be carried out';
  }
}

/** What goes wrong with the answer. */
function afterRequest(fault: CalendarFault, request: Request, response: Response): void {
  switch (fault.effect) {
    case 'drop-after-commit':
      interceptEnd(response, () => request.socket.destroy());
      break;
    case 'delay':
      interceptEnd(response, (body, usual) => {
        void delayWhileConnected(fault.delayMs, request.socket).then(() => usual(body));
      });
      break;
    case 'half':
      interceptEnd(response, (body, usual) => {
        response.removeHeader('content-length');
        usual(body.subarray(0, body.length / 2));
      });
      break;
    case 'no-etag':
      interceptEnd(response, (body, usual) => {
        response.removeHeader('etag');
        usual(body);
      });
      break;
    default:
  }
}

const calendarIn = (path: string): string =>
  path.startsWith(`${CALENDAR_HOME}/`) ? (path.slice(CALENDAR_HOME.length + 1).split('/')[0] ?? '') : '';

const calendarRule = z.strictObject({
  ...faultRule.shape,
  method: z.enum(['OPTIONS', 'PROPFIND', 'REPORT', 'GET', 'PUT', 'DELETE']).optional(),
  /** The id of a calendar; any when left out. */
  resource: z.string().optional(),
});
const effect = <E extends string, S extends z.core.$ZodLooseShape>(name: E, shape: S) =>
  z.strictObject({ ...calendarRule.shape, effect: z.literal(name), ...shape });

const delayMs = z.int().min(1).max(600_000);

/** What a calendar server can do wrong: as a FHIR server does it. */
export const calendarFaultSchema = z.discriminatedUnion('effect', [
  /** Answers this and does nothing. */
  effect('answer', {
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.string().default(''),
  }),
  /** Does it, and answers so much later. */
  effect('delay', { delayMs }),
  /** Closes the connection and does nothing. */
  effect('drop', {}),
  /** Does it, and closes the connection without an answer. */
  effect('drop-after-commit', {}),
  /** Does it, and sends the first half of the answer as if that were all. */
  effect('half', {}),
  /** Does it, and does not say which version it is now: then it need not be as it was sent. */
  effect('no-etag', {}),
  /** Says that it does it, and does not. */
  effect('forget', {}),
  /** Pays no heed to If-Match. */
  effect('ignore-conditions', {}),
  /** Somebody at the clinic is a moment quicker, with a calendar program: writes this object; null deletes it. */
  effect('meanwhile', { calendar: z.string(), name: z.string(), ics: z.string().nullable() }),
]);

export type CalendarFault = z.infer<typeof calendarFaultSchema>;
