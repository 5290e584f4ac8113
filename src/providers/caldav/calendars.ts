import { propfind } from 'tsdav';
import { ProviderUnavailable } from '../port.ts';
import { type Entry, textOf } from './answers.ts';
import { ask, type CalDavServer } from './server.ts';

/** One practitioner's time. */
export interface Calendar {
  readonly path: string;
  /** Its name, which is the practitioner's. */
  readonly practitioner: string;
}

/** Each is a request of its own. */
const MAX_CALENDARS = 100;

/** @throws ProviderUnavailable when there is no calendar: then the address is wrong */
export async function calendarsOf(server: CalDavServer): Promise<Calendar[]> {
  const calendars = (await collections(server, server.baseUrl, '1')).map(asCalendar);
  if (calendars.length > MAX_CALENDARS)
    throw new ProviderUnavailable(`CalDAV PROPFIND: more than ${MAX_CALENDARS} calendars`);
  if (calendars.length > 0) return calendars;
  throw new ProviderUnavailable('CalDAV PROPFIND: no calendars found: check the base URL', {
    reason: 'wrong_server',
  });
}

/** @returns null when it is gone */
export async function calendarAt(server: CalDavServer, path: string): Promise<Calendar | null> {
  const [entry] = await collections(server, at(server, path), '0');
  return entry ? asCalendar({ ...entry, path }) : null;
}

/** The calendars at an address. `more` are properties to ask for beside the name. */
export async function collections(
  server: CalDavServer,
  url: URL,
  depth: '0' | '1',
  more: Record<string, object> = {},
): Promise<Entry[]> {
  const props = { 'd:resourcetype': {}, 'd:displayname': {}, ...more };
  const read = await ask(server, 'PROPFIND', (fetch) => propfind({ url: url.href, depth, props, fetch }));
  const entries = read?.outcome === 'entries' ? read.entries : [];
  return entries.filter(({ properties: { resourcetype } }) => isCalendar(resourcetype));
}

/** An address of the server's. A path can name no other host. */
export function at(server: CalDavServer, path: string): URL {
  const url = new URL(server.baseUrl);
  url.pathname = path;
  return url;
}

const isCalendar = (type: unknown): boolean =>
  typeof type === 'object' && type !== null && Object.hasOwn(type, 'calendar');

const asCalendar = ({ path, properties }: Entry): Calendar => ({
  path,
  practitioner: textOf(properties.displayname)?.trim() || nameIn(path),
});

/** One that is no longer listed. */
export const calendarNamed = (path: string): Calendar => ({ path, practitioner: nameIn(path) });

/** The last part of the path. */
function nameIn(path: string): string {
  const last = path.split('/').findLast((part) => part !== '') ?? path;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
