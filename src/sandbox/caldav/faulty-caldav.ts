import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { Faults } from '../clinic/faults.ts';
import { endWith } from '../clinic/send-badly.ts';
import { waitFor } from '../fhir/wait-for.ts';
import { HOME } from './calendar-data.ts';
import type { CalendarFault } from './fault.ts';
import type { CalendarStore } from './store.ts';

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The CalDAV server, with what the faults make of it. */
export function faultyCalDav(
  serve: Serve,
  store: CalendarStore,
  faults: Faults<CalendarFault>,
): RequestHandler {
  return async (request, response) => {
    const fault = faults.take(request.method, calendarIn(request.path));
    if (fault && before(fault, store, request, response) === 'answered') return;
    if (fault) after(fault, request, response);
    await serve(request, response);
  };
}

/** What goes wrong before the request is carried out. */
function before(
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
function after(fault: CalendarFault, request: Request, response: Response): void {
  switch (fault.effect) {
    case 'drop-after-commit':
      endWith(response, () => request.socket.destroy());
      break;
    case 'delay':
      endWith(response, (body, usual) => {
        void waitFor(fault.delayMs, request.socket).then(() => usual(body));
      });
      break;
    case 'half':
      endWith(response, (body, usual) => {
        response.removeHeader('content-length');
        usual(body.subarray(0, body.length / 2));
      });
      break;
    case 'no-etag':
      endWith(response, (body, usual) => {
        response.removeHeader('etag');
        usual(body);
      });
      break;
    default:
  }
}

const calendarIn = (path: string): string =>
  path.startsWith(`${HOME}/`) ? (path.slice(HOME.length + 1).split('/')[0] ?? '') : '';
