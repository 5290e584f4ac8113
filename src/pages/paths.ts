import type { CaseId } from '../domain/ids.ts';
import { queryFields, type TimesQuery } from './times/query.ts';

/** Every address of the customer's pages; the templates are for the routes. */
export const ROUTES = {
  home: '/',
  about: '/about',
  privacy: '/privacy',
  welcome: '/b/:caseId',
  login: '/b/:caseId/login',
  logout: '/b/:caseId/logout',
  session: '/b/:caseId/session',
  times: '/b/:caseId/times',
  confirm: '/b/:caseId/confirm',
  pending: '/b/:caseId/pending',
  cancel: '/b/:caseId/cancel',
  earlier: '/b/:caseId/earlier',
  help: '/b/:caseId/help',
  notYours: '/b/:caseId/not-for-me',
  access: '/b/:caseId/access',
  calendar: '/b/:caseId/appointment.ics',
  language: '/language',
  eidCallback: '/eid/callback',
  eidLoggedOut: '/eid/logged-out',
} as const;

export type CaseRoute = Exclude<
  keyof typeof ROUTES,
  'home' | 'about' | 'privacy' | 'language' | 'eidCallback' | 'eidLoggedOut'
>;

export const pathOf = (route: CaseRoute, caseId: CaseId): string => ROUTES[route].replace(':caseId', caseId);

export const timesPath = (caseId: CaseId, query: Partial<TimesQuery> = {}): string =>
  withQuery(pathOf('times', caseId), queryFields(query));

/** @param query what the customer looked at, to go back to */
export const confirmPath = (caseId: CaseId, slotId: string, query: Partial<TimesQuery> = {}): string =>
  withQuery(pathOf('confirm', caseId), { slot: slotId, ...queryFields(query) });

/** What is waited for on the page of something under way: a slot that is to be booked, or a booking that is to go. */
export interface Pending {
  readonly slot?: string;
  readonly booking?: string;
  /** When it was asked for: milliseconds since 1970. */
  readonly since: number;
}

export const pendingPath = (caseId: CaseId, { slot, booking, since }: Pending): string =>
  withQuery(pathOf('pending', caseId), { slot, booking, since: String(since) });

/** The first page, for whom the session has ended while they read; `back` is where they were. */
export const endedPath = (caseId: CaseId, back: string): string =>
  withQuery(pathOf('welcome', caseId), { ended: '1', back });

/** The form for who asks for another person. */
export const helpForAnotherPath = (caseId: CaseId): string =>
  withQuery(pathOf('help', caseId), { for: 'another' });

/** @param caseId whose pages it is opened from */
export const privacyPath = (caseId: CaseId | undefined): string =>
  withQuery(ROUTES.privacy, { case: caseId });

function withQuery(path: string, query: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
