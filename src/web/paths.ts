import type { CaseId } from '../domain/ids.ts';
import type { CalendarDate } from '../domain/instant.ts';

/** Every address of the customer's pages; the templates are for the routes. */
export const ROUTES = {
  welcome: '/b/:caseId',
  login: '/b/:caseId/login',
  logout: '/b/:caseId/logout',
  session: '/b/:caseId/session',
  language: '/b/:caseId/language',
  times: '/b/:caseId/times',
  confirm: '/b/:caseId/confirm',
  cancel: '/b/:caseId/cancel',
  help: '/b/:caseId/help',
  calendar: '/b/:caseId/appointment.ics',
  eidCallback: '/eid/callback',
  eidLoggedOut: '/eid/logged-out',
} as const;

export type CaseRoute = Exclude<keyof typeof ROUTES, 'eidCallback' | 'eidLoggedOut'>;

export const pathOf = (route: CaseRoute, caseId: CaseId): string => ROUTES[route].replace(':caseId', caseId);

export interface TimesQuery {
  readonly from?: CalendarDate | null;
  readonly provider?: string | null;
}

export const timesPath = (caseId: CaseId, { from, provider }: TimesQuery = {}): string =>
  withQuery(pathOf('times', caseId), { from, provider });

export const confirmPath = (caseId: CaseId, slotId: string): string =>
  withQuery(pathOf('confirm', caseId), { slot: slotId });

function withQuery(path: string, query: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
