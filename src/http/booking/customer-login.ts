import type { Logger } from 'pino';
import { type CaseId, parseCaseId } from '../../domain/ids.ts';
import { LoginFailed, type LoginFailure } from '../../identity/login-failed.ts';
import { isSameName } from '../../identity/name-match.ts';
import type { Session } from '../../identity/session.ts';
import { type CaseView, readCase } from '../../postgres/cases.ts';
import { bindPerson, readBoundPerson } from '../../postgres/customers.ts';
import type { Dependencies } from '../dependencies.ts';
import { ApiError, caseNotFound } from '../errors.ts';

export interface FinishedLogin {
  readonly caseId: CaseId;
  readonly setCookie: string;
}

/** The login at the eID, from our side. Every failure is a {@link LoginFailed}. */
export const createCustomerLogin = ({
  eid,
  loginStates,
  pendingLogins,
  sessions,
  personKeyOf,
}: Dependencies) => ({
  /** @param language of the eID's pages */
  async begin(view: CaseView, cookies: string | undefined, language?: string) {
    const state = await loginStates.issue(view.id);
    const { authorizationUrl, pending } = await eid.begin(view.id, {
      state,
      ...(language !== undefined && { language }),
    });
    return { authorizationUrl, setCookie: await pendingLogins.add(cookies, pending) };
  },

  /** Which case somebody who comes back from the eID was at, whoever it is; null when nobody can tell. */
  caseOf: (callbackUrl: URL): Promise<CaseId | null> =>
    loginStates.caseOf(callbackUrl.searchParams.get('state')),

  async finish(callbackUrl: URL, cookies: string | undefined): Promise<FinishedLogin> {
    const pending = await pendingLogins.find(cookies, callbackUrl);
    if (!pending) throw new LoginFailed('other_browser');
    const person = await eid.finish(callbackUrl, pending);
    const { givenName, familyName, birthDate } = person;
    const setCookie = await sessions.start({
      personKey: personKeyOf(person),
      givenName,
      familyName,
      birthDate,
    });
    return { caseId: pending.caseId, setCookie };
  },

  /** Ends it in this browser. @returns the values of `Set-Cookie` headers */
  end: (cookies: string | undefined): string[] => [...sessions.end(), ...pendingLogins.forget(cookies)],

  /** Where to end it at the eID too; null when that is not wanted. */
  logoutUrl: async (view: CaseView, language: string): Promise<string | null> =>
    eid.logoutUrl(await loginStates.issue(view.id), language),
});

/** Which case, and whose it is. */
export const createCaseAccess = ({ database }: Pick<Dependencies, 'database'>) => {
  /** The first person whose name matches is bound to the case; from then on, only that person is (contract §3). */
  const isOwner = async (view: CaseView, session: Session): Promise<boolean> => {
    const { personKey, givenName, familyName, birthDate } = session;
    const bound = await readBoundPerson(database, view.id);
    if (bound) return bound.personKey === personKey;
    const named = { given: view.patient_first_name, family: view.patient_last_name };
    if (!isSameName(named, { given: givenName, family: familyName })) return false;
    return (
      (await bindPerson(database, view.id, { personKey, givenName, familyName, birthDate })) === personKey
    );
  };

  return {
    isOwner,

    /** @throws CASE_NOT_FOUND */
    find: async (id: string): Promise<CaseView> => {
      const caseId = parseCaseId(id);
      const view = caseId && (await readCase(database, caseId));
      if (!view) throw caseNotFound();
      return view;
    },

    /** @throws EID_LOGIN_REQUIRED, IDENTITY_MISMATCH */
    require: async (view: CaseView, session: Session | null): Promise<Session> => {
      if (!session) throw new ApiError('EID_LOGIN_REQUIRED');
      if (!(await isOwner(view, session))) throw new ApiError('IDENTITY_MISMATCH');
      return session;
    },
  };
};

/** Whom a failed login is news to: the operator only where our settings or the eID are at fault. */
const AT_FAULT: Readonly<Record<LoginFailure, 'customer' | 'eID' | 'settings'>> = {
  cancelled: 'customer',
  expired: 'customer',
  callback_invalid: 'customer',
  other_browser: 'customer',
  refused: 'eID',
  eid_unavailable: 'eID',
  level_too_low: 'customer',
  name_missing: 'settings',
  identity_missing: 'settings',
  level_missing: 'settings',
  eid_misconfigured: 'settings',
};

/** The failure's own words are codes and names of claims. */
export function logFailedLogin(log: Logger, requestId: string, { reason, message }: LoginFailed): void {
  const fault = AT_FAULT[reason];
  const entry = { requestId, login: message };
  if (fault === 'customer') log.info(entry, 'a login failed');
  else if (fault === 'eID') log.warn(entry, 'a login failed at the eID');
  else log.error(entry, 'a login failed: the EID_ settings do not fit the eID');
}
