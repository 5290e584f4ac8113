import type { Capability } from '../port.ts';
import { collections } from './calendars.ts';
import type { Entry } from './answers.ts';
import { boundedFetch, type Clinic, NoCalDavServer } from './server.ts';

/** Asked anew each time: the operator wants to know how it is now. */
export async function capabilities(clinic: Clinic): Promise<readonly Capability[]> {
  const { server } = clinic;
  const options = await boundedFetch(server)(server.baseUrl.href, { method: 'OPTIONS' });
  const calendars = await listed(clinic);
  if (typeof calendars === 'string') return [{ name: 'CalDAV', state: 'no', meaning: calendars }];
  const count = calendars.length;
  return [
    calDav(options.headers.get('dav')),
    count > 0
      ? { name: 'calendars', state: 'yes', meaning: `${count} found, each with one practitioner's times` }
      : {
          name: 'calendars',
          state: 'no',
          meaning: 'none found at this address, so that no time can be shown',
        },
    row('write', calendars.map(mayWrite), {
      yes: 'times can be held and booked',
      no: 'in some of its calendars no time can be held: share them with the right to change events',
    }),
    row('calendar-query', calendars.map(canQuery), {
      yes: 'only the days that are asked for are read',
      no: 'none of its times can be shown',
    }),
    row('VEVENT', calendars.map(takesEvents), {
      yes: 'its calendars take events',
      no: 'some of its calendars take no events, and show no times',
    }),
  ];
}

/** @returns why not, when something answers there that is no CalDAV server */
async function listed({ server }: Clinic): Promise<Entry[] | string> {
  const more = {
    'd:current-user-privilege-set': {},
    'd:supported-report-set': {},
    'c:supported-calendar-component-set': {},
  };
  try {
    return await collections(server, server.baseUrl, '1', more);
  } catch (error) {
    if (error instanceof NoCalDavServer) return error.message;
    throw error;
  }
}

function calDav(header: string | null): Capability {
  const name = 'CalDAV';
  if (header === null) return { name, state: 'unknown', meaning: 'it does not say so, and is tried' };
  return header.split(',').some((word) => word.trim() === 'calendar-access')
    ? { name, state: 'yes', meaning: 'it says that it serves calendars (RFC 4791)' }
    : { name, state: 'no', meaning: 'it says what it serves, and names no calendars' };
}

type Ability = Capability['state'];

/** Of all calendars: one that can't is told of. */
function row(name: string, each: readonly Ability[], meaning: { yes: string; no: string }): Capability {
  if (each.includes('no')) return { name, state: 'no', meaning: meaning.no };
  if (each.length === 0 || each.includes('unknown')) return { name, state: 'unknown', meaning: 'is tried' };
  return { name, state: 'yes', meaning: meaning.yes };
}

const mayWrite = ({ properties }: Entry): Ability =>
  named(properties.currentUserPrivilegeSet, (element) =>
    ['all', 'write', 'writeContent'].some((privilege) => Object.hasOwn(element, privilege)),
  );

const canQuery = ({ properties }: Entry): Ability =>
  named(properties.supportedReportSet, (element) => Object.hasOwn(element, 'calendarQuery'));

const takesEvents = ({ properties }: Entry): Ability =>
  named(
    properties.supportedCalendarComponentSet,
    (element) => (element as { name?: unknown }).name === 'VEVENT',
  );

/** Whether any element inside is the one. A server that does not say is `unknown`. */
function named(inside: unknown, isIt: (element: object) => boolean): Ability {
  if (typeof inside !== 'object' || inside === null) return 'unknown';
  const found = (element: object): boolean =>
    isIt(element) ||
    Object.values(element).some(
      (value: unknown) => typeof value === 'object' && value !== null && found(value),
    );
  return found(inside) ? 'yes' : 'no';
}
